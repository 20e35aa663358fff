// Minute bars of LEAN read by themselves: nothing here is shared with what the product imports.

import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { SHARED_DATA } from './shared.ts'

export const LEAN = join(SHARED_DATA, 'lean')

/** A quote at the end of a minute, index points; null: that side was empty. */
export type Bar = { readonly bid: number | null; readonly ask: number | null }

export type TradeBar = OptionName & {
  /** Minute of the ET day at which the bar begins. */
  readonly minute: number
  readonly close: number
  readonly volume: number
}

type OptionName = {
  readonly root: string
  readonly expiry: string
  readonly strike: number
  readonly type: 'C' | 'P'
}

/** A day of the files. Minutes count from New York midnight; a bar has that of its start. */
export type LeanDay = {
  readonly date: string
  /** By contract, as keyOf names it, and by minute. */
  readonly quotes: ReadonlyMap<string, ReadonlyMap<number, Bar>>
  readonly trades: readonly TradeBar[]
  /** Close of each minute of the index; empty where the sample has none of the day. */
  readonly index: ReadonlyMap<number, number>
}

export const findKey = ({ root, expiry, strike, type }: OptionName): string =>
  `${root} ${expiry} ${strike} ${type}`

/** The zips of a day that the product imports, by what is in them. */
export function leanZips(date: string) {
  const day = date.replaceAll('-', '')
  const of = (kind: string) =>
    globSync(`indexoption/*/${day}_${kind}_european.zip*`, { cwd: LEAN }).sort()
  const index = `index/spx/${day}_trade.zip`
  return {
    quotes: of('quote'),
    trades: of('trade'),
    interest: of('openinterest'),
    index: existsSync(join(LEAN, index)) ? [index] : [],
  }
}

type Line = { readonly name: readonly string[]; readonly cells: readonly string[] }

function listLines(paths: readonly string[]): Line[] {
  return paths.flatMap(path =>
    Object.entries(unzipSync(readFileSync(join(LEAN, path)))).flatMap(([member, bytes]) =>
      strFromU8(bytes)
        .split(/\r?\n/)
        .filter(line => line !== '')
        .map(line => ({ name: member.replace('.csv', '').split('_'), cells: line.split(',') })),
    ),
  )
}

/** Such as 20210104_spxw_minute_quote_european_call_37000000_20210106. */
function findOption(name: readonly string[]): OptionName {
  const expiry = name[7]!
  return {
    root: name[1]!.toUpperCase(),
    expiry: `${expiry.slice(0, 4)}-${expiry.slice(4, 6)}-${expiry.slice(6)}`,
    strike: Number(name[6]) / 10_000,
    type: name[5] === 'call' ? 'C' : 'P',
  }
}

const findMinute = (cells: readonly string[]) => Number(cells[0]) / 60_000
const price = (cell: string | undefined) => (cell ? Number(cell) / 10_000 : null)

/** Reads what the sample has of a day. */
export function readLeanDay(date: string): LeanDay {
  const zips = leanZips(date)
  const quotes = new Map<string, Map<number, Bar>>()
  for (const { name, cells } of listLines(zips.quotes)) {
    const key = findKey(findOption(name))
    const bars = quotes.get(key) ?? new Map<number, Bar>()
    bars.set(findMinute(cells), { bid: price(cells[4]), ask: price(cells[9]) })
    quotes.set(key, bars)
  }
  const trades = listLines(zips.trades).map(({ name, cells }) => ({
    ...findOption(name),
    minute: findMinute(cells),
    close: Number(cells[4]) / 10_000,
    volume: Number(cells[5]),
  }))
  // written in Chicago, an hour behind
  const index = new Map(
    listLines(zips.index).map(({ cells }) => [findMinute(cells) + 60, Number(cells[4])]),
  )
  return { date, quotes, trades, index }
}

/** Contracts with their names, of one root. */
export const listContracts = (day: LeanDay, root: string) =>
  [...day.quotes].flatMap(([key, bars]) => {
    const [of, expiry, strike, type] = key.split(' ') as [string, string, string, 'C' | 'P']
    return of === root ? [{ expiry, strike: Number(strike), type, bars }] : []
  })

/** HH:MM of a minute of the day. */
export const findClock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** The last index value before a minute, at most five minutes old; null: none. */
export function spotBefore(index: ReadonlyMap<number, number>, minute: number): number | null {
  for (let threshold = minute - 1; threshold >= minute - 5; threshold--) {
    const close = index.get(threshold)
    if (close !== undefined) return close
  }
  return null
}

/** Where the sample has no index: 3700 and the call less the put of the next expiry, by minute. */
export function parityIndex(day: LeanDay): Map<number, number> {
  const at3700 = listContracts(day, 'SPXW').filter(({ strike }) => strike === 3700)
  const expiries = [...new Set(at3700.map(({ expiry }) => expiry))].sort()
  const index = new Map<number, number>()
  for (let minute = 570; minute < 975; minute++) {
    for (const expiry of expiries) {
      const mid = (type: 'C' | 'P') => {
        const contract = at3700.find(one => one.expiry === expiry && one.type === type)
        const threshold = contract?.bars.get(minute)
        return threshold?.bid && threshold.ask ? (threshold.bid + threshold.ask) / 2 : Number.NaN
      }
      const value = 3700 + mid('C') - mid('P')
      if (index.has(minute) || !Number.isFinite(value)) continue
      index.set(minute, Math.round(value * 100) / 100)
    }
  }
  return index
}
