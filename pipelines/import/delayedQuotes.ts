/** Cboe's delayed quotes of a whole chain, the JSON of its public pages: as lines, a contract each. */

import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import { csvText } from '../../src/core/disk/csv.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { readJson } from '../../src/core/disk/text.ts'
import type { RowLayout } from '../../src/core/engine/header.ts'
import { listRoots } from '../../src/core/engine/roots.ts'
import { instantMs, isDate, isMinute, wallTimeEt } from '../../src/core/market/calendar.ts'

/** Times and index that a chain states; instants are UTC milliseconds. */
export type ChainStatement = {
  /** Instant of which the quotes are, 15 minutes before the file was made. */
  readonly quotedAtMs: number
  /** The index with the instant of its value; null where the file has none. */
  readonly index: { readonly value: number; readonly atMs: number } | null
}

/** Delay of the public quotes. */
const DELAYED_BY_MS = 15 * 60_000

/** A day of SPX has some 12 MB. */
const MEBIBYTES_MAX = 256

/** Fields of a contract, as columns of the lines; `option` is its symbol. */
const FIELDS = [
  'option',
  'bid',
  'bid_size',
  'ask',
  'ask_size',
  'volume',
  'iv',
  'delta',
  'gamma',
  'open_interest',
] as const

/** Columns of the lines that `writeDelayedQuotes` makes. */
export const DELAYED_LAYOUT: RowLayout = { required: FIELDS }

const Chain = z.looseObject({
  timestamp: z.unknown().optional(),
  symbol: z.unknown().optional(),
  data: z.looseObject({
    options: z.array(z.unknown()),
    symbol: z.unknown().optional(),
    current_price: z.unknown().optional(),
    last_trade_time: z.unknown().optional(),
  }),
})

const ADDRESS = 'https://cdn.cboe.com/api/global/delayed_quotes/options/_SPX.json'

/**
 * Writes the contracts of a chain to `target` as CSV, and returns what the chain says of itself.
 * Throws a Refusal for JSON that is no chain of SPX, and for times that contradict each other.
 */
export async function writeDelayedQuotes(
  path: string,
  label: string,
  target: string,
): Promise<{ readonly sha256: string; readonly chain: ChainStatement }> {
  const { value, sha256 } = await readJson(path, label, MEBIBYTES_MAX)
  const { chain, options } = readDelayedQuotes(value, label)
  writeFileSync(target, csvText([FIELDS, ...options.map(readFields)], '\n'))
  return { sha256, chain }
}

/** Reads a chain from the value of its JSON. Throws a Refusal, as `writeDelayedQuotes` does. */
export function readDelayedQuotes(
  value: unknown,
  label: string,
): { readonly chain: ChainStatement; readonly options: readonly unknown[] } {
  const parsed = Chain.safeParse(value)
  if (!parsed.success) {
    throw new Refusal(`${label} is JSON without the list data.options; save ${ADDRESS} as it is.`)
  }
  const { timestamp, symbol, data } = parsed.data
  refuseOthers(label, data.symbol ?? symbol, data.options)
  return { chain: readStatement(label, timestamp, data), options: data.options }
}

/** Fails for the chain of another symbol, and for one without contracts. */
function refuseOthers(label: string, symbol: unknown, options: readonly unknown[]): void {
  if (typeof symbol !== 'string' || !/^[\^_]?SPX$/.test(symbol)) {
    throw new Refusal(`${label} has the chain of ${shown(symbol)}; that of ^SPX is needed.`)
  }
  if (options.length === 0) throw new Refusal(`${label} holds no rows: data.options is empty.`)
  const roots = listRoots('SPX')
  const isOfSpx = (option: unknown) => roots.some(root => findRoot(option) === root)
  if (!options.some(isOfSpx)) {
    const first = shown(field(options[0], 'option'))
    throw new Refusal(`${label} has no contract of ${roots.join(', ')}; its first one is ${first}.`)
  }
}

const findRoot = (option: unknown) => /^([A-Z]+)\d/.exec(String(field(option, 'option')))?.[1]

/**
 * Reads the instants of a chain. `timestamp` is when it was made, UTC; times of trades are New
 * York's and as late as the quotes. Quotes are of 15 minutes before, or of the latest trade where
 * that is later: they are never taken for older than they are.
 */
function readStatement(
  label: string,
  timestamp: unknown,
  data: z.infer<typeof Chain>['data'],
): ChainStatement {
  const madeAtMs = utcMs(timestamp)
  if (madeAtMs === null) {
    throw new Refusal(
      `${label} has the timestamp ${shown(timestamp)}; a time of UTC such as ` +
        '"2026-10-14 14:42:35" is needed.',
    )
  }
  const index = readIndex(label, data.current_price, data.last_trade_time)
  if (index && index.atMs > madeAtMs) {
    throw new Refusal(
      `${label} has the index of ${shown(data.last_trade_time)} New York time, which is after ` +
        `its timestamp ${shown(timestamp)} UTC.`,
    )
  }
  return {
    quotedAtMs: Math.max(
      madeAtMs - DELAYED_BY_MS,
      index?.atMs ?? 0,
      latestTradeMs(data.options, madeAtMs) ?? 0,
    ),
    index,
  }
}

/** Instant of the latest trade of any contract up to an instant; null where there is none. */
function latestTradeMs(options: readonly unknown[], untilMs: number): number | null {
  const { date, minute, second } = wallTimeEt(untilMs)
  const until = `${date}T${minute}:${second}`
  let latest = ''
  for (const option of options) {
    const time = field(option, 'last_trade_time')
    // wall times of one form are in the order of their text
    if (typeof time === 'string' && time > latest && time <= until && readTime(time)) latest = time
  }
  return newYorkMs(latest)
}

/** Reads the index; null where there is none yet, as before the first value of a day, or no time. */
function readIndex(label: string, price: unknown, time: unknown): ChainStatement['index'] {
  const value = Number(price ?? 0)
  if (!Number.isFinite(value)) {
    throw new Refusal(
      `${label} has data.current_price ${shown(price)}; a number such as 6001.25 is needed.`,
    )
  }
  const atMs = newYorkMs(time)
  return value > 0 && atMs !== null ? { value, atMs } : null
}

const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d):(\d\d(?:\.\d+)?)$/

function newYorkMs(time: unknown): number | null {
  const parts = readTime(time)
  return parts && Math.floor(instantMs(parts.date, parts.minute) + parts.seconds * 1000)
}

function utcMs(time: unknown): number | null {
  const parts = readTime(time)
  return parts && Math.floor(Date.parse(`${parts.date}T${parts.minute}Z`) + parts.seconds * 1000)
}

function readTime(time: unknown) {
  const [, date, minute, seconds] = TIME.exec(String(time)) ?? []
  if (!date || !isDate(date) || !isMinute(minute!) || Number(seconds) >= 60) return null
  return { date, minute: minute!, seconds: Number(seconds) }
}

/** Reads the fields of a contract; an entry that is none stands whole in the first. */
const readFields = (option: unknown): readonly unknown[] =>
  FIELDS.map((name, at) => field(option, name) ?? (at === 0 ? JSON.stringify(option) : null))

const field = (option: unknown, name: string): unknown =>
  typeof option === 'object' && option !== null
    ? (option as Readonly<Record<string, unknown>>)[name]
    : undefined

const shown = (value: unknown) => (JSON.stringify(value) ?? 'missing').slice(0, 60)
