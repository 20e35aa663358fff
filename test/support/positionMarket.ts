import { type Database, openDatabase, type Row } from '../../src/core/engine/database.ts'
import { JUDGED_DATASETS } from '../../src/data/dictionary/positionDatasets.ts'
import { type Case, createCases, putCases } from '../../src/data/published/positionTables.ts'

/** A market minute where everything is known; times are given by `minute_et` on 2026-10-14. */
export const KNOWN_MINUTE = {
  session_date: '2026-10-14',
  minute_et: '13:00',
  minute_at: '2026-10-14 17:00:00',
  seconds_left: 10_800,
  session_seconds: 23_340,
  spot: 6000.25,
  open: 5988,
  previous_close: 5970.5,
  previous_close_reason: null,
  forward: 6000.25,
  discount: 1,
  expected_move_points: 24.4,
  session_expected_move_points: 38,
  quoted_strike_low: 5000,
  quoted_strike_high: 7000,
  smile_strikes: [5900, 6100],
  smile_total_variances: [1e-5, 1e-5],
  smile_reason: null,
  net_gamma_musd_per_point: -30.16,
  flip: 6005.44,
  call_wall: 6050,
  put_wall: 5975,
  level_reason: null,
  flip_lo: 5994.83,
  flip_hi: 6016.61,
}

/** The minute a quarter of an hour before it. */
export const EARLIER_MINUTE = {
  ...KNOWN_MINUTE,
  minute_et: '12:45',
  minute_at: '2026-10-14 16:45:00',
  seconds_left: 11_700,
  spot: 5992.75,
}

/** A large order that counts at 13:00. */
export const KNOWN_ORDER = {
  session_date: '2026-10-14',
  order_id: 'o1',
  minute_et: '12:48',
  printed_at: '2026-10-14 16:48:00',
  revision_number: 1,
  visible_at: '2026-10-14 16:48:05',
  superseded_at: null as string | null,
  structure: 'single',
  gross_premium_usd: 7_500_000,
  dealer_gamma_musd_per_point: -22 as number | null,
  gamma_null_reason: null as string | null,
  strikes: [5960],
}

/** A database in which positions are judged against the given minutes and orders. */
export async function openMarket(
  minutes: readonly object[],
  orders: readonly object[] = [],
): Promise<Database> {
  const db = await openDatabase({ threads: 1 })
  for (const { name, columns } of JUDGED_DATASETS) {
    const structure = Object.fromEntries(columns.map(column => [column.name, column.type]))
    const names = columns.map(column => column.name).join(', ')
    await db.run(
      `create table positions.${name} as
       select ${names} from (select unnest(from_json($rows, $structure), max_depth := 2))`.replace(
        '$structure',
        `'[${JSON.stringify(structure)}]'`,
      ),
      { rows: JSON.stringify(name === 'market_minutes' ? minutes : orders) },
    )
  }
  await createCases(db)
  await db.build('positions/market_conditions')
  return db
}

/** Results of the conditions of a position at 13:00: value or reason by id. */
export async function conditionsAt(
  db: Database,
  legs: { readonly sp?: number; readonly sc?: number },
  changes: Partial<Case> = {},
): Promise<{ row: Row; values: Record<string, number | string | null> }> {
  await putCases(db, [
    {
      session_date: '2026-10-14',
      minute_et: '13:00',
      short_put: legs.sp ?? null,
      short_call: legs.sc ?? null,
      base_spot: null,
      ...changes,
    },
  ])
  const [row] = await db.query('positions/conditions')
  const conditions = row!.conditions as { id: string; value: number | null; reason: string }[]
  return {
    row: row!,
    values: Object.fromEntries(conditions.map(({ id, value, reason }) => [id, value ?? reason])),
  }
}
