import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BackfillOptions, backfill, runBackfill } from '../../../pipelines/upkeep/backfill.ts'
import { isCurrent } from '../../../pipelines/upkeep/isCurrent.ts'
import { runTasks, type TaskEnd } from '../../../pipelines/upkeep/runTasks.ts'
import { lockPath, withLock } from '../../../src/core/disk/lock.ts'
import { codeVersion } from '../../../src/core/engine/version.ts'
import { buildInputs } from '../../../src/data/published/carried.ts'
import {
  readTapeManifest,
  type TapeBatch,
  writeTapeManifest,
} from '../../../src/data/tape/manifest.ts'
import { writeManifest } from '../../support/published.ts'

let dataFolder: string
let text: string[]
let built: string[]
/** Closing positions of each session's fake build. */
let closing: Record<string, string>

beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-backfill-'))
  text = []
  built = []
  closing = {}
})
afterEach(() => rmSync(dataFolder, { recursive: true, force: true }))

const hash = (letter: string) => letter.repeat(64)

/** Puts one more batch of a session on the tape. */
function addBatch(date: string, dataset = 'prints'): void {
  const { batches } = readTapeManifest(dataFolder, date)
  const file = `${dataset}/session=${date}/${batches.length}.parquet`
  const batch = { dataset, file, rows: 1, sha256: hash('a'), format: dataset, simulated: true }
  writeTapeManifest(dataFolder, {
    format: 1,
    session_date: date,
    batches: [...batches, batch as TapeBatch],
  })
}

/** Publishes a session as a build would, as far as its manifest goes. */
async function publish(date: string, version = codeVersion()): Promise<void> {
  built.push(date)
  const closed = { file: `closing_positions/${date}.parquet`, bytes: 1, rows: 1 }
  writeManifest(dataFolder, date, {
    format: 1,
    session_date: date,
    symbol: 'SPX',
    simulated: true,
    revision: 'r',
    asof: '16:15:00',
    code_version: version,
    minutes: { expected: 405, present: 405, missing: [] },
    datasets: { closing_positions: { ...closed, sha256: hash(closing[date] ?? 'c') } },
    ledger: {},
    inputs: buildInputs(dataFolder, date),
    tape: {},
  })
}

const RANGE = { from: '2026-10-12', to: '2026-10-16' } as const

/** A backfill, one session after the other, whose builds take five seconds each. */
const run = (
  changes: Partial<BackfillOptions> & {
    buildSession?: (date: string) => Promise<unknown>
  } = {},
) => {
  built = []
  text = []
  const { buildSession = publish, ...options } = changes
  const version = codeVersion()
  let nowMs = 0
  const build = async (date: string, isForced: boolean): Promise<TaskEnd> => {
    if (!isForced && isCurrent(dataFolder, date, version)) {
      return { outcome: 'current', reason: null, tookMs: 0 }
    }
    nowMs += 5_000
    try {
      const reported = await buildSession(date)
      const reason = typeof reported === 'string' ? reported : null
      return { outcome: 'done', reason, tookMs: 5_000 }
    } catch (error) {
      return { outcome: 'failed', reason: (error as Error).message, tookMs: 5_000 }
    }
  }
  return backfill({
    ...RANGE,
    dataFolder,
    isForced: false,
    isStaged: false,
    say: line => text.push(line),
    workerCount: 1,
    clock: { nowMs: () => nowMs },
    run: (tasks, isForced, onEnd) => runTasks(tasks, 1, ({ from }) => build(from, isForced), onEnd),
    ...options,
  })
}

test('sessions with a tape are built oldest first; those without are named', async () => {
  for (const date of ['2026-10-15', '2026-10-13', '2026-10-14']) addBatch(date)
  addBatch('2026-10-16', 'spots') // no prints: nothing to fold
  const done = await run({ from: '2026-10-09', to: '2026-10-19' })
  expect(built).toEqual(['2026-10-13', '2026-10-14', '2026-10-15'])
  expect(done).toEqual({
    built,
    current: [],
    failed: [],
    withoutTape: ['2026-10-09', '2026-10-12', '2026-10-16', '2026-10-19'],
  })
  expect(text).toEqual([
    // a weekend is no gap between sessions
    'no tape: 2026-10-09 to 2026-10-12, 2026-10-16 to 2026-10-19',
    '3 sessions have a tape, 3 to be built',
    '1 of 3  2026-10-13  built in 5.0 s, about 10.0 s left',
    '2 of 3  2026-10-14  built in 5.0 s, about 5.0 s left',
    '3 of 3  2026-10-15  built in 5.0 s',
  ])
})

test('what is up to date is not built again, unless forced', async () => {
  for (const date of ['2026-10-13', '2026-10-14']) addBatch(date)
  await run()
  const again = await run()
  expect(built).toEqual([])
  expect(again.current).toEqual(['2026-10-13', '2026-10-14'])
  expect(text.at(-1)).toBe('2 sessions have a tape, 0 to be built')
  expect((await run({ isForced: true })).built).toEqual(['2026-10-13', '2026-10-14'])
})

test('a run that was killed goes on where it was', async () => {
  for (const date of ['2026-10-13', '2026-10-14', '2026-10-15']) addBatch(date)
  await run({ to: '2026-10-13' })
  expect((await run()).built).toEqual(['2026-10-14', '2026-10-15'])
})

test('other code, a new batch or other carried positions make a session due', async () => {
  for (const date of ['2026-10-13', '2026-10-14', '2026-10-15']) addBatch(date)
  await run()
  await publish('2026-10-14', 'another version')
  expect((await run()).built).toEqual(['2026-10-14'])

  addBatch('2026-10-13')
  // the rebuilt session closes as before: the next one has what it had
  expect((await run()).built).toEqual(['2026-10-13'])
  expect(text).toContain(
    '3 sessions have a tape, 1 to be built, and 2 after them if the positions they take change',
  )
  expect(text).toContain('2 of 3  2026-10-14  is up to date')
  addBatch('2026-10-13', 'quotes')
  closing['2026-10-13'] = 'd'
  const { built: changed, current } = await run()
  expect([changed, current]).toEqual([['2026-10-13', '2026-10-14'], ['2026-10-15']])
})

test('a session that fails is named with its reason, and the others are done', async () => {
  for (const date of ['2026-10-13', '2026-10-14', '2026-10-15']) addBatch(date)
  const failing = async (date: string) => {
    if (date === '2026-10-14') throw new Error('the tape is not there.')
    await publish(date)
  }
  const done = await run({ buildSession: failing })
  expect(done).toMatchObject({ built: ['2026-10-13', '2026-10-15'], failed: ['2026-10-14'] })
  expect(text).toContain(
    '2 of 3  2026-10-14  FAILED after 5.0 s, about 5.0 s left: the tape is not there.',
  )
  // built now, it hands over positions that the session after it did not have
  expect((await run()).built).toEqual(['2026-10-14', '2026-10-15'])
})

test('data that a built session lacks are reported with it', async () => {
  addBatch('2026-10-13')
  const done = await run({
    buildSession: async date => {
      await publish(date)
      return 'it has no columns of LAB yet.'
    },
  })
  expect(done).toMatchObject({ built: ['2026-10-13'], failed: [] })
  expect(text).toContain('1 of 1  2026-10-13  built in 5.0 s: it has no columns of LAB yet.')
})

test('a range without any tape, and a second backfill at once, are refused', async () => {
  await expect(run()).rejects.toThrow(
    'no session from 2026-10-12 to 2026-10-16 has a tape: import one first.',
  )
  addBatch('2026-10-13')
  await withLock(lockPath(dataFolder, 'backfill'), 'busy', async () => {
    const second = runBackfill({
      ...RANGE,
      dataFolder,
      isForced: false,
      isBadTapeRefused: false,
      workerCount: 1,
      databaseUrl: null,
      say: line => text.push(line),
    })
    await expect(second).rejects.toThrow(/^Another backfill of this data folder is running/)
  })
  expect(built).toEqual([])
})
