import type { Migration } from 'kysely/migration'
import { ALERTS_STEP } from '../accounts/alertSchema.ts'
import { ACCOUNT_MIGRATIONS, ACCOUNT_TABLES, type AccountTables } from '../accounts/schema.ts'
import { LAB_MIGRATIONS, LAB_TABLES, type LabTables } from '../lab/store/schema.ts'
import { OUTBOX_MIGRATION } from '../outbox/store/migration.ts'
import { POSITION_ENDPOINTS_MIGRATION } from '../outbox/store/positionHooksMigration.ts'
import { CODE_SENDS_MIGRATION } from '../outbox/store/sendsMigration.ts'
import { OUTBOX_TABLES } from '../outbox/store/tables.ts'

/** The account database as a whole: the tables of accounts and of all areas. */

export type StoredTables = AccountTables & LabTables

/** Each after those that its rows refer to. */
export const TABLES = [
  ...ACCOUNT_TABLES,
  ...OUTBOX_TABLES,
  'positions',
  'alert_settings',
  'alert_lines',
  'alert_rules',
  ...LAB_TABLES,
] as const satisfies readonly (keyof StoredTables)[]

/** All migration steps; a database takes them in the order of their names. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  ...ACCOUNT_MIGRATIONS,
  ...LAB_MIGRATIONS,
  '006_alert_settings': ALERTS_STEP,
  '007_outbox': OUTBOX_MIGRATION,
  '008_code_sends': CODE_SENDS_MIGRATION,
  '010_position_hooks': POSITION_ENDPOINTS_MIGRATION,
}
