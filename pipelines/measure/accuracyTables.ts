/** The tables of the accuracy, each described once: for a terminal, and for docs/accuracy.md. */

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

type Value = string | number | null | undefined

/** Heading of a column, its value in a row, and the digits after the point of a number. */
type Column<Row> = readonly [head: string, read: (row: Row) => Value, digits?: number]

/** Digits of a share. */
const SHARE = 4

/** A dash where there is no value. */
const format = (value: Value, digits?: number): string =>
  typeof value === 'number' && digits !== undefined ? value.toFixed(digits) : String(value ?? '-')

function makeTable<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Table {
  return {
    head: columns.map(([head]) => head),
    lines: rows.map(row => columns.map(([, read, digits]) => format(read(row), digits))),
  }
}

/** Columns of shares, by their names. */
const shares = <Row>(
  readMeasures: (row: Row) => Measures,
  names: Readonly<Record<string, string>>,
): Column<Row>[] =>
  Object.entries(names).map(([head, name]) => [head, row => readMeasures(row)[name], SHARE])

const foldColumns = <Row>(readFold: (row: Row) => Measures): Column<Row>[] => [
  ['leg prints', row => readFold(row).item_count],
  ...shares(readFold, {
    ARI: 'adjusted_rand_index',
    'pair P': 'pair_precision',
    'pair R': 'pair_recall',
    'exact P': 'parent_exact_precision',
    'exact R': 'parent_exact_recall',
  }),
]

/** Share of the exactly folded orders of 50 contracts and more: with a side, and a right one. */
const sideColumns = (name: string, isPackage: boolean): Column<TapeAccuracy>[] => {
  const findRate = ({ sides }: TapeAccuracy) =>
    sides.rates.find(rate => rate.is_package === isPackage && rate.bucket === '50+')
  return [
    [`${name} with a side`, tape => findRate(tape)?.decided_share, SHARE],
    ['right', tape => findRate(tape)?.hit_share, SHARE],
  ]
}

/** Figures of a world; 1 is best. */
const WORLD_FIGURES: readonly (readonly [
  head: string,
  read: (world: WorldAccuracy) => number | null,
  digits: number,
])[] = [
  ['sides right', ({ sides }) => sides.right_share, 3],
  ['by lots', ({ sides }) => sides.right_lots_share, 3],
  ['quote rule right', ({ sides }) => sides.quote_share, 3],
  ['by lots', ({ sides }) => sides.quote_lots_share, 3],
  ['published stack right', ({ sides }) => sides.stack_share, 3],
  ['by lots', ({ sides }) => sides.stack_lots_share, 3],
  ['5-minute delta covered', world => findFlow(world, '5m', 'all').delta_covered_share, 3],
  ["day's delta covered", world => findFlow(world, 'day', 'all').delta_covered_share, 3],
  ['slope of 5-minute delta', world => findFlow(world, '5m', 'all').delta_slope, 2],
  ['flip covered', ({ flip }) => flip.covered_share, 3],
]

/** How much is known of a book. */
const KNOWLEDGE: readonly (readonly [
  head: string,
  read: (book: BookAccuracy) => number | null,
  digits: number,
])[] = [
  ['flip named', book => book.named_share, 2],
  ['open on both sides', book => book.unbounded_share, 2],
  ['covers where given', book => book.given_covered_share, 3],
  ['sure of the sign', book => book.sure_share, 2],
  ['right when sure', book => book.sure_right_share, 3],
]

const CLASSES = ['below 0.1', '0.1 to 0.3', '0.3 to 0.5', '0.5 to 0.7', '0.7 to 0.9', 'from 0.9']

/** Bounds of a tenth of a share, such as '0.3 to 0.4'. */
const tenth = (decile: number) => `${decile / 10} to ${(decile + 1) / 10}`

/** Name of an inventory for people, such as 'after 20 sessions'. */
const inventoryText = (inventory: string) =>
  inventory
    .replace(/^carried (\d+)$/, 'after $1 sessions')
    .replace('imported', 'imported positions')

const inventoryColumn: Column<{ readonly inventory: string }> = [
  'inventory at the open',
  ({ inventory }) => inventoryText(inventory),
]

/** Books of the dealers that the simulation draws by itself. */
const drawnBooks = ({ levels }: AccuracyReport): readonly BookAccuracy[] =>
  (levels?.books ?? []).filter(({ dealers }) => dealers === DRAWN_DEALERS)

/** The name of what was measured; a real tape that is absent says so. */
const namePresent = (
  { tape, is_present }: { readonly tape: string; readonly is_present: boolean },
  absent: string,
) => (is_present ? tape : `${tape}: skipped, ${absent}`)

/** Every table by its name, in the order in which a terminal shows them. */
export const TABLES = {
  fold: ({ tapes }) =>
    makeTable(tapes, [
      ['tape', ({ tape }) => tape],
      ['prints', ({ prints }) => prints],
      ...foldColumns(({ fold }: TapeAccuracy) => fold.all),
    ]),
  // crosses, late reports and the like are neither
  foldClasses: ({ tapes }) =>
    makeTable(
      tapes.flatMap(({ tape, fold }) =>
        (['electronic', 'floor'] as const).map(name => ({ tape, name, fold: fold[name] })),
      ),
      [
        ['tape', ({ tape }) => tape],
        ['class', ({ name }) => name],
        ...foldColumns(({ fold }: { readonly fold: Measures }) => fold),
      ],
    ),
  packages: ({ tapes }) =>
    makeTable(tapes, [
      ['tape', ({ tape }) => tape],
      ['packages folded', ({ packages }) => packages.package_count],
      ...shares(({ packages }: TapeAccuracy) => packages, {
        'exactly a true one': 'exact_share',
        invented: 'invented_share',
        'true ones found exactly': 'found_share',
      }),
    ]),
  confidence: ({ tapes }) => {
    const deciles = new Set(tapes.flatMap(({ confidence }) => confidence.map(row => row.decile)))
    return makeTable(
      [...deciles].toSorted((a, b) => b - a),
      [
        ['confidence', tenth],
        ...tapes.flatMap(({ tape, confidence }): Column<number>[] => {
          const findRow = (decile: number) => confidence.find(row => row.decile === decile)
          return [
            [`${tape}: packages`, decile => findRow(decile)?.packages],
            ['exact', decile => findRow(decile)?.exact_share, SHARE],
          ]
        }),
      ],
    )
  },
  names: ({ tapes }) =>
    makeTable(tapes, [
      ['tape', ({ tape }) => tape],
      ['packages', ({ names }) => names.package_count],
      ...shares(({ names }: TapeAccuracy) => names, {
        'true name': 'right_share',
        'side unknown': 'side_unknown_share',
        'side wrong': 'side_wrong_share',
        ambiguous: 'ambiguous_share',
        wrong: 'wrong_share',
        allowed: 'told_share',
        'best relabelling': 'attainable_share',
      }),
    ]),
  sides: ({ tapes }) =>
    makeTable(tapes, [
      ['tape', ({ tape }) => tape],
      ...sideColumns('packages', true),
      ...sideColumns('singles', false),
      ...shares(({ quality }: TapeAccuracy) => quality, {
        'net off the price grid': 'off_step_share',
        orphans: 'orphan_share',
      }),
    ]),
  worlds: ({ worlds }) => {
    const rows = worlds?.worlds ?? []
    const table = makeTable(rows, [
      [
        'world',
        world =>
          world.world === 'middle'
            ? 'middle'
            : `${worldName(world)}: ${describeWorld(world.world)}`,
      ],
      ['orders', ({ sides }) => sides.orders],
      ...WORLD_FIGURES,
      ['minutes with a flip', ({ flip }) => flip.flip_count],
    ])
    const sum = (name: 'mean' | 'worst') => [
      name,
      '',
      ...WORLD_FIGURES.map(([, read, digits]) => format(sumWorlds(rows, read)[name], digits)),
      '',
    ]
    return { ...table, lines: [...table.lines, ...(worlds ? [sum('mean'), sum('worst')] : [])] }
  },
  worldClasses: ({ worlds }) =>
    makeTable(
      (worlds?.classes ?? []).map(row => ({ ...row, far: farthestWorld(worlds!, row.class) })),
      [
        ['stated', row => tenth(row.class)],
        ['orders', ({ orders }) => orders],
        ['said', row => row.stated_share, 3],
        ['was', row => row.observed_share, 3],
        ['was by lots', row => row.observed_lots_share, 3],
        ['farthest off', ({ far }) => far && worldName(far)],
        ['its orders', ({ far }) => far?.orders],
        ['said', ({ far }) => far?.stated_share, 3],
        ['was', ({ far }) => far?.observed_share, 3],
      ],
    ),
  worldFlow: ({ worlds }) => {
    const rows = worlds?.worlds ?? []
    const flows = rows[0]?.flow ?? []
    type Flow = (typeof flows)[number]
    const sums = (
      name: 'delta_covered_share' | 'gamma_covered_share' | 'delta_slope',
      [mean, worst, where]: readonly [string, string, string],
    ): Column<Flow>[] => {
      const sum = ({ span, part }: Flow) =>
        sumWorlds(rows, world => findFlow(world, span, part)[name])
      return [
        [mean, flow => sum(flow).mean, 3],
        [worst, flow => sum(flow).worst, 3],
        [where, flow => sum(flow).where],
      ]
    }
    return makeTable(flows, [
      ['span', ({ span }) => span],
      ['part', ({ part }) => part],
      ...sums('delta_covered_share', [
        'delta covered, mean',
        'delta covered, worst',
        'worst world',
      ]),
      ...sums('gamma_covered_share', [
        'gamma covered, mean',
        'gamma covered, worst',
        'worst world',
      ]),
      ...sums('delta_slope', [
        'slope of delta, mean',
        'slope of delta, farthest from 1',
        'farthest world',
      ]),
    ])
  },
  levels: report =>
    makeTable(drawnBooks(report), [
      inventoryColumn,
      ['book', book => book.book_basis],
      ['minutes', book => book.minute_count],
      ['with a flip', book => book.flip_count],
      ['named', book => book.named_share, 2],
      ['open on both sides', book => book.unbounded_share, 2],
      ['bar covers', book => book.covered_share, 3],
      ['error', book => book.covered_error, 3],
      [
        'by session',
        ({ covered_share, least_covered_share: least, most_covered_share: most }) =>
          covered_share === null ? null : `${format(least, 2)} to ${format(most, 2)}`,
      ],
      ['where given', book => book.given_covered_share, 3],
      ['bar width', book => book.mean_width, 2],
      ['open bars', book => book.open_share, 2],
      ['none there', book => book.invented_count],
      ['flip error', book => book.median_flip_error, 2],
      ['flip p90', book => book.high_flip_error, 2],
      ['net gamma error', book => book.median_gamma_error, 2],
      ['of', book => book.median_gamma, 2],
    ]),
  knowledge: report =>
    makeTable(
      drawnBooks(report).filter(({ book_basis }) => book_basis === 'measured'),
      [inventoryColumn, ['gamma measured', book => book.measured_share, 2], ...KNOWLEDGE],
    ),
  // each by itself, then the mean and the least, by inventory at the open
  dealers: ({ levels }) => {
    const books = (levels?.books ?? []).filter(
      ({ book_basis, inventory }) => book_basis === 'measured' && inventory.startsWith('carried'),
    )
    const hasKinds = books.some(({ dealers }) => dealers !== DRAWN_DEALERS)
    const inventories = [...new Set(books.map(({ inventory }) => inventory))].toSorted()
    const tables = inventories.map(name =>
      kindsTable(books.filter(({ inventory }) => inventory === name)),
    )
    const lines = tables.flatMap(table => (hasKinds ? table.lines : []))
    return { head: kindsTable([]).head, lines }
  },
  probabilities: ({ levels }) =>
    makeTable(levels?.probabilities ?? [], [
      inventoryColumn,
      ['stated', row => CLASSES[row.class - 1]],
      ['minutes', row => row.minute_count],
      ['mean stated', row => row.stated_share, 3],
      ['observed', row => row.observed_share, 3],
    ]),
  surface: ({ levels }) =>
    makeTable(levels?.surface ?? [], [
      ['expires within', row => row.expires_within],
      ['quotes', row => row.quote_count],
      ['forward error', row => row.median_forward_error, 3],
      ['p99', row => row.high_forward_error, 3],
      ['IV error, vol points', row => 100 * row.median_vol_error, 3],
      ['p99', row => 100 * row.high_vol_error, 3],
      ['gamma error', row => row.median_gamma_error, SHARE],
      ['p99', row => row.high_gamma_error, SHARE],
    ]),
  index: ({ index }) =>
    makeTable(index ?? [], [
      ['tape', row => namePresent(row, 'its files are absent')],
      ['sessions', row => row.sessions],
      ['minutes without index', row => row.minute_count],
      ['with one by parity', row => row.derived_count],
      ['error, points', row => row.median_error, 2],
      ['p99', row => row.high_error, 2],
      ['stated deviation', row => row.median_stated, 2],
      ['within it', row => row.deviation_share, 3],
      ['90 % interval covers', row => row.covered_share, 3],
    ]),
  formulas: ({ formulas }) =>
    makeTable(Object.entries(formulas ?? {}), [
      ['formula', ([name]) => (name === 'implied_vol' ? 'implied volatility' : name)],
      ['reference options', ([, row]) => row.case_count],
      ['wrongly refused or given', ([, row]) => row.wrong_count],
      ['worst relative error', ([, row]) => row.worst_error.toExponential(1)],
    ]),
  real: ({ real }) =>
    makeTable(real, [
      ['real tape', row => namePresent(row, `${row.file} is absent`)],
      ['prints', row => row.print_count],
      ['coded as legs', row => row.marked_count],
      ['packages', row => row.package_count],
      ['precision', row => row.precision, SHARE],
      ['recall', row => row.recall, SHARE],
      ['net off the price grid', row => row.off_step_share, SHARE],
      ['orphans', row => row.orphan_share, SHARE],
    ]),
} as const satisfies Readonly<Record<string, (report: AccuracyReport) => Table>>

/** Kinds of dealers with one inventory: each, then the mean and the least of each column. */
function kindsTable(books: readonly BookAccuracy[]): Table {
  const { head, lines } = makeTable(books, [
    inventoryColumn,
    ['dealers', ({ dealers }) => dealers.replaceAll('_', ' ')],
    ['sessions', ({ sessions }) => sessions],
    ...KNOWLEDGE,
    ['error of covers', book => book.given_covered_error, 3],
    ['net gamma error', book => book.median_gamma_error, 2],
    ['of', book => book.median_gamma, 2],
  ])
  const summarize = (title: string, reduce: (values: number[]) => number) => [
    lines[0]?.[0] ?? '',
    title,
    '',
    ...KNOWLEDGE.map(([, read, digits]) => {
      const values = books.map(read).filter(value => value !== null)
      return format(values.length > 0 ? reduce(values) : null, digits)
    }),
    ...['', '', ''],
  ]
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    head,
    lines: [...lines, summarize('mean', mean), summarize('least', values => Math.min(...values))],
  }
}

/** Everything as text, for a terminal. */
export function accuracyText(report: AccuracyReport): string {
  const tables = Object.values(TABLES).map(describe => describe(report))
  const texts = tables
    .filter(({ lines }) => lines.length > 0)
    .map(({ head, lines }) => alignColumns([head, ...lines]))
  return `${[...texts, NOTE].join('\n\n')}\n`
}

const NOTE =
  'Orders of 50 contracts and more unless said, on simulated tapes: a model, not a claim.'

/** Minimum share of names that match the truth. */
const NAMES_WANTED = 0.995

/** Share of the names that are the true ones, in words; null where nothing was named. */
export function namesVerdict({ tapes }: AccuracyReport): string | null {
  const listValues = (key: string) =>
    tapes.map(({ names }) => names[key]).filter(value => typeof value === 'number')
  const range = (key: string) => {
    const values = listValues(key)
    const [least, most] = [Math.min(...values), Math.max(...values)].map(one => one.toFixed(SHARE))
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
      `${dealers.replaceAll('_', ' ')} ${inventoryText(inventory)}, ${format(given_covered_share, 2)}`,
  )
  const verdict =
    names.length === 0 ? 'All of these reach it' : `Missed by these:\n${names.join('; ')}`
  return `The aim is ${COVER_WANTED} with every kind. A kind counts whose true book has a flip in a tenth
of the minutes, and an interval in half of them. ${verdict}.`
}
