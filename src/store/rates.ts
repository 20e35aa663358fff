import { join } from 'node:path'
import type { SessionDate } from '../market/calendar.ts'
import type { Database } from './duck.ts'
import { listOf, loadRows, type RowLayout } from './rows.ts'
import { REFERENCE_FOLDER } from './session.ts'

/** The Treasury's curves that come with the product. */
const REFERENCE_CURVES = 'treasury_par_yields.csv'

/** Columns of the US Treasury's file of par yields. */
export const TREASURY_LAYOUT: RowLayout = {
  required: ['date', '1_mo', '3_mo', '1_yr'],
  optional: [
    ...['1_5_mo', '2_mo', '4_mo', '6_mo', '2_yr', '3_yr', '5_yr'],
    ...['7_yr', '10_yr', '20_yr', '30_yr'],
  ],
}

/**
 * Makes `tape.rates`: the latest curve strictly before the session and at most ten days old, from
 * the imported files, or from the Treasury's curves that come with the product when none is
 * imported. Empty when there is no such curve.
 */
export async function loadRates(
  db: Database,
  files: readonly string[],
  sessionDate: SessionDate,
): Promise<void> {
  await db.run('create schema if not exists import')
  if (files.length > 0) {
    await db.run('create or replace table import.curves as from read_parquet($files::varchar[])', {
      files: listOf(files),
    })
    await chooseCurve(db, sessionDate)
  }
  if (files.length === 0 || (await isEmpty(db))) {
    const path = join(REFERENCE_FOLDER, REFERENCE_CURVES)
    await loadRows(db, { label: REFERENCE_CURVES, path, isParquet: false }, TREASURY_LAYOUT)
    await db.build('import/treasury_rates')
    await db.run('create or replace table import.curves as from import.treasury_rates')
    await chooseCurve(db, sessionDate)
  }
  await db.run('drop schema import cascade')
}

async function chooseCurve(db: Database, sessionDate: SessionDate): Promise<void> {
  await db.build('import/latest_curve', { session: sessionDate })
  await db.run('create or replace table tape.rates as from import.latest_curve')
}

async function isEmpty(db: Database): Promise<boolean> {
  const [counted] = await db.rows('select count(*) as curve_points from tape.rates')
  return counted!.curve_points === 0
}
