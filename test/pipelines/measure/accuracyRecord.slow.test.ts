import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readRecord, withAccuracy, withHeadlines } from '../../../pipelines/measure/accuracyDocs.ts'
import { CHECK, measureAll, RECORDED } from '../../../pipelines/measure/accuracyReport.ts'
import { coveredKinds } from '../../../pipelines/measure/accuracyTables.ts'
import { SCENARIOS } from '../../../pipelines/measure/accuracyTapes.ts'
import { classGap, findFlow, LEAST_ORDERS } from '../../../pipelines/measure/accuracyWorldSums.ts'
import { DEALER_KINDS } from '../../../pipelines/simulate/inventory.ts'
import { SIDE_WORLDS } from '../../../pipelines/simulate/sideWorlds.ts'

const { report, check } = readRecord()
const findTape = (name: string) => report.tapes.find(({ tape }) => tape === name)!

test('a small run gives the figures recorded next to those of the pages', async () => {
  // else: npm run accuracy -- --record --real FOLDER
  expect(await measureAll(CHECK)).toEqual(check)
})

test('the record is of all tapes, in full size', () => {
  const { seed, prints, contracts } = RECORDED
  expect(report).toMatchObject({ seed, prints, contracts, worlds: RECORDED.worlds })
  expect(report.tapes.map(({ tape }) => tape)).toEqual(SCENARIOS.map(({ name }) => name))
  expect(report.levels).toMatchObject({ sessions: RECORDED.sessions, first_seed: seed })
  expect(report.real.map(({ is_present }) => is_present)).toEqual([true, true, true])
})

test('docs/accuracy.md and README state the recorded figures, and no others', () => {
  // else: npm run accuracy -- --docs
  const page = readFileSync('docs/accuracy.md', 'utf8')
  expect(withAccuracy(page, readRecord())).toBe(page)
  const readme = readFileSync('README.md', 'utf8')
  const bench = JSON.parse(readFileSync('docs/bench.json', 'utf8'))
  expect(withHeadlines(readme, readRecord(), bench)).toBe(readme)
  const { report: measured, ...rest } = readRecord()
  const other = { ...rest, report: { ...measured, levels: null } }
  expect(withHeadlines(readme, other, bench)).not.toBe(readme)
})

test('a page without its marks is not written to', () => {
  expect(() => withAccuracy('# Accuracy', readRecord())).toThrow(/docs\/accuracy\.md has no line/)
})

test.each([
  ['calm, ms stamps', 0.995],
  ['busy, ms stamps', 0.98],
  ['noisy, ms stamps', 0.97],
  ['calm, no conditions', 0.93],
])('%s: the adjusted Rand index is at least %f', (name, least) => {
  expect(findTape(name).fold.all.adjusted_rand_index).toBeGreaterThanOrEqual(least)
})

test('whole orders and floor orders are found as often as they must', () => {
  const { all } = findTape('calm, ms stamps').fold
  expect(all.parent_exact_precision).toBeGreaterThanOrEqual(0.98)
  expect(all.parent_exact_recall).toBeGreaterThanOrEqual(0.985)
  const { packages } = findTape('calm, ms stamps')
  expect(packages.exact_share).toBeGreaterThanOrEqual(0.98)
  expect(packages.found_share).toBeGreaterThanOrEqual(0.985)
  const { floor } = findTape('noisy, ms stamps').fold
  expect(floor.adjusted_rand_index).toBeGreaterThanOrEqual(0.82)
})

const findBook = (inventory: string, basis = 'measured') =>
  report.levels!.books.find(
    book =>
      book.dealers === 'flip_below' && book.inventory === inventory && book.book_basis === basis,
  )!

test('the interval of the flip covers what it says, where positions were imported', () => {
  const { covered_share, unbounded_share } = findBook('imported')
  expect(covered_share).toBeGreaterThanOrEqual(0.87)
  expect(covered_share).toBeLessThanOrEqual(0.94)
  expect(unbounded_share).toBeLessThanOrEqual(0.02)
})

test('an index by parity is within 0.3 points in the middle and 1.5 at the 99th percentile', () => {
  const rows = report.index!
  const [simulated, early, real, realEarly] = rows
  expect(rows.map(({ is_present }) => is_present)).toEqual(rows.map(() => true))
  expect([simulated!.tape, real!.tape]).toEqual([
    'simulated, no index',
    'SPX, 4 January 2021, one or two strikes, no index',
  ])
  for (const row of [simulated!, early!, real!, realEarly!]) {
    expect(row.derived_count).toBe(row.minute_count)
    expect(row.median_error, row.tape).toBeLessThanOrEqual(0.3)
    expect(row.high_error, row.tape).toBeLessThanOrEqual(1.5)
    // of the stated errors: 0.68 and 0.9 if they were normal
    expect(row.deviation_share, row.tape).toBeGreaterThanOrEqual(0.65)
    expect(row.covered_share, row.tape).toBeGreaterThanOrEqual(0.87)
  }
})

test('open interest alone names no flip, and the convention has no interval', () => {
  const { named_share, sure_share } = findBook('open interest')
  expect(named_share).toBeLessThanOrEqual(0.02)
  expect(sure_share).toBeLessThanOrEqual(0.05)
  expect(findBook('imported', 'oi')).toMatchObject({ covered_share: null, mean_width: null })
})

test('with every kind of dealers a sign that is sure is right, and the record has the worst', () => {
  const carried = report.levels!.books.filter(({ inventory }) => inventory.startsWith('carried'))
  expect(new Set(carried.map(({ dealers }) => dealers))).toEqual(new Set(DEALER_KINDS))
  for (const { dealers, inventory, sure_right_share } of carried) {
    expect(sure_right_share ?? 1, `${dealers}, ${inventory}`).toBeGreaterThanOrEqual(0.9)
  }
  for (const inventory of ['carried 20', 'carried 75']) {
    expect(findBook(inventory).given_covered_share).toBeGreaterThanOrEqual(0.9)
  }
  // the aim of 0.9 is missed with some other kinds: docs/accuracy.md names them
  expect(coveredKinds(report).map(({ dealers }) => dealers)).toContain('random')
})

test('in each world of sides flow and flip are covered, and lots beat the plain quote rule', () => {
  const { worlds } = report.worlds!
  expect(worlds.map(({ world }) => world)).toEqual(Object.keys(SIDE_WORLDS))
  for (const measured of worlds) {
    const { sides, flip } = measured
    expect(sides.right_lots_share, measured.world).toBeGreaterThanOrEqual(sides.quote_lots_share)
    const delta = findFlow(measured, '5m', 'all').delta_covered_share
    for (const covered of [delta, flip.covered_share]) {
      expect(covered, measured.world).toBeGreaterThanOrEqual(0.85)
      expect(covered, measured.world).toBeLessThanOrEqual(0.97)
    }
  }
})

test('of all worlds together a stated probability is within 0.05 of what came true', () => {
  const large = report.worlds!.classes.filter(({ orders }) => orders >= LEAST_ORDERS)
  expect(large.length).toBeGreaterThan(5)
  for (const row of large) expect(classGap(row), `class ${row.class}`).toBeLessThanOrEqual(0.05)
})

test('every tape with contemporaneous quotes gives sides', () => {
  for (const { tape, sides } of report.tapes.filter(({ tape }) => !tape.startsWith('quotes 15'))) {
    for (const rate of sides.rates) expect(rate.decided_share, tape).toBeGreaterThan(0.6)
  }
})

test('quotes of 15 minutes ago give no side, but at the first prints of the day', () => {
  for (const { tape, sides } of report.tapes.filter(({ tape }) => tape.startsWith('quotes 15'))) {
    for (const rate of sides.rates) expect(rate.decided_share, tape).toBeLessThan(1e-5)
  }
})
