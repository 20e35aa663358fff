import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha256File } from '../../src/core/disk/files.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { minutesAfter } from '../../src/core/market/calendar.ts'
import { readManifest, writeManifest } from '../../src/data/published/manifest.ts'
import { computeRevision } from '../../src/data/published/publish.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { simulateSessions, type TestHistory } from '../support/history.ts'
import { randomNumbers } from '../support/random.ts'

const DAY = '2026-10-15'
/** Rows of each dataset known later than a minute, to be changed then. */
const SCRAMBLED = {
  market_minutes: `select * exclude (is_later) replace (
      case when is_later then spot * 1.05 else spot end as spot,
      case when is_later then -net_gamma_musd_per_point else net_gamma_musd_per_point end
        as net_gamma_musd_per_point,
      case when is_later then flip + 100 else flip end as flip,
      case when is_later then flip_lo + 70 else flip_lo end as flip_lo,
      case when is_later then flip_hi + 130 else flip_hi end as flip_hi,
      case when is_later then null else call_wall end as call_wall,
      case when is_later then put_wall - 50 else put_wall end as put_wall,
      case when is_later then expected_move_points * 3 else expected_move_points end
        as expected_move_points,
      case when is_later then [] else smile_strikes end as smile_strikes,
      case when is_later then [] else smile_total_variances end as smile_total_variances
    )
    from (select *, minute_at > $until::timestamp as is_later from read_parquet($from))`,
  large_orders: `select * exclude (is_later) replace (
      case when is_later then gross_premium_usd * 9 else gross_premium_usd end
        as gross_premium_usd,
      case when is_later then -99.0 else dealer_gamma_musd_per_point end
        as dealer_gamma_musd_per_point,
      case when is_later then 'condor' else structure end as structure,
      case when superseded_at >= $until::timestamp then null else superseded_at end
        as superseded_at
    )
    from (select *, visible_at >= $until::timestamp as is_later from read_parquet($from))`,
} as const

let history: TestHistory
let db: Database
let api: TestApi
let id: string

beforeAll(async () => {
  history = await simulateSessions(DAY, 3)
  db = await openDatabase()
  const { dataFolder } = history
  api = await startTestApi({ dataFolder })
  api.clock.atMs = Date.parse('2026-10-16T04:00:00Z')
  const position = {
    kind: 'condor',
    legs: { lp: 5900, sp: 5950, sc: 6050, lc: 6100 },
    entry: '10:30',
    session: DAY,
  }
  const body = JSON.stringify({ op: 'add', position })
  id = (await api.call('/api/positions', { method: 'POST', body })).json.id
})
afterAll(async () => {
  db.close()
  await api.close()
  history.remove()
})

/** Republishes the session with everything changed that was known later than a minute. */
async function scrambleAfter(minuteEt: string): Promise<() => void> {
  const { dataFolder } = history
  const before = readManifest(dataFolder, DAY)!
  const until = `${DAY} ${String(Number(minuteEt.slice(0, 2)) + 4)}${minuteEt.slice(2)}:00`
  const datasets = { ...before.datasets }
  for (const [name, query] of Object.entries(SCRAMBLED)) {
    const entry = before.datasets[name]!
    const temporary = join(dataFolder, 'work', `${name}.tmp`)
    mkdirSync(dirname(temporary), { recursive: true })
    const from = join(dataFolder, 'published', entry.file)
    await db.run(`copy (${query}) to $file (format parquet)`, { until, from, file: temporary })
    const sha256 = await sha256File(temporary)
    const file = join(dirname(entry.file), `${sha256.slice(0, 16)}.parquet`)
    datasets[name] = { ...entry, file, sha256, bytes: statSync(temporary).size }
    renameSync(temporary, join(dataFolder, 'published', file))
  }
  const revision = computeRevision({ datasets, ledger: before.ledger })
  writeManifest(dataFolder, { ...before, datasets, revision })
  return () => writeManifest(dataFolder, before)
}

const readBody = async (path: string) => {
  const { status, body } = await api.call(`/api/positions/${path}`)
  expect(status).toBe(200)
  return body.toString()
}

/** The ends of the session, and minutes drawn by lot, the same in every run. */
const random = randomNumbers(41)
const MINUTES = [1, 389, ...Array.from({ length: 8 }, () => 2 + Math.floor(random() * 386))].map(
  count => minutesAfter('09:30', count),
)

test.each(MINUTES)('data known later than %s change no byte of a response about it', async t => {
  const paths = [`check?day=${DAY}&t=${t}`, `track?id=${id}&day=${DAY}&t=${t}`]
  const known = await Promise.all(paths.map(readBody))
  const restore = await scrambleAfter(t)
  expect(await Promise.all(paths.map(readBody))).toEqual(known)
  // and it does change later responses
  if (t < '15:59') expect(await readBody(`check?day=${DAY}&t=15:59`)).not.toBe(known[0])
  restore()
})

test('a replayed label knows nothing of what came after; the outcome does', async () => {
  const readEntry = async () => {
    const { json } = await api.call(`/api/positions/entries?id=${id}&replay=1`)
    const { outcome, ...entry } = json.entries[0]
    return { outcome, entry: JSON.stringify(entry) }
  }
  const known = await readEntry()
  const restore = await scrambleAfter('10:30')
  const scrambled = await readEntry()
  restore()
  expect(scrambled.entry).toBe(known.entry)
  expect(scrambled.outcome).not.toEqual(known.outcome)
})

test('a minute that is gone is an error of its own, and a gap is unknown', async () => {
  const { dataFolder } = history
  const before = readManifest(dataFolder, DAY)!
  const entry = before.datasets.market_minutes!
  const temporary = join(dataFolder, 'work', 'gap.tmp')
  await db.run(
    `copy (
       select * replace (case when minute_et = '12:00' then null else spot end as spot)
       from read_parquet($from) where minute_et <> '12:30'
     ) to $file (format parquet)`,
    { from: join(dataFolder, 'published', entry.file), file: temporary },
  )
  const sha256 = await sha256File(temporary)
  const file = join(dirname(entry.file), `${sha256.slice(0, 16)}.parquet`)
  const changed = { ...entry, file, sha256, bytes: statSync(temporary).size }
  renameSync(temporary, join(dataFolder, 'published', file))
  const datasets = { ...before.datasets, market_minutes: changed }
  writeManifest(dataFolder, { ...before, datasets, revision: 'gap' })

  const checkAt = async (t: string) =>
    (await api.call(`/api/positions/check?day=${DAY}&t=${t}`)).json.checks[0]
  expect(await checkAt('12:30')).toMatchObject({ label: null, error: expect.any(String) })
  const gap = await checkAt('12:00')
  expect(gap.counts.unknown).toBe(8)
  expect(gap).toMatchObject({ label: null, error: expect.stringContaining('8 of 15') })
  expect(await checkAt('12:15')).toMatchObject({ counts: { unknown: 1 } })
  writeManifest(dataFolder, before)
  rmSync(join(dataFolder, 'published', file))
})
