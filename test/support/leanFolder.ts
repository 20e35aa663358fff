// Days of LEAN as the product takes them: imported from files, built, published.

import '../../src/server/registerAreas.ts'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildDay } from '../../pipelines/build/day.ts'
import { silent } from '../../pipelines/command/progress.ts'
import { runImport } from '../../pipelines/import/import.ts'
import { instantMs } from '../../src/core/market/calendar.ts'
import { manifestPath, type PublishedManifest } from '../../src/data/published/manifest.ts'
import { findKey, LEAN, type LeanDay, leanZips } from './leanBars.ts'

const findUtc = (date: string, minute: number, lessMs: number) =>
  new Date(instantMs(date, '00:00') + minute * 60_000 - lessMs).toISOString()

/** Facts of a day besides its files. */
export type Besides = {
  /** Stands for the index where the sample has none, by the start of its minute. */
  readonly index?: ReadonlyMap<number, number>
  /** The closing value that the exchange published. */
  readonly official?: number
  /** Other zips of quotes than those of the sample. */
  readonly quotes?: readonly string[]
}

/** Imports all that there is of a day. */
export async function importLeanDay(
  dataFolder: string,
  day: LeanDay,
  { index, official, quotes }: Besides = {},
): Promise<void> {
  const { date } = day
  const zips = leanZips(date)
  const paths = [...(quotes ?? zips.quotes), ...zips.interest, ...zips.index]
  const files = paths.map(path => (path.startsWith('/') ? path : join(LEAN, path)))
  await runImport({ dataFolder, format: 'lean-index-options', files })
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-lean-'))
  const write = async (format: string, lines: readonly string[]) => {
    const file = join(folder, `${format}.csv`)
    writeFileSync(file, `${lines.join('\n')}\n`)
    await runImport({ dataFolder, format, files: [file] })
  }
  if (day.trades.length > 0) await write('prints', printLines(day))
  if (index) {
    const spots = [...index].map(([minute, spot]) => `${findUtc(date, minute + 1, 1)},${spot}`)
    await write('spots', ['spotted_at,spot', ...spots])
  }
  if (official !== undefined) {
    await write('settlements', ['session_date,settlement', `${date},${official}`])
  }
}

/**
 * Bars of trades as prints: the last price and the volume of a minute, at its end, with the
 * quote at that time. They fold into nothing true, and LAB reads no price of them.
 */
function printLines({ date, trades, quotes }: LeanDay): string[] {
  const head = 'printed_at,root,expiry,strike,option_type,price,size,best_bid,best_ask'
  const lines = trades
    .toSorted((a, b) => a.minute - b.minute)
    .map(({ minute, close, volume, ...option }) => {
      const threshold = quotes.get(findKey(option))?.get(minute)
      const { root, expiry, strike, type } = option
      const about = [findUtc(date, minute + 1, 1), root, expiry, strike, type, close, volume]
      return [...about, threshold?.bid ?? '', threshold?.ask ?? ''].join(',')
    })
  return [head, ...lines]
}

export const buildLeanDay = (dataFolder: string, date: string): Promise<PublishedManifest> =>
  buildDay({ dataFolder, date, progress: silent })

/**
 * Takes the grade off a published day. One or two strikes an expiry make no forward, so that the
 * product calls the tape bad and tests no rule on it; its quotes are true all the same.
 */
export function takeGradeOff(dataFolder: string, date: string): void {
  const path = manifestPath(dataFolder, date)
  const { tape_grade: grade, ...manifest } = JSON.parse(readFileSync(path, 'utf8'))
  if (grade.grade !== 'bad') throw new Error(`the tape of ${date} is ${grade.grade}`)
  writeFileSync(path, JSON.stringify(manifest))
}
