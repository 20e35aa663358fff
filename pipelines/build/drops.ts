/** Memory limits a build: tables that nothing reads any more are dropped. */

import { declaredReads, isView, readSql } from '../../src/core/engine/sql.ts'
import { AUDITS, BUILD_MODELS, BUILT_QUERIES, FOLD } from './dag.ts'
import type { AfterModel } from './steps.ts'

/** Lists the tables that a model reads, by its header; for a view, those that it reads. */
function tablesRead(model: string): readonly string[] {
  return declaredReads(readSql(model)).flatMap(table => {
    const read = table.replace('.', '/')
    return VIEWS.includes(read) ? tablesRead(read) : [table]
  })
}

const VIEWS: readonly string[] = BUILD_MODELS.filter(model => isView(readSql(model)))

/**
 * Packages are found in many passes over the same models, concurrently with the judging of quotes:
 * the tables of all stay until both have ended, which the last model marks.
 */
const BEFORE_ORDERS: readonly string[] = Object.values({ ...FOLD, orders: [] }).flat()
const ORDERS_BEGIN = FOLD.trust.at(-1)!

/** Earlier versions of orders are folded in a separate database: no header lists these reads. */
const READ_SEPARATELY: Readonly<Record<string, readonly string[]>> = {
  'fold.earlier_orders': ['fold.earlier_prints', 'fold.earlier_trust'],
}

/** The stages whose tables are only steps on the way. */
const PASSING = /^(fold|surface|book|levels)\./

/** Models that are built, and queries run on them at the end: by default all of a session. */
export type Unread = { readonly models: readonly string[]; readonly outputs: readonly string[] }

const WHOLE: Unread = {
  models: BUILD_MODELS,
  outputs: [...AUDITS.map(name => `audit/${name}`), ...BUILT_QUERIES],
}

/** Maps each table to the models that read it, after which it can be dropped. */
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
  // a view of the ledger stays to the end, and is published unchanged
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
