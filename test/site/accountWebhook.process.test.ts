// Webhook and deliveries on the account page, as HTTP.

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HostLookup } from '../../src/platform/webhooks/resolver.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { beginAll, eventId, findEnd, single, went } from '../support/outbox.ts'
import { signedIn, type Visitor } from '../support/visitor.ts'

let api: TestApi
let visitor: Visitor
let response: HostLookup
const URL_SAVED = 'https://hook.example.com/in'

beforeEach(async () => {
  response = { kind: 'addresses', addresses: ['93.184.215.14'] }
  api = await startTestApi({
    webhookAllowed: ['127.0.0.1:9443'],
    publicUrl: 'https://tapefold.example.org',
    resolveHost: async () => response,
  })
  visitor = await signedIn(api)
})
afterEach(() => api.close())

const save = (address = URL_SAVED, by = visitor) => by.post('/account/webhook/save', { address })
const endpoint = () => api.accounts.outbox.findEndpoint(api.accountId, 'alerts')
const findSecret = (html: string) => /whsec_[A-Za-z0-9+/]{40}/.exec(html)?.[0]
const findText = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
const page = async (by = visitor) => (await by.get('/account')).html

/** Queues an event and ends its first try. */
async function deliver(id: number, result: 'sent' | 'failed'): Promise<void> {
  await api.accounts.outbox.queueEvent(single(id, api.accountId, { minuteEndMs: null }))
  const [begun] = went(await beginAll(api.accounts.outbox))
  await api.accounts.outbox.endAttempts({ nowMs: api.clock.atMs, ends: [findEnd(begun!, result)] })
}

test('the first save shows the secret, once; show and rotate show it by a form', async () => {
  expect(findText(await page())).toContain('No address is saved.')
  const saved = await save()
  const secret = findSecret(saved.html)!
  expect(saved.status).toBe(200)
  const listed = await page()
  expect(findText(listed)).toContain(`${URL_SAVED} On since`)
  expect(findSecret(listed)).toBeUndefined()
  const again = await save()
  expect([again.status, again.location]).toEqual([303, '/account#webhook'])
  const shown = await visitor.post('/account/webhook/reveal', {})
  expect(findSecret(shown.html)).toBe(secret)
  const rotated = findSecret((await visitor.post('/account/webhook/rotate', {})).html)
  expect(rotated).not.toBe(secret)
  expect(findSecret((await visitor.post('/account/webhook/reveal', {})).html)).toBe(rotated)
  const log = JSON.stringify(api.logged)
  for (const one of [secret, rotated!]) expect(log).not.toContain(one.slice(6))
})

test('a webhook that is off says why and since when; saving switches it on', async () => {
  await save()
  for (let id = 1; id <= 10; id++) await deliver(id, 'failed')
  const off = findText(await page())
  expect(off).toMatch(
    /Off since 2026-10-14 20:\d\d : 10 events in a row failed, the last with status 400\. Save/,
  )
  await save()
  expect(findText(await page())).toMatch(/On since/)
  expect(await endpoint()).toMatchObject({ state: 'on', failedInARow: 0 })
})

test.each<[string, HostLookup | null, string]>([
  ['http://example.com/', null, 'which does not begin with https://'],
  ['not an address', null, 'which is not an address'],
  ['', null, 'The address is &quot;&quot;, which is not an address'],
  ['https://127.0.0.1/', null, 'which is not known on the public internet'],
  ['https://a:b@example.com/', null, 'which has a name or password in it'],
  ['https://tapefold.example.org/', null, 'which is that of this server itself'],
  [URL_SAVED, { kind: 'none' }, 'which is not known on the public internet'],
  [URL_SAVED, { kind: 'addresses', addresses: ['10.0.0.1'] }, 'which is not known on the public'],
])('the address %s is refused in a sentence', async (address, text, why) => {
  if (text) response = text
  const { status, html } = await save(address)
  expect(status).toBe(400)
  expect(html).toContain('role="alert"')
  expect(html).toContain(why)
  expect(await endpoint()).toBeNull()
  expect(await api.accounts.outbox.findSecret(api.accountId)).toBeNull()
})

test('an exception of the operator is taken, and a silent DNS is warned of', async () => {
  expect(findSecret((await save('https://127.0.0.1:9443/in')).html)).toBeDefined()
  response = { kind: 'silent' }
  const warned = await save()
  expect(findText(warned.html)).toContain(
    'The address is saved, but the DNS did not answer for its',
  )
  expect(await endpoint()).toMatchObject({ url: URL_SAVED })
})

test('a test is queued, and removing the address takes it away', async () => {
  const none = await visitor.post('/account/webhook/test', {})
  expect(findText(none.html)).toContain('This account has no webhook for alerts; save its address')
  await save()
  const { html } = await visitor.post('/account/webhook/test', {})
  const [id] = /evt_[0-9a-f]{32}/.exec(html)!
  const [begun] = went(await beginAll(api.accounts.outbox, api.clock.atMs))
  expect([begun?.eventId, begun?.type]).toEqual([id, 'test'])
  expect((await visitor.post('/account/webhook/remove', {})).status).toBe(303)
  expect(await endpoint()).toBeNull()
  expect((await visitor.post('/account/webhook/remove', {})).status).toBe(404)
  expect((await visitor.post('/account/webhook/reveal', {})).status).toBe(200)
})

test('deliveries show every try, and an event can be sent again', async () => {
  await save()
  await deliver(1, 'failed')
  const shown = await page()
  const words = findText(shown)
  expect(words).toContain('flip cross webhook failed 1 of')
  expect(words).toContain('failed: 400, 12 ms, 203.0.113.7')
  const again = await visitor.post('/account/deliveries/again', { id: eventId(1) })
  expect(findText(again.html)).toContain(`${eventId(1)} is on its way again.`)
  const twice = await visitor.post('/account/deliveries/again', { id: eventId(1) })
  expect([
    twice.status,
    findText(twice.html).includes('The event is being delivered; wait'),
  ]).toEqual([400, true])
  for (let id = 2; id <= 60; id++) {
    await api.accounts.outbox.queueEvent(single(id, api.accountId))
  }
  const rows = (await page()).match(/<time datetime="2026-1\d-\d\dT[^"]+-0\d:00">/g)
  expect(rows).toHaveLength(50)
})

test("another account's event is as unknown as none, and its webhook is not shown", async () => {
  await save()
  await deliver(1, 'sent')
  const { accountId } = await api.newKey()
  const stranger = await signedIn(api, accountId)
  const [foreign, none] = [
    await stranger.post('/account/deliveries/again', { id: eventId(1) }),
    await stranger.post('/account/deliveries/again', { id: eventId(9) }),
  ]
  expect([foreign.status, foreign.html]).toEqual([404, none.html])
  const html = await page(stranger)
  expect(html).not.toContain(URL_SAVED)
  expect(html).not.toContain(eventId(1))
  expect((await stranger.post('/account/webhook/remove', {})).status).toBe(404)
  expect(await endpoint()).not.toBeNull()
})

test('markup in an address stays text', async () => {
  const saved = await save('https://hook.example.com/"><script>alert(1)</script>')
  const listed = await page()
  for (const html of [saved.html, listed]) expect(html).not.toMatch(/<script\b/)
  expect(listed).toContain('%3Cscript%3E')
})

test('a webhook of a position without a secret has a form that makes one', async () => {
  const owner = 'p_1' as const
  await api.accounts.outbox.saveEndpoint({
    accountId: api.accountId,
    owner,
    url: URL_SAVED,
    atMs: 1,
  })
  expect(findText(await page())).toContain(
    'There is none yet, so nothing is sent to the webhooks of',
  )
  expect(findSecret((await visitor.post('/account/webhook/rotate', {})).html)).toBeDefined()
  expect(findText(await page())).not.toContain('There is none yet')
})
