/** The tables of README that say how often Tapefold is right, made of the recorded figures. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../src/store/files.ts'
import type { AccuracyRecord, AccuracyReport } from './accuracyReport.ts'
import {
  foldClassTable,
  foldTable,
  formulasTable,
  levelsTable,
  namesTable,
  namesVerdict,
  realTable,
  sidesTable,
  surfaceTable,
  type Table,
} from './accuracyText.ts'

const ROOT = join(import.meta.dirname, '..')
const RECORD = join(ROOT, 'data/reference/accuracy.json')
const README = join(ROOT, 'README.md')
const BEGIN = '<!-- accuracy: written by npm run accuracy -- --readme -->'
const END = '<!-- accuracy: end -->'

export const readRecord = (): AccuracyRecord => JSON.parse(readFileSync(RECORD, 'utf8'))

export const writeRecord = (record: AccuracyRecord): void =>
  writeAtomically(RECORD, `${JSON.stringify(record, null, 1)}\n`)

/** Puts the tables of the recorded figures into README. */
export function writeReadme(): void {
  const readme = readFileSync(README, 'utf8')
  writeAtomically(README, withAccuracy(readme, readRecord()))
}

/** README with the tables of a record between its marks. */
export function withAccuracy(readme: string, { report }: AccuracyRecord): string {
  const [before, rest] = cutAt(readme, BEGIN)
  const [, after] = cutAt(rest, END)
  const { levels } = report
  const parts = [
    `Seed ${report.seed}, ${report.prints.toLocaleString('en-US')} prints and \
${report.contracts.toLocaleString('en-US')} contracts a tape; orders of 50 contracts and more:`,
    markdown(foldTable(report)),
    `ARI is the adjusted Rand index of leg prints by order, P and R are precision and recall of
pairs of prints and of whole orders, all by the prints of true packages. The same of what was
traded electronically and on the floor; crosses, late reports and extended hours are of neither:`,
    markdown(foldClassTable(report)),
    'Names of the packages that were folded exactly, and why some are not the true ones:',
    markdown(namesTable(report)),
    namesVerdict(report),
    sidesIntroduction(report),
    markdown(sidesTable(report)),
    levels &&
      `Flip (points) and net gamma ($M a point) of every minute against the book of the simulated
dealers; ${levels.sessions} sessions from seed ${levels.first_seed} on, \
${levels.prints.toLocaleString('en-US')} prints and ${levels.contracts.toLocaleString('en-US')} \
contracts each.
"With a flip" are the minutes in which the true book has one; of these the bar covers a share, and
none covers where none is given; "none there" are flips given for a book without one. Flip
errors are of minutes with both, percentiles of all sessions together:`,
    levels && markdown(levelsTable(report)),
    levels &&
      `The surface of these sessions against the simulated one, median and 99th percentile, at
strikes of up to three deviations from the forward and more than half an hour before expiry:`,
    levels && markdown(surfaceTable(report)),
    markdown(formulasTable(report)),
    report.real.length > 0 && markdown(realTable(report)),
  ].filter(part => typeof part === 'string')
  return `${before}${BEGIN}\n${parts.join('\n\n')}\n${END}${after}`
}

const sidesIntroduction = ({ seed, side_tapes }: AccuracyReport) =>
  `"Side unknown" and "side wrong" are names that hang on the side, such as back spread;
"ambiguous" ones have prices that fit several names, such as straddle and synthetic. "Attainable" is
a bound: the share of a reader who also knew, for every name given here, side told and set of
possible names, which true name is the most frequent on this very tape. Sides of exactly folded
orders, of the tapes of seeds ${seed} to ${seed + side_tapes - 1} together; "largest distance" is
that of stated from observed probability in any decile of 500 orders and more, beside the orders of
that decile and how many standard errors of so many orders it is. Two shares of the tape report,
which need no truth, are of seed ${seed}:`

function cutAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  if (at < 0) throw new Error(`README.md has no line ${mark}`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

const markdown = ({ head, lines }: Table): string =>
  [head, head.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')
