import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { addDays, findTradingSession, type SessionDate } from '../../../src/core/market/calendar.ts'
import { importSimulated } from '../../simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../simulate/options.ts'
import { runSimulate, TAPE_FILES } from '../../simulate/simulate.ts'
import type { ChildBuild } from './buildChild.ts'
import { measure } from './meter.ts'
import { receiveMessage } from './processes.ts'
import type { Bench } from './section.ts'

/** A simulated session on the tape of a data folder. */
export type BenchTape = {
  readonly dataFolder: string
  readonly date: SessionDate
  readonly prints: number
  readonly contracts: number
}

/** Cost of a whole build: `seconds` from the start of its process to its end. */
export type BuildCost = Omit<ChildBuild, 'steps'> & {
  readonly prints: number
  readonly seconds: number
}

type BuiltTape = {
  readonly tape: BenchTape
  readonly steps: ChildBuild['steps']
  readonly cost: BuildCost
}

const DATE = '2026-10-15'
const BUILD_SCRIPT = join(import.meta.dirname, 'buildChild.ts')

/** Simulates a session and imports it onto the tape; its number of prints is exact then. */
export async function layTape(tape: BenchTape, seed = DEFAULT_OPTIONS.seed): Promise<BenchTape> {
  const { dataFolder, date, prints, contracts } = tape
  const out = join(dataFolder, `simulated-${date}`)
  mkdirSync(dataFolder, { recursive: true })
  const size = { date, prints, contracts, seed, out }
  const { printCount } = await runSimulate({ ...DEFAULT_OPTIONS, ...size })
  await importSimulated(dataFolder, out, TAPE_FILES)
  rmSync(out, { recursive: true })
  return { ...tape, prints: printCount }
}

/** Builds a session that is on the tape, in a separate process. */
export async function buildTape(tape: BenchTape): Promise<BuiltTape> {
  const { cost, result } = await measure(async () => {
    const child = fork(BUILD_SCRIPT, [tape.dataFolder, tape.date])
    const ended = once(child, 'exit')
    const built = await receiveMessage<ChildBuild>(child, 'a measured build')
    await ended
    return built
  })
  const { steps, orders, ...rest } = result
  return { tape, steps, cost: { prints: tape.prints, orders, seconds: cost.seconds, ...rest } }
}

/** Does work once for each number of prints of a bench. */
function oncePerSize<T>(work: (bench: Bench, prints: number) => Promise<T>) {
  const results = new Map<string, Promise<T>>()
  return (bench: Bench, prints = bench.prints): Promise<T> => {
    const key = `${bench.folder} ${prints}`
    const result = results.get(key) ?? work(bench, prints)
    results.set(key, result)
    return result
  }
}

/** The session of a bench with so many prints, simulated on first use. */
export const laySession = oncePerSize(async ({ folder, contracts, say }, prints) => {
  say(`simulating and importing ${prints} prints of ${contracts} contracts`)
  const dataFolder = join(folder, `prints-${prints}`)
  return layTape({ dataFolder, date: DATE, prints, contracts })
})

/** The same session, built on first use. */
export const buildSession = oncePerSize(async (bench, prints) => {
  const tape = await laySession(bench, prints)
  bench.say(`building ${prints} prints`)
  return buildTape(tape)
})

/** Lists a number of sessions from a date on. */
export function sessionsFrom(first: SessionDate, count: number): SessionDate[] {
  const dates: SessionDate[] = []
  for (let date = first; dates.length < count; date = addDays(date, 1)) {
    if (findTradingSession(date)) dates.push(date)
  }
  return dates
}
