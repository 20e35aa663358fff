// Of whom an Idempotency-Key is: of all operations of its account, and of no other account.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const POSITION = {
  op: 'add',
  position: { kind: 'strangle', legs: { sp: 5950, sc: 6050 }, entry: '10:30' },
}
const ALERT = { op: 'add', line: { kind: 'price', price: 6000 } }

const send = (path: string, body: object, key = api.key) =>
  api.call(path, {
    method: 'POST',
    key,
    body: JSON.stringify(body),
    headers: { 'idempotency-key': 'one' },
  })

test('a key that came with a position is refused at alerts, and new to another account', async () => {
  const added = await send('/api/positions', POSITION)
  expect([added.status, added.headers.get('idempotency-replayed')]).toEqual([200, null])
  const again = await send('/api/positions', POSITION)
  expect([again.json, again.headers.get('idempotency-replayed')]).toEqual([added.json, 'true'])
  const elsewhere = await send('/api/alerts', ALERT)
  expect([elsewhere.status, elsewhere.json.error.code]).toEqual([422, 'idempotency_key_reused'])
  const other = await api.newKey('orders_team')
  const theirs = await send('/api/positions', POSITION, other.key)
  expect([theirs.status, theirs.headers.get('idempotency-replayed')]).toEqual([200, null])
  expect(theirs.json.id).not.toBe(added.json.id)
})

test('a key is known for 24 hours, and new after them', async () => {
  const begunMs = api.clock.atMs
  const { key } = await api.newKey('orders_team')
  const first = await send('/api/positions', POSITION, key)
  api.clock.atMs = begunMs + 24 * 3_600_000
  const last = await send('/api/positions', POSITION, key)
  expect([last.json, last.headers.get('idempotency-replayed')]).toEqual([first.json, 'true'])
  api.clock.atMs += 1
  const later = await send('/api/positions', POSITION, key)
  expect(later.headers.get('idempotency-replayed')).toBeNull()
  api.clock.atMs = begunMs
})
