import { join } from 'node:path'
import type { Database } from '../../core/engine/database.ts'
import type { RowLayout } from '../../core/engine/header.ts'
import { loadRows } from '../../core/engine/rows.ts'
import { REFERENCE_FOLDER } from '../../core/engine/sql.ts'
import type { SessionDate } from '../../core/market/calendar.ts'

/** The Treasury's curves that come with the product. */
const REFERENCE_CURVES = 'treasury_par_yields.csv'

/** Columns of the US Treasury's file of par yields. */
export const TREASURY_LAYOUT: RowLayout = {
  required: ['date', '1_mo', '3_mo', '1_yr'],
  optional: [
    '1_5_mo',
    '2_mo',
    '4_mo',
    '6_mo',
    '2_yr',
    '3_yr',
    '5_yr',
    '7_yr',
    '10_yr',
    '20_yr',
    '30_yr',
  ],
  // the file has "1.5 Month" next to "2 Mo"
  rename: name => name.replace(/_months?$/, '_mo').replace(/_years?$/, '_yr'),
}

/** Days for which a curve serves after its own. */
export const CURVE_DAYS = 10

/**
 * Makes `tape.rates` of `import.curves`, the imported ones: the latest curve strictly before the
 * session and at most CURVE_DAYS old, and each later one from when it was known. Where none was
 * known before the session, the Treasury's curves that come with the product stand in. Empty when
 * there is no such curve.
 */
export async function loadRates(db: Database, sessionDate: SessionDate): Promise<void> {
  await db.refill('import.reference_curves', 'from import.curves limit 0')
  await chooseCurves(db, sessionDate)
  const atOpen = await db.query('tape/curves_at_open')
  if (atOpen.length === 0) {
    const path = join(REFERENCE_FOLDER, REFERENCE_CURVES)
    await loadRows(db, { label: REFERENCE_CURVES, path, columns: null }, TREASURY_LAYOUT)
    await db.build('import/treasury_rates')
    await db.build('import/reference_curves')
    await chooseCurves(db, sessionDate)
  }
}

const chooseCurves = (db: Database, session: SessionDate): Promise<void> =>
  db.build('import/latest_curves', { session, curve_days: CURVE_DAYS }, 'tape.rates')
