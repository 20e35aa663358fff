import { type Kysely, sql, type Transaction } from 'kysely'
import { listPlans } from '../../accounts/products.ts'
import { type ChangingDatabase, changeOnce } from '../../accounts/repeats.ts'
import type { AlertDatabaseTables } from './schema.ts'
import type {
  AlertSettings,
  AlertsChange,
  AlertsRequest,
  SetAt,
  StoredAlertLine,
  StoredAlertLineState,
  StoredAlerts,
} from './types.ts'

type Accounts = Kysely<AlertDatabaseTables>

/** Run whose states users see, and which `arm` changes. */
const LIVE_RUN = 'live'

/** Operations on the alert settings of accounts. */
export function alertSettings(database: ChangingDatabase<AlertDatabaseTables>): AlertSettings {
  const { reader, isConcurrent } = database
  return {
    read: accountId => readAlerts(reader, accountId),
    change: request =>
      changeOnce(database, request, async trx => {
        const change = request.decide(await readAlerts(trx, request.accountId))
        return async () => {
          await writeChange(trx, request, change)
          await putSettings(trx, request, change, isConcurrent)
          return change.response
        }
      }),
    watched: query => readWatched(reader, query),
  }
}

async function readAlerts(db: Accounts, accountId: string): Promise<StoredAlerts> {
  const settings = db.selectFrom('alert_settings').select('list')
  const row = await settings.where('account_id', '=', accountId).executeTakeFirst()
  const lines = lineRows(db, LIVE_RUN).where('alert_lines.account_id', '=', accountId)
  const rules = db.selectFrom('alert_rules').select(['id', 'body', 'set_at as setAtMs'])
  return {
    list: row?.list ?? null,
    lines: (await lines.orderBy('alert_lines.number').execute()).map(toStoredLine),
    rules: await rules.where('account_id', '=', accountId).orderBy('number').execute(),
  }
}

/** Lines with their states in a run; a line without a state has not fired. */
const lineRows = (db: Accounts, run: string) =>
  db
    .selectFrom('alert_lines')
    .leftJoin('alert_line_states', join =>
      join
        .onRef('alert_line_states.line_id', '=', 'alert_lines.id')
        .on('alert_line_states.run', '=', run),
    )
    .selectAll('alert_lines')
    .select(['alert_line_states.is_armed', 'alert_line_states.fired_at'])

type LineRow = AlertDatabaseTables['alert_lines'] & {
  readonly is_armed: number | null
  readonly fired_at: number | null
}

const toStoredLine = (row: LineRow): StoredAlertLine & StoredAlertLineState & SetAt => ({
  id: row.id,
  kind: row.kind,
  price: row.price,
  book: row.book,
  level: row.level,
  offset: row.offset,
  direction: row.direction,
  mode: row.mode,
  note: row.note,
  isArmed: row.is_armed !== 0,
  firedAtMs: row.fired_at,
  setAtMs: row.set_at,
})

async function readWatched(
  db: Accounts,
  { sinceVersion, atMs, run }: Parameters<AlertSettings['watched']>[0],
) {
  // accounts first: one that is added during the read must not be known without its settings
  const accountIds = await accountsOnPlan(db, atMs)
  const newest = await newestVersion(db)
  const isWhole = newest < sinceVersion
  const since = isWhole ? 0 : sinceVersion
  const settings = await db
    .selectFrom('alert_settings')
    .select(['account_id', 'list', 'version'])
    .where('version', '>', since)
    .orderBy('version')
    .execute()
  if (settings.length === 0) return { version: since, isWhole, accountIds, changed: [] }
  const isChanged = db
    .selectFrom('alert_settings')
    .select('account_id')
    .where('version', '>', since)
  const lines = await lineRows(db, run)
    .where('alert_lines.account_id', 'in', isChanged)
    .orderBy('alert_lines.account_id')
    .orderBy('alert_lines.number')
    .execute()
  const rules = await db
    .selectFrom('alert_rules')
    .select(['account_id', 'id', 'body', 'set_at as setAtMs'])
    .where('account_id', 'in', isChanged)
    .orderBy('account_id')
    .orderBy('number')
    .execute()
  const linesByAccount = Map.groupBy(lines, row => row.account_id)
  const rulesByAccount = Map.groupBy(rules, row => row.account_id)
  const changed = settings.map(({ account_id: accountId, list }) => ({
    accountId,
    list,
    lines: (linesByAccount.get(accountId) ?? []).map(toStoredLine),
    rules: (rulesByAccount.get(accountId) ?? []).map(({ account_id: _, ...rule }) => rule),
  }))
  return { version: settings.at(-1)!.version, isWhole, accountIds, changed }
}

async function accountsOnPlan(db: Accounts, atMs: number): Promise<string[]> {
  const plans = listPlans('orders').map(({ plan }) => plan)
  const rows = await db
    .selectFrom('account_products')
    .select('account_id')
    .where('product', '=', 'orders')
    .where('plan', 'in', plans)
    .where('from_at', '<=', atMs)
    .where(({ eb, or }) => or([eb('until_at', 'is', null), eb('until_at', '>', atMs)]))
    .orderBy('account_id')
    .execute()
  return rows.map(row => row.account_id)
}

/** Returns the newest version; 0 while there are no settings. */
async function newestVersion(db: Accounts): Promise<number> {
  const versions = db.selectFrom('alert_settings')
  const { newest } = await versions
    .select(({ fn }) => fn.max<number | null>('version').as('newest'))
    .executeTakeFirstOrThrow()
  return newest ?? 0
}

/** Applies a change to the lines and rules of its account, and to no other's. */
async function writeChange(
  trx: Transaction<AlertDatabaseTables>,
  { accountId, atMs }: AlertsRequest,
  { putLine, putRule, removeId, armId }: AlertsChange,
): Promise<void> {
  if (removeId !== undefined) {
    await forgetStates(trx, accountId, removeId)
    for (const table of ['alert_lines', 'alert_rules'] as const) {
      const own = trx.deleteFrom(table).where('account_id', '=', accountId)
      await own.where('id', '=', removeId).execute()
    }
  }
  if (armId !== undefined) {
    const state = trx.updateTable('alert_line_states').set({ is_armed: 1, updated_at: atMs })
    const own = state.where('run', '=', LIVE_RUN).where('line_id', '=', armId)
    await own.where('account_id', '=', accountId).execute()
  }
  if (putLine) {
    const { isMoved, ...line } = putLine
    // at its new price or level it has fired in no run
    if (isMoved) await forgetStates(trx, accountId, line.id)
    const { id, ...columns } = line
    const number = await nextNumber(trx, 'alert_lines', accountId)
    await trx
      .insertInto('alert_lines')
      .values({ ...line, account_id: accountId, number, created_at: atMs, set_at: atMs })
      .onConflict(conflict =>
        conflict
          .column('id')
          .doUpdateSet({ ...columns, ...(isMoved ? { set_at: atMs } : {}) })
          .where('alert_lines.account_id', '=', accountId),
      )
      .execute()
  }
  if (putRule) {
    const { id, body } = putRule
    const number = await nextNumber(trx, 'alert_rules', accountId)
    await trx
      .insertInto('alert_rules')
      .values({ id, account_id: accountId, number, body, created_at: atMs, set_at: atMs })
      .onConflict(conflict =>
        conflict
          .column('id')
          .doUpdateSet({ body, set_at: atMs })
          .where('alert_rules.account_id', '=', accountId),
      )
      .execute()
  }
}

/** Marks a line as not fired in any run. */
async function forgetStates(
  trx: Transaction<AlertDatabaseTables>,
  accountId: string,
  lineId: string,
): Promise<void> {
  const own = trx.deleteFrom('alert_line_states').where('account_id', '=', accountId)
  await own.where('line_id', '=', lineId).execute()
}

async function nextNumber(
  trx: Transaction<AlertDatabaseTables>,
  table: 'alert_lines' | 'alert_rules',
  accountId: string,
): Promise<number> {
  const { last } = await trx
    .selectFrom(table)
    .select(({ fn }) => fn.max<number | null>('number').as('last'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** Gives the settings of an account the next global version, by which watches find changes. */
async function putSettings(
  trx: Transaction<AlertDatabaseTables>,
  { accountId, atMs }: AlertsRequest,
  { list }: AlertsChange,
  isConcurrent: boolean,
): Promise<void> {
  // versions appear in order: one is assigned only when all before it can be read
  if (isConcurrent) await sql`lock table alert_settings in exclusive mode`.execute(trx)
  const version = (await newestVersion(trx)) + 1
  await trx
    .insertInto('alert_settings')
    .values({ account_id: accountId, list: list ?? null, version, updated_at: atMs })
    .onConflict(conflict =>
      conflict
        .column('account_id')
        .doUpdateSet({ version, updated_at: atMs, ...(list === undefined ? {} : { list }) }),
    )
    .execute()
}
