// The webhook of a position: saved, switched on and removed with it.

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HostLookup } from '../../src/platform/webhooks/resolver.ts'
import { secretAbout } from '../../src/platform/webhooks/secretBox.ts'
import { webhookTools } from '../../src/platform/webhooks/tools.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { beginAll, single } from '../support/outbox.ts'

let api: TestApi
let lookup: HostLookup
const PATH = '/api/positions'
const URL_SAVED = 'https://example.com/hook'
const STRANGLE = { kind: 'strangle', legs: { sp: 5950, sc: 6050 }, entry: '10:30' }
const WEBHOOK = { channel: 'webhook', url: URL_SAVED }

beforeEach(async () => {
  lookup = { kind: 'addresses', addresses: ['93.184.215.14'] }
  api = await startTestApi({
    webhookAllowed: ['127.0.0.1:9443'],
    publicUrl: 'https://tapefold.example.org',
    resolveHost: async () => lookup,
  })
})
afterEach(() => api.close())

const send = async (op: string, position: object, headers = {}) =>
  (await api.call(PATH, { method: 'POST', headers, body: JSON.stringify({ op, position }) })).json
const add = (alert: object = WEBHOOK) => send('add', { ...STRANGLE, alert })
const findEndpoint = (id: string) => api.accounts.outbox.findEndpoint(api.accountId, id as never)
const listed = async () => (await api.call(PATH)).json.positions

/** Fails ten events of a position. */
async function switchOff(id: string): Promise<void> {
  for (let at = 1; at <= 10; at++) {
    const event = single(at, api.accountId, { owner: id as never, minuteEndMs: null })
    await api.accounts.outbox.queueEvent(event)
    const [begun] = await beginAll(api.accounts.outbox)
    const outcome = { result: 'failed', status: 410, error: null, ms: 1, address: null } as const
    const { deliveryId } = begun!
    const end = { deliveryId, attempt: 1, outcome, dueAtMs: null }
    await api.accounts.outbox.endAttempts({ nowMs: 1, ends: [end] })
  }
}

test('a saved position has an endpoint that is on, and the account a secret', async () => {
  const { id, position } = await add()
  expect(position.alert).toEqual({ ...WEBHOOK, before: expect.any(Number), state: 'on' })
  expect(await findEndpoint(id)).toMatchObject({ url: URL_SAVED, state: 'on', failedInARow: 0 })
  expect((await listed())[0].alert.state).toBe('on')
  const one = await api.call(`${PATH}?id=${id}`)
  expect(one.json.position.alert.state).toBe('on')
  const { sealed } = (await api.accounts.outbox.findSecret(api.accountId))!
  const { box } = webhookTools({ dataFolder: api.dataFolder })
  expect(box().open(sealed, secretAbout(api.accountId))).toMatch(/^whsec_/)
  await add()
  expect((await api.accounts.outbox.findSecret(api.accountId))!.sealed).toBe(sealed)
})

test('off after ten failures is reported; saving the address alone switches it on', async () => {
  const { id } = await add()
  await switchOff(id)
  expect((await listed())[0].alert.state).toBe('off')
  const moved = await send('update', { id, entry: '11:00', alert: { before: 5 } })
  expect(moved.position.alert.state).toBe('off')
  expect(await findEndpoint(id)).toMatchObject({ state: 'off' })
  const saved = await send('update', { id, alert: { url: URL_SAVED } })
  expect(saved.position.alert.state).toBe('on')
  expect(await findEndpoint(id)).toMatchObject({ state: 'on', failedInARow: 0, reason: null })
})

test('a GET response can be sent back whole', async () => {
  const { position } = await add()
  const again = await send('update', position)
  expect(again.position).toEqual(position)
  expect((await send('update', { ...position, alert: { state: 'of' } })).error.message).toBe(
    'position.alert.state is "of"; give on or off as it is answered, or leave it out.',
  )
})

test('another channel, and a removed position, remove the endpoint', async () => {
  const { id } = await add()
  const off = await send('update', { id, alert: { channel: 'off' } })
  expect(off.position.alert).toEqual({ ...off.position.alert, url: URL_SAVED, channel: 'off' })
  expect(off.position.alert).not.toHaveProperty('state')
  expect(await findEndpoint(id)).toBeNull()
  await send('update', { id, alert: { channel: 'webhook' } })
  expect(await findEndpoint(id)).toMatchObject({ url: URL_SAVED })
  const moved = await send('update', { id, alert: { url: 'https://example.com/b' } })
  expect(await findEndpoint(id)).toMatchObject({ url: moved.position.alert.url })
  await send('remove', { id })
  expect(await api.accounts.outbox.listEndpoints(api.accountId)).toEqual([])
})

test('a refused change, and one that is repeated, leave the endpoint as it is', async () => {
  const { id } = await add()
  await switchOff(id)
  const bad = await send('update', { id, alert: { url: URL_SAVED, before: 999 } })
  expect(bad.error.code).toBe('invalid')
  expect(await findEndpoint(id)).toMatchObject({ state: 'off' })
  const headers = { 'idempotency-key': 'k' }
  await send('update', { id, alert: { url: URL_SAVED } }, headers)
  await switchOff(id).catch(() => {})
  const state = await findEndpoint(id)
  await send('update', { id, alert: { url: URL_SAVED } }, headers)
  expect(await findEndpoint(id)).toEqual(state)
})

test("another account's position and its endpoint stay", async () => {
  const { id } = await add()
  const { key } = await api.newKey()
  const body = (op: string) => JSON.stringify({ op, position: { id, alert: { channel: 'off' } } })
  for (const op of ['update', 'remove']) {
    expect((await api.call(PATH, { method: 'POST', key, body: body(op) })).status).toBe(404)
  }
  expect(await findEndpoint(id)).toMatchObject({ state: 'on' })
})

test.each<[string, HostLookup | null, string]>([
  [URL_SAVED, { kind: 'none' }, 'is not known on the public internet'],
  [
    URL_SAVED,
    { kind: 'addresses', addresses: ['1.1.1.1', '10.0.0.1'] },
    'is not known on the public internet',
  ],
  ['https://tapefold.example.org/in', null, 'is that of this server itself'],
  ['https://127.0.0.1:9444/in', null, 'is not known on the public internet'],
])('the address %s is refused: the DNS says %j', async (url, dnsLookup, fault) => {
  if (dnsLookup) lookup = dnsLookup
  const { error } = await add({ channel: 'webhook', url })
  expect(error.code).toBe('invalid')
  expect(error.message).toContain(`position.alert.url is "${url}", which ${fault}`)
  expect(await api.accounts.outbox.listEndpoints(api.accountId)).toEqual([])
})

test('an exception of the operator, and a name on which the DNS is silent, are taken', async () => {
  expect((await add({ channel: 'webhook', url: 'https://127.0.0.1:9443/in' })).ok).toBe(true)
  lookup = { kind: 'silent' }
  expect((await add()).ok).toBe(true)
})
