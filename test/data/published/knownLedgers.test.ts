import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sha256File } from '../../../src/core/disk/files.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { openKnownLedgers } from '../../../src/data/published/knownLedgers.ts'
import { parseManifest } from '../../../src/data/published/manifest.ts'

const DAY = '2026-10-14'
let folder: string
let db: Database

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-known-'))
  db = await openDatabase()
})
afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A file that a step of the running session added to a dataset. */
async function stepFile(dataset: string, step: string, rows: string) {
  const file = `${dataset}/session=${DAY}/${step}-0123456789abcdef.parquet`
  const path = join(folder, 'live', file)
  mkdirSync(dirname(path), { recursive: true })
  await db.run(`copy (${rows}) to $path (format parquet)`, { path })
  return { file, bytes: statSync(path).size, rows: 1, sha256: await sha256File(path) }
}

/** Times are UTC: the session opens at 13:30. */
const messageAt = (time: string) => `select timestamp '${DAY} ${time}' as known_at`
const printedAt = (minute: string, known: string) =>
  `select timestamp '${DAY} ${minute}:00' as minute_at, timestamp '${DAY} ${known}' as known_at`

/** A session that was reported up to 09:35 ET. */
const findManifest = (date: string, files: Record<string, object[]>, revision: string) =>
  parseManifest(
    JSON.stringify({
      format: 1,
      session_date: date,
      symbol: 'SPX',
      simulated: false,
      revision,
      asof: '09:34:10',
      code_version: 'test',
      min_premium_usd: 100_000,
      minutes: { expected: 5, present: 5, missing: [] },
      datasets: {},
      ledger: {},
      inputs: [],
      tape: {},
      live: { minute: '09:35', known_before_ms: instantMs(date, '09:35'), files },
    }),
  )

/** Minutes that are missing before an ET minute, by the steps of the session. */
async function missingBefore(minute: string, files: Record<string, object[]>) {
  const known = openKnownLedgers(folder)
  const { missing } = await known.read(findManifest(DAY, files, 'r'), instantMs(DAY, minute))
  await known.close()
  return missing
}

test('minutes of which no print was known before an instant are missing then', async () => {
  const message_times = [
    await stepFile('message_times', '0931', messageAt('13:30:50')),
    await stepFile('message_times', '0935', messageAt('13:34:10')),
  ]
  const printed_minutes = [
    await stepFile('printed_minutes', '0931', printedAt('13:30', '13:30:50')),
    // of 09:32 a print that became known at 09:34:10
    await stepFile('printed_minutes', '0935', printedAt('13:32', '13:34:10')),
  ]
  const files = { message_times, printed_minutes }
  expect(await missingBefore('09:30', files)).toEqual([])
  expect(await missingBefore('09:31', files)).toEqual([])
  expect(await missingBefore('09:34', files)).toEqual(['09:31', '09:32', '09:33'])
  expect(await missingBefore('09:35', files)).toEqual(['09:31', '09:33', '09:34'])
  const all = await missingBefore('16:30', files)
  expect(all).toHaveLength(403)
  expect(all!.at(-1)).toBe('16:14')
})

test('for a session reported by older code, wholly or in part, they are unknown', async () => {
  const message_times = [
    await stepFile('message_times', '0931', messageAt('13:30:50')),
    await stepFile('message_times', '0935', messageAt('13:34:10')),
  ]
  expect(await missingBefore('09:35', { message_times })).toBeNull()
  const newer = await stepFile('printed_minutes', '0935', printedAt('13:34', '13:34:10'))
  expect(await missingBefore('09:35', { message_times, printed_minutes: [newer] })).toBeNull()
})

test('more sessions than are cached, and new revisions of them, read as one would', async () => {
  const dates = ['2026-10-08', '2026-10-09', '2026-10-12', '2026-10-13', DAY]
  const message = `select timestamp '${dates[0]} 13:30:50' as known_at`
  const files = { message_times: [await stepFile('message_times', '0935', message)] }
  // of each day the first revision has no messages yet, the second one has them all
  const wanted = [...dates, DAY, dates[0]!].flatMap((date, index) => [
    findManifest(date, {}, 'first'),
    findManifest(date, files, index % 2 === 0 ? 'second' : 'third'),
  ])
  const known = openKnownLedgers(folder)
  const read = wanted.map(manifest =>
    known.read(manifest, instantMs(manifest.session_date, '09:33')),
  )
  // behind the questions, not among them
  const closed = known.close()
  const asofs = (await Promise.all(read)).map(({ asof }) => asof)
  expect(asofs).toEqual(wanted.map(({ revision }) => (revision === 'first' ? null : '09:30:50')))
  await closed
})
