import PQueue from 'p-queue'
import { openGate } from '../disk/closing.ts'
import { type Database, openDatabase } from '../engine/database.ts'
import { createCases, loadMarket, loadPaths } from '../published/positionTables.ts'

/** What a question is asked of: a database, and the models that were planned on its tables. */
export type JudgeEngine = {
  readonly db: Database
  readonly run: (path: string) => Promise<unknown[]>
}

/** Runs one question after the other on an engine of its own, which is opened when first asked. */
export type JudgeQueue = {
  /** Runs a question when those before it have ended. */
  readonly alone: <T>(work: (engine: JudgeEngine) => Promise<T>) => Promise<T>
  /** Waits for the question under way. */
  readonly close: () => Promise<void>
}

export function openJudgeQueue(threads: number, models: readonly string[]): JudgeQueue {
  let engine: JudgeEngine | null = null
  const queue = new PQueue({ concurrency: 1 })
  const gate = openGate('the engine of positions')
  return {
    alone: async work => {
      gate.pass()
      return queue.add(async () => {
        // where opening fails, the question hears why, and the next one tries again
        engine ??= await openEngine(threads, models)
        return work(engine)
      })
    },
    close: async () => {
      gate.close()
      await queue.onIdle()
      engine?.db.close()
    },
  }
}

/** Plans the models on tables without rows: reading macros and planning takes 200 ms. */
async function openEngine(threads: number, models: readonly string[]): Promise<JudgeEngine> {
  const db = await openDatabase({ threads, memoryLimit: '1GB' })
  // no answer hangs on the order of rows; a thousand files in their order take twice the time
  await db.run('set preserve_insertion_order = false')
  // the system keeps files that were read; a copy of them is a third of the memory of a replay
  await db.run('set enable_external_file_cache = false')
  // the footers of a thousand files are worth 60 MB: each is read twice for a minute
  await db.run('set parquet_metadata_cache = true')
  try {
    await createCases(db)
    const none = { dataFolder: '', sessions: [], window: null }
    await loadMarket(db, none)
    await loadPaths(db, none, '00:00')
    const statements = new Map<string, () => Promise<unknown[]>>()
    for (const path of models) statements.set(path, await db.prepare(path))
    return { db, run: path => statements.get(path)!() }
  } catch (error) {
    db.close()
    throw error
  }
}
