// The way in to the account page, and forms that were forged.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ATTEMPTS } from '../../src/site/enter.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { addMail, type NoticeApi, startNoticeApi } from '../support/noticeApi.ts'
import { runs } from '../support/runs.ts'
import { findVisitor, newCode, signedIn, type Visitor } from '../support/visitor.ts'

let notices: NoticeApi
let api: TestApi
let visitor: Visitor

beforeAll(async () => {
  notices = await startNoticeApi()
  api = notices.api
  visitor = await signedIn(api)
  await visitor.post('/account/webhook/save', { address: 'https://hook.example.com/in' })
  await visitor.post('/account/lines/add', { kind: 'price', price: '6000' })
  await visitor.post('/account/rules/add', { name: 'mine' })
  await addMail(visitor, 'desk@example.com')
})
afterAll(() => notices.close())

const workingKeys = async (accountId = api.accountId) =>
  (await api.accounts.listKeys(accountId)).filter(key => key.revokedAtMs === null)

test('the cookie is for this host alone, over https, not readable by scripts', async () => {
  const { headers } = await findVisitor(api.url).signIn(await newCode(api))
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-tapefold=[\w-]{43}; Max-Age=1209600; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    ),
  ])
})

test('looking at the way in uses no code up, however often; a used one is refused', async () => {
  const code = await newCode(api)
  const scanner = findVisitor(api.url)
  for (const path of ['/account/enter', `/account/enter?code=${code}`, '/account']) {
    expect([200, 303]).toContain((await scanner.get(path)).status)
    await fetch(api.url + path, { method: 'HEAD' })
  }
  await findVisitor(api.url).signIn(code)
  const replayed = await findVisitor(api.url).post('/account/enter', { code })
  expect([replayed.status, replayed.location]).toEqual([400, null])
  expect(replayed.html).toContain('was used before')
  expect(replayed.html).not.toContain(code)
  expect(replayed.headers.getSetCookie()).toEqual([])
})

test('a code that is 15 minutes old is refused', async () => {
  const code = await newCode(api)
  api.clock.atMs += 15 * 60_000
  expect((await findVisitor(api.url).post('/account/enter', { code })).status).toBe(400)
  api.clock.atMs -= 15 * 60_000
})

test('without a sign-in there is only the way in', async () => {
  const stranger = findVisitor(api.url)
  for (const path of ['/account', '/account?x=1']) {
    const { status, location } = await stranger.get(path)
    expect([status, location]).toEqual([303, '/account/enter'])
  }
  const sent = await stranger.post('/account/keys/make', { name: 'bot', scope: 'orders' })
  expect([sent.status, sent.location]).toEqual([303, '/account/enter'])
  const withKey = await stranger.get('/account', { authorization: `Bearer ${api.key}` })
  expect([withKey.status, withKey.location]).toEqual([303, '/account/enter'])
})

test('a cookie opens no API, a key opens no page', async () => {
  const headers = { cookie: visitor.cookie()! }
  for (const path of ['/orders/api/latest', '/api/positions', '/api/positions/check']) {
    const { status, json } = await api.call(path, { key: null, headers })
    expect([status, json.error.code]).toEqual([401, 'no_key'])
  }
})

/** Addresses of the forms of the account page: of all its sections, and to sign out. */
async function listForms(): Promise<string[]> {
  const { html } = await visitor.get('/account')
  const forms = new Set([...html.matchAll(/action="(\/account\/[^"]+)"/g)].map(([, path]) => path!))
  expect(forms.size).toBeGreaterThan(15)
  return [...forms]
}

const CROSS_SITE: [string, Record<string, string>][] = [
  ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
  ['a site beside it', { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }],
  ['a link of nowhere', { 'sec-fetch-site': 'none' }],
  ['another origin', { origin: 'https://evil.example', 'sec-fetch-site': '' }],
  ['a hidden origin', { origin: 'null', 'sec-fetch-site': '' }],
  ['no origin', { origin: '', 'sec-fetch-site': '' }],
]

test.each(CROSS_SITE)('a form of %s is refused, also with the right token', async (_, from) => {
  const before = await workingKeys()
  const code = await newCode(api)
  const fields = { name: 'forged', scope: 'orders', id: before[0]!.id, code }
  for (const path of ['/account/enter', ...(await listForms())]) {
    const { status, html, headers } = await visitor.post(path, fields, from)
    expect([path, status]).toEqual([path, 403])
    expect(html).toContain('not sent from a page of this site')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  }
  expect(await workingKeys()).toEqual(before)
  expect((await visitor.get('/account')).status).toBe(200)
  // what was forged has used nothing up
  await findVisitor(api.url).signIn(code)
})

test('a form without the token of the very browser is refused', async () => {
  const other = await signedIn(api)
  const own = await visitor.token()
  expect(own).toMatch(/^[\w-]{43}$/)
  expect(await other.token()).not.toBe(own)
  const [first, ...forms] = await listForms()
  for (const token of ['', await other.token(), own.slice(1), `${own}x`]) {
    expect((await visitor.post(first!, { token })).status).toBe(403)
  }
  for (const path of forms) {
    expect([path, (await visitor.post(path, { token: 'x' })).status]).toEqual([path, 403])
  }
  expect((await visitor.get('/account')).status).toBe(200)
})

test('an origin is enough for a browser that does not say its site', async () => {
  const code = await newCode(api)
  const sent = { 'content-type': 'application/x-www-form-urlencoded', origin: api.url }
  const body = `code=${code}`
  const init = { method: 'POST', headers: sent, body, redirect: 'manual' } as const
  expect((await fetch(`${api.url}/account/enter`, init)).status).toBe(303)
})

test('where a browser would throw the cookie away, the code stays good', async () => {
  const code = await newCode(api)
  const from = { origin: 'http://192.0.2.7:8080', 'sec-fetch-site': 'same-origin' }
  const refused = await findVisitor(api.url).post('/account/enter', { code }, from)
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('http://192.0.2.7:8080, which is not https')
  await findVisitor(api.url).signIn(code)
})

test('a browser signs out: itself, another one, and all', async () => {
  const [first, second, third] = await Promise.all([signedIn(api), signedIn(api), signedIn(api)])
  const cookie = first!.cookie()!
  const out = await first!.post('/account/sign-out', {})
  expect([out.status, out.location]).toEqual([303, '/account/enter'])
  expect(first!.cookie()).toBeNull()
  const stored = await fetch(`${api.url}/account`, { headers: { cookie }, redirect: 'manual' })
  expect(stored.status).toBe(303)

  const page = (await second!.get('/account')).html
  const others = [...page.matchAll(/name="id" value="(si_\w+)"/g)].map(match => match[1]!)
  const [own] = [...page.matchAll(/\(this one\)[\s\S]*?value="(si_\w+)"/g)].map(match => match[1]!)
  const signIns = await api.accounts.listSignIns(api.accountId, api.clock.atMs)
  expect(others.toSorted()).toEqual(signIns.map(({ id }) => id).toSorted())
  await second!.post('/account/browsers/end', { id: others.find(id => id !== own)! })
  expect(await api.accounts.listSignIns(api.accountId, api.clock.atMs)).toHaveLength(
    signIns.length - 1,
  )
  await second!.post('/account/browsers/end-all', {})
  expect(await api.accounts.listSignIns(api.accountId, api.clock.atMs)).toEqual([])
  for (const gone of [second!, third!]) expect((await gone.get('/account')).status).toBe(303)
  visitor = await signedIn(api)
})

test('a browser that is used stays signed in after 14 days, another one does not', async () => {
  const start = api.clock.atMs
  const [used, unused] = [await signedIn(api), await signedIn(api)]
  api.clock.atMs += 13 * 86_400_000
  const { headers } = await used.get('/account')
  expect(headers.getSetCookie()[0]).toContain('Max-Age=1209600')
  api.clock.atMs += 2 * 86_400_000
  expect((await used.get('/account')).status).toBe(200)
  expect((await unused.get('/account')).status).toBe(303)
  api.clock.atMs = start
})

test('after ten codes of an address it waits, and a page can still be read', async () => {
  const bounded = await startTestApi()
  const guess = findVisitor(bounded.url)
  const statuses = []
  for (let index = 0; index < 12; index++) {
    statuses.push((await guess.post('/account/enter', { code: `guess ${index}` })).status)
  }
  expect(ATTEMPTS.atOnce).toBe(10)
  expect(statuses).toEqual([...Array(10).fill(400), 429, 429])
  const { code } = (await bounded.accounts.addSignInCode(bounded.accountId, bounded.clock.atMs))!
  const held = await guess.post('/account/enter', { code })
  expect([held.status, held.headers.get('retry-after')]).toEqual([429, '30'])
  expect(held.html).toContain('Too many sign-in codes were tried from this address')
  expect((await guess.get('/account/enter')).status).toBe(200)
  bounded.clock.atMs += 30_000
  await guess.signIn(code)
  await bounded.close()
})

test('nobody may keep a copy of it, and no page of another origin may read it', async () => {
  for (const { headers } of [await visitor.get('/account'), await visitor.get('/account/enter')]) {
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('access-control-expose-headers')).toBeNull()
    expect(headers.get('content-encoding')).toBeNull()
  }
  const preflight = await fetch(`${api.url}/account/keys/make`, { method: 'OPTIONS' })
  expect(preflight.status).toBe(405)
  expect([...preflight.headers.keys()].filter(name => name.startsWith('access-'))).toEqual([])
})

test('a code used at one server is refused by another, which knows the sign-in', async () => {
  const other = await startTestApi({ dataFolder: api.dataFolder })
  other.clock.atMs = api.clock.atMs
  const code = await newCode(api)
  const own = findVisitor(api.url)
  await own.signIn(code)
  expect((await findVisitor(other.url).post('/account/enter', { code })).status).toBe(400)
  const headers = { cookie: own.cookie()! }
  const there = () => fetch(`${other.url}/account`, { headers, redirect: 'manual' })
  expect((await there()).status).toBe(200)
  await own.post('/account/sign-out', {})
  expect((await there()).status).toBe(303)
  await other.close()
})

test('a cookie of no sign-in is taken back', async () => {
  for (const value of ['x', 'x'.repeat(43), '', 'a; __Host-tapefold=b']) {
    const headers = { cookie: `__Host-tapefold=${value}` }
    const response = await fetch(`${api.url}/account`, { headers, redirect: 'manual' })
    expect(response.status).toBe(303)
    // of two cookies none is believed
    const isOne = !value.includes(';')
    expect(response.headers.getSetCookie().join()).toMatch(isOne ? /=; Max-Age=0; .*Secure/ : /^$/)
  }
})

test('whatever a browser sends, nothing is changed and nothing breaks', async () => {
  const before = await api.accounts.listKeys()
  const text = fc.string({ unit: fc.constantFrom(...'aZ09_-;=, "&%<>+.~') })
  const field = fc.record({ token: text, name: text, scope: text, id: text, code: text })
  const path = fc.constantFrom(
    'enter',
    'sign-out',
    'keys/make',
    'keys/revoke',
    'browsers/end',
    'x/y',
  )
  await fc.assert(
    fc.asyncProperty(path, field, text, async (form, fields, cookie) => {
      api.clock.atMs += 60_000
      const response = await fetch(`${api.url}/account/${form}`, {
        method: 'POST',
        headers: { ...FORM, origin: api.url, cookie: `__Host-tapefold=${cookie.trim()}` },
        body: new URLSearchParams(fields).toString(),
        redirect: 'manual',
      })
      expect([303, 400, 403, 404]).toContain(response.status)
    }),
    { numRuns: runs(300) },
  )
  expect(await api.accounts.listKeys()).toEqual(before)
  visitor = await signedIn(api)
})

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
