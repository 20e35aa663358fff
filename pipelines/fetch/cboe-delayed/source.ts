/**
 * Cboe's delayed quotes: the whole SPX chain of now, 15 minutes late, as one JSON, free and without
 * a key. The address is that which cboe.com's own page "Delayed Quotes" reads (2026).
 */

import { Refusal } from '../../../src/core/disk/refusal.ts'
import { MINUTE_MS, wallTimeEt } from '../../../src/core/market/calendar.ts'
import { readDelayedQuotes } from '../../import/delayedQuotes.ts'
import { explainStatus } from '../explain.ts'
import type { DataSource, Part } from '../source.ts'

const NAME = 'cboe-delayed'
/** Time by which its quotes are late. */
const DELAY_MS = 15 * MINUTE_MS
/** Size in which 30,000 contracts fit. */
const BYTES_MAX = 64 * 2 ** 20

/** Age above which a chain is of no present day: a long weekend is shorter. */
const AGE_DAYS_MAX = 5

/** Counts the contracts of a chain; a sentence where it is none of SPX, or of another day. */
function judgeChain(value: unknown, nowMs: number): number | string {
  try {
    const { chain, options } = readDelayedQuotes(value, '')
    const ageDays = (nowMs - chain.quotedAtMs) / (24 * 60 * MINUTE_MS)
    // the clock of this machine may be behind
    if (ageDays < AGE_DAYS_MAX && ageDays > -1) return options.length
    return `is of ${wallTimeEt(chain.quotedAtMs).date}, not of ${wallTimeEt(nowMs).date}`
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.message.trim().replace(/\.$/, '')
  }
}

/** The request of the chain as it is at an instant: one a minute. */
function toPart(nowMs: number): Part {
  const { date, minute } = wallTimeEt(nowMs)
  return {
    day: date,
    file: `cboe-chain-${minute.replace(':', '')}.json`,
    format: 'cboe-chain',
    session: null,
    request: { method: 'GET', path: '/api/global/delayed_quotes/options/_SPX.json', fields: {} },
    content: { kind: 'json', judge: value => judgeChain(value, nowMs), bytesMax: BYTES_MAX },
    isRanged: false,
    mayBeEmpty: false,
    usualBytes: 12_000_000,
  }
}

export const CBOE_DELAYED: DataSource = {
  name: NAME,
  meaning: 'quotes, open interest and index of now, 15 minutes late: free, without a key',
  address: 'https://cdn.cboe.com',
  keys: [],
  concurrent: 1,
  headTimeoutMs: MINUTE_MS,
  isBySession: false,
  isOfToday: true,
  plan: (_, nowMs) => [toPart(nowMs)],
  readyMs: () => 0,
  authorize: async () => ({}),
  explain: failed => explainStatus(NAME, failed),
  probe: {
    method: 'HEAD',
    path: '/api/global/delayed_quotes/options/_SPX.json',
    fields: {},
  },
  follow: {
    everyMs: MINUTE_MS,
    delayMs: DELAY_MS,
    first: () => [],
    parts: (_, __, toMs) => [toPart(toMs)],
  },
}
