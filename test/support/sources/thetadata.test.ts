// The test server of ThetaData, by the examples and codes of its documents.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { hasSharedData, SHARED_DATA } from '../shared.ts'
import { otherColumns, rowsOf } from './faults.ts'
import { receive, receiveJson } from './request.ts'
import type { Source } from './serve.ts'
import type { VendorRow } from './tables.ts'
import { startThetadata, type ThetadataOptions } from './thetadata.ts'

let source: Source
afterEach(() => source.close())

const DAY = '2024-11-04'
const contract = { symbol: 'AAPL', expiration: '2024-11-08', strike: '220.000', right: 'CALL' }
const book = (bid: string, ask: string) => ({
  bid_size: 14,
  bid_exchange: 47,
  bid,
  bid_condition: 50,
  ask_size: 14,
  ask_exchange: 47,
  ask,
  ask_condition: 50,
})
const trade = (clock: string, over: VendorRow = {}) => ({
  ...contract,
  trade_timestamp: `${DAY}T${clock}`,
  quote_timestamp: `${DAY}T09:30:00.396`,
  sequence: 18902138,
  ext_condition1: 255,
  ext_condition2: 255,
  ext_condition3: 255,
  ext_condition4: 255,
  condition: 130,
  size: 2,
  exchange: 22,
  price: '3.90',
  ...book('3.90', '4.05'),
  ...over,
})
const quote = (clock: string) => ({
  ...contract,
  timestamp: `${DAY}T${clock}`,
  ...book('4.55', '4.70'),
})

const OPTIONS: ThetadataOptions = {
  trades: new Map([
    [
      DAY,
      [
        trade('09:29:59.999'),
        trade('09:30:00.471'),
        trade('09:31:00.000', { strike: '222.500' }),
        trade('12:00:00.000', { right: 'PUT', expiration: '2025-01-17' }),
        trade('16:00:00.000', { symbol: 'SPXW' }),
        trade('16:14:59.000', { symbol: 'SPXW' }),
      ],
    ],
    [
      '2024-11-05',
      [trade('10:00:00.000', { size: 77, trade_timestamp: '2024-11-05T10:00:00.000' })],
    ],
  ]),
  quotes: new Map([[DAY, ['09:31:00.000', '09:32:00.000', '09:35:00.000'].map(quote)]]),
  openInterest: new Map([
    [DAY, [{ ...contract, timestamp: `${DAY}T06:30:04.000`, open_interest: 2732 }]],
  ]),
  index: new Map([
    [
      DAY,
      ['09:30:00.000', '09:30:01.000', '09:31:00.000'].map((clock, second) => ({
        symbol: 'SPX',
        timestamp: `${DAY}T${clock}`,
        price: `572${second}.10`,
      })),
    ],
  ]),
  rates: new Map([[DAY, [{ symbol: 'SOFR', created: `${DAY}T08:00:00.000`, rate: '4.82' }]]]),
  expirations: { SPXW: ['2024-11-04', '2024-11-05'] },
}

async function open(over: ThetadataOptions = {}) {
  source = await startThetadata({ ...OPTIONS, ...over })
  return async (path: string) => {
    const { status, headers, body } = await receive(`${source.url}/v3/${path}`)
    return { status, type: headers['content-type'], text: body.toString() }
  }
}

const AAPL = 'symbol=AAPL&expiration=*&date=20241104'
const HISTORY = 'option/history'

test('trades, quotes, open interest and the index have the columns of the documents', async () => {
  const get = await open()
  expect(await get(`${HISTORY}/trade_quote?${AAPL}&strike=220.000&right=call`)).toEqual({
    status: 200,
    type: 'text/csv',
    text:
      'symbol,expiration,strike,right,trade_timestamp,quote_timestamp,sequence,ext_condition1,' +
      'ext_condition2,ext_condition3,ext_condition4,condition,size,exchange,price,bid_size,' +
      'bid_exchange,bid,bid_condition,ask_size,ask_exchange,ask,ask_condition\r\n' +
      'AAPL,2024-11-08,220.000,CALL,2024-11-04T09:30:00.471,2024-11-04T09:30:00.396,18902138,' +
      '255,255,255,255,130,2,22,3.90,14,47,3.90,50,14,47,4.05,50\r\n',
  })
  expect(
    (await get(`${HISTORY}/quote?${AAPL}&interval=1m`)).text.split('\r\n').slice(0, 2),
  ).toEqual([
    'symbol,expiration,strike,right,timestamp,bid_size,bid_exchange,bid,bid_condition,ask_size,' +
      'ask_exchange,ask,ask_condition',
    'AAPL,2024-11-08,220.000,CALL,2024-11-04T09:31:00,14,47,4.55,50,14,47,4.70,50',
  ])
  expect((await get(`${HISTORY}/open_interest?${AAPL}`)).text).toBe(
    'symbol,expiration,strike,right,timestamp,open_interest\r\n' +
      'AAPL,2024-11-08,220.000,CALL,2024-11-04T06:30:04,2732\r\n',
  )
  expect((await get('index/history/price?symbol=SPX&date=2024-11-04&interval=1m')).text).toBe(
    'timestamp,price\r\n2024-11-04T09:30:00,5720.10\r\n2024-11-04T09:31:00,5722.10\r\n',
  )
  const rates = 'interest_rate/history/eod?symbol=SOFR&start_date=20241104&end_date=20241104'
  expect((await get(rates)).text).toBe('created,rate\r\n2024-11-04T08:00:00,4.82\r\n')
  expect((await get('option/list/expirations?symbol=SPXW')).text).toBe(
    'symbol,expiration\r\nSPXW,2024-11-04\r\nSPXW,2024-11-05\r\n',
  )
  expect((await get('option/list/dates/trade?symbol=SPXW')).text).toBe(
    'date\r\n2024-11-04\r\n2024-11-05\r\n',
  )
})

test.skipIf(!hasSharedData)(
  'a recorded file of trades has the columns that are served',
  async () => {
    const name = 'thetadata_option_history_trade_quote_SPY240621C500_2024-06-14.csv'
    const recorded = readFileSync(join(SHARED_DATA, 'opra-fixtures', name), 'utf8')
    const get = await open()
    const { text } = await get(`${HISTORY}/trade_quote?${AAPL}`)
    expect(text.split('\r\n')[0]).toBe(recorded.split(/\r?\n/)[0])
  },
)

test('the dialect that terminals were seen to speak quotes texts and ends lines with LF', async () => {
  const get = await open({ dialect: 'observed' })
  expect((await get(`${HISTORY}/open_interest?${AAPL}`)).text).toBe(
    'symbol,expiration,strike,right,timestamp,open_interest\n' +
      '"AAPL","2024-11-08",220.000,"CALL",2024-11-04T06:30:04.000,2732\n',
  )
  expect(await get(`${HISTORY}/quote?${AAPL}`)).toMatchObject({ status: 400 })
  const gone = await receive(`${source.url}/v2/hist/option/eod`)
  expect(gone).toMatchObject({ status: 410, body: Buffer.from('We have upgraded to API v3.') })
})

test('json groups rows by contract, ndjson has a line each', async () => {
  await open()
  const url = `${source.url}/v3/${HISTORY}/quote?${AAPL}&interval=1m`
  const [, { response }] = await receiveJson(`${url}&format=json`)
  expect(response).toHaveLength(1)
  expect(response[0].contract).toEqual({ ...contract, strike: 220 })
  expect(response[0].data[0]).toMatchObject({ timestamp: '2024-11-04T09:31:00', bid: 4.55 })
  expect(response[0].data).toHaveLength(3)
  const lines = (await receive(`${url}&format=ndjson`)).body.toString().trim().split('\n')
  expect(lines.map(line => JSON.parse(line))).toMatchObject([{ strike: 220 }, {}, {}])
  const index = `${source.url}/v3/index/history/price?symbol=SPX&date=20241104&interval=1m&format=json`
  expect((await receiveJson(index))[1]).toEqual({
    response: [
      { timestamp: '2024-11-04T09:30:00', price: 5720.1 },
      { timestamp: '2024-11-04T09:31:00', price: 5722.1 },
    ],
  })
})

test('rows are chosen by symbol, contract, time and interval', async () => {
  const get = await open()
  const count = async (query: string) =>
    (await get(`${HISTORY}/trade_quote?${query}`)).text.trim().split('\n').length - 1
  expect(await count(AAPL)).toBe(3)
  expect(await count(`${AAPL}&start_time=09:29:59&end_time=09:30:00.471`)).toBe(2)
  expect(await count(`${AAPL}&strike=222.5`)).toBe(1)
  expect(await count(`${AAPL}&right=put`)).toBe(1)
  expect(await count(`${AAPL}&max_dte=4`)).toBe(2)
  expect(await count('symbol=AAPL&expiration=20250117&date=20241104')).toBe(1)
  expect(
    await count('symbol=AAPL&expiration=2024-11-08&start_date=20241104&end_date=20241105'),
  ).toBe(3)
  // the day of index options goes on until 16:15, the default time does not
  const spxw = 'symbol=SPXW&expiration=*&date=20241104'
  expect(await count(spxw)).toBe(1)
  expect(await count(`${spxw}&end_time=16:15:00`)).toBe(2)
  const fives = await get(`${HISTORY}/quote?${AAPL}&interval=5m`)
  expect(fives.text.trim().split('\r\n')).toHaveLength(2)
  const ticks = await get('index/history/price?symbol=SPX&date=20241104&interval=tick')
  expect(ticks.text.trim().split('\r\n')).toHaveLength(4)
})

test.each([
  ['no rows of a symbol', 472, `${HISTORY}/trade_quote?symbol=QQQ&expiration=*&date=20241104`],
  ['no rows of a day', 472, `${HISTORY}/trade_quote?symbol=AAPL&expiration=*&date=20241103`],
  ['an unknown parameter', 473, `${HISTORY}/trade_quote?${AAPL}&root=AAPL`],
  ['a repeated parameter', 473, `${HISTORY}/trade_quote?${AAPL}&symbol=AAPL`],
  ['a missing symbol', 473, `${HISTORY}/trade_quote?expiration=*&date=20241104`],
  ['a missing interval', 473, `${HISTORY}/quote?${AAPL}`],
  ['a wrong interval', 473, `${HISTORY}/quote?${AAPL}&interval=60000`],
  ['a missing day', 473, `${HISTORY}/trade_quote?symbol=AAPL&expiration=*`],
  ['a day that is none', 473, `${HISTORY}/trade_quote?symbol=AAPL&expiration=*&date=20241131`],
  ['a wrong right', 473, `${HISTORY}/trade_quote?${AAPL}&right=X`],
  ['a strike in mils', 473, `${HISTORY}/trade_quote?${AAPL}&strike=220,000`],
  ['a wrong time', 473, `${HISTORY}/trade_quote?${AAPL}&start_time=9:30`],
  [
    'all expiries of several days',
    473,
    `${HISTORY}/trade_quote?symbol=AAPL&expiration=*&start_date=20241104&end_date=20241105`,
  ],
  [
    'more than a month',
    473,
    `${HISTORY}/trade_quote?symbol=AAPL&expiration=20241108&start_date=20241004&end_date=20241105`,
  ],
  ['a format for browsers', 470, `${HISTORY}/trade_quote?${AAPL}&format=html`],
  ['an unknown path', 404, `${HISTORY}/greeks?${AAPL}`],
])('%s is refused with %i and a text', async (_, status, path) => {
  const get = await open()
  const refused = await get(path)
  expect(refused).toMatchObject({ status, type: 'text/plain' })
  expect(refused.text.length).toBeGreaterThan(10)
})

test('a plan decides what is served, and the text names it', async () => {
  const get = await open({ plans: { option: 'value', index: 'free' } })
  expect(await get(`${HISTORY}/trade_quote?${AAPL}`)).toMatchObject({ status: 471 })
  expect(await get(`${HISTORY}/open_interest?${AAPL}`)).toMatchObject({ status: 200 })
  expect(await get('index/history/price?symbol=SPX&date=20241104&interval=1m')).toMatchObject({
    status: 471,
    text: 'Requesting an index endpoint requiring a value subscription, but you only have a FREE subscription.',
  })
  await source.close()
  const observed = await open({ plans: { option: 'free' }, dialect: 'observed' })
  expect(await observed(`${HISTORY}/trade_quote?${AAPL}`)).toMatchObject({ status: 403 })
})

test('a terminal says how it is connected, and serves nothing while it is not', async () => {
  const terminal = await startThetadata(OPTIONS)
  source = terminal
  const get = async (path: string) => {
    const { status, body } = await receive(`${terminal.url}/v3/${path}`)
    return `${status} ${body}`
  }
  expect(await get('terminal/mdds/status')).toBe('200 CONNECTED')
  terminal.setConnection('DISCONNECTED')
  expect(await get('terminal/mdds/status')).toBe('200 DISCONNECTED')
  expect(await get(`${HISTORY}/trade_quote?${AAPL}`)).toMatch(/^474 /)
  terminal.setConnection('CONNECTED')
  expect(await get(`${HISTORY}/trade_quote?${AAPL}`)).toMatch(/^200 /)
  const byName = await receive(terminal.url.replace('127.0.0.1', 'localhost'))
  expect(byName.status).toBe(476)
})

test('a plan runs so many requests at once; those above the queue get 429', async () => {
  const slow = { match: /trade_quote/, bytesPerSecond: 400, times: 9 }
  await open({ plans: { option: 'standard', index: 'free' }, queue: 2, faults: [slow] })
  const url = `${source.url}/v3/${HISTORY}/trade_quote?${AAPL}`
  const received = await Promise.all(Array.from({ length: 9 }, () => receive(url)))
  const statuses = received.map(({ status }) => status).sort()
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429, 429])
  const refused = received.find(({ status }) => status === 429)!
  expect(refused.headers).not.toHaveProperty('retry-after')
})

test('flat files are whole days of seven days, for the professional plan', async () => {
  const get = await open({ today: '2024-11-11' })
  const file = await get('option/flat_file/trade_quote?date=20241104')
  expect(file.text.trim().split('\r\n')).toHaveLength(7)
  expect(await get('option/flat_file/open_interest?date=20241104')).toMatchObject({ status: 200 })
  await source.close()
  const later = await open({ today: '2024-11-12' })
  expect(await later('option/flat_file/trade_quote?date=20241104')).toMatchObject({ status: 472 })
  await source.close()
  const poorer = await open({ plans: { option: 'standard' } })
  expect(await poorer('option/flat_file/trade_quote?date=20241104')).toMatchObject({ status: 471 })
})

test('a clock hides the rows after it; a snapshot is the newest row of each contract', async () => {
  let now = `${DAY}T09:32:30.000`
  const get = await open({ today: DAY, clock: () => now })
  const quotes = `${HISTORY}/quote?${AAPL}&interval=1m`
  expect((await get(quotes)).text.trim().split('\r\n')).toHaveLength(3)
  expect((await get('option/snapshot/quote?symbol=AAPL&expiration=*')).text).toBe(
    'timestamp,symbol,expiration,strike,right,bid_size,bid_exchange,bid,bid_condition,ask_size,' +
      'ask_exchange,ask,ask_condition\r\n' +
      '2024-11-04T09:32:00,AAPL,2024-11-08,220.000,CALL,14,47,4.55,50,14,47,4.70,50\r\n',
  )
  expect((await get('index/snapshot/price?symbol=SPX')).text).toBe(
    'timestamp,symbol,price\r\n2024-11-04T09:31:00,SPX,5722.10\r\n',
  )
  const interest = await get('option/snapshot/open_interest?symbol=AAPL&expiration=*')
  expect(interest.text).toContain('\r\n2024-11-04T06:30:04,AAPL,2024-11-08,220.000,CALL,2732\r\n')
  const later = 'option/snapshot/quote?symbol=AAPL&expiration=*&min_time=09:33:00'
  expect(await get(later)).toMatchObject({ status: 472 })
  now = `${DAY}T09:40:00.000`
  expect(await get(later)).toMatchObject({ status: 200 })
  expect((await get(quotes)).text.trim().split('\r\n')).toHaveLength(4)
  await source.close()
  const over = await open({ today: DAY, hasRunningDay: false })
  expect(await over(quotes)).toMatchObject({ status: 472 })
  expect(await over('option/snapshot/quote?symbol=AAPL&expiration=*')).toMatchObject({
    status: 200,
  })
})

test("another day's rows, another symbol's, other columns, and a body as it is", async () => {
  const get = await open({
    faults: [
      rowsOf({ date: '2024-11-05' }),
      rowsOf({ symbol: 'SPXW' }),
      otherColumns({ price: 'px', size: null }),
    ],
  })
  const path = `${HISTORY}/trade_quote?${AAPL}`
  expect((await get(path)).text).toContain('2024-11-05T10:00:00')
  expect((await get(path)).text).toMatch(/\r\nSPXW,/)
  const { text } = await get(path)
  expect(text).toMatch(/condition,exchange,px,bid_size/)
  expect(text).toMatch(/,130,22,3\.90,14,/)
  expect((await get(path)).text).toMatch(/\r\nAAPL,/)
  await source.close()
  const raw = await open({ trades: new Map([[DAY, { raw: () => [Buffer.from('a,b\n1,2\n')] }]]) })
  expect((await raw(path)).text).toBe('a,b\n1,2\n')
})
