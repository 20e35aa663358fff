import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AheadDeps, openAhead } from '../../src/positions/ahead.ts'
import { openCatalog } from '../../src/store/catalog.ts'
import { simulateSessions, type TestHistory } from '../support/history.ts'

const DAY = '2026-10-15'
let history: TestHistory
beforeAll(async () => {
  history = await simulateSessions(DAY, 2)
})
afterAll(() => history.remove())

const body = (legs: object) => JSON.stringify({ kind: 'strangle', legs })

/** What is asked ahead of a folder whose accounts keep some positions. */
function openAsked(kept: readonly string[], dataFolder = history.dataFolder) {
  const asked: { account: string | undefined; cases: readonly unknown[] }[] = []
  const logged: string[] = []
  const faults = { judge: null as Error | null }
  const log = { error: (_: object, message: string) => void logged.push(message) }
  const clock = { atMs: Date.parse('2026-10-16T04:00:00Z') }
  const nowMs = () => clock.atMs
  const deps = {
    catalog: openCatalog({ dataFolder, nowMs, log }),
    judge: {
      judge: async (_, cases, asker) => {
        if (faults.judge) throw faults.judge
        asked.push({ account: asker?.account, cases })
        return cases.map(() => null)
      },
    } as Partial<AheadDeps['judge']> as AheadDeps['judge'],
    earlier: {} as AheadDeps['earlier'],
    accounts: { newestPositions: async (limit: number) => kept.slice(0, limit) },
    nowMs,
    log,
  }
  return { ...openAhead(deps), asked, logged, faults, clock }
}

test('what accounts keep is judged once at the newest minute, equal strikes once', async () => {
  const { look, asked } = openAsked([
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
  expect(asked).toEqual([{ account: '', cases }])
})

test('3,000 positions are 2,000 cases at most, a few at a time, in the lowest place', async () => {
  const kept = Array.from({ length: 3_000 }, (_, index) => body({ sp: 5 * index }))
  const { look, asked } = openAsked(kept)
  await look()
  expect(asked.reduce((sum, { cases }) => sum + cases.length, 0)).toBe(2_000)
  expect(Math.max(...asked.map(({ cases }) => cases.length))).toBe(64)
  expect(new Set(asked.map(({ account }) => account))).toEqual(new Set(['']))
})

test('what fails is said once, and nothing of it once the stores are being closed', async () => {
  const { look, stop, logged, faults, clock } = openAsked([body({ sp: 5900 })])
  faults.judge = new Error('no such file')
  await look()
  // an earlier minute of the same session is another question
  clock.atMs = Date.parse('2026-10-15T15:00:00Z')
  await look()
  expect(logged).toEqual(['the newest minute was not judged ahead'])
  faults.judge = null
  clock.atMs = Date.parse('2026-10-15T15:01:00Z')
  await look()
  faults.judge = new Error('no such file')
  clock.atMs = Date.parse('2026-10-15T15:02:00Z')
  const closing = look()
  stop()
  await closing
  expect(logged).toHaveLength(1)
})

test('a folder without a session, or without positions, asks nothing', async () => {
  const empty = openAsked([body({ sp: 5900 })], '/nowhere')
  await empty.look()
  const none = openAsked([])
  await none.look()
  expect([empty.asked, none.asked, empty.logged, none.logged]).toEqual([[], [], [], []])
})
