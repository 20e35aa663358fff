import { mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha256File } from '../../src/core/disk/files.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import { readManifest, writeManifest } from '../../src/data/published/manifest.ts'
import { computeRevision } from '../../src/data/published/publish.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { simulateSessions, type TestHistory } from '../support/history.ts'

const [FIRST, SECOND, DAY] = ['2026-10-13', '2026-10-14', '2026-10-15'] as const

let history: TestHistory
let api: TestApi
let id: string

beforeAll(async () => {
  history = await simulateSessions(DAY, 3)
  api = await startTestApi({ dataFolder: history.dataFolder })
  const position = {
    kind: 'strangle',
    legs: { sp: 5900, sc: 6100 },
    entry: '11:00',
    session: FIRST,
  }
  const body = JSON.stringify({ op: 'add', position })
  id = (await api.call('/api/positions', { method: 'POST', body })).json.id
})
afterAll(async () => {
  await api.close()
  history.remove()
})

async function entriesAt(instant: string) {
  api.clock.atMs = Date.parse(instant)
  const { status, json } = await api.call(`/api/positions/entries?id=${id}&replay=3`)
  expect(status).toBe(200)
  return json
}

test('a session that runs is judged from its entry minute on, and has no outcome yet', async () => {
  const before = await entriesAt('2026-10-15T14:59:59Z')
  expect(before.entries.map(({ day }: { day: string }) => day)).toEqual([FIRST, SECOND])

  const running = await entriesAt('2026-10-15T15:00:00Z')
  const [, second, entry] = running.entries
  expect(entry).toMatchObject({ day: DAY, t: '11:00', outcome: null, outcome_null: 'not_finished' })
  expect(entry.label).not.toBeNull()
  expect(second.outcome_null).toBeNull()
  // what has no outcome is not graded
  expect(running.summary.base.entries).toBe(2)

  const over = await entriesAt('2026-10-16T04:00:00Z')
  const { outcome, outcome_null, ...judged } = over.entries[2]
  expect([outcome.held, outcome_null]).toEqual([expect.any(Boolean), null])
  const { outcome: _, outcome_null: __, ...known } = entry
  expect(judged).toEqual(known)
  expect(over.summary.base.entries).toBe(3)
})

/** Republishes a session whose index is not known at some of its minutes. */
async function loseIndex(day: string, condition: string): Promise<void> {
  const { dataFolder } = history
  const before = readManifest(dataFolder, day)!
  const entry = before.datasets.market_minutes!
  const temporary = join(dataFolder, 'work', 'lost.tmp')
  mkdirSync(dirname(temporary), { recursive: true })
  const db = await openDatabase()
  await db.run(
    `copy (
       select * replace (case when ${condition} then null else spot end as spot)
       from read_parquet($from, hive_partitioning = false)
     ) to $file (format parquet)`,
    { from: join(dataFolder, 'published', entry.file), file: temporary },
  )
  db.close()
  const sha256 = await sha256File(temporary)
  const file = join(dirname(entry.file), `${sha256.slice(0, 16)}.parquet`)
  const lost = { ...entry, file, sha256, bytes: statSync(temporary).size }
  renameSync(temporary, join(dataFolder, 'published', file))
  const datasets = { ...before.datasets, market_minutes: lost }
  writeManifest(dataFolder, {
    ...before,
    datasets,
    revision: computeRevision({ datasets, ledger: before.ledger }),
  })
}

test('without an index at the close there is no outcome; a gap on the way is counted', async () => {
  const instant = '2026-10-16T04:00:00Z'
  const known = (await entriesAt(instant)).entries
  await loseIndex(SECOND, 'seconds_left = 0')
  await loseIndex(DAY, "minute_et between '13:00' and '13:04'")
  const { entries, summary } = await entriesAt(instant)
  expect(entries[0]).toEqual(known[0])
  expect(entries[1]).toEqual({ ...known[1], outcome: null, outcome_null: 'no_close' })
  const counted = { ...known[2].outcome, missing_minutes: known[2].outcome.missing_minutes + 5 }
  expect(entries[2].outcome).toMatchObject({ ...counted, worst_points: expect.any(Number) })
  expect(summary.base.entries).toBe(2)

  await loseIndex(DAY, "minute_et between '10:50' and '11:05'")
  const lost = (await entriesAt(instant)).entries[2]
  const error = `${DAY} has no index at 11:00.`
  expect(lost).toMatchObject({ error, label: null, outcome: null, outcome_null: 'not_judged' })
})
