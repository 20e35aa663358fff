import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { ROOTS_PARAMS } from './roots.ts'
import { readSql, SQL_FOLDER } from './sql.ts'

/** Makes the schemas and the macros in the current database, and the table of roots they read. */
export async function makeStages(
  connection: DuckDBConnection,
  stages: readonly string[],
): Promise<void> {
  for (const stage of stages) await connection.run(`create schema ${stage}`)
  await connection.run(`create table tape.roots as ${readSql('tape/roots')}`, ROOTS_PARAMS)
  // listed by a call that fails on errors: an engine without macros would be cached
  const macros = readdirSync(join(SQL_FOLDER, 'macros')).filter(name => name.endsWith('.sql'))
  for (const file of macros.sort().map(name => join(SQL_FOLDER, 'macros', name))) {
    await connection.run(readFileSync(file, 'utf8'))
  }
}
