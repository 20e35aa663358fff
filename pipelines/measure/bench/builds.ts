import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '../../../src/core/disk/refusal.ts'
import type { SessionDate } from '../../../src/core/market/calendar.ts'
import { COMMAND_PROCESS } from '../../../src/core/pipeline.ts'
import { listDescendants, measure, readPeakMib } from './meter.ts'
import type { Bench, Rows } from './section.ts'
import { type BuildCost, buildSession, layTape, sessionsFrom } from './tape.ts'

const LOOK_MS = 10
/** Prints of the growth table, as fractions of the requested count. */
const GROWTH = [0.25, 0.5, 1, 2, 4] as const
/** Backfills by their sessions and workers, and the divisors of a session's prints and contracts. */
const BACKFILLS = [
  [1, 1],
  [5, 1],
  [20, 1],
  [20, 2],
  [20, 4],
] as const
const BACKFILL_PART = 20
const BACKFILL_CONTRACTS_PART = 10
const BACKFILL_FROM = '2026-09-01'

/** The whole build, step by step. */
export async function measureBuild(bench: Bench): Promise<Rows> {
  const { steps, cost } = await buildSession(bench)
  return { ...steps, 'whole process': cost }
}

/** Whole builds, the fewest prints first. */
export async function measureGrowth(bench: Bench): Promise<Rows> {
  const rows: Record<string, BuildCost> = {}
  for (const part of GROWTH) {
    const { cost } = await buildSession(bench, Math.round(bench.prints * part))
    rows[`build of ${cost.prints.toLocaleString('en-US')} prints`] = cost
  }
  return rows
}

/** Backfills of growing numbers of smaller sessions; all of them are rebuilt each time. */
export async function measureBackfills(
  { folder, say, ...bench }: Pick<Bench, 'folder' | 'prints' | 'contracts' | 'say'>,
  backfills: readonly (readonly [sessions: number, workers: number])[] = BACKFILLS,
): Promise<Rows> {
  const prints = Math.max(100, Math.round(bench.prints / BACKFILL_PART))
  const contracts = Math.max(200, Math.round(bench.contracts / BACKFILL_CONTRACTS_PART))
  const dataFolder = join(folder, 'backfill')
  const dates = sessionsFrom(BACKFILL_FROM, Math.max(...backfills.map(([sessions]) => sessions)))
  for (const [index, date] of dates.entries()) {
    say(`simulating ${date}: session ${index + 1} of ${dates.length}`)
    await layTape({ dataFolder, date, prints, contracts }, index + 1)
  }
  const rows: Record<string, Rows[string]> = {}
  for (const [sessions, workers] of backfills) {
    const name = `sessions ${sessions}, workers ${workers}`
    say(`backfilling: ${name}`)
    const range = [dates[0]!, dates[sessions - 1]!]
    const { seconds, peakMib } = await measureBackfill(dataFolder, range, workers)
    rows[name] = {
      prints_each: prints,
      contracts,
      seconds,
      seconds_each: seconds / sessions,
      sessions_an_hour: (3_600 * sessions) / seconds,
      peak_mib: peakMib,
    }
  }
  return rows
}

/** Seconds of a backfill, and the peak of its largest process, sampled every few milliseconds. */
async function measureBackfill(dataFolder: string, range: readonly SessionDate[], workers: number) {
  let peakMib = 0
  const { cost } = await measure(async () => {
    const options = ['--data', dataFolder, '--force', '--workers', String(workers)]
    const child = spawn(process.execPath, [COMMAND_PROCESS, 'backfill', ...options, ...range], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const ended = once(child, 'exit')
    while (child.exitCode === null && child.signalCode === null) {
      for (const pid of [child.pid!, ...listDescendants(child.pid!)]) {
        peakMib = Math.max(peakMib, readPeakMib(pid) ?? 0)
      }
      await Promise.race([wait(LOOK_MS), ended])
    }
    if (child.exitCode !== 0) throw new Refusal(`a backfill ended with ${child.exitCode}.`)
  })
  return { seconds: cost.seconds, peakMib }
}
