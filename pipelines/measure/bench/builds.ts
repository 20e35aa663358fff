import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '../../../src/core/disk/refusal.ts'
import type { SessionDate } from '../../../src/core/market/calendar.ts'
import type { ChildBuild } from './buildChild.ts'
import { listDescendants, measure, readPeakMib } from './meter.ts'
import { type BenchTape, layTape, sessionsFrom } from './tape.ts'

/** A whole build: `seconds` from the start of its process to its end. */
export type BuildSpeed = ChildBuild & {
  readonly print_count: number
  readonly contract_count: number
  readonly seconds: number
}

export type BackfillSpeed = {
  readonly sessions: number
  readonly prints_per_session: number
  readonly contracts: number
  /** Tasks at once; absent in reports of older versions, which had one worker. */
  readonly workers?: number
  readonly seconds: number
  /** Peak of the largest of its processes, sampled every few milliseconds. */
  readonly peak_mib: number
}

const BUILD_SCRIPT = join(import.meta.dirname, 'buildChild.ts')
const BACKFILL_SCRIPT = join(import.meta.dirname, '../../upkeep/backfill.ts')
const LOOK_MS = 10
/** Session counts of the backfills, and the divisors of each session's prints and contracts. */
const BACKFILLS = [1, 5, 20] as const
/** Workers of the largest backfill, which is measured once more with each. */
const WORKERS = [2, 4] as const
const BACKFILL_PART = 20
const BACKFILL_CONTRACTS_PART = 10
const BACKFILL_FROM = '2026-09-01'

/** Builds a session that is on the tape, in a separate process. */
export async function measureBuild(tape: BenchTape, printCount: number): Promise<BuildSpeed> {
  const { dataFolder, date, contracts } = tape
  const { taken, result } = await measure(async () => {
    const child = spawn(process.execPath, [BUILD_SCRIPT, dataFolder, date], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const built = await receiveMessage<ChildBuild>(child)
    await waitForExit(child)
    return built
  })
  const { seconds } = taken
  return { print_count: printCount, contract_count: contracts, seconds, ...result }
}

/** Backfills growing numbers of smaller sessions, rebuilding all of them each time. */
export async function measureBackfills(options: {
  readonly folder: string
  readonly prints: number
  readonly contracts: number
  /** Sessions of each backfill, the fewest first; by default 1, 5 and 20. */
  readonly backfills?: readonly number[]
  /** Workers with which the largest one is measured again; by default 2 and 4. */
  readonly workers?: readonly number[]
  readonly say: (line: string) => void
}): Promise<BackfillSpeed[]> {
  const { folder, say, backfills = BACKFILLS, workers = WORKERS } = options
  const prints = Math.max(100, Math.round(options.prints / BACKFILL_PART))
  const contracts = Math.max(200, Math.round(options.contracts / BACKFILL_CONTRACTS_PART))
  const dataFolder = join(folder, 'backfill')
  mkdirSync(dataFolder, { recursive: true })
  const dates = sessionsFrom(BACKFILL_FROM, backfills.at(-1)!)
  for (const [index, date] of dates.entries()) {
    say(`simulating ${date}: session ${index + 1} of ${dates.length}`)
    await layTape({ dataFolder, date, prints, contracts }, index + 1)
  }
  const speeds: BackfillSpeed[] = []
  const runs = [
    ...backfills.map(sessions => ({ sessions, workers: 1 })),
    ...workers.map(count => ({ sessions: dates.length, workers: count })),
  ]
  for (const { sessions, workers: count } of runs) {
    say(`backfilling ${sessions} sessions of ${prints} prints with ${count} workers`)
    const range = [dates[0]!, dates[sessions - 1]!]
    const { seconds, peakMib } = await measureBackfill(dataFolder, range, count)
    const size = { sessions, prints_per_session: prints, contracts, workers: count }
    speeds.push({ ...size, seconds, peak_mib: peakMib })
  }
  return speeds
}

async function measureBackfill(dataFolder: string, range: readonly SessionDate[], workers: number) {
  let peakMib = 0
  const { taken } = await measure(async () => {
    const args = [
      BACKFILL_SCRIPT,
      '--data',
      dataFolder,
      '--force',
      '--workers',
      String(workers),
      ...range,
    ]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    let isRunning = true
    const ended = waitForExit(child).finally(() => {
      isRunning = false
    })
    while (isRunning) {
      for (const pid of [child.pid!, ...listDescendants(child.pid!)]) {
        peakMib = Math.max(peakMib, readPeakMib(pid) ?? 0)
      }
      await Promise.race([wait(LOOK_MS), ended.catch(() => {})])
    }
    await ended
  })
  return { seconds: taken.seconds, peakMib }
}

/** Resolves with the first message of a process; fails when it ends without one. */
function receiveMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    child.once('message', message => resolve(message as Message))
    child.once('error', reject)
    child.once('exit', code => reject(new Refusal(`a measured build ended with ${code}.`)))
  })
}

function waitForExit(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const judge = (code: number | null) =>
      code === 0 ? resolve() : reject(new Refusal(`a measured process ended with ${code}.`))
    if (child.exitCode !== null) return judge(child.exitCode)
    child.once('error', reject)
    child.once('exit', judge)
  })
}
