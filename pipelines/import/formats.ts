import type { Lookalike, RowLayout } from '../../src/core/engine/header.ts'
import { listRoots } from '../../src/core/engine/roots.ts'
import { tapeDataset } from '../../src/data/tape/manifest.ts'
import { TREASURY_LAYOUT } from '../../src/data/tape/rates.ts'

/** Vendor whose numbers or letters a format uses as conditions. */
export type ConditionVendor = 'thetadata' | 'polygon' | 'opra' | 'none'

export type ImportFormat = {
  readonly name: string
  /** One line for the usage text. */
  readonly meaning: string
  readonly container: 'csv' | 'csv or parquet' | 'lean zip'
  readonly layout: RowLayout
  /** True where a file may also be Cboe's delayed quotes as JSON. */
  readonly readsJson?: boolean
  /** True where a minute without a quote has that of the minute before. */
  readonly isOfChanges?: boolean
  /** A model all datasets of the format read, `sql/import/<model>.sql`. */
  readonly base?: string
  /**
   * Datasets, each with the model that makes `import.candidates` of it; null where the columns of
   * the file are those of the dictionary.
   */
  readonly datasets: readonly (readonly [dataset: string, model: string | null])[]
  readonly conditions: ConditionVendor
  /** Roots to import unless the user names others; none means all. */
  readonly roots: readonly string[]
}

/** Files of vendors hold many products; those of our own what their maker wrote. */
const csv = { container: 'csv', conditions: 'none', roots: listRoots('SPX') } as const

/** A dataset of ours: the dictionary's columns are the header. */
function canonical(dataset: string, optional: readonly string[]): ImportFormat {
  const { columns } = tapeDataset(dataset)
  const names = columns.map(column => column.name)
  return {
    name: dataset.replaceAll('_', '-'),
    meaning: `Tapefold's own ${dataset.replaceAll('_', ' ')}, CSV or Parquet`,
    container: 'csv or parquet',
    layout: {
      required: names.filter(name => !optional.includes(name)),
      optional,
      types: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
    },
    datasets: [[dataset, null]],
    conditions: dataset === 'prints' ? 'opra' : 'none',
    roots: [],
  }
}

/** Roots of the futures whose index has a dealer book here. */
const FUTURES = ['ES']

/** The best bid and ask of a Databento record. */
const BOOK = ['bid_px_00', 'ask_px_00', 'bid_sz_00', 'ask_sz_00']

/** Columns of every Databento record of a trade. */
const TRADE = ['ts_event', 'publisher_id', 'action', 'price', 'size', 'symbol']

/** A Databento schema. Each is a separate format: two of one session count each trade twice. */
function databento(schema: string, columns: RowLayout): ImportFormat {
  return {
    ...csv,
    name: `databento-${schema}`,
    meaning: `Databento OPRA ${schema} as CSV with mapped symbols`,
    layout: {
      required: [...TRADE, ...columns.required],
      optional: ['ts_recv', ...(columns.optional ?? [])],
      lookalikes: [
        {
          has: [...TRADE, ...BOOK, 'bid_pb_00'],
          lacks: ['sequence'],
          what: 'holds no sequence, as tcbbo does; import it as databento-tcbbo',
        },
        {
          has: [...TRADE, ...BOOK, 'bid_ct_00', 'sequence'],
          lacks: ['bid_pb_00'],
          what: 'holds tbbo records; import it as databento-tbbo',
        },
      ],
    },
    datasets: [['prints', 'databento_trades']],
  }
}

/** Files of ThetaData that are not of its v3 terminal's history. */
const OTHER_THETADATA: readonly Lookalike[] = [
  {
    has: ['symbol', 'ms_of_day'],
    lacks: ['trade_timestamp', 'timestamp'],
    what:
      "is a whole-day file of ThetaData's v3 terminal, which counts times and strikes " +
      'otherwise; ask its option/history/REQUEST instead',
  },
  {
    has: ['root', 'ms_of_day'],
    lacks: ['symbol', 'trade_timestamp', 'timestamp'],
    what:
      "is of ThetaData's old v2 terminal, which counts times and strikes otherwise; " +
      'ask the v3 terminal for the same',
  },
]

/** Responses of ThetaData's option history: a column that each has, and those that it never has. */
const THETADATA_RESPONSES = [
  ['trade_timestamp', ['timestamp', 'open_interest'], 'trade_quote', 'trades'],
  ['bid_exchange', ['trade_timestamp', 'open_interest'], 'quote', 'quotes'],
  ['open_interest', ['trade_timestamp', 'bid'], 'open_interest', 'open interest'],
] as const

/** A request of ThetaData's v3 terminal for the options of a day, as CSV. */
function thetadata(
  request: string,
  meaning: string,
  format: Pick<ImportFormat, 'datasets' | 'conditions'> & { readonly layout: RowLayout },
): ImportFormat {
  const otherResponses = THETADATA_RESPONSES.filter(([, , name]) => name !== request)
  return {
    ...csv,
    ...format,
    name: thetadataName(request),
    meaning,
    layout: {
      ...format.layout,
      required: ['symbol', 'expiration', 'strike', 'right', ...format.layout.required],
      lookalikes: [
        ...OTHER_THETADATA.map(({ what, ...file }) => ({
          ...file,
          what: what.replace('REQUEST', request),
        })),
        ...otherResponses.map(([column, lacks, name, what]) => ({
          has: [column, 'expiration'],
          lacks,
          what: `holds ${what}; import it as ${thetadataName(name)}`,
        })),
      ],
    },
  }
}

const thetadataName = (request: string) => `thetadata-${request.replaceAll('_', '-')}`

/** The format of Open-Close files, and of the positions that are summed from them. */
export const OPEN_CLOSE_FORMAT = 'cboe-open-close'

/** Classes of Open-Close files that open and close; market makers (`mm`) only buy and sell. */
const OPENING_CLASSES = [
  'firm',
  'bd',
  'cust_lt_100',
  'cust_100_199',
  'cust_gt_199',
  'procust_lt_100',
  'procust_100_199',
  'procust_gt_199',
]
const OPENING_ACTIONS = ['open_buy', 'close_buy', 'open_sell', 'close_sell']

/** Names of Open-Close volumes; with `_vol` they count contracts, with `_qty` trades. */
const CLASS_SIDES = [
  'mm_buy',
  'mm_sell',
  ...OPENING_CLASSES.flatMap(name => OPENING_ACTIONS.map(action => `${name}_${action}`)),
]

/** Columns of Open-Close files as their specification names them, by the names of other files. */
const OPEN_CLOSE_NAMES: Readonly<Record<string, string>> = {
  option_symbol: 'root',
  expiration_date: 'expiration',
  strike_price: 'strike',
  call_put_flag: 'option_type',
  trade_datetime: 'quote_datetime',
  total_exchange_vol: 'trade_volume',
}

/** Every format `tapefold import` reads. */
export const FORMATS: readonly ImportFormat[] = [
  {
    ...csv,
    name: 'cboe-trades',
    meaning: 'Cboe DataShop "Option Trades", with or without calcs',
    layout: {
      required: [
        'quote_datetime',
        'sequence_number',
        'root',
        'expiration',
        'strike',
        'option_type',
        'exchange_id',
        'trade_size',
        'trade_price',
        'trade_condition_id',
        'best_bid',
        'best_ask',
      ],
      optional: ['underlying_bid', 'underlying_ask', 'number_of_exchanges'],
      mayRepeat: true,
      isRagged: true,
    },
    datasets: [['prints', 'cboe_trades']],
    conditions: 'thetadata',
  },
  {
    ...csv,
    name: 'cboe-chain',
    meaning: 'Cboe delayed-quote chain, CSV or JSON: quotes, open interest and the index',
    layout: {
      required: [
        'expiration_date',
        'calls',
        'bid',
        'ask',
        'open_interest',
        'strike',
        'puts',
        'bid_2',
        'ask_2',
        'open_interest_2',
      ],
      optional: ['volume', 'iv', 'delta', 'gamma', 'volume_2', 'iv_2', 'delta_2', 'gamma_2'],
      mayRepeat: true,
      isRagged: true,
    },
    readsJson: true,
    base: 'cboe_chain',
    datasets: [
      ['quotes', 'chain_quotes'],
      ['open_interest', 'chain_open_interest'],
      ['spots', 'chain_spots'],
    ],
  },
  {
    ...csv,
    name: OPEN_CLOSE_FORMAT,
    meaning: 'Cboe DataShop "Open-Close Volume Summary", of days or of ten minutes',
    layout: {
      required: [
        'root',
        'expiration',
        'strike',
        'option_type',
        ...CLASS_SIDES.map(name => `${name}_vol`),
      ],
      optional: [
        'quote_date',
        'quote_datetime',
        'open_interest',
        'trade_volume',
        ...CLASS_SIDES.map(name => `${name}_qty`),
      ],
      rename: name => OPEN_CLOSE_NAMES[name] ?? name,
      purpose:
        'this format needs the volumes (_vol) of every class: what all of them bought must be what ' +
        'all of them sold',
      lookalikes: [
        {
          has: ['mm_buy_qty'],
          lacks: CLASS_SIDES.map(name => `${name}_vol`),
          what:
            'counts trades (mm_buy_qty), not contracts; import the file that has contracts, such ' +
            'as mm_buy_vol',
        },
      ],
    },
    datasets: [['open_close', 'cboe_open_close']],
  },
  {
    ...csv,
    name: 'massive-trades',
    meaning: 'Massive (Polygon) option trades flat file',
    layout: {
      required: ['ticker', 'conditions', 'exchange', 'price', 'sip_timestamp', 'size'],
      optional: ['correction'],
    },
    datasets: [['prints', 'massive_trades']],
    conditions: 'polygon',
  },
  {
    ...csv,
    name: 'massive-index-values',
    meaning: 'Massive (Polygon) index values flat file',
    layout: {
      required: ['ticker', 'value', 'timestamp'],
      lookalikes: [
        {
          has: ['ticker', 'window_start'],
          lacks: ['value'],
          what: 'holds bars; take us_indices/values_v1, the values themselves',
        },
        {
          has: ['ticker', 'sip_timestamp', 'size'],
          lacks: ['value'],
          what: 'holds trades; import it as massive-trades',
        },
      ],
    },
    datasets: [['spots', 'massive_index_values']],
  },
  thetadata('trade_quote', 'ThetaData option trades with the quote before each', {
    layout: {
      mark: 'trade_timestamp',
      required: [
        'trade_timestamp',
        'sequence',
        'condition',
        'size',
        'exchange',
        'price',
        'bid',
        'ask',
      ],
      optional: ['quote_timestamp', 'bid_size', 'ask_size'],
    },
    datasets: [['prints', 'thetadata_trade_quote']],
    conditions: 'thetadata',
  }),
  thetadata('quote', 'ThetaData option quotes at each minute', {
    layout: { required: ['timestamp', 'bid_size', 'bid', 'ask_size', 'ask'] },
    datasets: [['quotes', 'thetadata_quotes']],
    conditions: 'none',
  }),
  thetadata('open_interest', 'ThetaData option open interest of a morning', {
    layout: { required: ['timestamp', 'open_interest'] },
    datasets: [['open_interest', 'thetadata_open_interest']],
    conditions: 'none',
  }),
  {
    ...csv,
    name: 'thetadata-index-price',
    meaning: 'ThetaData index prices, of SPX',
    layout: {
      required: ['timestamp', 'price'],
      optional: ['symbol'],
      others: [
        [['strike'], 'holds options; it is no answer of index/history/price'],
        [['size'], 'holds trades; it is no answer of index/history/price'],
      ],
      lookalikes: [
        {
          has: ['ms_of_day', 'price'],
          lacks: ['timestamp'],
          what:
            "is of ThetaData's old v2 terminal, which counts times otherwise; " +
            'ask the v3 terminal for the same',
        },
        {
          has: ['timestamp', 'open', 'close'],
          lacks: ['price'],
          what: 'holds bars; ask index/history/price for prices',
        },
      ],
    },
    datasets: [['spots', 'thetadata_index_prices']],
  },
  databento('trades', { required: ['sequence'], optional: BOOK }),
  databento('tbbo', { required: ['sequence', ...BOOK] }),
  databento('tcbbo', { required: ['bid_pb_00', ...BOOK], optional: ['sequence'] }),
  {
    ...csv,
    name: 'databento-cbbo-1m',
    isOfChanges: true,
    meaning: 'Databento OPRA cbbo-1m as CSV with mapped symbols',
    layout: {
      required: ['ts_recv', 'rtype', 'bid_pb_00', ...BOOK, 'symbol'],
      others: [
        [
          ['action'],
          'has a record for each trade or change, not for each minute; import tcbbo as ' +
            'databento-tcbbo',
        ],
      ],
      lookalikes: [
        {
          has: ['ts_recv', 'bid_px_00', 'bid_ct_00'],
          lacks: ['bid_pb_00'],
          what: 'holds the quotes of single exchanges; ask for cbbo-1m, the NBBO',
        },
      ],
    },
    datasets: [['quotes', 'databento_quotes']],
  },
  {
    ...csv,
    name: 'databento-statistics',
    meaning: 'Databento OPRA statistics as CSV with mapped symbols: open interest',
    layout: {
      required: ['ts_recv', 'stat_type', 'quantity', 'symbol'],
      optional: ['update_action'],
    },
    datasets: [['open_interest', 'databento_open_interest']],
  },
  {
    ...csv,
    name: 'lean-index-options',
    meaning: 'LEAN zip of minutes: option quotes, option open interest, or the index',
    container: 'lean zip',
    layout: {
      required: ['member', 'milliseconds'],
      optional: Array.from({ length: 10 }, (_, index) => `cell_${index + 1}`),
      isRagged: true,
    },
    base: 'lean_bars',
    datasets: [
      ['quotes', 'lean_quotes'],
      ['open_interest', 'lean_open_interest'],
      ['spots', 'lean_spots'],
    ],
  },
  {
    ...csv,
    name: 'treasury-rates',
    meaning: 'US Treasury daily par yields, percent',
    layout: TREASURY_LAYOUT,
    datasets: [['rates', 'treasury_rates']],
    roots: [],
  },
  canonical('prints', [
    'session_date',
    'sequence',
    'exchange',
    'condition',
    'vendor_condition',
    'trade_id',
    'best_bid',
    'best_ask',
    'bid_size',
    'ask_size',
    'quoted_at',
    'underlying_price',
    'known_at',
  ]),
  canonical('quotes', ['session_date', 'bid_size', 'ask_size', 'quoted_at', 'known_at']),
  canonical('spots', ['session_date', 'known_at', 'symbol']),
  { ...canonical('futures', ['session_date', 'volume', 'known_at']), roots: FUTURES },
  canonical('settlements', ['symbol', 'known_at']),
  canonical('open_interest', ['known_at']),
  canonical('dealer_positions', ['known_at', 'guessed_quantity', 'dealers']),
  canonical('rates', ['known_at']),
]
