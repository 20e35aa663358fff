// A tape may hold more than one symbol: a session is of one of them, and of all its roots.

import { expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { openMinuteJob } from '../../../pipelines/live/minute.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { runQuery as answer } from '../../../src/data/published/analyst.ts'
import { readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { importFiles, newFile, newFolder } from '../../support/import.ts'

const query = async (data: string, query: string) => (await answer(data, query)).rows

/** A line of a Cboe chain: the quotes of one strike, 20 cents wide around their fair price. */
function chainLine(root: string, strike: number, spot: number): string {
  const [call, put] = [Math.max(spot - strike, 0) + 12, Math.max(strike - spot, 0) + 12]
  const code = `260918C${String(strike * 1000).padStart(8, '0')}`
  const side = (price: number) => `1,0,${(price - 0.1).toFixed(2)},${(price + 0.1).toFixed(2)}`
  const rest = '5,0.15,0.5,0.001'
  return (
    `Fri Sep 18 2026,${root}${code},${side(call)},${rest},${200 + (strike % 7)},${strike},` +
    `${root}${code.replace('C', 'P')},${side(put)},${rest},1000`
  )
}

function chain(name: string, root: string, clock: string, spot: number, step: number): string {
  const middle = Math.round(spot / step) * step
  const strikes = Array.from({ length: 25 }, (_, index) => middle + (index - 12) * step)
  return [
    '',
    `${name},Last: ${spot},Change: 12.5`,
    `"Date: August 28, 2026 at ${clock} AM EDT",Bid: 1,Ask: 2,Size: 1*1,Volume: 0`,
    'Expiration Date,Calls,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest,Strike,' +
      'Puts,Last Sale,Net,Bid,Ask,Volume,IV,Delta,Gamma,Open Interest',
    ...strikes.map(strike => chainLine(root, strike, spot)),
  ].join('\n')
}

const SPX_CHAIN = chain('S&P 500 INDEX', 'SPXW', '10:20', 7600.5, 25)
const SPY_CHAIN = chain('SPDR S&P 500 ETF TRUST', 'SPY', '10:21', 760.2, 2)
/** In the very minute of SPX's own. */
const SPY_CHAIN_NEARBY = SPY_CHAIN.replace('10:21', '10:20')

const MASSIVE = `ticker,conditions,correction,exchange,price,sip_timestamp,size
O:SPXW260918C07600000,209,0,302,10.0,1787926445000000000,60
O:SPXW260918C07600000,209,0,302,10.1,1787926505000000000,60
`

const LEVELS = `select minute_et, spot, flip, call_wall, put_wall, net_gamma_musd_per_point
  from levels order by all`

test.each([
  ['after the chain of SPX', [SPX_CHAIN, SPY_CHAIN]],
  ['before it', [SPY_CHAIN, SPX_CHAIN]],
  ['in the same minute', [SPY_CHAIN_NEARBY, SPX_CHAIN]],
])('a chain of SPY %s gives SPX no index and no level', async (_, chains) => {
  const [alone, others] = [newFolder(), newFolder()]
  for (const [data, texts] of [
    [alone, [SPX_CHAIN]],
    [others, chains],
  ] as const) {
    await importFiles(data, 'massive-trades', newFile('prints.csv', MASSIVE))
    for (const text of texts) {
      const { code, error } = await importFiles(data, 'cboe-chain', newFile('chain.csv', text))
      expect([code, error]).toEqual([0, ''])
    }
    const date = '2026-08-28'
    await buildDay({ dataFolder: data, date, minPremiumUsd: 1, progress: silent })
  }
  const levels = await query(others, LEVELS)
  expect(levels).toEqual(await query(alone, LEVELS))
  const at = levels.filter(row => row.minute_et === '10:21' || row.minute_et === '10:22')
  expect(new Set(at.map(row => row.spot))).toEqual(new Set([7600.5]))
  expect(levels.some(row => row.call_wall !== null)).toBe(true)
  expect(await query(others, 'from inventory order by all')).toEqual(
    await query(alone, 'from inventory order by all'),
  )
})

const CBOE_HEADER =
  'underlying_symbol,quote_datetime,sequence_number,root,expiration,strike,option_type,' +
  'exchange_id,trade_size,trade_price,trade_condition_id,canceled_trade_condition_id,best_bid,' +
  'best_ask,trade_iv,trade_delta,underlying_bid,underlying_ask,number_of_exchanges'

/** Trades of Cboe, ten of each root a minute apart, calls and puts alternating. */
const cboeTrades = (day: string, underlying: string, index: number, roots: readonly string[]) =>
  [
    CBOE_HEADER,
    ...roots.flatMap((root, at) =>
      Array.from({ length: 10 }, (_, number) => {
        const minute = String(30 + number).padStart(2, '0')
        const type = number % 2 === 0 ? 'C' : 'P'
        return (
          `${underlying},${day} 09:${minute}:0${at}.100,${1000 * (at + 1) + number},${root},` +
          `${day.slice(0, 8)}17,${index},${type},5,300,9,0,0,8.9,9.1,0.15,0.5,` +
          `${index - 0.5},${index + 0.5},1`
        )
      }),
    ),
    '',
  ].join('\n')

test.each([
  ['2016-06-01', '^SPX', 2096, ['SPXPM', 'SPX', 'SPXW'], 'SPX'],
  ['2014-06-02', '^SPX', 1924, ['SPXQ', 'SPXW'], 'SPX'],
  ['2024-06-03', '^RUT', 2059, ['RUTW', 'RUT'], 'RUT'],
])('on %s all roots of %s are of one session', async (day, underlying, index, roots, symbol) => {
  const data = newFolder()
  const file = newFile('trades.csv', cboeTrades(day, underlying, index, roots))
  const { code, error } = await importFiles(data, 'cboe-trades', file)
  expect([code, error]).toEqual([0, ''])
  const manifest = await buildDay({ dataFolder: data, date: day, progress: silent })
  expect(manifest.symbol).toBe(symbol)
  expect(await query(data, 'select root, sum(contracts)::int as n from legs group by 1')).toEqual(
    expect.arrayContaining(roots.map(root => ({ root, n: 3000 }))),
  )
  expect(await query(data, 'select distinct fate from prints')).toEqual([{ fate: 'kept' }])
})

const PRINT_HEADER =
  'printed_at,root,expiry,strike,option_type,size,price,sequence,underlying_price,best_bid,best_ask'

/** Prints of 2026-10-15, one a second from 09:30 on: so many of each root. */
function listPrints(counts: Readonly<Record<string, number>>, index = 6000): string {
  const roots = Object.entries(counts).flatMap(([root, count]) => Array<string>(count).fill(root))
  const lines = roots.map((root, at) => {
    const second = String(at % 60).padStart(2, '0')
    const price = root.startsWith('SPX') ? index : 99
    return (
      `2026-10-15T13:${30 + Math.floor(at / 60)}:${second}Z,${root},2026-10-16,${price},C,1,9,` +
      `${at + 1},${price},8.9,9.1`
    )
  })
  return `${[PRINT_HEADER, ...lines].join('\n')}\n`
}

const DATE = '2026-10-15'

test.each([
  [{ SPY: 5, SPXW: 1, VIX: 2 }, 'SPX', '7 prints are not of SPX and stay out: SPY 5, VIX 2'],
  [{ SPXPM: 1, SPY: 5 }, 'SPX', '5 prints are not of SPX and stay out: SPY 5'],
  [{ VIX: 2, VIXW: 2, RUT: 3 }, 'VIX', '3 prints are not of VIX and stay out: RUT 3'],
  // as many of both: the first by its name
  [{ VIX: 2, RUT: 1, RUTW: 1 }, 'RUT', '2 prints are not of RUT and stay out: VIX 2'],
  [{ NDX: 1, NDXP: 1 }, 'NDX', null],
])('a tape of %j is of %s by night and by minute', async (counts, symbol, line) => {
  const data = newFolder()
  await importFiles(data, 'prints', newFile('prints.csv', listPrints(counts)))
  const job = await openMinuteJob({ dataFolder: data, date: DATE, progress: silent })
  await job.advance(instantMs(DATE, '09:32'))
  await job.close()
  expect(readLiveManifest(data, DATE)!.symbol).toBe(symbol)
  const message: string[] = []
  const progress = { ...silent, say: (text: string) => message.push(text.trim()) }
  expect((await buildDay({ dataFolder: data, date: DATE, progress })).symbol).toBe(symbol)
  expect(message.filter(text => text.includes('stay out'))).toEqual(line === null ? [] : [line])
  const own = Object.entries(counts).filter(([root]) => root.startsWith(symbol))
  const all = Object.values(counts).reduce((sum, count) => sum + count)
  const others = all - own.reduce((sum, [, count]) => sum + count, 0)
  expect(await query(data, 'select other_symbol_count, print_count from tape_report')).toEqual([
    { other_symbol_count: others, print_count: all - others },
  ])
})

test('the underlying of another root is not the index of a tape without one', async () => {
  const data = newFolder()
  // the last word of the first minute is SPY's
  await importFiles(data, 'prints', newFile('prints.csv', listPrints({ SPXW: 3, SPY: 3 })))
  await buildDay({ dataFolder: data, date: DATE, progress: silent })
  const spots = 'select distinct spot from levels where spot is not null'
  expect(await query(data, spots)).toEqual([{ spot: 6000 }])
})

test('the close of a session before that was of another symbol is not its own', async () => {
  const data = newFolder()
  const previous = listPrints({ VIX: 3 }).replaceAll('2026-10-15T13:3', '2026-10-14T19:5')
  await importFiles(data, 'prints', newFile('vix.csv', previous))
  await importFiles(data, 'prints', newFile('spx.csv', listPrints({ SPXW: 3 })))
  for (const date of ['2026-10-14', DATE]) {
    await buildDay({ dataFolder: data, date, progress: silent })
  }
  expect(
    await query(
      data,
      `select distinct previous_close, previous_close_reason from market_minutes
       where session_date = '${DATE}'`,
    ),
  ).toEqual([{ previous_close: null, previous_close_reason: 'no_previous_session' }])
})
