// Contacts on the account page, and codes to sign in with that come by mail.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Contact } from '../../src/accounts/outbox/types.ts'
import { parseTelegramUrl } from '../../src/notices/places.ts'
import { MAIL_ASKS } from '../../src/site/mailCode.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { startSmtp, type TestSmtp } from '../support/smtp.ts'
import { answerJson, startTelegram, type TestTelegram, TOKEN } from '../support/telegram.ts'
import { newCode, signedIn, type Visitor, visitorOf } from '../support/visitor.ts'

const SITE = 'https://tapefold.example'
const PASSWORD = 'canary-smtp-password'

let smtp: TestSmtp
let telegram: TestTelegram
let api: TestApi
let visitor: Visitor
let isMailRefused = false

beforeAll(async () => {
  smtp = await startSmtp({
    onAuth: ({ password }, _, done) =>
      password === PASSWORD ? done(null, { user: 'tapefold' }) : done(new Error('no')),
    onRcptTo: (_, __, done) =>
      isMailRefused
        ? done(Object.assign(new Error(`no ${PASSWORD}`), { responseCode: 550 }))
        : done(),
  })
  telegram = await startTelegram(({ body }, res) => {
    if (body.chat_id !== 403) return false
    return answerJson(res, 403, { ok: false, error_code: 403, description: TOKEN })
  })
  const server = smtp.server({ user: 'tapefold', pass: PASSWORD })
  const mail = { server, from: 'alerts@tapefold.example', trusted: smtp.trusted }
  const telegramUrl = parseTelegramUrl(telegram.url)
  api = await startTestApi({ notices: { mail, telegramUrl, siteUrl: SITE } })
  visitor = await signedIn(api)
})
afterAll(async () => {
  await api.close()
  await smtp.close()
  await telegram.close()
})
beforeEach(() => {
  isMailRefused = false
  // what one test has sent, no other counts
  api.clock.atMs += 25 * 3_600_000
})

const contacts = (accountId = api.accountId): Promise<Contact[]> =>
  api.accounts.outbox.listContacts(accountId)
const codeIn = (text: string): string => /^[0-9A-Z]{5}-[0-9A-Z]{5}\b/m.exec(text)![0]
const addMail = (address: string, as = visitor) =>
  as.post('/account/contacts/add', { channel: 'email', address, alerts: 'on' })

/** A new account with a proven address of mail. */
async function newProven(address: string): Promise<{ accountId: string; own: Visitor }> {
  const { accountId } = await api.newKey()
  const own = await signedIn(api, accountId)
  await addMail(address, own)
  const [{ id }] = (await contacts(accountId)) as [Contact]
  const code = codeIn(smtp.mails.at(-1)!.text)
  expect((await own.post('/account/contacts/prove', { id, code })).status).toBe(303)
  return { accountId, own }
}

test('a mail address is added, proven by its code, kept from alerts and removed', async () => {
  const added = await addMail('desk@Example.COM')
  expect(added.status).toBe(200)
  expect(added.html).toContain('A code is on its way to desk@example.com')
  const mail = smtp.mails.at(-1)!
  expect([mail.to, mail.isSecure, mail.user]).toEqual([['desk@example.com'], true, 'tapefold'])
  expect(mail.head).toContain('Subject: Tapefold: your code')
  expect(mail.text).toContain(`${SITE}/account#contacts`)
  const code = codeIn(mail.text)
  expect(added.html).not.toContain(code)
  const [{ id }] = (await contacts()) as [Contact]
  const wrong = await visitor.post('/account/contacts/prove', { id, code: 'AAAAA-AAAAA' })
  expect([wrong.status, wrong.html.includes('not the code that was sent')]).toEqual([400, true])
  const proven = await visitor.post('/account/contacts/prove', { id, code: code.toLowerCase() })
  expect([proven.status, proven.location]).toEqual([303, '/account#contacts'])
  expect(await contacts()).toMatchObject([{ isProven: true, isForAlerts: true }])
  const again = await visitor.post('/account/contacts/prove', { id, code })
  expect([again.status, again.html.includes('no code to type any more')]).toEqual([400, true])
  await visitor.post('/account/contacts/alerts', { id, to: 'off' })
  expect(await contacts()).toMatchObject([{ isForAlerts: false }])
  await visitor.post('/account/contacts/alerts', { id, to: 'on' })
  expect(await contacts()).toMatchObject([{ isForAlerts: true }])
  expect((await visitor.post('/account/contacts/remove', { id })).status).toBe(303)
  expect(await contacts()).toEqual([])
})

test('a chat of Telegram is proven by a code that the bot sends', async () => {
  const added = await visitor.post('/account/contacts/add', {
    ...{ channel: 'telegram', address: ' 4711 ', alerts: 'off' },
  })
  expect(added.status).toBe(200)
  const { body } = telegram.messages.at(-1)!
  expect(body.chat_id).toBe(4711)
  const [{ id, isForAlerts }] = (await contacts()) as [Contact]
  expect(isForAlerts).toBe(false)
  await visitor.post('/account/contacts/prove', { id, code: codeIn(body.text as string) })
  expect(await contacts()).toMatchObject([{ isProven: true, address: '4711' }])
  await visitor.post('/account/contacts/remove', { id })
})

test.each([
  ['no address', { channel: 'email', address: 'desk' }, 'The address is &quot;desk&quot;'],
  ['two addresses', { channel: 'email', address: 'a@b.example,c@d.example' }, 'The address is'],
  ['a header', { channel: 'email', address: 'a@b.example\r\nBcc: c@d.example' }, 'The address is'],
  ['a name', { channel: 'email', address: 'Desk <a@b.example>' }, 'The address is'],
  ['no number', { channel: 'telegram', address: '@channel' }, 'The chat is'],
  ['no channel', { channel: 'fax', address: '1' }, 'Choose mail or Telegram'],
  ['a shut chat', { channel: 'telegram', address: '403' }, 'press Start'],
])('%s is refused with a sentence', async (_, fields, sentence) => {
  const before = smtp.mails.length
  const { status, html } = await visitor.post('/account/contacts/add', fields)
  expect(status).toBe(400)
  expect(html).toContain(sentence)
  expect(smtp.mails).toHaveLength(before)
  for (const { id } of await contacts()) await visitor.post('/account/contacts/remove', { id })
})

test('a mail that the server refuses is told in plain words, and the answer has no secret', async () => {
  isMailRefused = true
  const { status, html } = await addMail('nobody@example.com')
  expect(status).toBe(400)
  expect(html).toContain('The mail server did not take the code')
  expect(html).not.toContain('canary')
  const [{ id }] = (await contacts()) as [Contact]
  const soon = await visitor.post('/account/contacts/send', { id })
  expect(soon.html).toContain('less than a minute ago')
  isMailRefused = false
  api.clock.atMs += 60_000
  expect((await visitor.post('/account/contacts/send', { id })).status).toBe(200)
  expect(smtp.mails.at(-1)!.to).toEqual(['nobody@example.com'])
  await visitor.post('/account/contacts/remove', { id })
})

test('nobody is flooded: three codes an hour, also by adding and removing', async () => {
  const answers: number[] = []
  for (let index = 0; index < 5; index++) {
    const { status, html } = await addMail('victim@example.com')
    answers.push(status)
    if (status === 400) expect(html).toContain('Enough codes were sent of late')
    for (const { id } of await contacts()) await visitor.post('/account/contacts/remove', { id })
  }
  expect(answers).toEqual([200, 200, 200, 400, 400])
  const sent = smtp.mails.filter(({ to }) => to[0] === 'victim@example.com')
  expect(sent).toHaveLength(3)
})

test('what belongs to another account is as unknown as what is not there', async () => {
  const { own } = await newProven('own@example.com')
  const { accountId } = await api.newKey()
  const stranger = await signedIn(api, accountId)
  const page = (await own.get('/account')).html
  const [, id] = /name="id" value="(con_\w+)"/.exec(page)!
  for (const [form, fields] of [
    ['send', {}],
    ['prove', { code: 'AAAAA-AAAAA' }],
    ['alerts', { to: 'off' }],
    ['remove', {}],
  ] as const) {
    const theirs = await stranger.post(`/account/contacts/${form}`, { ...fields, id: id! })
    const none = await stranger.post(`/account/contacts/${form}`, { ...fields, id: 'con_none' })
    expect([theirs.status, theirs.html]).toEqual([404, none.html])
  }
  expect((await own.get('/account')).html).toContain('own@example.com')
  expect((await stranger.get('/account')).html).not.toContain('own@example.com')
})

test('a form without the token, or of another site, changes nothing', async () => {
  const { accountId, own } = await newProven('kept@example.com')
  const [{ id }] = (await contacts(accountId)) as [Contact]
  const before = smtp.mails.length
  for (const [form, fields] of [
    ['add', { channel: 'email', address: 'new@example.com' }],
    ...['send', 'alerts', 'remove', 'prove'].map(name => [name, { id }] as const),
  ] as const) {
    const forged = await own.post(`/account/contacts/${form}`, { ...fields, token: 'x' })
    const from = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const foreign = await own.post(`/account/contacts/${form}`, { ...fields }, from)
    expect([forged.status, foreign.status]).toEqual([403, 403])
  }
  expect(await contacts(accountId)).toMatchObject([{ id, isProven: true, isForAlerts: true }])
  expect(smtp.mails).toHaveLength(before)
})

test('markup in an address or a reason stays text', async () => {
  const { accountId } = await api.newKey()
  const markup = '"><script>alert(1)</script>'
  // as nobody can write it by a form
  const contact = { accountId, channel: 'telegram', address: markup, isForAlerts: true } as const
  const added = await api.accounts.outbox.addContact({ ...contact, atMs: api.clock.atMs })
  if (typeof added === 'string') throw new Error(added)
  const { contact: made, code } = added
  const proving = { accountId, contactId: made.id, code, atMs: api.clock.atMs }
  await api.accounts.outbox.proveContact(proving)
  await api.accounts.outbox.unproveContact(made.id, markup)
  const own = await signedIn(api, accountId)
  const refused = await own.post('/account/contacts/add', { channel: 'email', address: markup })
  for (const { html } of [await own.get('/account'), refused]) {
    expect(html).not.toMatch(/<script>alert/)
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  }
})

const wished = (address: string, as = visitorOf(api.url)) =>
  as.post('/account/enter/mail', { address })

/** The mails to an address once there are so many. */
async function mailsTo(address: string, count: number) {
  const own = () => smtp.mails.filter(({ to }) => to[0] === address)
  await expect.poll(() => own().length, { timeout: 30_000 }).toBe(count)
  return own()
}

test('a code comes by mail and signs in once; the link in it uses nothing up', async () => {
  await newProven('in@example.com')
  const asked = await wished('IN@example.com')
  expect([asked.status, asked.html.includes('a code for it is on its way')]).toEqual([200, true])
  const mail = (await mailsTo('in@example.com', 2)).at(-1)!
  expect(mail.head).toContain('Subject: Tapefold: sign in')
  const [, link] = /Open (\S+) and/.exec(mail.text)!
  expect(link).toBe(`${SITE}/account/enter`)
  const code = /^([0-9A-Z]{5}-){4}[0-9A-Z]{6}/m.exec(mail.text)![0]
  for (let index = 0; index < 3; index++) {
    expect((await visitorOf(api.url).get(new URL(link!).pathname)).status).toBe(200)
  }
  await visitorOf(api.url).signIn(code)
  const used = await visitorOf(api.url).post('/account/enter', { code })
  expect(used.status).toBe(400)
})

test('a known and an unknown address get the same answer, and only one a mail', async () => {
  await newProven('known@example.com')
  const [known, unknown] = [await wished('known@example.com'), await wished('none@example.com')]
  expect(unknown.html).toBe(known.html)
  expect(unknown.status).toBe(known.status)
  const without = (headers: Headers) =>
    [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  expect(without(unknown.headers)).toEqual(without(known.headers))
  await mailsTo('known@example.com', 2)
  expect(smtp.mails.filter(({ to }) => to[0] === 'none@example.com')).toEqual([])
})

test('an address gets three mails an hour to sign in with, and is told the same after', async () => {
  await newProven('often@example.com')
  const answers: string[] = []
  for (let index = 0; index < 5; index++) {
    api.clock.atMs += 60_000
    answers.push((await wished('often@example.com')).html)
  }
  expect(new Set(answers).size).toBe(1)
  await mailsTo('often@example.com', 1 + 3)
})

test('a client asks for five mails at once, whatever for', async () => {
  const statuses: number[] = []
  for (let index = 0; index < MAIL_ASKS.atOnce + 2; index++) {
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
  const stranger = visitorOf(api.url)
  const ask = (from: Record<string, string>) =>
    stranger.post('/account/enter/mail', { address: 'in@example.com' }, from)
  const evil = await ask({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
  const plain = await ask({ origin: 'http://192.0.2.7', 'sec-fetch-site': 'same-origin' })
  expect([evil.status, plain.status]).toEqual([403, 400])
  expect((await stranger.get('/account/enter/mail')).status).toBe(405)
})

test('a server that sends nothing offers nothing, and its pages are as before', async () => {
  const bare = await startTestApi()
  const stranger = visitorOf(bare.url)
  const { html } = await stranger.get('/account/enter')
  expect(html).not.toContain('mail')
  const asked = await stranger.post('/account/enter/mail', { address: 'in@example.com' })
  // what a form of a section gets where nobody is signed in
  expect([asked.status, asked.location]).toEqual([303, '/account/enter'])
  const own = visitorOf(bare.url)
  await own.signIn(await newCode(bare))
  expect((await own.get('/account')).html).not.toContain('Contacts')
  const fields = { channel: 'email', address: 'in@example.com' }
  const refused = await own.post('/account/contacts/add', fields)
  expect(refused.status).toBe(400)
  expect(await bare.accounts.outbox.listContacts(bare.accountId)).toEqual([])
  await bare.close()
})

test('no password, token or code is in the log, on a page or in the database', async () => {
  const { own } = await newProven('canary@example.com')
  await wished('canary@example.com')
  const mail = (await mailsTo('canary@example.com', 2)).at(-1)!
  isMailRefused = true
  await addMail('refused@example.com', own)
  await own.post('/account/contacts/add', { channel: 'telegram', address: '403' })
  await wished('canary@example.com')
  const codes = smtp.mails.flatMap(({ text }) => text.match(/\b([0-9A-Z]{5}-)+[0-9A-Z]{5,6}\b/g))
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
