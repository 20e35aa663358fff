import { runConcurrently } from '../../src/core/engine/concurrent.ts'
import type { Database, Params } from '../../src/core/engine/database.ts'
import { declaredReads, isView, readSql } from '../../src/core/engine/sql.ts'

/** Called after each model, on the connection that built it: drops the tables it read, say. */
export type AfterModel = (model: string, connection: Database) => Promise<void>

export const doNothing: AfterModel = async () => {}

/** Makes the table of a model, or its view where it is one by its header. */
export const buildModel = (db: Database, model: string, params: Params = {}): Promise<void> =>
  isView(readSql(model)) ? db.view(model) : db.build(model, params)

/**
 * Number of models considered, from the first unbuilt one on: the inputs and results of later
 * models take memory, while the tables that the first one reads cannot be dropped yet.
 */
const AHEAD_MAX = 3

/**
 * Builds models two at a time, for one alone leaves a core idle: each when all of them that it
 * reads are built, the first of the list before those that follow.
 */
export async function buildModels(
  db: Database,
  models: readonly string[],
  build: (connection: Database, model: string) => Promise<void>,
): Promise<void> {
  const waiting = [...models]
  const unbuilt = new Set(models)
  let hasFailed = false
  let changed = Promise.withResolvers<void>()
  const notify = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const isReady = (model: string) =>
    declaredReads(readSql(model)).every(table => {
      const read = table.replace('.', '/')
      return read === model || !unbuilt.has(read)
    })

  const isNear = (model: string) => models.indexOf(model) < firstUnbuilt() + AHEAD_MAX
  const firstUnbuilt = () => models.findIndex(model => unbuilt.has(model))

  const hand = async (connection: Database) => {
    while (waiting.length > 0 && !hasFailed) {
      const at = waiting.findIndex(model => isReady(model) && isNear(model))
      if (at < 0) {
        await changed.promise
        continue
      }
      const [model] = waiting.splice(at, 1) as [string]
      try {
        await build(connection, model)
        unbuilt.delete(model)
      } catch (error) {
        hasFailed = true
        throw error
      } finally {
        notify()
      }
    }
  }
  await runConcurrently(db, [hand, hand])
}
