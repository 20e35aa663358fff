/** One task of a backfill, done in this process. */

import { codeVersion } from '../../src/core/engine/version.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import type { Carried } from '../../src/data/published/carried.ts'
import { carrySessions } from '../build/carryStage.ts'
import { buildDay } from '../build/day.ts'
import { foldSession } from '../build/foldStage.ts'
import { makeLabColumns } from '../build/labColumns.ts'
import { readStageCarried } from '../build/stageFiles.ts'
import { silent } from '../command/progress.ts'
import { isCurrent, isCurrentButForLater, isTapeCurrent } from './isCurrent.ts'
import { addNewDatasets } from './newDatasets.ts'
import { isFolded, listSessions, type StageTask } from './tasks.ts'

export type RunTaskOptions = {
  readonly dataFolder: string
  /** True to do again what is up to date. */
  readonly isForced: boolean
  /** True to refuse a tape with too little left for a ledger. */
  readonly isBadTapeRefused: boolean
  /** True where somebody else renews the views when many sessions are built. */
  readonly isOneOfMany: boolean
  /** Name under which the tasks of one plan hand on positions in a store; left out, they do not. */
  readonly run?: string
}

export type TaskResult = {
  /** 'current': it was up to date, and nothing was done. */
  readonly outcome: 'done' | 'current'
  /** Something to report of work that is done, in one sentence; null for nothing. */
  readonly note: string | null
}

export const DONE: TaskResult = { outcome: 'done', note: null }
export const CURRENT: TaskResult = { outcome: 'current', note: null }

/**
 * Does a task in a data folder; a second run of it changes nothing. Fails with a Refusal where it
 * cannot be done.
 */
export async function runTask(
  { stage, from, to }: Pick<StageTask, 'stage' | 'from' | 'to'>,
  options: RunTaskOptions,
): Promise<TaskResult> {
  const { dataFolder, isForced } = options
  const version = codeVersion()
  if (stage === 'build') {
    return buildSession(from, { ...options, carried: readStageCarried(dataFolder, from) })
  }
  if (stage === 'fold') {
    if (!isForced && isFolded(dataFolder, from, version)) return CURRENT
    await foldSession({ dataFolder, date: from })
    return DONE
  }
  await carrySessions({
    dataFolder,
    dates: listSessions(from, to),
    isCurrent: date => !isForced && isTapeCurrent(dataFolder, date, version),
    isFolded: date => isFolded(dataFolder, date, version),
  })
  return DONE
}

/**
 * Builds and publishes a session, from the positions that the second stage carried into it; of
 * undefined ones, from those that the session before it has published. For one that lacks only the
 * datasets of new futures and settlements, only those are made, if they can be.
 */
export async function buildSession(
  date: SessionDate,
  options: RunTaskOptions & { readonly carried: Carried | null | undefined },
): Promise<TaskResult> {
  const { dataFolder, isForced, isBadTapeRefused, isOneOfMany, carried } = options
  const version = codeVersion()
  if (!isForced && isCurrent(dataFolder, date, version, carried)) return CURRENT
  if (!isForced && isCurrentButForLater(dataFolder, date, version, carried)) {
    const say = () => {}
    const { failed } = await addNewDatasets({ dataFolder, from: date, to: date, say })
    if (failed.length === 0) return DONE
  }
  await buildDay({
    dataFolder,
    date,
    isBadTapeRefused,
    isOneOfMany,
    progress: silent,
    ...(carried !== undefined && { carried }),
  })
  return { outcome: 'done', note: await makeLabColumns(dataFolder, date) }
}
