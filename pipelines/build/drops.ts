/** Memory is what bounds a build: what nobody reads any more makes room. */

import { declaredReads, isView, readSql } from '../../src/engine/sql.ts'
import { AUDITS, BUILD_MODELS, BUILT_QUERIES, FOLD } from './dag.ts'
import type { AfterModel } from './steps.ts'

/** What a model reads, by its header: of a view, what that reads. */
function tablesRead(model: string): readonly string[] {
  return declaredReads(readSql(model)).flatMap(table => {
    const read = table.replace('.', '/')
    return VIEWS.includes(read) ? tablesRead(read) : [table]
  })
}

const VIEWS: readonly string[] = BUILD_MODELS.filter(model => isView(readSql(model)))

/**
 * Packages are found in many passes over the same models, beside the judging of quotes: until both
 * have ended, which the last of them tells, the tables of all stay.
 */
const BEFORE_ORDERS: readonly string[] = Object.values({ ...FOLD, orders: [] }).flat()
const ORDERS_BEGIN = FOLD.trust.at(-1)!

/** Orders as they were known before are folded in a database aside: no header tells of that. */
const READ_SEPARATELY: Readonly<Record<string, readonly string[]>> = {
  'fold.folded_then': ['fold.prints_then', 'fold.trust_then'],
}

/** The stages whose tables are only steps on the way. */
const PASSING = /^(fold|surface|book|levels)\./

/** What is made, and what is asked of it in the end: by default all of a session. */
export type Unread = { readonly models: readonly string[]; readonly outputs: readonly string[] }

const WHOLE: Unread = {
  models: BUILD_MODELS,
  outputs: [...AUDITS.map(name => `audit/${name}`), ...BUILT_QUERIES],
}

/** The models after the last of which a table can be dropped; none of one that is kept. */
function findReaders({ models, outputs }: Unread): ReadonlyMap<string, ReadonlySet<string>> {
  const readers = new Map<string, Set<string>>()
  const note = (table: string, reader: string) => {
    if (PASSING.test(table)) readers.set(table, (readers.get(table) ?? new Set()).add(reader))
  }
  for (const model of models.filter(one => !VIEWS.includes(one))) {
    const reader = BEFORE_ORDERS.includes(model) ? ORDERS_BEGIN : model
    for (const table of tablesRead(model)) {
      note(table, reader)
      for (const other of READ_SEPARATELY[table] ?? []) note(other, reader)
    }
  }
  // a view of the ledger stands to the end, and is published as it is
  const published = models.filter(one => VIEWS.includes(one) && one.startsWith('ledger/'))
  for (const table of [...outputs, ...published].flatMap(tablesRead)) readers.delete(table)
  return readers
}

/** Drops each table of one build when the last model that reads it is built. */
export function droppingUnread(built: Unread = WHOLE): AfterModel {
  const left = new Map([...findReaders(built)].map(([table, models]) => [table, new Set(models)]))
  return async (model, connection) => {
    for (const [table, models] of left) {
      if (!models.delete(model) || models.size > 0) continue
      left.delete(table)
      await connection.run(`drop table if exists ${table}`)
    }
  }
}
