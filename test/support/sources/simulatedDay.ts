// A simulated session in the columns of every vendor, so that each test server can serve it whole.
//
// Exchanges are those of Cboe: 5 at ThetaData, 22 (OPRA.PILLAR.XCBO) at Databento, 302 at Massive.
// Databento has no sale conditions: cancels are left out, and what they cancel stays.

import { readFileSync } from 'node:fs'
import { instantMs } from '../../../src/core/market/calendar.ts'
import type { SimulatedFolder } from '../simulated.ts'
import type { CboeChain, CboeOption } from './cboeDelayed.ts'
import type { DatabentoSchema } from './databento.ts'
import {
  type FlatFile,
  gzipRows,
  MASSIVE_COLUMNS,
  massiveIndexKey,
  massiveTradesKey,
} from './massive.ts'
import type { Days, VendorRow } from './tables.ts'

export type SimulatedDay = {
  readonly day: string
  readonly thetadata: {
    readonly trades: Days
    readonly quotes: Days
    readonly openInterest: Days
    readonly index: Days
  }
  readonly databento: Readonly<Record<DatabentoSchema, Days>>
  /** Files by key, modified at 11:00 ET of the day after. */
  readonly massive: Readonly<Record<string, FlatFile>>
  /** Chains of Cboe by minute, HH:MM in ET: published 15 minutes after it. */
  readonly cboeChain: (minute: string) => CboeChain
}

type Contract = {
  readonly root: string
  readonly expiry: string
  readonly strike: number
  readonly option_type: 'C' | 'P'
}

type Book = {
  readonly best_bid: number | null
  readonly best_ask: number | null
  readonly bid_size: number | null
  readonly ask_size: number | null
  readonly quoted_us: number | null
}

type Print = Contract &
  Book & {
    readonly sequence: number
    readonly printed_us: number
    readonly size: number
    readonly price: number
    readonly condition: string | null
  }
type Quote = Contract & Book & { readonly minute_us: number }
type OpenInterest = Contract & { readonly open_interest: number }
type Spot = { readonly spotted_us: number; readonly spot: number }

/** Vendors' numbers of the conditions by letter. */
const CONDITIONS = readConditions()

function readConditions(): ReadonlyMap<string, { theta: string; polygon: string; family: string }> {
  const file = new URL('../../../data/reference/conditions.csv', import.meta.url)
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(1)
  return new Map(
    lines.map(line => {
      const fields = line.match(/("[^"]*"|[^,]*)(,|$)/g)!.map(field => field.replace(/,$/, ''))
      const [letter = '', , , family = '', polygon = '', theta = ''] = fields
      return [letter, { theta, polygon, family }]
    }),
  )
}

const CONTRACT = 'root, expiry::varchar as expiry, strike, option_type'
const BOOK = 'best_bid, best_ask, bid_size, ask_size, epoch_us(quoted_at) as quoted_us'

/** Reads the tables of a simulated folder; minute quotes are there only if it was made with them. */
export async function readSimulatedDay(
  simulated: SimulatedFolder,
  { hasQuotes = true }: { readonly hasQuotes?: boolean } = {},
): Promise<SimulatedDay> {
  const prints = (await simulated.rows(
    `select ${CONTRACT}, ${BOOK}, sequence, epoch_us(printed_at) as printed_us, size, price,
      condition from {prints} order by printed_at, sequence`,
  )) as Print[]
  const quotes = (
    hasQuotes
      ? await simulated.rows(
          `select ${CONTRACT}, ${BOOK}, epoch_us(minute_at) as minute_us from {quotes}
          order by minute_at, root, expiry, strike, option_type`,
        )
      : []
  ) as Quote[]
  const openInterest = (await simulated.rows(
    `select ${CONTRACT}, open_interest from {open_interest}
    order by root, expiry, strike, option_type`,
  )) as OpenInterest[]
  const spots = (await simulated.rows(
    'select epoch_us(spotted_at) as spotted_us, spot from {spots} order by spotted_at',
  )) as Spot[]
  const [{ day }] = (await simulated.rows(
    'select max(session_date)::varchar as day from {prints}',
  )) as [{ day: string }]
  const times = readTimes(day)
  const ids = new Map(openInterest.map((contract, index) => [osi(contract), index + 1]))
  return {
    day,
    thetadata: {
      trades: new Map([[day, () => map(prints, print => thetadataTrade(print, times))]]),
      quotes: new Map([[day, () => map(quotes, quote => thetadataQuote(quote, times))]]),
      openInterest: new Map([
        [day, () => map(openInterest, each => thetadataOpenInterest(each, day))],
      ]),
      index: new Map([[day, () => map(spots, spot => thetadataIndex(spot, times))]]),
    },
    databento: {
      tcbbo: byUtcDay(
        prints.filter(({ condition }) => !isCancel(condition)),
        print => databentoTcbbo(print, ids),
      ),
      'cbbo-1m': byUtcDay(
        quotes.filter(quote => isNewQuote(quote, quotes[0]!.minute_us)),
        quote => databentoCbbo(quote, ids),
      ),
      statistics: byUtcDay(openInterest, each => databentoOpenInterest(each, times, ids)),
      definition: byUtcDay(openInterest, each => databentoDefinition(each, times, ids)),
    },
    massive: await buildFlatFiles(day, prints, spots),
    cboeChain: minute => buildChain({ day, minute, quotes, openInterest, spots }),
  }
}

function* map<Item>(items: readonly Item[], convert: (item: Item) => VendorRow) {
  for (const item of items) yield convert(item)
}

/** Rows by the UTC day of `ts_recv`. */
function byUtcDay<Item>(items: readonly Item[], convert: (item: Item) => VendorRow): Days {
  const dayOf = (item: Item) => String(convert(item).ts_recv).slice(0, 10)
  const groups = Map.groupBy(items, dayOf)
  return new Map([...groups].map(([day, rows]) => [day, () => map(rows, convert)]))
}

type Times = {
  /** ET wall time of UTC microseconds, in milliseconds: 2024-11-04T09:30:00.471. */
  readonly wall: (us: number) => string
  /** UTC microseconds of the morning's open interest, 06:30 ET. */
  readonly openInterestUs: number
}

function readTimes(day: string): Times {
  // the clocks change on no day with a session
  const behindMs = instantMs(day, '12:00') - Date.parse(`${day}T12:00:00Z`)
  return {
    wall: us => new Date(Math.floor(us / 1000) - behindMs).toISOString().slice(0, 23),
    openInterestUs: instantMs(day, '06:30') * 1000,
  }
}

const isCancel = (letter: string | null) => CONDITIONS.get(letter ?? ' ')?.family === 'cancel'

/** The symbol of a contract without spaces: SPXW241104C05700000. */
const osi = ({ root, expiry, strike, option_type }: Contract) =>
  `${root}${expiry.slice(2).replaceAll('-', '')}${option_type}${String(Math.round(strike * 1000)).padStart(8, '0')}`

/** The symbol of a contract with its root padded to six: "SPXW  241104C05700000". */
const paddedOsi = (contract: Contract) =>
  contract.root.padEnd(6) + osi(contract).slice(contract.root.length)

const thetadataContract = ({ root, expiry, strike, option_type }: Contract) => ({
  symbol: root,
  expiration: expiry,
  strike: strike.toFixed(3),
  right: option_type === 'C' ? 'CALL' : 'PUT',
})

/** A quote as ThetaData has it: without one, zeros of exchange 42. */
const thetadataBook = ({ best_bid, best_ask, bid_size, ask_size }: Book) => ({
  bid_size: bid_size ?? 0,
  bid_exchange: best_bid === null ? 42 : 5,
  bid: (best_bid ?? 0).toFixed(2),
  bid_condition: 50,
  ask_size: ask_size ?? 0,
  ask_exchange: best_ask === null ? 42 : 5,
  ask: (best_ask ?? 0).toFixed(2),
  ask_condition: 50,
})

function thetadataTrade(print: Print, { wall }: Times): VendorRow {
  return {
    ...thetadataContract(print),
    trade_timestamp: wall(print.printed_us),
    quote_timestamp: print.quoted_us === null ? '0' : wall(print.quoted_us),
    // a number of 32 bits with a sign, which runs over within a day
    sequence: Number(BigInt.asIntN(32, BigInt(print.sequence))),
    ext_condition1: 255,
    ext_condition2: 255,
    ext_condition3: 255,
    ext_condition4: 255,
    condition: CONDITIONS.get(print.condition ?? ' ')!.theta,
    size: print.size,
    exchange: 5,
    price: print.price.toFixed(2),
    ...thetadataBook(print),
  }
}

const thetadataQuote = (quote: Quote, { wall }: Times): VendorRow => ({
  ...thetadataContract(quote),
  timestamp: wall(quote.minute_us),
  ...thetadataBook(quote),
})

const thetadataOpenInterest = (each: OpenInterest, day: string): VendorRow => ({
  ...thetadataContract(each),
  timestamp: `${day}T06:30:00.000`,
  open_interest: each.open_interest,
})

const thetadataIndex = ({ spotted_us, spot }: Spot, { wall }: Times): VendorRow => ({
  symbol: 'SPX',
  timestamp: wall(spotted_us),
  price: spot.toFixed(2),
})

const XCBO = 22
/** Microseconds from an event to its receipt. */
const RECEIPT_US = 150

/** UTC microseconds as ISO 8601 with nine digits. */
const stamp = (us: number) =>
  `${new Date(Math.floor(us / 1000)).toISOString().slice(0, 19)}.${String(us % 1_000_000).padStart(6, '0')}000Z`

const decimal = (price: number | null) => (price === null ? '' : price.toFixed(9))

const databentoBook = ({ best_bid, best_ask, bid_size, ask_size }: Book) => ({
  bid_px_00: decimal(best_bid),
  ask_px_00: decimal(best_ask),
  bid_sz_00: bid_size ?? 0,
  ask_sz_00: ask_size ?? 0,
  bid_pb_00: XCBO,
  ask_pb_00: XCBO,
})

type Ids = ReadonlyMap<string, number>

const databentoHead = (contract: Contract, ids: Ids, us: number, rtype: number) => ({
  ts_recv: stamp(us + RECEIPT_US),
  ts_event: stamp(us),
  rtype,
  publisher_id: XCBO,
  instrument_id: ids.get(osi(contract)) ?? 0,
  symbol: paddedOsi(contract),
})

const databentoTcbbo = (print: Print, ids: Ids): VendorRow => ({
  ...databentoHead(print, ids, print.printed_us, 194),
  action: 'T',
  side: 'N',
  price: decimal(print.price),
  size: print.size,
  flags: 192,
  ts_in_delta: 0,
  ...databentoBook(print),
})

/** True when a quote came within its minute; others have no record, but for the first minute. */
const isNewQuote = ({ quoted_us, minute_us }: Quote, firstUs: number) =>
  minute_us === firstUs || (quoted_us !== null && quoted_us >= minute_us - 60_000_000)

const databentoCbbo = (quote: Quote, ids: Ids): VendorRow => ({
  ...databentoHead(quote, ids, quote.minute_us, 193),
  ts_recv: stamp(quote.minute_us),
  // of the last trade, of which the simulator's quotes know none
  ts_event: '',
  publisher_id: 30,
  side: 'N',
  price: '',
  size: 0,
  flags: 128,
  ...databentoBook(quote),
})

const OPEN_INTEREST_TYPE = 9

const databentoOpenInterest = (each: OpenInterest, times: Times, ids: Ids): VendorRow => ({
  ...databentoHead(each, ids, times.openInterestUs, 24),
  publisher_id: 30,
  ts_ref: '',
  price: '',
  quantity: each.open_interest,
  sequence: 0,
  ts_in_delta: 0,
  stat_type: OPEN_INTEREST_TYPE,
  channel_id: 0,
  update_action: 1,
  stat_flags: 0,
})

const databentoDefinition = (contract: Contract, times: Times, ids: Ids): VendorRow => ({
  ...databentoHead(contract, ids, times.openInterestUs, 19),
  publisher_id: 30,
  raw_symbol: paddedOsi(contract),
  security_update_action: 'A',
  instrument_class: contract.option_type,
  min_price_increment: '0.010000000',
  // OPRA states the day alone: midnight UTC
  expiration: `${contract.expiry}T00:00:00.000000000Z`,
  contract_multiplier: 100,
  currency: 'USD',
  asset: contract.root,
  security_type: 'OOF',
  underlying: 'SPX',
  strike_price_currency: 'USD',
  strike_price: contract.strike.toFixed(9),
  maturity_year: Number(contract.expiry.slice(0, 4)),
  maturity_month: Number(contract.expiry.slice(5, 7)),
  maturity_day: Number(contract.expiry.slice(8)),
})

async function buildFlatFiles(day: string, prints: readonly Print[], spots: readonly Spot[]) {
  const trades = prints
    .map(print => ({
      ticker: `O:${osi(print)}`,
      conditions: CONDITIONS.get(print.condition ?? ' ')!.polygon,
      correction: 0,
      exchange: 302,
      price: print.price,
      sip_timestamp: `${print.printed_us}000`,
      size: print.size,
    }))
    // the file is sorted by ticker, and within one by time
    .sort((one, other) => (one.ticker < other.ticker ? -1 : one.ticker > other.ticker ? 1 : 0))
  const index = spots.map(({ spotted_us, spot }) => ({
    ticker: 'I:SPX',
    value: spot.toFixed(2),
    timestamp: `${spotted_us}000`,
  }))
  const modifiedMs = instantMs(day, '11:00') + 24 * 3_600_000
  return {
    [massiveTradesKey(day)]: {
      content: await gzipRows(MASSIVE_COLUMNS.trades, trades),
      modifiedMs,
    },
    [massiveIndexKey(day)]: { content: await gzipRows(MASSIVE_COLUMNS.index, index), modifiedMs },
  }
}

type ChainParts = {
  readonly day: string
  readonly minute: string
  readonly quotes: readonly Quote[]
  readonly openInterest: readonly OpenInterest[]
  readonly spots: readonly Spot[]
}

const DELAY_MS = 15 * 60_000

function buildChain({ day, minute, quotes, openInterest, spots }: ChainParts): CboeChain {
  const atMs = instantMs(day, minute)
  const books = new Map(
    quotes.filter(quote => quote.minute_us === atMs * 1000).map(quote => [osi(quote), quote]),
  )
  const spot = spots.findLast(({ spotted_us }) => spotted_us < atMs * 1000)?.spot ?? 0
  const options = openInterest.flatMap((contract): CboeOption[] => {
    const option = osi(contract)
    const book = books.get(option)
    if (!book) return []
    const bid = book.best_bid ?? 0
    const ask = book.best_ask ?? 0
    return [
      {
        option,
        bid,
        bid_size: book.bid_size ?? 0,
        ask,
        ask_size: book.ask_size ?? 0,
        open_interest: contract.open_interest,
        theo: (bid + ask) / 2,
        ...UNKNOWN,
      },
    ]
  })
  const value = Number(spot.toFixed(2))
  return {
    timestamp: new Date(atMs + DELAY_MS).toISOString().slice(0, 19).replace('T', ' '),
    symbol: '_SPX',
    data: {
      symbol: '^SPX',
      security_type: 'index',
      exchange_id: 5,
      current_price: value,
      bid: value,
      bid_size: 1,
      ask: value,
      ask_size: 1,
      close: value,
      last_trade_time: `${day}T${minute}:00`,
      tick: 'no_change',
      options,
    },
  }
}

/** Fields that the simulator does not have; Cboe has zeros where it computes none. */
const UNKNOWN = {
  iv: 0,
  volume: 0,
  delta: 0,
  gamma: 0,
  vega: 0,
  theta: 0,
  rho: 0,
  change: 0,
  open: 0,
  high: 0,
  low: 0,
  tick: 'no_change',
  last_trade_price: 0,
  last_trade_time: null,
  percent_change: 0,
  prev_day_close: 0,
}
