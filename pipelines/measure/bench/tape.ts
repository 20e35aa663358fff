import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { addDays, findTradingSession, type SessionDate } from '../../../src/core/market/calendar.ts'
import { runImport } from '../../import/import.ts'
import { DEFAULT_OPTIONS } from '../../simulate/options.ts'
import { runSimulate, TAPE_FILES } from '../../simulate/simulate.ts'

/** A simulated session on the tape of a data folder. */
export type BenchTape = {
  readonly dataFolder: string
  readonly date: SessionDate
  readonly prints: number
  readonly contracts: number
}

/** Simulates a session and imports it onto the tape; returns its exact number of prints. */
export async function layTape(tape: BenchTape, seed = DEFAULT_OPTIONS.seed): Promise<number> {
  const { dataFolder, date, prints, contracts } = tape
  const out = join(dataFolder, `simulated-${date}`)
  const { printCount } = await runSimulate({
    ...DEFAULT_OPTIONS,
    date,
    prints,
    contracts,
    seed,
    out,
  })
  for (const name of TAPE_FILES) {
    const format = name.replace('_', '-')
    const files = [join(out, `${name}.parquet`)]
    await runImport({ dataFolder, format, files, simulated: true })
  }
  rmSync(out, { recursive: true })
  return printCount
}

/** Lists a number of sessions from a date on. */
export function sessionsFrom(first: SessionDate, count: number): SessionDate[] {
  const dates: SessionDate[] = []
  for (let date = first; dates.length < count; date = addDays(date, 1)) {
    if (findTradingSession(date)) dates.push(date)
  }
  return dates
}
