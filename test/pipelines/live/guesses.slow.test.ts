// Minute by minute as the whole session where the dealers' positions are guessed: a pricing of the
// uncertainty serves the minutes after it, in the same process and in the next one.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { importDataset } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate, TAPE_FILES } from '../../../pipelines/simulate/simulate.ts'
import { readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { readManifest } from '../../../src/data/published/manifest.ts'
import { listMinuteRows, publishMinutes, queryFiles } from '../../support/liveMinutes.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-guesses-'))
const simulated = join(root, 'simulated')
const positions = join(root, 'positions.parquet')

beforeAll(async () => {
  // no order of its first minutes is cancelled
  const size = { prints: 3_000, contracts: 400, seed: 14 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  // half of what the dealers hold is known, and half of the open interest is not
  await queryFiles(
    `copy (
       select positions.* replace (
         positions.quantity // 2 as quantity, interest.open_interest // 2 as guessed_quantity
       )
       from read_parquet('${join(simulated, 'dealer_positions.parquet')}') as positions
       inner join read_parquet('${join(simulated, 'open_interest.parquet')}') as interest
         using (root, expiry, strike, option_type)
     ) to '${positions}' (format parquet)`,
  )
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test.each([
  ['open interest alone', null],
  ['positions of which a part is a guess', positions],
])('with %s every minute is that of the whole session', async (_what, file) => {
  const [live, whole] = [`live-${file !== null}`, `whole-${file !== null}`].map(name =>
    join(root, name),
  ) as [string, string]
  const files = TAPE_FILES.map(name => [name, join(simulated, `${name}.parquet`)] as const)
  for (const [name, path] of [...files, ...(file ? [['dealer_positions', file] as const] : [])]) {
    await importDataset(live, name, path)
  }
  cpSync(live, whole, { recursive: true })
  await buildDay({ dataFolder: whole, date: DATE, progress: silent })
  await publishMinutes(live, DATE, ['09:31', '09:32', '09:33', '09:36', '09:37'])
  await publishMinutes(live, DATE, ['09:38', '09:39', '09:47', '09:48'])
  const names = [
    'levels',
    'orders',
    'market_minutes',
    'strikes',
    'exposures',
    'expiry_levels',
    'flow',
  ]
  for (const name of names) {
    const running = await listMinuteRows(live, readLiveManifest(live, DATE)!, name, '09:47')
    const built = await listMinuteRows(whole, readManifest(whole, DATE)!, name, '09:47')
    const withoutRank = (rows: typeof built) =>
      rows.map(({ ledger_rank: _, session: __, ...row }) => row)
    expect(withoutRank(running), name).toEqual(withoutRank(built))
    expect(built.length, name).toBeGreaterThan(10)
  }
  const levels = await listMinuteRows(whole, readManifest(whole, DATE)!, 'levels', '09:47')
  const measured = levels.filter(({ book_basis }) => book_basis === 'measured')
  for (const row of measured) expect(row.net_gamma_deviation_musd).toBeGreaterThan(1)
})
