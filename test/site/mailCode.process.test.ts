// Sign-in codes by mail, and what a response gives away.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAIL_REQUESTS } from '../../src/site/mailCode.ts'
import type { TestApi } from '../support/api.ts'
import { addMail, type NoticeApi, PASSWORD, SITE, startNoticeApi } from '../support/noticeApi.ts'
import { TOKEN } from '../support/telegram.ts'
import { findVisitor } from '../support/visitor.ts'

let notices: NoticeApi
let api: TestApi

beforeAll(async () => {
  notices = await startNoticeApi()
  api = notices.api
})
afterAll(() => notices.close())
beforeEach(() => {
  notices.mail.isRefused = false
  // what one test has sent, no other counts
  api.clock.atMs += 25 * 3_600_000
})

const wished = (address: string, as = findVisitor(api.url)) =>
  as.post('/account/enter/mail', { address })

test('a code comes by mail and signs in once; the link in it uses nothing up', async () => {
  await notices.newProven('in@example.com')
  const requested = await wished('IN@example.com')
  expect([requested.status, requested.html.includes('a code for it is on its way')]).toEqual([
    200,
    true,
  ])
  const mail = (await notices.mailsTo('in@example.com', 2)).at(-1)!
  expect(mail.head).toContain('Subject: Tapefold: sign in')
  const [, link] = /Open (\S+) and/.exec(mail.text)!
  expect(link).toBe(`${SITE}/account/enter`)
  const code = /^([0-9A-Z]{5}-){4}[0-9A-Z]{6}/m.exec(mail.text)![0]
  for (let index = 0; index < 3; index++) {
    expect((await findVisitor(api.url).get(new URL(link!).pathname)).status).toBe(200)
  }
  await findVisitor(api.url).signIn(code)
  const used = await findVisitor(api.url).post('/account/enter', { code })
  expect(used.status).toBe(400)
})

test('a known and an unknown address get the same response, and only one a mail', async () => {
  await notices.newProven('known@example.com')
  const [known, unknown] = [await wished('known@example.com'), await wished('none@example.com')]
  expect(unknown.html).toBe(known.html)
  expect(unknown.status).toBe(known.status)
  const without = (headers: Headers) =>
    [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  expect(without(unknown.headers)).toEqual(without(known.headers))
  await notices.mailsTo('known@example.com', 2)
  expect(notices.smtp.mails.filter(({ to }) => to[0] === 'none@example.com')).toEqual([])
})

test('an address gets three mails an hour to sign in with, and the same response after', async () => {
  await notices.newProven('often@example.com')
  const responses: string[] = []
  for (let index = 0; index < 5; index++) {
    api.clock.atMs += 60_000
    responses.push((await wished('often@example.com')).html)
  }
  expect(new Set(responses).size).toBe(1)
  await notices.mailsTo('often@example.com', 1 + 3)
})

test('a client gets five mails at once, whatever for', async () => {
  const statuses: number[] = []
  for (let index = 0; index < MAIL_REQUESTS.atOnce + 2; index++) {
    statuses.push((await wished(`${index}@example.com`)).status)
  }
  expect(statuses).toEqual([...Array(5).fill(200), 429, 429])
  const wrong = await wished('desk')
  expect(wrong.status).toBe(429)
  api.clock.atMs += 60_000
  const next = await wished('desk')
  expect([next.status, next.html.includes('The address is &quot;desk&quot;')]).toEqual([400, true])
})

test('a wish for a mail comes from a page of this site, over https or from here', async () => {
  const stranger = findVisitor(api.url)
  const query = (from: Record<string, string>) =>
    stranger.post('/account/enter/mail', { address: 'in@example.com' }, from)
  const evil = await query({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
  const plain = await query({ origin: 'http://192.0.2.7', 'sec-fetch-site': 'same-origin' })
  expect([evil.status, plain.status]).toEqual([403, 400])
  expect((await stranger.get('/account/enter/mail')).status).toBe(405)
})

test('no password, token or code is in the log, on a page or in the database', async () => {
  const { own } = await notices.newProven('canary@example.com')
  await wished('canary@example.com')
  const mail = (await notices.mailsTo('canary@example.com', 2)).at(-1)!
  notices.mail.isRefused = true
  await addMail(own, 'refused@example.com')
  await own.post('/account/contacts/add', { channel: 'telegram', address: '403' })
  await wished('canary@example.com')
  const codes = notices.smtp.mails.flatMap(({ text }) =>
    text.match(/\b([0-9A-Z]{5}-)+[0-9A-Z]{5,6}\b/g),
  )
  await expect.poll(() => JSON.stringify(api.logged), { timeout: 30_000 }).toContain('not mailed')
  expect(mail.text).toContain(codes.at(-1)!)
  const files = ['accounts.sqlite', 'accounts.sqlite-wal'].map(name =>
    readFileSync(join(api.dataFolder, name), 'latin1'),
  )
  const page = (await own.get('/account')).html
  for (const text of [JSON.stringify(api.logged), page, ...files]) {
    for (const secret of [PASSWORD, TOKEN, ...codes]) expect(text).not.toContain(secret!)
  }
})
