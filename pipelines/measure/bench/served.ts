import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../../src/core/clock.ts'
import { readManifest } from '../../../src/data/published/manifest.ts'
import { type BuildSpeed, measureBuild } from './builds.ts'
import { measureHttp } from './http.ts'
import { measureLevelsHttp } from './levelsHttp.ts'
import { type BenchTape, layTape } from './tape.ts'

/** The sessions of a bench, and the speed at which they are served. */

const DATE = '2026-10-15'
const SHORT_DATE = '2026-10-14'
/** A short session. */
const SHORT = { prints: 2_000, contracts: 400 }

type ServeOptions = {
  readonly prints: number
  readonly rounds: number
  readonly roundSeconds: number
  readonly say: (line: string) => void
}

/**
 * Measures the ledger of the session, and a short one, which shows the cost of a call without its
 * bytes.
 */
export async function measureLedgers(
  options: ServeOptions,
  session: ReturnType<typeof sessionsIn>,
  folder: string,
) {
  const { prints, rounds, roundSeconds, say } = options
  const { tape } = await session.lay(prints)
  await session.build(prints)
  const { dataFolder } = tape
  const short = await shortSession(options, join(folder, 'short'))
  const measureSpeed = async ({ dataFolder, date }: BenchTape) => {
    say(`loading the API and the bare handler with the ledger of ${date}`)
    const manifest = readManifest(dataFolder, date)!
    const load = { rounds, seconds: roundSeconds, nowMs: systemClock.nowMs }
    return measureHttp({ dataFolder, manifest, ...load })
  }
  return { session: await measureSpeed({ ...tape, dataFolder }), short: await measureSpeed(short) }
}

/** The levels of a short session: they weigh the same whatever was traded. */
export async function measureLevels(options: ServeOptions, folder: string) {
  const { rounds, roundSeconds, say } = options
  const { dataFolder, date } = await shortSession(options, join(folder, 'levels'))
  say(`loading the API and the bare handler with the levels of ${date}`)
  const { nowMs } = systemClock
  return measureLevelsHttp({ dataFolder, date, rounds, seconds: roundSeconds, nowMs })
}

/** Builds a session of few prints in a separate folder. */
async function shortSession({ prints }: ServeOptions, dataFolder: string): Promise<BenchTape> {
  const size = prints < SHORT.prints ? { prints, contracts: SHORT.contracts } : SHORT
  const short: BenchTape = { dataFolder, date: SHORT_DATE, ...size }
  mkdirSync(dataFolder)
  await measureBuild(short, await layTape(short))
  return short
}

/** Sessions by their prints, each simulated and built once, on first use. */
export function sessionsIn(folder: string, contracts: number, say: (line: string) => void) {
  const tapes = new Map<number, { readonly tape: BenchTape; readonly printCount: number }>()
  const builds = new Map<number, BuildSpeed>()
  const lay = async (prints: number) => {
    const known = tapes.get(prints)
    if (known) return known
    say(`simulating and importing ${prints} prints of ${contracts} contracts`)
    const dataFolder = join(folder, `prints-${prints}`)
    mkdirSync(dataFolder)
    const tape: BenchTape = { dataFolder, date: DATE, prints, contracts }
    const laid = { tape, printCount: await layTape(tape) }
    tapes.set(prints, laid)
    return laid
  }
  const build = async (prints: number) => {
    const known = builds.get(prints)
    if (known) return known
    const { tape, printCount } = await lay(prints)
    say(`building ${prints} prints`)
    const speed = await measureBuild(tape, printCount)
    builds.set(prints, speed)
    return speed
  }
  return { lay, build }
}
