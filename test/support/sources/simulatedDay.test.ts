// A simulated session served by each vendor's test server: whole, and importable as it comes.

import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importFiles, newFile, newFolder, tapeRows } from '../import.ts'
import { type SimulatedFolder, simulateSmall } from '../simulated.ts'
import { startCboeDelayed } from './cboeDelayed.ts'
import { DATABENTO_KEY, startDatabento } from './databento.ts'
import { MASSIVE_KEYS, massiveIndexKey, massiveTradesKey, startMassive } from './massive.ts'
import { type Received, receive, receiveJson } from './request.ts'
import type { Source } from './serve.ts'
import { EMPTY_SHA256, signRequest } from './sigV4.ts'
import { readSimulatedDay, type SimulatedDay } from './simulatedDay.ts'
import { startThetadata } from './thetadata.ts'

const DAY = '2026-10-15'
let folder: SimulatedFolder
let session: SimulatedDay
beforeAll(async () => {
  folder = await simulateSmall({ prints: 500, contracts: 200, hasQuotes: true })
  session = await readSimulatedDay(folder)
})
afterAll(() => folder.remove())

const sources: Source[] = []
afterAll(() => Promise.all(sources.map(source => source.close())))
const opened = <Opened extends Source>(source: Opened): Opened => {
  sources.push(source)
  return source
}

const linesOf = ({ body }: { readonly body: Buffer }) => body.toString().trim().split(/\r?\n/)
const countOf = async (sql: string) => Number((await folder.rows(sql))[0]!.n)
// vendors write a missing bid as 0
const PRINTS = `select root, expiry::varchar as expiry, strike, option_type, size, price, nullif(best_bid, 0) as best_bid, best_ask,
  date_trunc('millisecond', printed_at)::varchar as printed`

/** Rows as texts, in an order that does not depend on theirs. */
const sorted = (rows: readonly object[]) => rows.map(row => JSON.stringify(row)).sort()

/** Imports a body as a file of a format, and returns the tape's prints. */
async function importPrints(format: string, body: Buffer, ...args: string[]) {
  const data = newFolder()
  const outcome = await importFiles(data, ...args, format, newFile(`${format}.csv`, body))
  expect(outcome).toMatchObject({ code: 0, error: '' })
  return sorted(await tapeRows(data, DAY, `${PRINTS} from tape.prints`))
}

test.each(['documented', 'observed'] as const)(
  'ThetaData serves every print, quote, open interest and value of the index (%s)',
  async dialect => {
    const { url } = opened(await startThetadata({ ...session.thetadata, dialect }))
    const get = (path: string, query: string) =>
      receive(`${url}/v3/${path}?date=${DAY}&start_time=00:00:00&end_time=23:59:59.999&${query}`)
    const roots = ['SPX', 'SPXW'].map(root => `symbol=${root}&expiration=*`)
    const read = async (path: string, query = '') =>
      Promise.all(roots.map(root => get(path, `${root}${query}`)))
    const trades = await read('option/history/trade_quote')
    const whole = Buffer.from([...linesOf(trades[0]!), ...linesOf(trades[1]!).slice(1)].join('\n'))
    expect(await importPrints('thetadata-trade-quote', whole)).toEqual(
      sorted(await folder.rows(`${PRINTS} from {prints}`)),
    )
    const rowsIn = (received: Received[]) =>
      received.reduce((sum, each) => sum + linesOf(each).length - 1, 0)
    const quotes = await read('option/history/quote', '&interval=1m')
    expect(rowsIn(quotes)).toBe(await countOf('select count(*) as n from {quotes}'))
    const openInterest = await Promise.all(
      roots.map(root => receive(`${url}/v3/option/history/open_interest?date=${DAY}&${root}`)),
    )
    expect(rowsIn(openInterest)).toBe(await countOf('select count(*) as n from {open_interest}'))
    const index = await get('index/history/price', 'symbol=SPX&interval=1s')
    expect(linesOf(index).length - 1).toBe(await countOf('select count(*) as n from {spots}'))
    const minutes = await get('index/history/price', 'symbol=SPX&interval=1m')
    expect(linesOf(minutes)[1]).toMatch(/^2026-10-15T09:29:00(\.000)?,\d{4}\.\d\d$/)
  },
)

test('Databento serves every print that is no cancel, quotes, open interest and definitions', async () => {
  const { url } = opened(await startDatabento({ records: session.databento }))
  const authorization = `Basic ${Buffer.from(`${DATABENTO_KEY}:`).toString('base64')}`
  const getRange = async (schema: string) => {
    const query = new URLSearchParams({
      dataset: 'OPRA.PILLAR',
      symbols: 'SPX.OPT,SPXW.OPT',
      stype_in: 'parent',
      start: DAY,
      schema,
      encoding: 'csv',
      compression: 'zstd',
      pretty_px: 'true',
      pretty_ts: 'true',
      map_symbols: 'true',
    })
    const sent = { headers: { authorization } }
    const { status, body } = await receive(`${url}/v0/timeseries.get_range?${query}`, sent)
    expect(status).toBe(200)
    return zstdDecompressSync(body)
  }
  const isTrade = `where coalesce(condition, ' ') not in ('A', 'C', 'E', 'G', 'O')`
  expect(await importPrints('databento-tcbbo', await getRange('tcbbo'))).toEqual(
    sorted(await folder.rows(`${PRINTS} from {prints} ${isTrade}`)),
  )
  const contracts = await countOf('select count(*) as n from {open_interest}')
  const definitions = linesOf({ body: await getRange('definition') })
  expect(definitions).toHaveLength(contracts + 1)
  const fields = definitions[1]!.split(',')
  const named = Object.fromEntries(definitions[0]!.split(',').map((name, at) => [name, fields[at]]))
  expect(named).toMatchObject({ underlying: 'SPX', currency: 'USD', contract_multiplier: '100' })
  expect(named.symbol).toBe(named.raw_symbol)
  expect(Number(named.strike_price)).toBe(Number(named.symbol!.slice(13)) / 1000)
  const statistics = linesOf({ body: await getRange('statistics') })
  expect(statistics).toHaveLength(contracts + 1)
  expect(statistics[1]).toMatch(
    /^2026-10-15T10:30:00\.000150000Z,2026-10-15T10:30:00\.0{9}Z,24,30,1,,,/,
  )
  const quotes = linesOf({ body: await getRange('cbbo-1m') })
  expect(quotes.length).toBeGreaterThan(contracts)
  expect(quotes[1]).toMatch(/^2026-10-15T13:30:00\.0{9}Z,,193,30,1,N,,0,128,/)
})

test('Massive serves the prints of the day and the values of the index, sorted by ticker', async () => {
  const nowMs = Date.parse('2026-10-16T15:30:00Z')
  const { url } = opened(await startMassive({ files: session.massive, nowMs: () => nowMs }))
  const get = async (key: string) => {
    const target = `/flatfiles/${key}`
    const headers = {
      host: new URL(url).host,
      'x-amz-content-sha256': EMPTY_SHA256,
      'x-amz-date': '20261016T153000Z',
    }
    const authorization = signRequest({ method: 'GET', target, headers }, MASSIVE_KEYS)
    const { body } = await receive(`${url}${target}`, { headers: { ...headers, authorization } })
    return gunzipSync(body)
  }
  const trades = await get(massiveTradesKey(DAY))
  const tickers = linesOf({ body: trades })
    .slice(1)
    .map(line => line.split(',')[0]!)
  expect(tickers).toEqual(tickers.toSorted())
  const imported = await importPrints('massive-trades', trades)
  const known = await folder.rows(`${PRINTS} from {prints}`)
  // the file holds no quotes
  const bare = known.map(row => ({ ...row, best_bid: null, best_ask: null }))
  expect(imported).toEqual(sorted(bare))
  const index = linesOf({ body: await get(massiveIndexKey(DAY)) })
  expect(index[0]).toBe('ticker,value,timestamp')
  expect(index).toHaveLength((await countOf('select count(*) as n from {spots}')) + 1)
  expect(index[1]).toMatch(/^I:SPX,\d{4}\.\d\d,1792070940000000000$/)
})

test('Cboe serves the chain of a minute, 15 minutes later', async () => {
  const chains = { _SPX: session.cboeChain('10:00') }
  const { url } = opened(await startCboeDelayed({ chains }))
  const [, chain] = await receiveJson(`${url}/api/global/delayed_quotes/options/_SPX.json`)
  expect(chain).toMatchObject({ timestamp: '2026-10-15 14:15:00', symbol: '_SPX' })
  expect(chain.data).toMatchObject({ symbol: '^SPX', last_trade_time: '2026-10-15T10:00:00' })
  const sql = `select count(*) as n from {quotes} where minute_at = timestamp '2026-10-15 14:00:00'`
  expect(chain.data.options).toHaveLength(await countOf(sql))
  expect(chain.data.options[0].option).toMatch(/^SPXW?\d{6}[CP]\d{8}$/)
})
