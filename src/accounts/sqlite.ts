import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { type DialectAdapter, SqliteAdapter, type SqliteDatabase, SqliteDialect } from 'kysely'

/** How long a statement waits for another process's write before it fails. */
const BUSY_TIMEOUT_MS = 5_000

/**
 * Node's own SQLite as a Kysely dialect. The file is in WAL mode, so readers never wait, and
 * `synchronous = full`: what was acknowledged survives a loss of power.
 */
export class NodeSqliteDialect extends SqliteDialect {
  constructor(file: string) {
    super({ database: async () => openFile(file) })
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

function openFile(file: string): SqliteDatabase {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  database.exec('pragma foreign_keys = on')
  return {
    close: () => database.close(),
    prepare: text => {
      // a transaction that turns into a writer half-way fails at once when another one wrote
      const statement = database.prepare(text === 'begin' ? 'begin immediate' : text)
      return {
        reader: statement.columns().length > 0,
        all: values => statement.all(...(values as SQLInputValue[])),
        run: values => statement.run(...(values as SQLInputValue[])),
        iterate: values => statement.iterate(...(values as SQLInputValue[])),
      }
    },
  }
}
