import type { DuckDBConnection } from '@duckdb/node-api'
import { ROOTS_PARAMS } from './roots.ts'
import { readSql } from './sql.ts'

/** Makes the schemas in the current database, and the table of roots that macros read. */
export async function makeStages(
  connection: DuckDBConnection,
  stages: readonly string[],
): Promise<void> {
  await connection.run(stages.map(stage => `create schema ${stage};`).join('\n'))
  await connection.run(`create table tape.roots as ${readSql('tape/roots')}`, ROOTS_PARAMS)
}
