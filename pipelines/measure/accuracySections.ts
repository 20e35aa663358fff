import { BLUE, GREY, htmlTable, legend, ORANGE, paragraph, section } from './accuracyHtml.ts'
import { DRAWN_DEALERS } from './accuracyLevels.ts'
import { type DotRow, dotPlot } from './accuracyPlots.ts'
import type { AccuracyReport } from './accuracyReport.ts'
import type { TapeAccuracy } from './accuracyTapes.ts'
import {
  confidenceTable,
  dealersTable,
  foldClassTable,
  foldTable,
  formulasTable,
  indexTable,
  knowledgeTable,
  levelsTable,
  NAMES_WANTED,
  namesTable,
  namesVerdict,
  packagesTable,
  probabilitiesTable,
  realTable,
  share,
  sidesTable,
  surfaceTable,
  tenth,
  worldClassesTable,
  worldFlowTable,
  worldsTable,
} from './accuracyText.ts'
import { farthestWorld, findFlow, worldName } from './accuracyWorldSums.ts'

type FoldFigure = {
  readonly title: string
  readonly part: 'all' | 'floor'
  readonly key: string
  /** Targets of a tape, by its name. */
  readonly targets: Readonly<Record<string, number>>
}

/** The measures of the fold, and how high each must be at least on tapes with stamps of 1 ms. */
const FOLD_FIGURES: readonly FoldFigure[] = [
  {
    title: 'Adjusted Rand index of leg prints by order',
    part: 'all',
    key: 'adjusted_rand_index',
    targets: {
      'calm, ms stamps': 0.995,
      'busy, ms stamps': 0.98,
      'noisy, ms stamps': 0.97,
      'calm, no conditions': 0.93,
    },
  },
  {
    title: 'Adjusted Rand index of floor prints',
    part: 'floor',
    key: 'adjusted_rand_index',
    targets: { 'noisy, ms stamps': 0.82 },
  },
  {
    title: 'Folded orders that are whole orders: precision',
    part: 'all',
    key: 'parent_exact_precision',
    targets: { 'calm, ms stamps': 0.98 },
  },
  {
    title: 'True orders that were folded whole: recall',
    part: 'all',
    key: 'parent_exact_recall',
    targets: { 'calm, ms stamps': 0.985 },
  },
]

/** Orders against the truth. */
export function foldSection(report: AccuracyReport): string {
  const { seed, prints, contracts, tapes } = report
  const size = `${prints.toLocaleString('en-US')} prints and ${contracts.toLocaleString('en-US')}`
  return section('Orders: how often the fold is right', [
    paragraph(
      `Seed ${seed}, about ${size} contracts a tape; orders of 50 contracts and more. ` +
        'A red stroke is what a tape must reach.',
    ),
    ...FOLD_FIGURES.map(figure => foldPlot(tapes, figure)),
    htmlTable(foldTable(report)),
    htmlTable(foldClassTable(report)),
    paragraph(
      'Folded packages by all their prints; an invented one has no print of a true package.',
    ),
    htmlTable(packagesTable(report)),
    paragraph('Stated confidence, packages of every size, and how many are exactly a true one.'),
    htmlTable(confidenceTable(report)),
  ])
}

function foldPlot(
  tapes: readonly TapeAccuracy[],
  { title, part, key, targets }: FoldFigure,
): string {
  const rows = tapes.map(({ tape, fold }): DotRow => {
    const value = fold[part][key] ?? null
    const dot = { value, color: BLUE, hint: `${tape}: ${share(value)}` }
    return { label: tape, dots: [dot], target: targets[tape] }
  })
  const least = Math.min(...rows.map(row => row.dots[0]!.value ?? 1), ...Object.values(targets))
  // 0.05 and below: an axis from zero would hide the differences
  const from = Math.max(0, Math.floor(least * 20 - 1e-9) / 20)
  return dotPlot({ title, axis: 'share, 1 is perfect', rows, from, to: 1 })
}

/** Names against the truth, and the best that a reader could achieve. */
export function namesSection(report: AccuracyReport): string {
  const rows = report.tapes.map(({ tape, names }): DotRow => {
    const dot = (key: string, color: string) => ({
      value: names[key] ?? null,
      color,
      hint: `${tape}, ${key}: ${share(names[key])}`,
    })
    const dots = [dot('attainable_share', GREY), dot('right_share', BLUE)]
    return { label: tape, dots: [...dots, dot('told_share', ORANGE)], target: NAMES_WANTED }
  })
  return section('Names of the packages that were folded exactly', [
    legend([
      { color: BLUE, meaning: 'the true name' },
      { color: GREY, meaning: 'with the most frequent true name for each name given' },
      { color: ORANGE, meaning: 'the true name is among those allowed' },
    ]),
    dotPlot({ title: 'Packages by name', axis: 'share of packages', rows, from: 0.9, to: 1 }),
    paragraph(
      'A name such as back spread hangs on the side, which may be unknown or wrong; prices may ' +
        'fit several names, such as straddle and synthetic. A red stroke is what is aimed at.',
    ),
    paragraph(namesVerdict(report) ?? ''),
    htmlTable(namesTable(report)),
  ])
}

/** Flip and net gamma against the true book. */
export function levelsSection(report: AccuracyReport): string {
  const { sessions, prints, contracts, first_seed } = report.levels!
  const books = report.levels!.books.filter(({ dealers }) => dealers === DRAWN_DEALERS)
  const label = (book: (typeof books)[number]) => `${book.inventory}, ${book.book_basis}`
  const dots = (book: (typeof books)[number], keys: readonly [string, number | null, string][]) =>
    keys.map(([color, value, name]) => ({ color, value, hint: `${label(book)}: ${name} ${value}` }))
  const row = (keys: (book: (typeof books)[number]) => [string, number | null, string][]) =>
    books.map((book): DotRow => ({ label: label(book), dots: dots(book, keys(book)) }))
  return section('Flip and net gamma against the true book', [
    paragraph(
      `${sessions} ${sessions === 1 ? 'session' : 'sessions'} from seed ${first_seed} on, about ` +
        `${prints.toLocaleString('en-US')} prints and ${contracts.toLocaleString('en-US')} ` +
        'contracts each. Covered: of the minutes ' +
        'in which the true book has a flip, one without a bar holding nothing. A book that ' +
        'starts from open interest alone does not know which side the dealers are on: it names ' +
        'no flip.',
    ),
    legend([
      { color: BLUE, meaning: 'all sessions, or median' },
      { color: GREY, meaning: 'least and most covered session' },
      { color: ORANGE, meaning: '90th percentile' },
    ]),
    dotPlot({
      title: 'Minutes whose 90 % bar holds the true flip',
      axis: 'share of minutes; wanted: the green stretch',
      rows: row(book => [
        [GREY, book.least_covered_share, 'least'],
        [GREY, book.most_covered_share, 'most'],
        [BLUE, book.covered_share, 'covered'],
      ]),
      from: 0,
      to: 1,
      band: [0.85, 0.95],
    }),
    dotPlot({
      title: 'Distance of the flip from the true one',
      axis: 'index points',
      rows: row(book => [
        [BLUE, book.median_flip_error, 'median'],
        [ORANGE, book.high_flip_error, '90th percentile'],
      ]),
    }),
    dotPlot({
      title: 'Error of net gamma, beside net gamma itself (grey)',
      axis: '$M per index point, medians over minutes',
      rows: row(book => [
        [GREY, book.median_gamma, 'net gamma'],
        [BLUE, book.median_gamma_error, 'error'],
      ]),
    }),
    htmlTable(levelsTable(report)),
    htmlTable(knowledgeTable(report)),
    htmlTable(probabilitiesTable(report)),
    htmlTable(dealersTable(report)),
  ])
}

/** Implied volatility and gamma against the true surface. */
export function surfaceSection(report: AccuracyReport): string {
  const rows = (median: 'median_vol_error' | 'median_gamma_error', scale: number) =>
    report.levels!.surface.map((span): DotRow => {
      const high = median === 'median_vol_error' ? span.high_vol_error : span.high_gamma_error
      const label = `expires within: ${span.expires_within}`
      const dots = [
        { value: scale * span[median], color: BLUE, hint: `${label}: median` },
        { value: scale * high, color: ORANGE, hint: `${label}: 99th percentile` },
      ]
      return { label, dots }
    })
  return section('Volatility and gamma against the simulated surface', [
    paragraph(
      'Out-of-the-money quotes of every minute, up to three deviations from the forward and ' +
        'more than half an hour to expiry. Quotes stand on ticks, so they are never exact.',
    ),
    legend([
      { color: BLUE, meaning: 'median' },
      { color: ORANGE, meaning: '99th percentile' },
    ]),
    dotPlot({
      title: 'Error of implied volatility',
      axis: 'volatility points (1 point is 0.01), logarithmic',
      rows: rows('median_vol_error', 100),
      isLog: true,
    }),
    dotPlot({
      title: 'Relative error of gamma',
      axis: 'share of the true gamma, logarithmic',
      rows: rows('median_gamma_error', 1),
      isLog: true,
    }),
    htmlTable(surfaceTable(report)),
  ])
}

/** An index by put-call parity against that of the tape. */
export function indexSection(report: AccuracyReport): string {
  const rows = report.index!.map(
    (row): DotRow => ({
      label: row.tape,
      dots: [
        { value: row.median_error, color: BLUE, hint: `${row.tape}: median` },
        { value: row.high_error, color: ORANGE, hint: `${row.tape}: 99th percentile` },
      ],
    }),
  )
  return section('Index by put-call parity against that of the tape', [
    paragraph('Tapes that have an index and are made to do without it, all day or from 11:00 on.'),
    legend([
      { color: BLUE, meaning: 'median' },
      { color: ORANGE, meaning: '99th percentile' },
    ]),
    dotPlot({ title: 'Error of the index', axis: 'points, logarithmic', rows, isLog: true }),
    htmlTable(indexTable(report)),
  ])
}

/** Sides of the tapes. */
export const sidesSection = (report: AccuracyReport): string =>
  section('Sides of the orders that were folded exactly', [htmlTable(sidesTable(report))])

/** Sides, flow and flip in each world of sides. */
export function worldsSection(report: AccuracyReport): string {
  const { worlds, classes } = report.worlds!
  const toRow = (label: string, dots: readonly [string, number | null, string][]): DotRow => ({
    label,
    dots: dots.map(([color, value, name]) => ({
      color,
      value,
      hint: `${label}: ${name} ${share(value)}`,
    })),
  })
  return section('Worlds of sides', [
    paragraph(
      'Nobody knows how the customers of today price and size their orders. Each world is a model ' +
        'of it; a market may be in none of them.',
    ),
    legend([
      { color: BLUE, meaning: 'Tapefold' },
      { color: GREY, meaning: 'quote rule' },
      { color: ORANGE, meaning: 'published stack of rules' },
    ]),
    dotPlot({
      title: 'Lots whose side is right',
      axis: 'share',
      rows: worlds.map(world =>
        toRow(worldName(world), [
          [GREY, world.sides.quote_lots_share, 'quote rule'],
          [ORANGE, world.sides.stack_lots_share, 'published stack'],
          [BLUE, world.sides.right_lots_share, 'Tapefold'],
        ]),
      ),
      to: 1,
    }),
    legend([
      { color: BLUE, meaning: '5-minute delta' },
      { color: GREY, meaning: "the day's delta" },
      { color: ORANGE, meaning: 'flip' },
    ]),
    dotPlot({
      title: 'Minutes whose 90 % interval holds the true value',
      axis: 'share of minutes; the aim is the green stretch',
      rows: worlds.map(world =>
        toRow(worldName(world), [
          [GREY, findFlow(world, 'day', 'all').delta_covered_share, 'day'],
          [ORANGE, world.flip.covered_share, 'flip'],
          [BLUE, findFlow(world, '5m', 'all').delta_covered_share, '5 minutes'],
        ]),
      ),
      to: 1,
      band: [0.85, 0.97],
    }),
    legend([
      { color: GREY, meaning: 'said' },
      { color: BLUE, meaning: 'was' },
      { color: ORANGE, meaning: 'was, in the world that is farthest off' },
    ]),
    dotPlot({
      title: 'Probability that the customer bought',
      axis: 'share of the orders of all worlds',
      rows: classes.map(row =>
        toRow(tenth(row.class), [
          [GREY, row.stated_share, 'said'],
          [ORANGE, farthestWorld(report.worlds!, row.class)?.observed_share ?? null, 'farthest'],
          [BLUE, row.observed_share, 'was'],
        ]),
      ),
      to: 1,
    }),
    htmlTable(worldsTable(report)),
    htmlTable(worldClassesTable(report)),
    htmlTable(worldFlowTable(report)),
  ])
}

/** The formulas against 60 digits. */
export function formulasSection(report: AccuracyReport): string {
  const rows = Object.entries(report.formulas!).map(([name, row]): DotRow => {
    const dot = { value: row.worst_error, color: BLUE, hint: `${name}: ${row.worst_error}` }
    return {
      label: name === 'implied_vol' ? 'implied volatility' : name,
      dots: [dot],
      target: 1e-9,
    }
  })
  return section('The formulas against reference values of 60 digits', [
    dotPlot({
      title: 'Worst relative error of all reference options',
      axis: 'relative error, logarithmic; red: the most allowed',
      rows,
      isLog: true,
    }),
    htmlTable(formulasTable(report)),
  ])
}

/** Measures of real tapes that need no truth. */
export const realSection = (report: AccuracyReport): string =>
  section('Real tapes', [
    paragraph(
      'No truth is known of them but the codes of the exchange: precision is the share coded as ' +
        'legs of the prints put into packages, recall the share put into packages of the prints ' +
        'coded as legs. The costs of the fold were tuned on the VIX tape.',
    ),
    htmlTable(realTable(report)),
  ])
