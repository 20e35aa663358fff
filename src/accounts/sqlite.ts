import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { type DialectAdapter, SqliteAdapter, type SqliteDatabase, SqliteDialect } from 'kysely'

/** How long a statement waits for another process's write before it fails. */
const BUSY_TIMEOUT_MS = 5_000

/** Statements kept compiled; their texts differ only in how many rows they insert. */
const PREPARED_MAX_COUNT = 100

/**
 * What an acknowledged write survives: `power` a loss of power, at the price of waiting for the
 * disk; `process` the end of every process, at any moment.
 */
export type Durability = 'power' | 'process'

/** Node's own SQLite as a Kysely dialect. The file is in WAL mode: readers never wait. */
export class NodeSqliteDialect extends SqliteDialect {
  constructor(file: string, durability: Durability) {
    super({ database: async () => openFile(file, durability) })
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalSqliteAdapter()
  }
}

/** SQLite can roll tables back; Kysely's own adapter says it cannot, and migrates without. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function openFile(file: string, durability: Durability): SqliteDatabase {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  database.exec('pragma journal_mode = wal')
  database.exec(`pragma synchronous = ${durability === 'power' ? 'full' : 'normal'}`)
  database.exec('pragma foreign_keys = on')
  const prepared = new Map<string, StatementSync>()
  const prepare = (text: string) => {
    const known = prepared.get(text)
    if (known) return known
    // a transaction that turns into a writer half-way fails at once when another one wrote
    const statement = database.prepare(text === 'begin' ? 'begin immediate' : text)
    if (prepared.size === PREPARED_MAX_COUNT) prepared.clear()
    prepared.set(text, statement)
    return statement
  }
  return {
    close: () => database.close(),
    prepare: text => {
      const statement = prepare(text)
      return {
        reader: statement.columns().length > 0,
        all: values => statement.all(...(values as SQLInputValue[])),
        run: values => statement.run(...(values as SQLInputValue[])),
        iterate: values => statement.iterate(...(values as SQLInputValue[])),
      }
    },
  }
}
