// The SDK's own client walks through the tools, and hears what the API says.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  DAY,
  findClient,
  type Json,
  type McpApi,
  refusal,
  reported,
  startMcpApi,
} from '../support/mcp.ts'

let mcp: McpApi
let ledger: Json
beforeAll(async () => {
  mcp = await startMcpApi()
  ledger = (await mcp.api.call(`/orders/api/day?day=${DAY}`)).json
})
afterAll(() => mcp.close())

const REVISIONS = ['2026-07-28', '2025-11-25'] as const

test.each(REVISIONS)(
  'on %s, "find the three largest iron condors, and check my position at 10:37" is served',
  async revision => {
    const client = await findClient(mcp.api, revision)
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(8)
    const condors = await reported(client, 'orders_find', {
      day: DAY,
      kind: 'iron_condor',
      sort: 'premium',
      limit: 3,
    })
    const wanted = ledger.orders
      .filter((order: Json) => order.kind === 'iron_condor')
      .toSorted((one: Json, other: Json) => (other.net ?? -1) - (one.net ?? -1))
    expect(wanted.length).toBeGreaterThan(3)
    expect(condors.total).toBe(wanted.length)
    expect(condors.orders).toMatchObject(
      wanted.slice(0, 3).map(({ oid, legs, net, g, t, p }: Json) => ({ oid, legs, net, g, t, p })),
    )
    expect(condors.summary).toMatch(/^On 2026-10-15, as known at 16:14 ET, .*iron condor.*estimate/)
    const order = await reported(client, 'orders_get', { day: DAY, oid: condors.orders[0].oid })
    expect(order.total).toBe(wanted[0].prints)
    const position = { kind: 'strangle', legs: { sp: 5900, sc: 6100 }, entry: '10:30' }
    const added = await mcp.api.call('/api/positions', {
      method: 'POST',
      body: JSON.stringify({ op: 'add', position }),
    })
    const stored = await reported(client, 'positions_list')
    expect(stored.positions.map(({ id }: Json) => id)).toContain(added.json.id)
    const { id } = added.json
    const check = await reported(client, 'positions_check', { id, day: DAY, t: '10:37' })
    const { json } = await mcp.api.call(`/api/positions/check?day=${DAY}&t=10:37&id=${id}`)
    expect(check).toMatchObject(json)
    expect(check.summary).toContain('On 2026-10-15 at 10:37 ET')
    await client.close()
  },
)

test('levels are those of the archive at every minute, and those of today need LIVE', async () => {
  const client = await findClient(mcp.api)
  const { json } = await mcp.api.call(`/api/session/${DAY}`, { key: null })
  for (const book of ['measured', 'vol', 'oi']) {
    for (const [at, time] of json.minutes.entries()) {
      if (at % 40 !== 0) continue
      const levels = await reported(client, 'orders_levels', { day: DAY, time, book })
      const columns = Object.entries(json.books[book]) as [string, Json[]][]
      for (const [name, column] of columns) {
        if (name in levels) expect([name, levels[name]]).toEqual([name, column[at]])
      }
    }
  }
  const history = await reported(client, 'orders_level_history', { day: DAY, step: 30 })
  expect(history.rows.map(({ time }: Json) => time)).toContain('10:30')
  expect(history.total).toBe(history.rows.length)
  expect(await refusal(client, 'orders_levels', { day: '2026-10-16' })).toMatch(/product LIVE/)
  await client.close()
})

test('sessions and totals are those of the API', async () => {
  const client = await findClient(mcp.api)
  const days = await reported(client, 'orders_sessions')
  expect(days.sessions.map(({ day }: Json) => day)).toEqual([DAY])
  expect(days.sessions[0].orders).toBe(ledger.orders.length)
  const sums = await reported(client, 'orders_summary', { day: DAY })
  expect(sums.stats).toEqual(ledger.stats)
  const up = ledger.orders.filter(({ g }: Json) => g > 0).slice(0, 5)
  expect(sums.up.map(({ oid }: Json) => oid)).toEqual(up.map(({ oid }: Json) => oid))
  expect(sums.structures.reduce((n: number, { orders }: Json) => n + orders, 0)).toBe(
    ledger.orders.length,
  )
  const none = await reported(client, 'orders_find', { day: '2026-10-11' })
  expect([none.total, none.summary]).toEqual([0, expect.stringContaining('not a trading day')])
  await client.close()
})

test('at an earlier minute a search finds what the ledger as of that minute has', async () => {
  const client = await findClient(mcp.api)
  const { json } = await mcp.api.call(`/orders/api/day?day=${DAY}&asof=10:37`)
  const found = await reported(client, 'orders_find', { day: DAY, asof: '10:37', limit: 50 })
  expect(found.total).toBe(json.orders.length)
  expect(found.orders.map(({ oid }: Json) => oid)).toEqual(
    json.orders.slice(0, found.orders.length).map(({ oid }: Json) => oid),
  )
  await client.close()
})

test.each([
  ['orders_find', { limit: 500 }, 'limit is 500; give a whole number from 1 to 50, such as 20.'],
  ['orders_find', { asof: '25:00' }, 'asof is "25:00"; give an ET minute HH:MM, such as 10:37.'],
  ['orders_find', { foo: 1 }, '"foo" is no argument of orders_find; it takes day, asof'],
  ['orders_find', { kind: 'condr', day: DAY }, 'kind is "condr"; give one of this session, such'],
  ['orders_get', { day: DAY }, 'oid is missing; give an oid of orders_find, such as 2026'],
  ['orders_get', { day: DAY, oid: 'x' }, 'oid is "x", of which 2026-10-15 has no order; give'],
  ['orders_levels', { day: 'today' }, 'day is "today"; give a session written YYYY-MM-DD, such'],
  ['orders_levels', { day: DAY, time: '16:30' }, 'time is 16:30; 2026-10-15 has levels from 09'],
  ['orders_level_history', { day: DAY, step: 7 }, 'step is 7; give 5, 15 or 30, such as 15.'],
  ['positions_list', { id: 'p' }, '"id" is no argument of positions_list; it takes no arguments.'],
  ['positions_check', { id: 'p_0', day: DAY }, 'this account keeps no position with this id'],
  ['positions_check', { day: DAY, t: '16:30' }, 't is 16:30; a session can be checked from'],
])('%s %j is refused in words', async (name, given, sentence) => {
  const client = await findClient(mcp.api)
  expect(await refusal(client, name, given)).toContain(sentence)
  await client.close()
})

test('an account neither lists nor checks the positions of another', async () => {
  const other = await mcp.api.newKey()
  const added = await mcp.api.call('/api/positions', {
    method: 'POST',
    key: other.key,
    body: JSON.stringify({
      op: 'add',
      position: { kind: 'strangle', legs: { sp: 5900, sc: 6100 }, entry: '10:30' },
    }),
  })
  const client = await findClient(mcp.api)
  const stored = await reported(client, 'positions_list')
  const { id } = added.json
  expect(stored.positions.map((one: Json) => one.id)).not.toContain(id)
  const [foreign, unknown] = [
    await refusal(client, 'positions_check', { id, day: DAY }),
    await refusal(client, 'positions_check', { id: 'p_000000000000', day: DAY }),
  ]
  expect(foreign).toBe(unknown)
  await client.close()
})
