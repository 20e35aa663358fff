/** The four figures of README: orders, sides, flip and speed, from the recorded measurement. */

import { type BookAccuracy, DRAWN_DEALERS } from './accuracyLevels.ts'
import type { AccuracyReport } from './accuracyReport.ts'
import { coveredKinds } from './accuracyTables.ts'
import type { TapeAccuracy } from './accuracyTapes.ts'
import { describeWorld, findFlow, sumWorlds, worstWorld } from './accuracyWorldSums.ts'
import type { BenchReport } from './bench/report.ts'
import { count, figure } from './bench/section.ts'

/** Four list items of Markdown. A range is over the tapes of one kind. */
export function headlines(report: AccuracyReport, bench: BenchReport): string {
  const coded = report.tapes.filter(({ tape }) => !/no conditions|quotes/.test(tape))
  const uncoded = report.tapes.filter(({ tape }) => tape.includes('no conditions'))
  const share = (tapes: readonly TapeAccuracy[], name: 'exact_share' | 'found_share') =>
    percent(
      tapes.map(({ packages }) => packages[name]),
      1,
    )
  const [imported, alone, carried] = (['imported', 'open interest', 'carried 75'] as const).map(
    name => measuredBook(report, name),
  )
  const others = coveredKinds(report)
    .filter(({ dealers }) => dealers !== DRAWN_DEALERS)
    .map(book => book.given_covered_share)
  return [
    `- **Orders.** Of the multi-leg orders of 50 contracts and more that it rebuilds, \
${share(coded, 'exact_share')} are
  exactly a true order; it finds ${share(coded, 'found_share')} of the true ones. Where the vendor passes on no
  trade conditions: ${share(uncoded, 'exact_share')} are, and it finds ${share(uncoded, 'found_share')}.`,
    sidesHeadline(report),
    `- **Flip.** If you import the dealers' positions at the open, the true flip lies within the
  stated 90 % interval in ${percent([imported?.covered_share])} of the minutes. Open interest alone \
does not say where the
  dealers stand: a flip is named in ${percent([alone?.named_share])} of the minutes, and the rest \
says why not. After 75
  sessions built in a row an interval is given in ${percent([given(carried)])} of the minutes, and \
holds the true flip
  in ${percent([carried?.given_covered_share])} of those; with other kinds of simulated dealers in \
${percent(others)}.`,
    speed(bench),
  ].join('\n')
}

function sidesHeadline({ worlds }: AccuracyReport): string {
  if (!worlds) return '- **Sides.** Not measured yet.'
  const { world, sides } = worstWorld(worlds)
  const delta = sumWorlds(worlds.worlds, row => findFlow(row, '5m', 'all').delta_covered_share)
  const flip = sumWorlds(worlds.worlds, row => row.flip.covered_share)
  return `- **Sides.** In the worst of ${worlds.worlds.length} simulated worlds, where \
${describeWorld(world)},
  ${percent([sides.right_share])} of the sides are right, by lots \
${percent([sides.right_lots_share])}; the plain quote rule reaches ${percent([sides.quote_share])} there, by lots
  ${percent([sides.quote_lots_share])}. The 90 % interval of five-minute delta holds the true one in \
${percent([delta.worst])} of the
  minutes in the worst world, that of the flip in \
${percent([flip.worst])}.`
}

/** The measured book of one inventory at the open, of the dealers that the simulation draws. */
const measuredBook = ({ levels }: AccuracyReport, name: BookAccuracy['inventory']) =>
  levels?.books.find(
    ({ dealers, inventory, book_basis }) =>
      dealers === DRAWN_DEALERS && inventory === name && book_basis === 'measured',
  )

/** Share of the minutes whose interval has an end. */
const given = (book: BookAccuracy | undefined) => book && 1 - book.unbounded_share

function speed({ machine, measured }: BenchReport): string {
  const { build } = measured
  if (!build) return '- **Speed.** Not measured yet.'
  const of = (name: string) => figure(build, 'whole process', name)
  const session = `${count(of('prints'))} prints is built in ${of('seconds').toFixed(0)} s`
  return `- **Speed.** A session of ${session}, with \
${(of('peak_mib') / 1024).toFixed(1)} GiB of
  memory on ${machine.cores} cores.`
}

/** Shares as a percentage, such as '97.6 to 98.7 %'; a dash where there is none. */
function percent(shares: readonly (number | null | undefined)[], digits = 0): string {
  const known = shares.filter(share => typeof share === 'number')
  if (known.length === 0) return '-'
  const [least, most] = [Math.min(...known), Math.max(...known)].map(share =>
    (100 * share).toFixed(digits),
  )
  return least === most ? `${least} %` : `${least} to ${most} %`
}
