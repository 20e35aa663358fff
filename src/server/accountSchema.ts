import type { Migration } from 'kysely/migration'
import {
  ACCOUNT_MIGRATIONS,
  ACCOUNT_TABLES,
  type AccountTables,
  REPEATS_STEP,
} from '../accounts/schema.ts'
import { ALERT_TABLES, ALERTS_STEP, type AlertTables } from '../alerts/store/schema.ts'
import { LAB_MIGRATIONS, LAB_TABLES, type LabTables } from '../lab/store/schema.ts'
import { OUTBOX_MIGRATION } from '../outbox/store/migration.ts'
import { CODE_SENDS_MIGRATION } from '../outbox/store/sendsMigration.ts'
import { OUTBOX_TABLES } from '../outbox/store/tables.ts'
import { POSITION_ENDPOINTS_MIGRATION } from '../positions/store/endpointsMigration.ts'
import { POSITION_TABLES, POSITIONS_STEP, type PositionTables } from '../positions/store/schema.ts'

/** The account database as a whole: the tables of accounts and of all areas. */

export type StoredTables = AccountTables & AlertTables & LabTables & PositionTables

/** Each after those that its rows refer to. */
export const TABLES = [
  ...ACCOUNT_TABLES,
  ...OUTBOX_TABLES,
  ...POSITION_TABLES,
  ...ALERT_TABLES,
  ...LAB_TABLES,
] as const satisfies readonly (keyof StoredTables)[]

/** All migration steps; a database takes them in the order of their names. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  ...ACCOUNT_MIGRATIONS,
  ...LAB_MIGRATIONS,
  '002_positions': {
    up: async db => {
      await POSITIONS_STEP.up(db)
      await REPEATS_STEP.up(db)
    },
  },
  '006_alert_settings': ALERTS_STEP,
  '007_outbox': OUTBOX_MIGRATION,
  '008_code_sends': CODE_SENDS_MIGRATION,
  '010_position_hooks': POSITION_ENDPOINTS_MIGRATION,
}
