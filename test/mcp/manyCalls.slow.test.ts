// 1,000 calls with arguments of any kind.

import { expect, test } from 'vitest'
import { DAY, findClient, type Json, startMcpApi } from '../support/mcp.ts'
import { fuzzTools } from '../support/mcpFuzz.ts'

test('1,000 calls with arguments of any kind keep their schema and their size', async () => {
  const mcp = await startMcpApi()
  const { json } = await mcp.api.call(`/orders/api/day?day=${DAY}`)
  const oids = json.orders.slice(0, 40).map(({ oid }: Json) => oid)
  const client = await findClient(mcp.api)
  const { responded, refused } = await fuzzTools(client, { calls: 1_000, seed: 2026, oids })
  expect(responded + refused).toBe(1_000)
  expect(Math.min(responded, refused)).toBeGreaterThan(200)
  await client.close()
  await mcp.close()
})
