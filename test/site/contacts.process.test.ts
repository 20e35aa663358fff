// Contacts on the account page: added, proven, switched, removed.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Contact } from '../../src/outbox/store/types.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { addMail, codeIn, type NoticeApi, SITE, startNoticeApi } from '../support/noticeApi.ts'
import { findVisitor, newCode, signedIn, type Visitor } from '../support/visitor.ts'

let notices: NoticeApi
let api: TestApi
let visitor: Visitor

beforeAll(async () => {
  notices = await startNoticeApi()
  api = notices.api
  visitor = await signedIn(api)
})
afterAll(() => notices.close())
beforeEach(() => {
  notices.mail.isRefused = false
  // what one test has sent, no other counts
  api.clock.atMs += 25 * 3_600_000
})

test('a mail address is added, proven by its code, excluded from alerts and removed', async () => {
  const added = await addMail(visitor, 'desk@Example.COM')
  expect(added.status).toBe(200)
  expect(added.html).toContain('A code is on its way to desk@example.com')
  const mail = notices.smtp.mails.at(-1)!
  expect([mail.to, mail.isSecure, mail.user]).toEqual([['desk@example.com'], true, 'tapefold'])
  expect(mail.head).toContain('Subject: Tapefold: your code')
  expect(mail.text).toContain(`${SITE}/account#contacts`)
  const code = codeIn(mail.text)
  expect(added.html).not.toContain(code)
  const [{ id }] = (await notices.listContacts(api.accountId)) as [Contact]
  const wrong = await visitor.post('/account/contacts/prove', { id, code: 'AAAAA-AAAAA' })
  expect([wrong.status, wrong.html.includes('not the code that was sent')]).toEqual([400, true])
  const proven = await visitor.post('/account/contacts/prove', { id, code: code.toLowerCase() })
  expect([proven.status, proven.location]).toEqual([303, '/account#contacts'])
  expect(await notices.listContacts(api.accountId)).toMatchObject([
    { isProven: true, isForAlerts: true },
  ])
  const again = await visitor.post('/account/contacts/prove', { id, code })
  expect([again.status, again.html.includes('no code to type any more')]).toEqual([400, true])
  await visitor.post('/account/contacts/alerts', { id, to: 'off' })
  expect(await notices.listContacts(api.accountId)).toMatchObject([{ isForAlerts: false }])
  await visitor.post('/account/contacts/alerts', { id, to: 'on' })
  expect(await notices.listContacts(api.accountId)).toMatchObject([{ isForAlerts: true }])
  expect((await visitor.post('/account/contacts/remove', { id })).status).toBe(303)
  expect(await notices.listContacts(api.accountId)).toEqual([])
})

test('a chat of Telegram is proven by a code that the bot sends', async () => {
  const added = await visitor.post('/account/contacts/add', {
    channel: 'telegram',
    address: ' 4711 ',
    alerts: 'off',
  })
  expect(added.status).toBe(200)
  const { body } = notices.telegram.messages.at(-1)!
  expect(body.chat_id).toBe(4711)
  const [{ id, isForAlerts }] = (await notices.listContacts(api.accountId)) as [Contact]
  expect(isForAlerts).toBe(false)
  await visitor.post('/account/contacts/prove', { id, code: codeIn(body.text as string) })
  expect(await notices.listContacts(api.accountId)).toMatchObject([
    { isProven: true, address: '4711' },
  ])
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
  const before = notices.smtp.mails.length
  const { status, html } = await visitor.post('/account/contacts/add', fields)
  expect(status).toBe(400)
  expect(html).toContain(sentence)
  expect(notices.smtp.mails).toHaveLength(before)
  for (const { id } of await notices.listContacts(api.accountId))
    await visitor.post('/account/contacts/remove', { id })
})

test('a mail that the server refuses is reported in plain words, without a secret', async () => {
  notices.mail.isRefused = true
  const { status, html } = await addMail(visitor, 'nobody@example.com')
  expect(status).toBe(400)
  expect(html).toContain('The mail server did not take the code')
  expect(html).not.toContain('canary')
  const [{ id }] = (await notices.listContacts(api.accountId)) as [Contact]
  const soon = await visitor.post('/account/contacts/send', { id })
  expect(soon.html).toContain('less than a minute ago')
  notices.mail.isRefused = false
  api.clock.atMs += 60_000
  expect((await visitor.post('/account/contacts/send', { id })).status).toBe(200)
  expect(notices.smtp.mails.at(-1)!.to).toEqual(['nobody@example.com'])
  await visitor.post('/account/contacts/remove', { id })
})

test('nobody is flooded: three codes an hour, also by adding and removing', async () => {
  const responses: number[] = []
  for (let index = 0; index < 5; index++) {
    const { status, html } = await addMail(visitor, 'victim@example.com')
    responses.push(status)
    if (status === 400) expect(html).toContain('Enough codes were sent of late')
    for (const { id } of await notices.listContacts(api.accountId))
      await visitor.post('/account/contacts/remove', { id })
  }
  expect(responses).toEqual([200, 200, 200, 400, 400])
  const sent = notices.smtp.mails.filter(({ to }) => to[0] === 'victim@example.com')
  expect(sent).toHaveLength(3)
})

test('what belongs to another account is as unknown as what is not there', async () => {
  const { own } = await notices.newProven('own@example.com')
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

test('a server that sends nothing offers nothing, and its pages are as before', async () => {
  const bare = await startTestApi()
  const stranger = findVisitor(bare.url)
  const { html } = await stranger.get('/account/enter')
  expect(html).not.toContain('mail')
  const requested = await stranger.post('/account/enter/mail', { address: 'in@example.com' })
  // what a form of a section gets where nobody is signed in
  expect([requested.status, requested.location]).toEqual([303, '/account/enter'])
  const own = findVisitor(bare.url)
  await own.signIn(await newCode(bare))
  expect((await own.get('/account')).html).not.toContain('Contacts')
  const fields = { channel: 'email', address: 'in@example.com' }
  const refused = await own.post('/account/contacts/add', fields)
  expect(refused.status).toBe(400)
  expect(await bare.accounts.outbox.listContacts(bare.accountId)).toEqual([])
  await bare.close()
})
