import { alignColumns } from '../../src/data/published/analyst.ts'
import { type BookAccuracy, DRAWN_DEALERS } from './accuracyLevels.ts'
import type { AccuracyReport } from './accuracyReport.ts'
import type { Measures, TapeAccuracy } from './accuracyTapes.ts'
import {
  describeWorld,
  farthestWorld,
  findFlow,
  sumWorlds,
  worldName,
} from './accuracyWorldSums.ts'
import type { WorldAccuracy } from './accuracyWorlds.ts'

/** One table: a heading row and its lines. */
export type Table = { readonly head: readonly string[]; readonly lines: readonly string[][] }

/** A share of one to four digits; a dash where there is none. */
export const share = (value: number | null | undefined): string =>
  value === null || value === undefined ? '-' : value.toFixed(4)

const fixed = (value: number | null, digits: number) => value?.toFixed(digits) ?? '-'
/** Cells of a table row, each with so many digits; a dash where there is no value. */
const formatCells = (digits: number, ...values: readonly (number | null)[]): string[] =>
  values.map(value => fixed(value, digits))
const tiny = (value: number) => value.toExponential(1)

const FOLD_HEAD = ['leg prints', 'ARI', 'pair P', 'pair R', 'exact P', 'exact R'] as const

const foldCells = (fold: Measures): string[] => [
  String(fold.item_count),
  ...[fold.adjusted_rand_index, fold.pair_precision, fold.pair_recall].map(share),
  ...[fold.parent_exact_precision, fold.parent_exact_recall].map(share),
]

/** Orders against the truth, a line a tape. */
export const foldTable = ({ tapes }: AccuracyReport): Table => ({
  head: ['tape', 'prints', ...FOLD_HEAD],
  lines: tapes.map(({ tape, prints, fold }) => [tape, String(prints), ...foldCells(fold.all)]),
})

/** The same of electronic and of floor orders; crosses, late reports and the like are neither. */
export const foldClassTable = ({ tapes }: AccuracyReport): Table => ({
  head: ['tape', 'class', ...FOLD_HEAD],
  lines: tapes.flatMap(({ tape, fold }) =>
    (['electronic', 'floor'] as const).map(name => [tape, name, ...foldCells(fold[name])]),
  ),
})

/** The folded packages by all their prints, also those that no true package is behind. */
export const packagesTable = ({ tapes }: AccuracyReport): Table => ({
  head: ['tape', 'packages folded', 'exactly a true one', 'invented', 'true ones found exactly'],
  lines: tapes.map(({ tape, packages }) => [
    tape,
    String(packages.package_count),
    ...[packages.exact_share, packages.invented_share, packages.found_share].map(share),
  ]),
})

/** Table of the fold's confidence and the share of such packages that match a true one exactly. */
export function confidenceTable({ tapes }: AccuracyReport): Table {
  const names = [...new Set(tapes.flatMap(({ confidence }) => confidence.map(row => row.decile)))]
  const cells = ({ confidence }: TapeAccuracy, decile: number) => {
    const row = confidence.find(row => row.decile === decile)
    return [String(row?.packages ?? '-'), share(row?.exact_share)]
  }
  return {
    head: ['confidence', ...tapes.flatMap(({ tape }) => [`${tape}: packages`, 'exact'])],
    lines: names
      .toSorted((a, b) => b - a)
      .map(decile => [tenth(decile), ...tapes.flatMap(tape => cells(tape, decile))]),
  }
}

/** Names of exactly folded packages, with the reason of each that is not the true one. */
export const namesTable = ({ tapes }: AccuracyReport): Table => ({
  head: [
    'tape',
    'packages',
    'true name',
    'side unknown',
    'side wrong',
    'ambiguous',
    'wrong',
    'allowed',
    'best relabelling',
  ],
  lines: tapes.map(({ tape, names }) => [
    tape,
    String(names.package_count),
    ...[names.right_share, names.side_unknown_share, names.side_wrong_share].map(share),
    ...[names.ambiguous_share, names.wrong_share, names.told_share].map(share),
    share(names.attainable_share),
  ]),
})

/** Minimum share of names that match the truth. */
const NAMES_WANTED = 0.995

/** Share of the names that are the true ones, in words; null where nothing was named. */
export function namesVerdict({ tapes }: AccuracyReport): string | null {
  const listValues = (key: string) =>
    tapes.map(({ names }) => names[key]).filter(value => typeof value === 'number')
  const range = (key: string) => {
    const values = listValues(key)
    const [least, most] = [Math.min(...values), Math.max(...values)].map(share)
    return least === most ? least : `${least} to ${most}`
  }
  if (listValues('right_share').length === 0) return null
  const verdict = `Of these names ${range('right_share')} are the true ones`
  if (Math.min(...listValues('right_share')) >= NAMES_WANTED) return `${verdict}.`
  return `${verdict}. The aim is ${NAMES_WANTED}; it is not
reached. Some names depend on the customer's side, which is unknown or wrong; in other cases several
packages fit the same prices. In ${range('told_share')} the true name is among the names that fit
the legs and prices, bought or sold.`
}

/** Sides of exactly folded orders of 50 contracts and more, and measures that need no truth. */
export const sidesTable = ({ tapes }: AccuracyReport): Table => ({
  head: [
    'tape',
    ...['packages with a side', 'right'],
    ...['singles with a side', 'right'],
    ...['net off the price grid', 'orphans'],
  ],
  lines: tapes.map(({ tape, sides, quality }) => {
    const findRate = (isPackage: boolean) =>
      sides.rates.find(rate => rate.is_package === isPackage && rate.bucket === '50+')
    const [packages, singles] = [findRate(true), findRate(false)]
    return [
      tape,
      ...[packages?.decided_share, packages?.hit_share].map(share),
      ...[singles?.decided_share, singles?.hit_share].map(share),
      ...[quality.off_step_share, quality.orphan_share].map(share),
    ]
  }),
})

/** Figures of a world, each with its digits; 1 is best. */
const WORLD_FIGURES: readonly {
  readonly head: string
  readonly readFigure: (world: WorldAccuracy) => number | null
  readonly digits: number
}[] = [
  { head: 'sides right', readFigure: ({ sides }) => sides.right_share, digits: 3 },
  { head: 'by lots', readFigure: ({ sides }) => sides.right_lots_share, digits: 3 },
  { head: 'quote rule right', readFigure: ({ sides }) => sides.quote_share, digits: 3 },
  { head: 'by lots', readFigure: ({ sides }) => sides.quote_lots_share, digits: 3 },
  { head: 'published stack right', readFigure: ({ sides }) => sides.stack_share, digits: 3 },
  { head: 'by lots', readFigure: ({ sides }) => sides.stack_lots_share, digits: 3 },
  {
    head: '5-minute delta covered',
    readFigure: world => findFlow(world, '5m', 'all').delta_covered_share,
    digits: 3,
  },
  {
    head: "day's delta covered",
    readFigure: world => findFlow(world, 'day', 'all').delta_covered_share,
    digits: 3,
  },
  {
    head: 'slope of 5-minute delta',
    readFigure: world => findFlow(world, '5m', 'all').delta_slope,
    digits: 2,
  },
  { head: 'flip covered', readFigure: ({ flip }) => flip.covered_share, digits: 3 },
]

/** Sides, flow and flip, a line a world; then the mean and the worst of each column. */
export function worldsTable({ worlds }: AccuracyReport): Table {
  const rows = worlds?.worlds ?? []
  const listSums = (sum: 'mean' | 'worst') => [
    sum,
    '',
    ...WORLD_FIGURES.map(({ readFigure, digits }) =>
      fixed(sumWorlds(rows, readFigure)[sum], digits),
    ),
    '',
  ]
  return {
    head: ['world', 'orders', ...WORLD_FIGURES.map(({ head }) => head), 'minutes with a flip'],
    lines: [
      ...rows.map(world => [
        world.world === 'middle' ? 'middle' : `${worldName(world)}: ${describeWorld(world.world)}`,
        String(world.sides.orders),
        ...WORLD_FIGURES.map(({ readFigure, digits }) => fixed(readFigure(world), digits)),
        String(world.flip.flip_count),
      ]),
      ...(worlds ? [listSums('mean'), listSums('worst')] : []),
    ],
  }
}

/** Stated probability that the customer bought and what came true, of all worlds by tenths of it. */
export const worldClassesTable = ({ worlds }: AccuracyReport): Table => ({
  head: [
    'stated',
    'orders',
    'said',
    'was',
    'was by lots',
    'farthest off',
    'its orders',
    'said',
    'was',
  ],
  lines: (worlds?.classes ?? []).map(row => {
    const far = farthestWorld(worlds!, row.class)
    return [
      tenth(row.class),
      String(row.orders),
      ...formatCells(3, row.stated_share, row.observed_share, row.observed_lots_share),
      far ? worldName(far) : '-',
      String(far?.orders ?? '-'),
      ...formatCells(3, far?.stated_share ?? null, far?.observed_share ?? null),
    ]
  }),
})

/** The customers' flow against the true one, a line a part and span: mean and worst world. */
export function worldFlowTable({ worlds }: AccuracyReport): Table {
  const rows = worlds?.worlds ?? []
  return {
    head: [
      'span',
      'part',
      ...['delta covered, mean', 'delta covered, worst', 'worst world'],
      ...['gamma covered, mean', 'gamma covered, worst', 'worst world'],
      ...['slope of delta, mean', 'slope of delta, farthest from 1', 'farthest world'],
    ],
    lines: (rows[0]?.flow ?? []).map(({ span, part }) => [
      span,
      part,
      ...(['delta_covered_share', 'gamma_covered_share', 'delta_slope'] as const).flatMap(name => {
        const { mean, worst, where } = sumWorlds(rows, world => findFlow(world, span, part)[name])
        return [...formatCells(3, mean, worst), where]
      }),
    ]),
  }
}

/** Books of the dealers that the simulation draws by itself. */
const drawnBooks = ({ levels }: AccuracyReport): readonly BookAccuracy[] =>
  (levels?.books ?? []).filter(({ dealers }) => dealers === DRAWN_DEALERS)

/** Flip and gamma against the true book, a line a book. */
export const levelsTable = (report: AccuracyReport): Table => ({
  head: [
    'inventory at the open',
    'book',
    'minutes',
    'with a flip',
    'named',
    'open on both sides',
    'bar covers',
    'error',
    'by session',
    'where given',
    'bar width',
    'open bars',
    'none there',
    'flip error',
    'flip p90',
    'net gamma error',
    'of',
  ],
  lines: drawnBooks(report).map(book => [
    inventoryText(book.inventory),
    book.book_basis,
    String(book.minute_count),
    String(book.flip_count),
    ...formatCells(2, book.named_share, book.unbounded_share),
    ...formatCells(3, book.covered_share, book.covered_error),
    book.covered_share === null
      ? '-'
      : `${fixed(book.least_covered_share, 2)} to ${fixed(book.most_covered_share, 2)}`,
    fixed(book.given_covered_share, 3),
    ...formatCells(2, book.mean_width, book.open_share),
    String(book.invented_count),
    ...formatCells(2, book.median_flip_error, book.high_flip_error),
    ...formatCells(2, book.median_gamma_error, book.median_gamma),
  ]),
})

/** Name of an inventory for people, such as 'after 20 sessions'. */
const inventoryText = (inventory: string) =>
  inventory
    .replace(/^carried (\d+)$/, 'after $1 sessions')
    .replace('imported', 'imported positions')

/** How the book becomes measured: the measured book by inventory at the open. */
export const knowledgeTable = (report: AccuracyReport): Table => ({
  head: [
    'inventory at the open',
    'gamma measured',
    'flip named',
    'open on both sides',
    'covers where given',
    'sure of the sign',
    'right when sure',
  ],
  lines: drawnBooks(report)
    .filter(({ book_basis }) => book_basis === 'measured')
    .map(book => [
      inventoryText(book.inventory),
      fixed(book.measured_share, 2),
      ...formatKnowledge(book),
    ]),
})

/** Stated probability of positive gamma next to the share of minutes in which it was positive. */
export const probabilitiesTable = ({ levels }: AccuracyReport): Table => ({
  head: ['inventory at the open', 'stated', 'minutes', 'mean stated', 'observed'],
  lines: (levels?.probabilities ?? []).map(row => [
    inventoryText(row.inventory),
    CLASSES[row.class - 1]!,
    String(row.minute_count),
    ...formatCells(3, row.stated_share, row.observed_share),
  ]),
})

const CLASSES = ['below 0.1', '0.1 to 0.3', '0.3 to 0.5', '0.5 to 0.7', '0.7 to 0.9', 'from 0.9']

/** Kinds of dealers: each by itself, then the mean and the worst, by inventory at the open. */
export function dealersTable({ levels }: AccuracyReport): Table {
  const books = (levels?.books ?? []).filter(
    ({ book_basis, inventory }) => book_basis === 'measured' && inventory.startsWith('carried'),
  )
  const inventories = [...new Set(books.map(({ inventory }) => inventory))].toSorted()
  const hasKinds = books.some(({ dealers }) => dealers !== DRAWN_DEALERS)
  return {
    head: [
      'inventory at the open',
      'dealers',
      'sessions',
      'flip named',
      'open on both sides',
      'covers where given',
      'sure of the sign',
      'right when sure',
      'error of covers',
      'net gamma error',
      'of',
    ],
    lines: hasKinds
      ? inventories.flatMap(name => kindLines(books.filter(({ inventory }) => inventory === name)))
      : [],
  }
}

/** Kinds of dealers with enough true flips to measure how often an interval holds one. */
export const coveredKinds = ({ levels }: AccuracyReport): readonly BookAccuracy[] =>
  (levels?.books ?? []).filter(
    book =>
      book.book_basis === 'measured' &&
      book.inventory.startsWith('carried') &&
      book.given_covered_share !== null &&
      book.unbounded_share < 0.5 &&
      book.flip_count >= 0.1 * book.minute_count,
  )

/** Share of the true flips that a 90 % interval is to hold. */
const COVER_WANTED = 0.9

/** Kinds of dealers whose intervals hold fewer true flips than they state, in words. */
export function dealersVerdict(report: AccuracyReport): string {
  const missed = coveredKinds(report).filter(book => book.given_covered_share! < COVER_WANTED)
  const names = missed.map(
    ({ dealers, inventory, given_covered_share }) =>
      `${dealers.replaceAll('_', ' ')} ${inventoryText(inventory)}, ${fixed(given_covered_share, 2)}`,
  )
  const verdict =
    names.length === 0 ? 'All of these reach it' : `Missed by these:\n${names.join('; ')}`
  return `The aim is ${COVER_WANTED} with every kind. A kind counts whose true book has a flip in a tenth
of the minutes, and an interval in half of them. ${verdict}.`
}

/** Columns that say how much is known of a book, each with its digits. */
const KNOWLEDGE: readonly { readonly of: (book: BookAccuracy) => number | null; digits: number }[] =
  [
    { of: book => book.named_share, digits: 2 },
    { of: book => book.unbounded_share, digits: 2 },
    { of: book => book.given_covered_share, digits: 3 },
    { of: book => book.sure_share, digits: 2 },
    { of: book => book.sure_right_share, digits: 3 },
  ]

const formatKnowledge = (book: BookAccuracy): string[] =>
  KNOWLEDGE.map(({ of, digits }) => fixed(of(book), digits))

/** Rows of one inventory: each kind of dealers, then the mean and the least of each column. */
function kindLines(books: readonly BookAccuracy[]): string[][] {
  const name = inventoryText(books[0]!.inventory)
  const summarize = (title: string, reduce: (values: number[]) => number) => [
    name,
    title,
    '',
    ...KNOWLEDGE.map(({ of, digits }) => {
      const known = books.map(of).filter(value => value !== null)
      return fixed(known.length > 0 ? reduce(known) : null, digits)
    }),
    '',
    '',
    '',
  ]
  return [
    ...books.map(book => [
      name,
      book.dealers.replaceAll('_', ' '),
      String(book.sessions),
      ...formatKnowledge(book),
      fixed(book.given_covered_error, 3),
      ...formatCells(2, book.median_gamma_error, book.median_gamma),
    ]),
    summarize('mean', values => values.reduce((sum, value) => sum + value, 0) / values.length),
    summarize('least', values => Math.min(...values)),
  ]
}

/** Forwards, volatilities and gammas against the true surface, by time to expiry. */
export const surfaceTable = ({ levels }: AccuracyReport): Table => ({
  head: [
    'expires within',
    'quotes',
    'forward error',
    'p99',
    'IV error, vol points',
    'p99',
    'gamma error',
    'p99',
  ],
  lines: (levels?.surface ?? []).map(row => [
    row.expires_within,
    String(row.quote_count),
    ...formatCells(3, row.median_forward_error, row.high_forward_error),
    ...formatCells(3, 100 * row.median_vol_error, 100 * row.high_vol_error),
    ...[row.median_gamma_error, row.high_gamma_error].map(share),
  ]),
})

/** An index by put-call parity against that of the tape; real days that are absent say so. */
export const indexTable = ({ index }: AccuracyReport): Table => ({
  head: [
    'tape',
    'sessions',
    'minutes without index',
    'with one by parity',
    'error, points',
    'p99',
    'stated deviation',
    'within it',
    '90 % interval covers',
  ],
  lines: (index ?? []).map(row => [
    row.is_present ? row.tape : `${row.tape}: skipped, its files are absent`,
    String(row.sessions),
    ...[row.minute_count, row.derived_count].map(value => String(value ?? '-')),
    ...formatCells(2, row.median_error, row.high_error, row.median_stated),
    ...formatCells(3, row.deviation_share, row.covered_share),
  ]),
})

/** The formulas against 60 digits, a line each. */
export const formulasTable = ({ formulas }: AccuracyReport): Table => ({
  head: ['formula', 'reference options', 'wrongly refused or given', 'worst relative error'],
  lines: Object.entries(formulas ?? {}).map(([name, row]) => [
    name === 'implied_vol' ? 'implied volatility' : name,
    String(row.case_count),
    String(row.wrong_count),
    tiny(row.worst_error),
  ]),
})

/** Real tapes; those that are absent say so. */
export const realTable = ({ real }: AccuracyReport): Table => ({
  head: [
    'real tape',
    'prints',
    'coded as legs',
    'packages',
    'precision',
    'recall',
    'net off the price grid',
    'orphans',
  ],
  lines: real.map(row => [
    row.is_present ? row.tape : `${row.tape}: skipped, ${row.file} is absent`,
    ...[row.print_count, row.marked_count, row.package_count].map(value => String(value ?? '-')),
    ...[row.precision, row.recall, row.off_step_share, row.orphan_share].map(share),
  ]),
})

/** Everything as text, for a terminal. */
export function accuracyText(report: AccuracyReport): string {
  const tables = [
    foldTable(report),
    foldClassTable(report),
    packagesTable(report),
    confidenceTable(report),
    namesTable(report),
    sidesTable(report),
    worldsTable(report),
    worldClassesTable(report),
    worldFlowTable(report),
    levelsTable(report),
    knowledgeTable(report),
    dealersTable(report),
    probabilitiesTable(report),
    surfaceTable(report),
    indexTable(report),
    formulasTable(report),
    realTable(report),
  ].filter(({ lines }) => lines.length > 0)
  const texts = tables.map(({ head, lines }) => alignColumns([head, ...lines]))
  return `${[...texts, NOTE].join('\n\n')}\n`
}

const NOTE =
  'Orders of 50 contracts and more unless said, on simulated tapes: a model, not a claim.'

/** Bounds of a tenth of a share, such as '0.3 to 0.4'. */
export const tenth = (decile: number) => `${decile / 10} to ${(decile + 1) / 10}`
