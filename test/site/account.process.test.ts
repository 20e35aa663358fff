// The account page as HTTP: keys, what belongs to others, what is refused.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEYS_MAX } from '../../src/site/keysSection.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../support/published.ts'
import { findVisitor, newCode, signedIn, type Visitor } from '../support/visitor.ts'

let api: TestApi
let visitor: Visitor

beforeAll(async () => {
  api = await startTestApi()
  visitor = await signedIn(api)
})
afterAll(() => api.close())

const workingKeys = async (accountId = api.accountId) =>
  (await api.accounts.listKeys(accountId)).filter(key => key.revokedAtMs === null)

test('a key is shown once with a call that works, then by its last four, and revoked', async () => {
  const made = await visitor.post('/account/keys/make', { name: 'bot 7', scope: 'orders' })
  expect(made.status).toBe(200)
  const key = /ordk_[0-9A-Za-z]{36}/.exec(made.html)![0]
  expect(made.html).toContain(`curl -H 'Authorization: Bearer ${key}' ${api.url}/orders/api/latest`)
  expect((await api.call('/orders/api/sessions', { key })).status).toBe(200)
  const listed = (await visitor.get('/account')).html
  expect(listed).not.toContain(key)
  expect(listed).toContain(`ordk_…${key.slice(-4)}`)
  // what a page that is loaded again would send
  const again = await visitor.post('/account/keys/make', { name: 'bot 7', scope: 'orders' })
  expect(again.status).toBe(400)
  expect(again.html).toContain('works already')

  const { id } = (await workingKeys()).find(one => one.name === 'bot 7')!
  const revoked = await visitor.post('/account/keys/revoke', { id })
  expect([revoked.status, revoked.location]).toEqual([303, '/account#keys'])
  expect((await api.call('/orders/api/sessions', { key })).status).toBe(401)
  expect((await visitor.get('/account')).html).not.toContain(key.slice(-4))
  expect((await visitor.post('/account/keys/revoke', { id })).status).toBe(404)
})

test('the call that is shown with a new key of any product works', async () => {
  const { accountId } = await api.newKey()
  await api.accounts.putProduct(accountId, { plan: 'dataset', fromMs: 0, untilMs: null })
  await api.accounts.putProduct(accountId, { plan: 'geo', fromMs: 0, untilMs: null })
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS))
  const own = await signedIn(api, accountId)
  const statuses = []
  for (const scope of ['orders', 'dataset', 'geo']) {
    const { html } = await own.post('/account/keys/make', { name: scope, scope })
    const [, key, url] = /curl -H 'Authorization: Bearer (\w+)' (http[^<]+)</.exec(html) ?? []
    const headers = { authorization: `Bearer ${key}` }
    statuses.push(url === undefined ? 'none' : (await fetch(url, { headers })).status)
  }
  expect(statuses).toEqual([200, 200, 200])
})

test.each([
  ['a name that is empty', { name: ' ', scope: 'orders' }, 'The name is'],
  ['a name of 81 letters', { name: 'x'.repeat(81), scope: 'orders' }, 'The name is'],
  ['a name with a line break', { name: 'a\nb', scope: 'orders' }, 'The name is'],
  ['a product that it does not hold', { name: 'a', scope: 'live' }, 'choose one that this'],
  ['no product', { name: 'a' }, 'choose one that this'],
])('%s makes no key, and the page says why', async (_, fields, reason) => {
  const before = await workingKeys()
  const { status, html } = await visitor.post('/account/keys/make', fields as never)
  expect(status).toBe(400)
  expect(html).toContain('role="alert"')
  expect(html).toContain(reason)
  expect(await workingKeys()).toEqual(before)
})

test(`an account has ${KEYS_MAX} keys that work, and no more`, async () => {
  const { accountId } = await api.newKey()
  const busy = await signedIn(api, accountId)
  for (let index = 1; index < KEYS_MAX; index++) {
    const key = { accountId, scope: 'orders', name: `key ${index}`, createdAtMs: 1 } as const
    await api.accounts.addKey(key)
  }
  const over = await busy.post('/account/keys/make', { name: 'one more', scope: 'orders' })
  expect(over.status).toBe(400)
  expect(over.html).toContain('revoke one first')
  const [first] = await workingKeys(accountId)
  await busy.post('/account/keys/revoke', { id: first!.id })
  const made = await busy.post('/account/keys/make', { name: 'one more', scope: 'orders' })
  expect(made.status).toBe(200)
})

test('what belongs to another account is as unknown as what is not there', async () => {
  const { accountId } = await api.newKey()
  const stranger = await signedIn(api, accountId)
  const [key] = await workingKeys()
  const [signIn] = await api.accounts.listSignIns(api.accountId, api.clock.atMs)
  for (const [path, ids] of [
    ['/account/keys/revoke', [key!.id, 'key_nothing']],
    ['/account/browsers/end', [signIn!.id, 'si_nothing']],
  ] as const) {
    const responses = []
    for (const id of ids) {
      const { status, html } = await stranger.post(path, { id })
      responses.push([status, html])
    }
    expect(responses[0]).toEqual(responses[1])
    expect(responses[0]![0]).toBe(404)
  }
  expect(await workingKeys()).toContainEqual(key)
  expect((await stranger.get('/account')).html).not.toContain(api.accountId)
  expect((await visitor.get('/account')).status).toBe(200)
})

test('forms take what browsers send, and nothing larger', async () => {
  const as = (type: string, fields = {}) =>
    visitor.post('/account/keys/make', fields, { 'content-type': type })
  expect((await as('application/json')).status).toBe(415)
  expect((await as('text/plain')).status).toBe(415)
  const form = 'application/x-www-form-urlencoded'
  expect((await as(form, { name: 'x'.repeat(20_000) })).status).toBe(413)
  expect((await visitor.post('/account/keys/nothing', {})).status).toBe(404)
  expect((await visitor.post('/account/nothing/make', {})).status).toBe(404)
  expect((await visitor.post('/account/keys/toString', {})).status).toBe(404)
  expect((await visitor.get('/account/keys/make')).status).toBe(405)
  expect((await visitor.get('/account/')).status).toBe(404)
  expect((await visitor.get('/ACCOUNT')).status).toBe(404)
})

test('the page shows products, the count of the day and of positions', async () => {
  const { key, accountId } = await api.newKey('orders_team')
  await api.accounts.putProduct(accountId, { plan: 'geo', fromMs: 0, untilMs: 1 })
  await api.call('/orders/api/sessions', { key })
  await api.call('/api/positions', {
    method: 'POST',
    key,
    body: JSON.stringify({
      op: 'add',
      position: { kind: 'strangle', legs: { sp: 5900, sc: 6000 }, entry: '10:30' },
    }),
  })
  const text = (await (await signedIn(api, accountId)).get('/account')).html.replace(
    /<[^>]+>/g,
    ' ',
  )
  const words = text.replace(/\s+/g, ' ')
  expect(words).toContain('Orders Team: calls today 2 100,000')
  expect(words).toContain('positions kept 1 5')
  expect(words).toMatch(/geo Geo API the Geo API 1969-12-31 1969-12-31 over/)
  expect(words).toContain('strangle 5900P 6000C')
})

test('a day without minutes is reported once, and without a plan nothing is judged', async () => {
  const { key, accountId } = await api.newKey()
  const body = JSON.stringify({
    op: 'add',
    position: { kind: 'put_spread', legs: { lp: 5800, sp: 5900 }, entry: '10:30' },
  })
  await api.call('/api/positions', { method: 'POST', key, body })
  const own = await signedIn(api, accountId)
  const shown = (await own.get('/account')).html
  expect(shown.match(/2026-10-14 was published without market minutes/g)).toHaveLength(1)
  expect(shown).not.toContain('day=')
  await api.setPlan(accountId, 'none')
  const stored = (await own.get('/account')).html
  expect(stored).toContain('judged again when the account has a plan')
  expect(stored).toContain('positions kept')

  const bare = await api.accounts.addAccount({ name: 'bare', plan: null, createdAtMs: 1 })
  const { html } = await (await signedIn(api, bare.id)).get('/account')
  for (const title of ['Usage', 'Positions', 'Make a key']) expect(html).not.toContain(title)
  expect(html).toContain('This account holds no product.')
})

test('markup in the names of accounts and keys stays text', async () => {
  const markup = '"><script>alert(1)</script><img src=x onerror=alert(2)>&amp;\''
  const account = await api.accounts.addAccount({ name: markup, plan: 'orders', createdAtMs: 1 })
  const made = { accountId: account.id, scope: 'orders', name: markup, createdAtMs: 1 } as const
  await api.accounts.addKey(made)
  const hostile = await signedIn(api, account.id)
  const refused = await hostile.post('/account/keys/make', { name: markup, scope: markup })
  for (const { html } of [await hostile.get('/account'), refused]) {
    expect(html).not.toMatch(/<(script|img)\b/)
    expect(html).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(html).toContain('&amp;amp;&#39;')
  }
})

test('a section that cannot be drawn says so, and the others are there', async () => {
  const broken = await startTestApi()
  const own = findVisitor(broken.url)
  await own.signIn((await broken.accounts.addSignInCode(broken.accountId, broken.clock.atMs))!.code)
  const stored = { id: 'p_broken', body: 'no JSON' }
  const decide = () => ({ put: stored, response: '' })
  const change = { accountId: broken.accountId, atMs: 1, repeat: null, decide }
  await broken.accounts.changePositions(change)
  const { status, html } = await own.get('/account')
  expect(status).toBe(200)
  expect(html).toContain('the server failed')
  expect(html).toContain('Make a key')
  await broken.close()
})

test('neither code nor cookie nor new key is in the log', async () => {
  const code = await newCode(api)
  const own = findVisitor(api.url)
  await own.signIn(code)
  const made = await own.post('/account/keys/make', { name: 'logged', scope: 'orders' })
  const key = /ordk_[0-9A-Za-z]{36}/.exec(made.html)![0]
  await own.post('/account/keys/make', { name: 'x', scope: 'orders', token: 'wrong' })
  const log = JSON.stringify(api.logged)
  expect(log).toContain('/account/keys/make')
  for (const secret of [code, own.cookie()!.split('=')[1]!, key, await own.token()]) {
    expect(log).not.toContain(secret)
  }
})
