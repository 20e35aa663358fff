import escapeHtml from 'escape-html'
import { BLUE, htmlTable, legend, ORANGE, paragraph, section } from './accuracyHtml.ts'
import { calibrationPlot } from './accuracyPlots.ts'
import type { AccuracyReport } from './accuracyReport.ts'
import { LEAST_ORDERS } from './accuracySides.ts'
import { decilesTable, legDecilesTable, share, sidesTable } from './accuracyText.ts'

/** Stated and observed probability may differ by this much in a decile of 500 orders and more. */
const TOLERANCE = 0.03

/** Section of the stated probabilities of sides and the observed shares. */
export function sidesSection(report: AccuracyReport): string {
  const tapesWithSides = report.tapes.filter(({ sides }) => sides.deciles.length > 0)
  const plots = tapesWithSides.map(({ tape, sides }) => {
    const points = sides.deciles.map(row => {
      const who = `${row.is_package ? 'packages' : 'single orders'}, ${row.bucket} contracts`
      const figures = `stated ${share(row.stated_share)}, observed ${share(row.observed_share)}`
      return {
        stated: row.stated_share,
        observed: row.observed_share,
        orders: row.orders,
        color: row.is_package ? BLUE : ORANGE,
        isHollow: row.bucket === '50+',
        hint: `${who}: ${row.orders} orders, ${figures}`,
      }
    })
    return calibrationPlot(tape, points, TOLERANCE)
  })
  return section('Sides: stated probability and what came true', [
    legend([
      { color: BLUE, meaning: 'packages, all sizes' },
      { color: BLUE, isHollow: true, meaning: 'packages of 50 contracts and more' },
      { color: ORANGE, meaning: 'single orders, all sizes' },
      { color: ORANGE, isHollow: true, meaning: 'single orders of 50 contracts and more' },
    ]),
    paragraph(
      'Exactly folded orders by tenths of the stated probability. The wider a dot the more ' +
        `orders (tables below); a stroke is two standard errors; the green band is ${TOLERANCE} ` +
        `around the diagonal, for deciles of ${LEAST_ORDERS} orders and more.`,
    ),
    ...plots,
    htmlTable(sidesTable(report)),
    ...tapesWithSides.map(tape => {
      const summary = `${escapeHtml(tape.tape)}: orders by stated probability`
      const tables = htmlTable(decilesTable(tape)) + htmlTable(legDecilesTable(tape))
      return `<details><summary>${summary}</summary>${tables}</details>`
    }),
  ])
}
