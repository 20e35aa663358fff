// The ledger and the checks of positions as streams of a session that runs, by a replayed clock.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'
import { openEventClient } from '../support/eventClient.ts'

const DAY = '2026-10-15'
const clock = { atMs: 0 }
const goTo = (minute: string) => {
  clock.atMs = Date.parse(`${DAY}T${minute}:30-04:00`)
}

let built: BuiltSession
let api: TestApi
beforeAll(async () => {
  goTo('09:45')
  built = await buildSmallSession(DAY)
  api = await startTestApi({
    dataFolder: built.dataFolder,
    clock: { nowMs: () => clock.atMs, isReplay: true },
  })
})
afterAll(async () => {
  await api.close()
  built.remove()
})

test('changes make the ledger of each state, of those missed as one event, whatever they are', async () => {
  goTo('09:45')
  const { key } = api
  const client = await openEventClient(`${api.url}/orders/api/stream`, {
    key,
    lastId: `${DAY}T00:00`,
  })
  await client.until(1)
  goTo('09:46')
  await client.until(2)
  client.close()
  goTo('09:50')
  const back = await openEventClient(`${api.url}/orders/api/stream`, {
    key,
    lastId: `${DAY}T09:46`,
  })
  await back.until(1)
  goTo('09:51')
  await back.until(2)
  back.close()
  const events = [...client.events, ...back.events]
  const ledger = new Map<string, unknown>()
  for (const { id, event, data } of events) {
    const { day, t, orders, ended } = JSON.parse(data)
    expect([event, `${day}T${t}`]).toEqual(['orders', id])
    for (const oid of ended) ledger.delete(oid)
    for (const order of orders) ledger.set(order.oid, order)
    const { json } = await api.call(`/orders/api/day?day=${DAY}&asof=${t}`)
    const known = json.orders.map((order: { oid: string }) => order.oid)
    expect(new Set(ledger.keys())).toEqual(new Set(known))
    for (const order of json.orders) expect(ledger.get(order.oid)).toEqual(order)
  }
  expect(ledger.size).toBeGreaterThan(5)
  const spans = events.map(({ data }) => [JSON.parse(data).from, JSON.parse(data).t])
  expect(spans).toEqual([
    [null, '09:45'],
    ['09:45', '09:46'],
    ['09:46', '09:50'],
    ['09:50', '09:51'],
  ])
})

test('a client without an id begins with the newest state', async () => {
  goTo('09:50')
  const client = await openEventClient(`${api.url}/orders/api/stream`, { key: api.key })
  await client.until(1)
  client.close()
  expect(client.events.map(({ id }) => id)).toEqual([`${DAY}T09:50`])
})

test('positions are judged at each state as a check of its minute judges them', async () => {
  goTo('10:00')
  const position = { kind: 'strangle', legs: { sp: 5900, sc: 6100 }, entry: '10:00' }
  const body = JSON.stringify({ op: 'add', position })
  expect((await api.call('/api/positions', { method: 'POST', body })).status).toBe(200)
  const url = `${api.url}/api/positions/stream`
  const client = await openEventClient(url, { key: api.key, lastId: `${DAY}T09:57` })
  await client.until(1)
  goTo('10:01')
  await client.until(2)
  client.close()
  for (const { id, event, data } of client.events) {
    const { json } = await api.call(`/api/positions/check?day=${DAY}&t=${id.slice(11)}`)
    expect(event).toBe('checks')
    expect(JSON.parse(data)).toEqual(json)
    expect(json.checks).toHaveLength(1)
  }
  expect(client.events.map(({ id }) => id.slice(11))).toEqual(['10:00', '10:01'])
})

test.each(['/orders/api/stream', '/api/positions/stream'])(
  'a key has at most three of %s',
  async path => {
    const { key } = await api.newKey()
    const open = () => openEventClient(api.url + path, { key })
    const clients = await Promise.all([open(), open(), open()])
    const { status, json } = await api.call(path, { key })
    expect([status, JSON.stringify(json)]).toEqual([
      429,
      expect.stringContaining(
        'the key has 3 streams open on this server process, as many as it may; close one.',
      ),
    ])
    for (const client of clients) client.close()
  },
)
