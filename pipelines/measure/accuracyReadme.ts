/** The tables of README that say how often Tapefold is right, made of the recorded figures. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refuseUnwritable, writeAtomically } from '../../src/disk/files.ts'
import { Refusal } from '../../src/disk/refusal.ts'
import type { AccuracyRecord, AccuracyReport } from './accuracyReport.ts'
import { PACES, type TapeAccuracy } from './accuracyTapes.ts'
import {
  confidenceTable,
  foldClassTable,
  foldTable,
  formulasTable,
  levelsTable,
  namesTable,
  namesVerdict,
  packagesTable,
  realTable,
  sidesTable,
  surfaceTable,
  type Table,
} from './accuracyText.ts'

const ROOT = join(import.meta.dirname, '../..')
const RECORD = join(ROOT, 'data/reference/accuracy.json')
const README = join(ROOT, 'README.md')
const BEGIN = '<!-- accuracy: written by npm run accuracy -- --readme -->'
const END = '<!-- accuracy: end -->'

export const readRecord = (): AccuracyRecord => JSON.parse(readFileSync(RECORD, 'utf8'))

export const writeRecord = (record: AccuracyRecord): void =>
  writeAtomically(RECORD, `${JSON.stringify(record, null, 1)}\n`)

/** Fails where the record or its tables could not be written: before an hour of measuring. */
export function refuseUnrecordable(): void {
  aroundAccuracy(readFileSync(README, 'utf8'))
  for (const file of [RECORD, README]) refuseUnwritable(file)
}

/** Puts the tables of the recorded figures into README. */
export function writeReadme(): void {
  const readme = readFileSync(README, 'utf8')
  writeAtomically(README, withAccuracy(readme, readRecord()))
}

/** README with the tables of a record between its marks. */
export function withAccuracy(readme: string, { report }: AccuracyRecord): string {
  const [before, after] = aroundAccuracy(readme)
  const { levels } = report
  const parts = [
    `Seed ${report.seed}, ${report.prints.toLocaleString('en-US')} prints and \
${report.contracts.toLocaleString('en-US')} contracts a tape, and while it is active
${Object.entries(PACES)
  .map(([tape, pace]) => `${pace} (${tape})`)
  .join(', ')} leg prints
a second. Orders of 50 contracts and more:`,
    markdown(foldTable(report)),
    `ARI is the adjusted Rand index of leg prints by order, P and R are precision and recall of
pairs of prints and of whole orders, all by the prints of true packages. The same of what was
traded electronically and on the floor; crosses, late reports and extended hours are of neither:`,
    markdown(foldClassTable(report)),
    `The measures above are of the prints of true packages. The folded packages by all their prints,
where one without a print of a true package is invented:`,
    markdown(packagesTable(report)),
    `The confidence of the fold, packages of every size, and the share of them that is exactly a
true package:`,
    markdown(confidenceTable({ ...report, tapes: report.tapes.filter(isWithMicroseconds) })),
    'Names of the packages that were folded exactly, and why some are not the true ones:',
    markdown(namesTable(report)),
    `"Side unknown" and "side wrong" are names that hang on the side, such as back spread;
"ambiguous" ones have prices that fit several names, such as straddle and synthetic; "allowed" are
all but the wrong ones. "Best relabelling" tells what more the same findings could give: each
name given, with the side told and the names allowed, taken for its most frequent true name.`,
    namesVerdict(report),
    sidesIntroduction(report),
    markdown(sidesTable(report)),
    levels &&
      `Flip (points) and net gamma ($M a point) of every minute against the book of the simulated
dealers; ${levels.sessions} sessions from seed ${levels.first_seed} on, \
${levels.prints.toLocaleString('en-US')} prints and ${levels.contracts.toLocaleString('en-US')} \
contracts each.
"With a flip" are the minutes in which the true book has one; of these the bar covers a share, and
none covers where none is given. "Error" is the standard error of that share, of sessions as wholes:
minutes of one session hang together. "Where given" and "where closed" are the shares of the minutes
that have a bar, and one that ends before the scan does, which goes 300 points up and down. "None
there" are flips given for a book without one. Flip errors are of minutes with both, percentiles of
all sessions together:`,
    levels && markdown(levelsTable(report)),
    levels &&
      `The surface of these sessions against the simulated one, median and 99th percentile, at
strikes of up to three deviations from the forward and more than half an hour before expiry:`,
    levels && markdown(surfaceTable(report)),
    markdown(formulasTable(report)),
    report.real.length > 0 &&
      `On real tapes precision is the share coded as legs of the prints put into packages, recall
the share put into packages of the prints coded as legs. The fold reads these codes, so only the
row in which they are hidden from it tells how well it finds legs:`,
    report.real.length > 0 && markdown(realTable(report)),
  ].filter(part => typeof part === 'string')
  return `${before}${BEGIN}\n${parts.join('\n\n')}\n${END}${after}`
}

const sidesIntroduction = ({ seed, side_tapes }: AccuracyReport) =>
  `Sides of exactly folded orders, of the tapes of seeds ${seed} to ${seed + side_tapes - 1} \
together. A side told where there was no one customer, or of legs put together the wrong way, is not
right. "Largest distance" is that of stated from observed probability in any decile of 500 orders
and more, beside the orders of that decile and how many standard errors of so many orders it is; "of
legs" the same of the legs of packages. Two shares of the tape report, which need no truth, are of
seed ${seed}:`

const isWithMicroseconds = ({ tape }: TapeAccuracy) => !/ms stamps|quotes/.test(tape)

/** What stands before and after the tables. */
function aroundAccuracy(readme: string): [string, string] {
  const [before, rest] = cutAt(readme, BEGIN)
  return [before, cutAt(rest, END)[1]]
}

function cutAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  if (at < 0) throw new Refusal(`README.md has no line ${mark}; put it back.`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

const markdown = ({ head, lines }: Table): string =>
  [head, head.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')
