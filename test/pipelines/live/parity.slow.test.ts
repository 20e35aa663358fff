// A tape without index values, or whose index ends: minute by minute as the whole session, and every
// reader has an index with its error.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { importDataset } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate, TAPE_FILES } from '../../../pipelines/simulate/simulate.ts'
import type { Row } from '../../../src/core/engine/database.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { readManifest } from '../../../src/data/published/manifest.ts'
import { readMarket } from '../../../src/lab/market/readMarket.ts'
import { startTestApi } from '../../support/api.ts'
import { takeGradeOff } from '../../support/leanFolder.ts'
import { listMinuteRows, publishMinutes, queryFiles } from '../../support/liveMinutes.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-parity-'))
const simulated = join(root, 'simulated')

beforeAll(async () => {
  const size = { prints: 3_000, contracts: 400, seed: 12 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  await queryFiles(
    `copy (
       select * replace (null::double as underlying_price)
       from read_parquet('${join(simulated, 'prints.parquet')}')
     ) to '${join(root, 'prints.parquet')}' (format parquet)`,
  )
  await queryFiles(
    `copy (
       from read_parquet('${join(simulated, 'spots.parquet')}')
       where spotted_at < timestamp '2026-10-15 13:41:30'
     ) to '${join(root, 'spots.parquet')}' (format parquet)`,
  )
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Imports the session with the index of a file, or with none, and builds it. */
async function buildWhole(name: string, spots: string | null): Promise<string> {
  const dataFolder = join(root, name)
  for (const dataset of [...TAPE_FILES, 'dealer_positions']) {
    if (dataset === 'spots' && spots === null) continue
    const own = dataset === 'prints' || dataset === 'spots'
    const file = join(own ? root : simulated, `${dataset}.parquet`)
    await importDataset(dataFolder, dataset, file)
  }
  cpSync(dataFolder, `${dataFolder}-live`, { recursive: true })
  await buildDay({ dataFolder, date: DATE, progress: silent })
  return dataFolder
}

describe.each([
  ['without any index', null],
  ['whose index ends at 09:41:30', join(root, 'spots.parquet')],
])('a tape %s', (name, spots) => {
  let whole = ''
  beforeAll(async () => {
    whole = await buildWhole(name.replaceAll(/\W/g, '-'), spots)
  })

  test('has levels by parity in every minute until the close, each with its error', async () => {
    const { rows } = await runQuery(
      whole,
      `select minute_et, spot, spot_source, spot_error, flip, reason,
         flip_hi - flip_lo as width, net_gamma_musd_per_point as gamma,
         net_gamma_deviation_musd as deviation
       from levels where book_basis = 'measured' order by minute_et`,
    )
    const isOpen = (row: Row) => String(row.minute_et) > '09:30' && String(row.minute_et) <= '16:00'
    const open = rows.filter(isOpen)
    const ownIndex = open.filter(row => row.spot_source === 'index').map(row => row.minute_et)
    expect(ownIndex.at(-1) ?? null).toBe(spots === null ? null : '09:46')
    const derived = open.filter(row => row.spot_source === 'parity')
    expect(derived.length + ownIndex.length).toBe(390)
    for (const row of derived) {
      expect(row.gamma).not.toBeNull()
      expect(row.spot_error).toBeGreaterThan(0.05)
      expect(row.spot_error).toBeLessThan(1)
    }
    const named = derived.filter(row => row.flip !== null)
    expect(named.length).toBeGreaterThan(200)
    for (const row of named) expect(row.width).toBeGreaterThan(2 * 1.6448 * Number(row.spot_error))
    for (const row of rows.filter(row => String(row.minute_et) > '16:00')) {
      expect(row).toMatchObject({ spot: null, spot_source: null, reason: 'no_spot' })
    }
  })

  test('states published one by one are those of the whole session', async () => {
    const live = `${whole}-live`
    // carries are measured across the steps of two processes
    await publishMinutes(live, DATE, ['09:31', '09:32', '09:33', '09:41', '09:46', '09:47'])
    await publishMinutes(live, DATE, ['09:48', '09:49', '09:50'])
    const revisions = await listMinuteRows(
      live,
      readLiveManifest(live, DATE)!,
      'revisions',
      '09:49',
    )
    const ended = new Set(revisions.map(row => `${row.order_id} ${row.revision_number}`))
    const isCurrent = (row: Row) => !ended.has(`${row.order_id} ${row.revision_number}`)
    for (const dataset of [
      'levels',
      'orders',
      'market_minutes',
      'strikes',
      'smiles',
      'exposures',
      'expiry_levels',
      'flow',
    ]) {
      const running = await listMinuteRows(live, readLiveManifest(live, DATE)!, dataset, '09:49')
      const built = await listMinuteRows(whole, readManifest(whole, DATE)!, dataset, '09:49')
      const withoutRank = (rows: typeof built) =>
        rows.map(({ ledger_rank: _, session: __, ...row }) => row).filter(isCurrent)
      expect(withoutRank(running), dataset).toEqual(withoutRank(built))
      expect(built.length, dataset).toBeGreaterThan(10)
    }
  })

  test('LAB and a position are served by it, with its error', async () => {
    // few prints make a bad tape, of which LAB reads nothing
    takeGradeOff(whole, DATE)
    const { sessions } = await readMarket(whole)
    const own = spots === null ? 0 : 16
    expect(sessions).toMatchObject([{ date: DATE, parityCount: 390 - own }])
    expect(sessions[0]!.market.spot.every(Number.isFinite)).toBe(true)
    // closing the test server removes its folder
    const served = `${whole}-served`
    cpSync(whole, served, { recursive: true })
    const api = await startTestApi({ dataFolder: served })
    try {
      const position = { kind: 'strangle', legs: { sp: 5900, sc: 6100 }, entry: '10:00' }
      const body = JSON.stringify({ op: 'add', position })
      expect((await api.call('/api/positions', { method: 'POST', body })).status).toBe(200)
      const { json } = await api.call(`/api/positions/check?day=${DATE}&t=12:00`)
      const [check] = json.checks
      expect(check.label).toMatch(/^(TRADE|CAUTION|SKIP)$/)
      expect(check.levels.spot_error).toBeGreaterThan(0.05)
      expect(check.levels.flip.points).not.toBeNull()
      expect(check.shorts[0].levels).not.toHaveProperty('spot_error')
    } finally {
      await api.close()
    }
  })

  test('settles at the index by parity of the close, and says so', async () => {
    const { rows } = await runQuery(
      whole,
      `select settlement, source, settlement_error, reason,
         settlement = (
           select spot from market_minutes where seconds_left = 0
         ) as is_spot
       from settlements`,
    )
    expect(rows).toEqual([
      {
        settlement: expect.any(Number),
        source: 'last_parity',
        settlement_error: expect.any(Number),
        reason: null,
        is_spot: true,
      },
    ])
  })
})
