// Many calls: sizes, schemas, pages, and what is counted.

import type { Client } from '@modelcontextprotocol/client'
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
import { fuzzTools, listTokens } from '../support/mcpFuzz.ts'

let mcp: McpApi
let ledger: Json
let client: Client
beforeAll(async () => {
  mcp = await startMcpApi()
  ledger = (await mcp.api.call(`/orders/api/day?day=${DAY}`)).json
  client = await findClient(mcp.api)
})
afterAll(async () => {
  await client.close()
  await mcp.close()
})

test('the list of 8 tools has 6,000 tokens at most, the same bytes each time', async () => {
  const [one, other] = [await client.listTools(), await client.listTools()]
  expect(listTokens(JSON.stringify(one))).toBeLessThanOrEqual(6_000)
  expect(JSON.stringify(one)).toBe(JSON.stringify(other))
  expect(one.tools.map(({ name }) => name)).toEqual([
    'orders_sessions',
    'orders_summary',
    'orders_find',
    'orders_get',
    'orders_levels',
    'orders_level_history',
    'positions_list',
    'positions_check',
  ])
})

test('100 calls with arguments of any kind keep their schema and their size', async () => {
  const oids = ledger.orders.slice(0, 5).map(({ oid }: Json) => oid)
  const { responded, refused } = await fuzzTools(client, { calls: 100, seed: 35, oids })
  expect(responded).toBeGreaterThan(20)
  expect(refused).toBeGreaterThan(20)
})

test.each([{}, { sort: 'time', limit: 7 }, { kind: 'vertical', limit: 50, asof: '12:00' }])(
  'cursors of %j return each order once, in the order of the whole',
  async question => {
    const oids: string[] = []
    let cursor: string | undefined
    let total: number
    do {
      const more = cursor === undefined ? {} : { cursor }
      const page = await reported(client, 'orders_find', { day: DAY, ...question, ...more })
      oids.push(...page.orders.map(({ oid }: Json) => oid))
      cursor = page.next_cursor ?? undefined
      total = page.total
    } while (cursor !== undefined)
    expect(oids).toHaveLength(total)
    expect(new Set(oids).size).toBe(total)
    if (!('asof' in question)) {
      expect(new Set(oids)).toEqual(new Set(ledger.orders.map(({ oid }: Json) => oid)))
    }
  },
)

test('a cursor is of its own question and revision', async () => {
  const { next_cursor: cursor } = await reported(client, 'orders_find', { day: DAY })
  const of = (given: object) => refusal(client, 'orders_find', { day: DAY, cursor, ...given })
  expect(await of({ sort: 'time' })).toContain('cursor is of another question')
  expect(await of({ kind: 'vertical' })).toContain('cursor is of another question')
  expect(await of({ cursor: 'abc' })).toContain('cursor is not one of this server')
  expect(await refusal(client, 'orders_find', { day: DAY, asof: '12:00', cursor })).toContain(
    'cursor is of another question',
  )
})

const findUsed = async () => {
  const { headers } = await mcp.api.call(`/orders/api/sessions`)
  return 20_000 - Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1])
}

test('a call counts one, a list and a discovery none', async () => {
  const before = await findUsed()
  const other = await findClient(mcp.api)
  await other.listTools()
  await other.close()
  const old = await findClient(mcp.api, '2025-11-25')
  await old.listTools()
  expect(await findUsed()).toBe(before + 1)
  await reported(client, 'orders_sessions')
  await refusal(client, 'orders_find', { limit: 0 })
  await reported(old, 'positions_list')
  expect(await findUsed()).toBe(before + 1 + 3 + 1)
  await old.close()
})

test('when the calls of a day are spent, a tool says so in words and until when', async () => {
  const { accountId } = mcp.api
  const dayEt = '2026-10-16'
  await mcp.api.accounts.countCalls([{ accountId, product: 'orders', dayEt, calls: 20_000 }])
  expect(await refusal(client, 'orders_sessions')).toMatch(
    /^all 20000 calls of the day are spent; the count resets at midnight ET, in \d+ s\.$/,
  )
  expect((await client.listTools()).tools).toHaveLength(8)
})
