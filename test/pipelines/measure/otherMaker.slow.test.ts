// A session of another maker whose tape has sizes, with its true sides, deltas and gammas.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOOK_MODELS, LEVELS_MODELS } from '../../../pipelines/build/dag.ts'
import { foldDay } from '../../../pipelines/build/day.ts'
import { loadDay } from '../../../pipelines/build/loadDay.ts'
import { buildModel, buildModels, doNothing } from '../../../pipelines/build/steps.ts'
import { buildSurface } from '../../../pipelines/build/surface.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { findTradingSession } from '../../../src/core/market/calendar.ts'
import { SHARED_DATA } from '../../support/shared.ts'

const MAKER = join(SHARED_DATA, '../cases/tapes/other-maker-with-sizes')
const FILES = {
  prints: 'prints',
  quotes: 'quotes',
  spots: 'spots',
  rates: 'rates',
  'open-interest': 'oi',
  'dealer-positions': 'pos',
} as const

/** The published five-minute delta, and the true one of the prints that it knows. */
const COMPARED_FLOW = `
  with compared as (
    select
      flow.delta_musd as published,
      flow.delta_lo_musd as low,
      flow.delta_hi_musd as high,
      coalesce(sum(truth.delta), 0) as true_delta
    from ledger.flow as flow
    inner join tape.minutes as minutes using (minute_et)
    left join truth
      on truth.printed_at < minutes.minute_at
      and truth.printed_at >= minutes.minute_at - interval 5 minute
    where flow.part = 'all' and flow.span = '5m' and flow.delta_hi_musd > flow.delta_lo_musd
    group by all
  )
  select
    avg((true_delta between low and high)::integer) as covered,
    sum(true_delta * published / square(high - low)) / sum(square(published / (high - low)))
      as slope
  from compared`

describe.skipIf(!existsSync(MAKER))('a tape of another maker, with sizes', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-maker-'))
  let db: Database
  beforeAll(async () => {
    for (const [format, name] of Object.entries(FILES)) {
      const files = [join(MAKER, `${name}.csv.gz`)]
      await runImport({ dataFolder, format, files, simulated: true })
    }
    db = await openDatabase({ threads: 2 })
    await loadDay(db, findTradingSession('2026-10-14')!, { dataFolder })
    await foldDay(db, doNothing)
    await buildSurface(db)
    await buildModels(db, [...BOOK_MODELS, ...LEVELS_MODELS, 'ledger/flow'], buildModel)
    await db.run(
      `create table truth as
       select prints.printed_at, truth.* replace (customer_sign * truth.size * delta * index / 1e4 as delta)
       from read_csv($file) as truth
       inner join tape.prints using (sequence)`,
      { file: join(MAKER, 'truth.csv.gz') },
    )
  })
  afterAll(() => {
    db?.close()
    rmSync(dataFolder, { recursive: true })
  })

  test('five-minute delta covers .86 of the true one, not .52, and has its sign', async () => {
    const [flow] = await db.rows(COMPARED_FLOW)
    expect(flow!.covered).toBeGreaterThan(0.82)
    expect(flow!.slope).toBeGreaterThan(0.6)
    expect(flow!.slope).toBeLessThan(1.4)
  })
})
