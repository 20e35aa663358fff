import type { Clock } from '../../src/core/clock.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import { wallTimeEt } from '../../src/core/market/calendar.ts'
import { areaDuties } from '../../src/data/areaDuties.ts'
import { publishedSessions } from '../../src/data/published/manifest.ts'
import { publishMonths } from '../../src/data/published/months.ts'
import { tapeFiles, tapeSessions } from '../../src/data/tape/manifest.ts'
import { silent } from '../command/progress.ts'
import type { DataSource } from '../fetch/source.ts'
import { runBackfill } from './backfill.ts'
import { createFetcher } from './dueFetches.ts'
import { isCurrent } from './isCurrent.ts'
import { withPlanView } from './planRange.ts'
import type { SchedulerWork } from './scheduler.ts'
import { verifyDay } from './verify.ts'

export type SchedulerWorkOptions = {
  readonly dataFolder: string
  /** PostgreSQL that machines share, if they do. */
  readonly databaseUrl: string | null
  readonly workerCount: number
  /** Sources whose finished sessions are fetched. */
  readonly sources: readonly DataSource[]
  readonly clock: Clock
  readonly say: (line: string) => void
}

/** The nightly jobs on a data folder: builds in separate processes, hashes in this one. */
export function schedulerWork(options: SchedulerWorkOptions): SchedulerWork {
  const { dataFolder, sources } = options
  return {
    fetches: sources.map(source => createFetcher({ ...options, source })),
    look: from =>
      withPlanView(dataFolder, async view => {
        const version = codeVersion()
        await view?.pullRange(from, wallTimeEt(options.clock.nowMs()).date, version)
        const folder = view?.folder ?? dataFolder
        const tapes = tapeSessions(folder).filter(
          date => tapeFiles(folder, 'prints', date).length > 0,
        )
        const current = new Set(
          tapes.filter(date => date >= from && isCurrent(folder, date, version)),
        )
        return { tapes, isCurrent: date => current.has(date) }
      }),
    build: async (from, to) => {
      const { failed } = await runBackfill({
        ...options,
        from,
        to,
        isForced: false,
        isBadTapeRefused: false,
      })
      return failed
    },
    verify: async () => {
      const faults: string[] = []
      for (const date of publishedSessions(dataFolder)) {
        const found = await verifyDay({ dataFolder, date, isQuick: true, progress: silent }).catch(
          error => [(error as Error).message],
        )
        for (const fault of found) faults.push(`${date}: ${fault}`)
      }
      return faults
    },
    months: () => publishMonths(dataFolder, wallTimeEt(options.clock.nowMs()).date),
    forget: async nowMs => (await areaDuties()).deleteExpired(dataFolder, nowMs),
  }
}
