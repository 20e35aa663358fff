import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCatalog, withReplayed } from '../../src/data/published/catalog.ts'
import { type AheadDeps, openAhead } from '../../src/positions/ahead.ts'
import { simulateSessions, type TestHistory } from '../support/history.ts'

const DAY = '2026-10-15'
let history: TestHistory
beforeAll(async () => {
  history = await simulateSessions(DAY, 2)
})
afterAll(() => history.remove())

const body = (legs: object) => JSON.stringify({ kind: 'strangle', legs })

/** Precomputed queries of a folder whose accounts store some positions. */
function openRecorded(bodies: readonly string[], dataFolder = history.dataFolder) {
  const calls: { account: string | undefined; cases: readonly unknown[] }[] = []
  const faults = { judge: null as Error | null }
  const clock = { atMs: Date.parse('2026-10-16T04:00:00Z') }
  const nowMs = () => clock.atMs
  const deps = {
    // the simulated sessions have minutes alone
    catalog: withReplayed(openCatalog({ dataFolder, nowMs, log: { error: () => {} } })),
    judge: {
      judge: async (_, cases, requester) => {
        if (faults.judge) throw faults.judge
        calls.push({ account: requester?.account, cases })
        return cases.map(() => null)
      },
    } as Partial<AheadDeps['judge']> as AheadDeps['judge'],
    accounts: { newestPositions: async (limit: number) => bodies.slice(0, limit) },
    nowMs,
  }
  const { work, stop } = openAhead(deps)
  return { look: work.run, stop, calls, faults, clock }
}

test('what accounts keep is judged once at the newest minute, equal strikes once', async () => {
  const { look, calls } = openRecorded([
    body({ sp: 5900, sc: 6100 }),
    body({ lp: 5880, sp: 5900, sc: 6100, lc: 6120 }),
    body({ lp: 5880, sp: 5900 }),
  ])
  await look()
  await look()
  const at = { minute_et: '15:59', base_spot: null }
  const cases = [
    { ...at, short_put: 5900, short_call: 6100 },
    { ...at, short_put: 5900, short_call: null },
  ]
  expect(calls).toEqual([{ account: '', cases }])
})

test('3,000 positions are 2,000 cases at most, a few at a time, at the lowest priority', async () => {
  const bodies = Array.from({ length: 3_000 }, (_, index) => body({ sp: 5 * index }))
  const { look, calls } = openRecorded(bodies)
  await look()
  expect(calls.reduce((sum, { cases }) => sum + cases.length, 0)).toBe(2_000)
  expect(Math.max(...calls.map(({ cases }) => cases.length))).toBe(64)
  expect(new Set(calls.map(({ account }) => account))).toEqual(new Set(['']))
})

test('a failure is reported once a minute, and not while stores are being closed', async () => {
  const { look, stop, calls, faults, clock } = openRecorded([body({ sp: 5900 })])
  faults.judge = new Error('no such file')
  await expect(look()).rejects.toThrow('no such file')
  await look()
  expect(calls).toEqual([])
  // another minute of the same session is another question
  clock.atMs = Date.parse('2026-10-15T15:01:00Z')
  const closing = look()
  stop()
  await closing
  faults.judge = null
  clock.atMs = Date.parse('2026-10-15T15:02:00Z')
  await look()
  expect(calls).toEqual([])
})

test('a folder without a session, or without positions, queries nothing', async () => {
  const empty = openRecorded([body({ sp: 5900 })], '/nowhere')
  await empty.look()
  const none = openRecorded([])
  await none.look()
  expect([empty.calls, none.calls]).toEqual([[], []])
})
