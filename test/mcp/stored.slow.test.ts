// Stored data of an account, on either database, and a session that runs.

import { cpSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'
import { ENGINES, type Engine } from '../support/engines.ts'
import { newFolder } from '../support/import.ts'
import { AFTER_MS, DAY, findClient, type Json, refusal, reported } from '../support/mcp.ts'
import { listTokens } from '../support/mcpFuzz.ts'

let built: BuiltSession
beforeAll(async () => {
  built = await buildSmallSession(DAY)
})
afterAll(() => built.remove())

const STORED_MAX = 5
/** A copy: a server takes its folder with it. */
const copied = () => {
  const dataFolder = newFolder()
  cpSync(built.dataFolder, dataFolder, { recursive: true })
  return dataFolder
}

/** A condor of today, whose every condition is judged. */
const condor = (out: number) => ({
  kind: 'condor',
  entry: '10:30',
  legs: { lp: 5900 - out, sp: 5950 - out, sc: 6050 + out, lc: 6100 + out },
})

describe.each(ENGINES)('in %s', (name, isHere, start) => {
  const given = isHere ? describe : describe.skip

  given('an account', () => {
    let engine: Engine
    let api: TestApi
    beforeAll(async () => {
      engine = await start()
      const index = await engine.newPlace()
      const databaseUrl = name === 'SQLite' ? null : index
      api = await startTestApi({ dataFolder: copied(), databaseUrl })
      api.clock.atMs = AFTER_MS
    })
    afterAll(async () => {
      await api.close()
      await engine.stop()
    })

    test('hears of its 5 positions all that the API says, in 8,000 tokens', async () => {
      for (let out = 0; out < STORED_MAX; out++) {
        const body = JSON.stringify({ op: 'add', position: condor(out * 5) })
        expect((await api.call('/api/positions', { method: 'POST', body })).status).toBe(200)
      }
      const client = await findClient(api)
      const stored = await reported(client, 'positions_list')
      const { json: listed } = await api.call('/api/positions')
      expect(stored.total).toBe(STORED_MAX)
      expect(stored.positions.map(({ id }: Json) => id)).toEqual(
        listed.positions.map(({ id }: Json) => id),
      )
      for (const t of ['09:31', '10:37', '15:59']) {
        const checked = await reported(client, 'positions_check', { day: DAY, t })
        const { json } = await api.call(`/api/positions/check?day=${DAY}&t=${t}`)
        expect(listTokens(JSON.stringify(checked))).toBeLessThanOrEqual(8_000)
        expect(checked.checks.map(({ label, counts }: Json) => [label, counts])).toEqual(
          json.checks.map(({ label, counts }: Json) => [label, counts]),
        )
        expect(checked.summary.match(/is (TRADE|CAUTION|SKIP)/g)).toHaveLength(STORED_MAX)
      }
      await client.close()
    })
  })
})

test('of a session that runs a search goes on where its minute is named', async () => {
  const clock = { nowMs: () => Date.parse(`${DAY}T15:00:00Z`), isReplay: true }
  const api = await startTestApi({ dataFolder: copied(), clock })
  const client = await findClient(api)
  const { json } = await api.call('/orders/api/latest')
  expect([json.day, json.asof < '11:00:00']).toEqual([DAY, true])
  const first = await reported(client, 'orders_find', { asof: '10:59', limit: 5 })
  const cursor = first.next_cursor
  const next = await reported(client, 'orders_find', { asof: '10:59', limit: 5, cursor })
  const { json: then } = await api.call(`/orders/api/day?day=${DAY}&asof=10:59`)
  expect([...first.orders, ...next.orders].map(({ oid }: Json) => oid)).toEqual(
    then.orders.slice(0, 10).map(({ oid }: Json) => oid),
  )
  expect(await refusal(client, 'orders_find', { asof: '11:30' })).toMatch(/asof is .*11:30/)
  expect(await refusal(client, 'orders_levels', { day: DAY })).toMatch(/product LIVE/)
  const sessions = await reported(client, 'orders_sessions')
  expect(sessions.sessions.map(({ day }: Json) => day)).toEqual([DAY])
  await client.close()
  await api.close()
})
