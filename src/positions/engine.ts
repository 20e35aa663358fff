import PQueue from 'p-queue'
import { openGate } from '../core/disk/closing.ts'
import { type Database, openDatabase } from '../core/engine/database.ts'
import { createCases, loadMarket, loadPaths } from '../data/published/positionTables.ts'

/** A database, and the models that were planned on its tables. */
export type JudgeEngine = {
  readonly db: Database
  readonly run: (path: string) => Promise<unknown[]>
}

/** Runs one request after the other on an engine of its own, which the first one opens. */
export type JudgeQueue = {
  /** Runs a request after those before it have ended. */
  readonly alone: <T>(work: (engine: JudgeEngine) => Promise<T>) => Promise<T>
  /** Waits for the request in progress. */
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
        // when opening fails, this request gets the error, and the next one opens again
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
  // no result depends on the order of rows; a thousand files in order take twice the time
  await db.run('set preserve_insertion_order = false')
  // the operating system caches files; a second copy is a third of the memory of a replay
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
