import { expect, test } from 'vitest'
import { headlines } from '../../../pipelines/measure/accuracyHeadlines.ts'
import type { AccuracyReport } from '../../../pipelines/measure/accuracyReport.ts'
import { namesVerdict, TABLES } from '../../../pipelines/measure/accuracyTables.ts'
import { worldErrors } from '../../../pipelines/measure/accuracyWorldSums.ts'
import type { BenchReport } from '../../../pipelines/measure/bench/report.ts'

const findReport = (...tapes: object[]) => ({ tapes }) as unknown as AccuracyReport
const named = (right_share: number | null, told_share: number | null) => ({
  names: { right_share, told_share },
})

test('names that are right often enough are reported as such, others are not', () => {
  expect(namesVerdict(findReport(named(0.995, 1), named(0.996, 1)))).toBe(
    'Of these names 0.9950 to 0.9960 are the true ones.',
  )
  const verdict = namesVerdict(findReport(named(0.9949, 0.999), named(0.996, 0.999)))
  expect(verdict).toMatch(
    /^Of these names 0\.9949 to 0\.9960 are the true ones\. The aim is 0\.995; it is not/,
  )
  expect(verdict).toMatch(/ In 0\.9990 the true name is among the names that fit\s/)
})

test('where no package was named nothing is reported of names', () => {
  expect(namesVerdict(findReport(named(null, null)))).toBeNull()
  expect(namesVerdict(findReport())).toBeNull()
})

test('the surest packages come first, and a tape without such ones has a dash', () => {
  const row = (decile: number, packages: number, exact_share: number) => ({
    decile,
    packages,
    exact_share,
    stated_share: 0.5,
  })
  const { head, lines } = TABLES.confidence(
    findReport(
      { tape: 'calm', confidence: [row(8, 10, 0.9), row(9, 20, 1)] },
      { tape: 'busy', confidence: [row(9, 30, 0.98)] },
    ),
  )
  expect(head).toEqual(['confidence', 'calm: packages', 'exact', 'busy: packages', 'exact'])
  expect(lines).toEqual([
    ['0.9 to 1', '20', '1.0000', '30', '0.9800'],
    ['0.8 to 0.9', '10', '0.9000', '-', '-'],
  ])
})

/** A world in which a third of the lots have their right side, and one in which half of them do. */
const WORLDS = {
  sessions: 4,
  prints: 30_000,
  contracts: 3_000,
  classes: [
    { class: 3, orders: 900, stated_share: 0.35, observed_share: 0.4, observed_lots_share: 0.45 },
    { class: 9, orders: 20, stated_share: 0.91, observed_share: 0.5, observed_lots_share: 0.5 },
  ],
  worlds: [
    world('crossing_45', { lots: 0.33, fewOrders: 400, farOrders: 500, delta: 0.8, slope: 1.5 }),
    world('put_buyers', { lots: 0.5, fewOrders: 499, farOrders: 1, delta: 0.9, slope: 0.9 }),
  ],
}

function world(
  name: string,
  of: { lots: number; fewOrders: number; farOrders: number; delta: number; slope: number },
) {
  const flow = (span: string, part: string) => ({
    span,
    part,
    delta_covered_share: of.delta,
    gamma_covered_share: 1 - of.delta,
    delta_covered_error: of.delta / 10,
    delta_slope: span === 'day' ? null : of.slope,
  })
  return {
    world: name,
    sides: {
      orders: 1_000,
      right_share: 0.6,
      right_lots_share: of.lots,
      quote_share: 0.55,
      quote_lots_share: 0.25,
      stack_share: 0.57,
      stack_lots_share: 0.3,
    },
    classes: [
      { class: 3, orders: of.farOrders, stated_share: 0.3, observed_share: 0.4 },
      { class: 9, orders: of.fewOrders, stated_share: 0.9, observed_share: 0.1 },
    ],
    flow: [flow('day', 'all'), flow('5m', 'all')],
    flip: { flip_count: 390, covered_share: of.delta + 0.05, covered_error: null },
  }
}

const worldsReport = { ...findReport(), worlds: WORLDS } as unknown as AccuracyReport

test('two worlds of sides end in their mean and in the worst of each column', () => {
  const { head, lines } = TABLES.worlds(worldsReport)
  expect(lines.map(cells => cells.length)).toEqual(new Array(4).fill(head.length))
  expect(lines.map(([name]) => name)).toEqual([
    'crossing 45: 45 % of the customers cross the spread',
    'put buyers: 35 % of the customers in calls buy, 65 % of the customers in puts buy',
    'mean',
    'worst',
  ])
  const columns = ['by lots', '5-minute delta covered', 'slope of 5-minute delta', 'flip covered']
  expect(lines.slice(2).map(cells => columns.map(name => cells[head.indexOf(name)]))).toEqual([
    ['0.415', '0.850', '1.20', '0.900'],
    ['0.330', '0.800', '1.50', '0.850'],
  ])
  const [, fiveMinutes] = TABLES.worldFlow(worldsReport).lines
  expect(fiveMinutes).toEqual(
    ['5m', 'all', '0.850', '0.800', 'crossing 45', '0.150', '0.100', 'put buyers'].concat([
      '1.200',
      '1.500',
      'crossing 45',
    ]),
  )
  expect(worldErrors(worldsReport.worlds!)).toEqual(['0.085', '0.085', '-'])
})

test('the farthest world of a class is one of 500 orders and more', () => {
  expect(TABLES.worldClasses(worldsReport).lines).toEqual([
    ['0.3 to 0.4', '900', '0.350', '0.400', '0.450', 'crossing 45', '500', '0.300', '0.400'],
    ['0.9 to 1', '20', '0.910', '0.500', '0.500', '-', '-', '-', '-'],
  ])
})

test('README states the world in which the fewest lots are right', () => {
  const bench = { machine: {}, measured: {} } as unknown as BenchReport
  const text = headlines(worldsReport, bench).replace(/\s+/g, ' ')
  expect(text).toContain(
    'In the worst of 2 simulated worlds, where 45 % of the customers cross the spread, 60 % of the sides ' +
      'are right, by lots 33 %; the plain quote rule reaches 55 % there, by lots 25 %.',
  )
  expect(text).toContain(
    'five-minute delta holds the true one in 80 % of the minutes in the worst world, that of the flip in 85 %.',
  )
})
