/** Imports of files as they come, concurrently, in an engine that stays open. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ownProcess } from '../../src/core/disk/process.ts'
import type { Database } from '../../src/core/engine/database.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import { withImportLock } from './held.ts'
import { checkRequest, type ImportRequest, type Publish, stageRequest } from './import.ts'
import type { ImportReport } from './report.ts'
import { type FileLines, toFileLines } from './source.ts'
import { isSteady, openStageDatabase } from './stage.ts'

/** Imports staged concurrently: prints, quotes and the index of a minute. */
const CONCURRENT_IMPORTS = 3

/**
 * Limits of each engine: the rest is for the session that runs concurrently, and the concurrent
 * imports use threads enough.
 */
const LIMITS = { threads: 1, memoryLimit: '500MB' } as const

/** Size from which a file is not loaded as a table first, which cached plans require. */
const SMALL_BYTES = 4_000_000

export type ImportWorkspace = {
  /**
   * Imports into one data folder, concurrently; no two of them may have rows of one dataset. Each
   * succeeds or fails by itself, and all are published in their order.
   */
  readonly take: (
    requests: readonly ImportRequest[],
  ) => Promise<PromiseSettledResult<ImportReport>[]>
  /** Drops the tables of the last files, and prepares plans for the next ones, in idle time. */
  readonly makeReady: () => Promise<void>
  readonly close: () => void
}

/**
 * Opens the workspace for the files of a session. Small ones come minute by minute with the same
 * columns: their statements are planned once.
 */
export async function openImportWorkspace(
  dataFolder: string,
  date: SessionDate,
): Promise<ImportWorkspace> {
  const temporaryFolder = join(dataFolder, 'work', `imports-${date}-${ownProcess()}`)
  const preparedDatabase = await openStageDatabase({
    ...LIMITS,
    temporaryFolder,
    cachesPlans: true,
  })
  let isReady = true
  return {
    take: requests => {
      isReady = false
      return withImportLock(dataFolder, folder => importAll(folder, requests, preparedDatabase))
    },
    makeReady: async () => {
      if (!isReady) await preparedDatabase.makeReady()
      isReady = true
    },
    close: preparedDatabase.close,
  }
}

async function importAll(
  workFolder: string,
  requests: readonly ImportRequest[],
  preparedDatabase: Database,
) {
  const stages = requests.map(() => Promise.withResolvers<PromiseSettledResult<Publish>>())
  const waiting = requests.entries()
  const stageNext = async () => {
    for (const [index, request] of waiting) {
      const [staged] = await Promise.allSettled([stage(workFolder, request, preparedDatabase)])
      stages[index]!.resolve(staged)
    }
  }
  const publishAll = async () => {
    const results: PromiseSettledResult<ImportReport>[] = []
    for (const { promise } of stages) {
      const staged = await promise
      if (staged.status === 'rejected') results.push(staged)
      else results.push(...(await Promise.allSettled([staged.value(preparedDatabase)])))
    }
    return results
  }
  const [results] = await Promise.all([
    publishAll(),
    ...Array.from({ length: CONCURRENT_IMPORTS }, stageNext),
  ])
  return results
}

/** Reads small files of a steady format by cached plans, all else in a separate database. */
async function stage(
  workFolder: string,
  request: ImportRequest,
  preparedDatabase: Database,
): Promise<Publish> {
  const format = checkRequest(request)
  const isSmall = ({ path }: FileLines) =>
    (statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= SMALL_BYTES
  if (isSteady(format) && request.files.map(toFileLines).every(isSmall))
    return stageRequest(preparedDatabase, workFolder, request)
  const temporaryFolder = join(workFolder, `spill-${format.name}`)
  const db = await openStageDatabase({ ...LIMITS, temporaryFolder })
  try {
    return await stageRequest(db, workFolder, request)
  } finally {
    db.close()
  }
}
