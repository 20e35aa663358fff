/**
 * The tables of docs/accuracy.md, and the headline figures of README: both are written from
 * recorded measurements, never by hand.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refuseUnwritable, writeAtomically } from '../../src/core/disk/files.ts'
import { formatJsonRows } from '../../src/core/disk/json.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { headlines } from './accuracyHeadlines.ts'
import type { AccuracyRecord, AccuracyReport } from './accuracyReport.ts'
import { PACES, type TapeAccuracy } from './accuracyTapes.ts'
import {
  confidenceTable,
  dealersTable,
  dealersVerdict,
  foldClassTable,
  foldTable,
  formulasTable,
  indexTable,
  knowledgeTable,
  levelsTable,
  namesTable,
  namesVerdict,
  packagesTable,
  probabilitiesTable,
  realTable,
  sidesTable,
  surfaceTable,
  type Table,
  worldClassesTable,
  worldFlowTable,
  worldsTable,
} from './accuracyText.ts'
import { describeWorld, LEAST_ORDERS, worldErrors } from './accuracyWorldSums.ts'
import type { BenchReport } from './bench/report.ts'

const ROOT = join(import.meta.dirname, '../..')
const RECORD = join(ROOT, 'data/reference/accuracy.json')
const BENCH = join(ROOT, 'docs/bench.json')
const PAGE = 'docs/accuracy.md'
const README = 'README.md'
const BEGIN = '<!-- accuracy: written by npm run accuracy -- --docs -->'
const END = '<!-- accuracy: end -->'

export const readRecord = (): AccuracyRecord => JSON.parse(readFileSync(RECORD, 'utf8'))

export const writeRecord = (record: AccuracyRecord): void =>
  writeAtomically(RECORD, formatJsonRows(record))

const readBench = (): BenchReport => JSON.parse(readFileSync(BENCH, 'utf8'))

/** Fails where the record or a page could not be written: before an hour of measuring. */
export function refuseUnrecordable(): void {
  for (const page of [PAGE, README]) between(page, readPage(page))
  for (const file of [RECORD, ...[PAGE, README].map(inRoot)]) refuseUnwritable(file)
}

/** Writes the tables of docs/accuracy.md and the headline figures of README. */
export function writeDocs(): void {
  const record = readRecord()
  const page = withAccuracy(readPage(PAGE), record)
  const readme = withHeadlines(readPage(README), record, readBench())
  writeAtomically(inRoot(PAGE), page)
  writeAtomically(inRoot(README), readme)
}

/** README with the headline figures of both records between its marks. */
export function withHeadlines(readme: string, { report }: AccuracyRecord, bench: BenchReport) {
  const [before, after] = between(README, readme)
  return `${before}${BEGIN}\n${headlines(report, bench)}\n${END}${after}`
}

/** The page with the tables of a record between its marks. */
export function withAccuracy(page: string, { report }: AccuracyRecord): string {
  const [before, after] = between(PAGE, page)
  const parts = [
    ...orderParts(report),
    ...nameParts(report),
    SIDES,
    markdown(sidesTable(report)),
    ...worldParts(report),
    ...levelParts(report),
    ...indexParts(report),
    '## Formulas',
    'Computed values beside references of 60 digits.',
    markdown(formulasTable(report)),
    ...(report.real.length > 0 ? [REAL, markdown(realTable(report))] : []),
  ].filter(part => part !== null)
  return `${before}${BEGIN}\n${parts.join('\n\n')}\n${END}${after}`
}

const orderParts = (report: AccuracyReport): string[] => [
  '## Orders',
  `Each simulated tape has ${whole(report.prints)} prints and ${whole(report.contracts)} contracts
(seed ${report.seed}). While it is active it has ${paces()} leg prints a second.
The tables count orders of 50 contracts and more.

The first table asks of the prints of true packages whether the right ones were put together. ARI is
the adjusted Rand index: 1 when every print is in the right group, 0 for chance. P is precision,
R is recall: "pair" counts pairs of prints, "exact" counts whole orders.`,
  markdown(foldTable(report)),
  `The same for orders traded electronically and on the floor. Crosses, late reports and extended
hours are in neither.`,
  markdown(foldClassTable(report)),
  `The next table starts from the packages Tapefold made. A package is "invented" when no print of a
true package is in it.`,
  markdown(packagesTable(report)),
  `Each package has a stated confidence. This table shows how many packages of each confidence are
exactly a true one. It counts packages of every size.`,
  markdown(confidenceTable({ ...report, tapes: report.tapes.filter(isWithMicroseconds) })),
]

const nameParts = (report: AccuracyReport): (string | null)[] => [
  '## Names',
  'How many of the exactly rebuilt packages got their true name, and why the others did not.',
  markdown(namesTable(report)),
  `- **side unknown**, **side wrong**: the name depends on the side, as that of a back spread does.
- **ambiguous**: the prices fit several names, such as straddle and synthetic.
- **allowed**: all but the wrong ones.
- **best relabelling**: the share that the best possible choice of names could reach with the same
  sides and the same allowed names.`,
  namesVerdict(report),
]

const levelParts = (report: AccuracyReport): string[] => {
  const { levels } = report
  if (!levels) return []
  return [
    '## Flip and gamma',
    `Flip (points) and net gamma ($M a point) of two minutes of ten, whose neighbors differ little, against
the book of the simulated dealers: ${levels.sessions} sessions from seed ${levels.first_seed} on, \
${whole(levels.prints)} prints and ${whole(levels.contracts)} contracts each.

- **imported positions**: the dealers' true positions at the open were imported. **open interest**:
  nothing is known at the open but open interest. **after 20 sessions**, **after 75 sessions**: the
  flow of so many sessions in a row was carried from open interest on. Those sessions are not built:
  the part of open interest that is older than them is guessed, and the rest is known as well as the
  sides of orders are.
- **with a flip**: minutes in which the true book has a flip. **named**: share of all minutes in which
  Tapefold names one. **open on both sides**: share in which the flip may be at any level, so that
  none is named. **none there**: minutes with a named flip where the true book has none.
- **bar covers**: in what share of the minutes with a true flip the 90 % interval holds it. A minute
  without an interval counts as not covered. **error** is the standard error of that share; it
  treats each session as one observation, because the minutes of a session depend on each other.
  **where given**: the same share among the minutes that have an interval.
- **open bars**: intervals that end where the scan does, 300 points up or down, on one side.
- **flip error**: of the minutes in which both have a flip; percentiles over all sessions.
- The book \`oi\` is the convention, dealers long every call and short every put. It has no interval.`,
    markdown(levelsTable(report)),
    `How the measured book becomes known. **gamma measured** is \`measured_share\`, its mean over the
minutes; **sure of the sign**: minutes in which \`p_positive\` is above 0.9 or below 0.1.`,
    markdown(knowledgeTable(report)),
    `\`p_positive\` is the stated probability that the dealers' net gamma is positive. Beside it stands the
share of such minutes in which it was, over all sessions and kinds of dealers.`,
    markdown(probabilitiesTable(report)),
    ...dealerParts(report),
    `The volatility surface of the same sessions against the true one: median and 99th percentile,
for strikes within three standard deviations of the forward, more than half an hour before expiry.`,
    markdown(surfaceTable(report)),
  ]
}

const indexParts = (report: AccuracyReport): string[] => {
  if (!report.index) return []
  return [
    '## Index by put-call parity',
    `An index that the tape lacks follows from the quotes of its options ([how](meaning.md#index)). Here tapes
that have an index are made to do without it, all day or from a minute on, and each derived value is compared
with the index on the tape. The aims are 0.3 points in the middle and 1.5 at the 99th percentile. Part of the
distance is the age of the value it is compared with: an index is published once a second, LEAN's bars once a
minute.

- **error**: median distance over all minutes of all sessions; **p99** its 99th percentile.
- **within it**: share of the minutes that lie within one stated standard deviation, 0.68 if errors are normal.
- The real days are LEAN's sample, which has one or two strikes of an expiry. Tapefold takes three at least
  and would name no index there: the rule is lifted for this table. On 26 June 2023 the one strike is 2 % off
  the money, of an expiry four days away, in a market 2.5 points wide: the aims are missed. Quotes and index
  are of the same moment there: the forward less the index of the same minute is 4.08 points with a deviation
  of 0.29, and of 1.2 where one of them is a minute off. But four days carry 2.7 points at most, so the quotes
  stand 1.4 points or more too high all day. Nothing in them says so. Where the index is there until 11:00 the
  carry is measured, and most of the error goes.`,
    markdown(indexTable(report)),
  ]
}

/** The kinds of dealers; nothing where none but the drawn one was measured. */
const dealerParts = (report: AccuracyReport): string[] => {
  const table = dealersTable(report)
  if (table.lines.length === 0) return []
  return [
    `The dealers above are drawn so that their flip lies near the index, mostly below it. Nothing may
rest on that. Other kinds of dealers, each on the tapes of ${report.levels!.dealer_sessions} of the \
sessions:

- **all long**, **all short**: a quarter of every contract's open interest. **random**: by contract.
- **common shares**: one share of all calls and one of all puts, of 0.2 on average.
- **long at the money**: and short the wings. **short puts**: and calls a little long.
- **overwriters**: long the calls that customers write. **reverse**: short calls, long puts.
- **collar**: as common shares, but customers hold collars in the monthly expiries: dealers are long
  their deep puts and short the near ones.
- **flip below**: the dealers above. **flip anywhere**: the same with a flip at any level, or none.
- **error of covers**: standard error of "covers where given", with a session as one observation. Where it is
  large, few sessions have both a flip and an interval.`,
    markdown(table),
    dealersVerdict(report),
  ]
}

const REAL = `## Real tapes

Here the truth is not known; the vendor's leg codes stand in for it. Precision: of the prints put
into packages, the share coded as legs. Recall: of the prints coded as legs, the share put into
packages. The fold normally reads these codes, so only the row with the codes hidden says how
well it finds legs by itself.`

const SIDES = `## Sides

Sides of the exactly rebuilt orders of these tapes.

- **with a side**: the share of orders for which Tapefold names a side. **right**: the share of those that
  is correct. Naming a side counts as wrong when the order had no single customer, and when the legs
  were combined with the wrong signs.
- **net off the price grid**, **orphans**: two shares of the tape report, which need no truth.`

const NOT_MEASURED = 'Not measured yet.'

const worldParts = ({ worlds, ...report }: AccuracyReport): string[] => {
  if (!worlds) return ['## Worlds of sides', NOT_MEASURED, '## Customer flow', NOT_MEASURED]
  const { sessions, prints, contracts } = worlds
  const [five, day, flip] = worldErrors(worlds)
  return [
    '## Worlds of sides',
    `How often a side is right depends on how customers price and size their orders, and nobody knows that of
today's market: published shares of right sides on options go from 0.44 to 0.83. So sides are measured in
${worlds.worlds.length} worlds, and what counts is the worst of them. A world is a model: the market may be in none of them.
Each has ${sessions} sessions of ${whole(prints)} prints and ${whole(contracts)} contracts, of the same seeds.

- **middle**: ${describeWorld('middle')}. Each other world says in what it differs.
- **sides right**: of the orders that were rebuilt exactly and had one customer, where an order without a side
  counts half, as if a coin were tossed. **by lots**: each order counts as often as it has contracts.
- **quote rule**: a price above the middle of the quote is a buyer's, one below it a seller's. **published
  stack**: the rules of Grauer, Schuster and Uhrig-Homburg, by size, quote and depth, as far as they need no
  later trade.
- **covered**: in what share of the minutes the 90 % interval holds the true value. Of the flip it is of the
  **minutes with a flip** among two of ten, with imported positions; a minute without an interval counts as not
  covered.
- **slope**: of the true flow on the published one: 1 would mean that a published dollar stands for one on
  average.
- **worst**: the least value of a column, or the slope farthest from 1.

So few sessions leave an error, with a session as one observation: in one world a standard error of \
${five} for
five-minute delta, ${day} for the day's and ${flip} for the flip, on average.`,
    markdown(worldsTable({ worlds, ...report })),
    `Each order states a probability that the customer bought. All worlds together, by tenths of it: what the
orders **said** and what share **was** bought. **farthest off** is the world of ${LEAST_ORDERS} such orders \
and more that is
farthest from what it said.`,
    markdown(worldClassesTable({ worlds, ...report })),
    '## Customer flow',
    `What customers bought, minute by minute ([flow](levels.md#flow)), against what the simulated customers truly
bought: each of their prints at its own side, at the true forward and smile of its minute. The slope is over
windows of five minutes that do not overlap, each weighted by its stated variance. Means of the worlds above,
and the worst of them.`,
    markdown(worldFlowTable({ worlds, ...report })),
  ]
}

const whole = (value: number) => value.toLocaleString('en-US')

const paces = () =>
  Object.entries(PACES)
    .map(([tape, pace]) => `${pace} (${tape})`)
    .join(', ')

const isWithMicroseconds = ({ tape }: TapeAccuracy) => !/ms stamps|quotes/.test(tape)

const inRoot = (file: string) => join(ROOT, file)
const readPage = (file: string) => readFileSync(inRoot(file), 'utf8')

/** Returns the text before and after the generated part of a page. */
function between(file: string, text: string): [string, string] {
  const [before, rest] = cutAt(file, text, BEGIN)
  return [before, cutAt(file, rest, END)[1]]
}

function cutAt(file: string, text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  if (at < 0) throw new Refusal(`${file} has no line ${mark}; put it back.`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

const markdown = ({ head, lines }: Table): string =>
  [head, head.map(() => '---'), ...lines].map(cells => `| ${cells.join(' | ')} |`).join('\n')
