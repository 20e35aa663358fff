import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { ROOTS_PARAMS } from './roots.ts'
import { readSql, SQL_FOLDER } from './sql.ts'

/**
 * Makes the schemas and the macros in the current database, and the table of roots they read. All
 * macros are one text: each call costs as much as a macro.
 */
export async function makeStages(
  connection: DuckDBConnection,
  stages: readonly string[],
): Promise<void> {
  await connection.run(stages.map(stage => `create schema ${stage};`).join('\n'))
  await connection.run(`create table tape.roots as ${readSql('tape/roots')}`, ROOTS_PARAMS)
  // listed by a call that fails on errors: an engine without macros would be cached
  const macros = readdirSync(join(SQL_FOLDER, 'macros')).filter(name => name.endsWith('.sql'))
  const texts = macros.sort().map(name => readFileSync(join(SQL_FOLDER, 'macros', name), 'utf8'))
  await connection.run(texts.map(text => `${text.trimEnd().replace(/;$/, '')};`).join('\n'))
}
