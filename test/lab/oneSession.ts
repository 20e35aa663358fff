/** A market of one session written by hand: a value not given is not known. */

import type { LabExpiry, LabMarket } from '../../src/lab/market/session.ts'
import { NO_AGE, NO_QUOTE } from '../../src/lab/market/session.ts'

export type HandQuote = {
  readonly from: string
  readonly to: string
  readonly option: string
  readonly bid: number
  readonly ask: number
}

const STATES = 390
const FIRST = 571

const findMinute = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/** Quotes hold from a minute to another, with it; an option is written 4990P. */
export function oneSession(options: {
  readonly spot: number
  readonly strikes: readonly number[]
  readonly quotes: readonly HandQuote[]
  readonly settlement: number | null
}): LabMarket {
  const { spot, settlement } = options
  const column = (value: number) => new Float64Array(STATES).fill(value)
  const unknown = () => column(Number.NaN)
  return {
    kind: 'simulated',
    leftOut: [],
    hash: '0'.repeat(64),
    sessions: [
      {
        date: '2026-09-24',
        isHalfDay: false,
        firstMinute: FIRST,
        stateCount: STATES,
        market: {
          spot: column(spot),
          open: column(spot),
          previousClose: unknown(),
          expectedMove: unknown(),
          sessionExpectedMove: unknown(),
          netGamma: unknown(),
          flip: unknown(),
          callWall: unknown(),
          putWall: unknown(),
        },
        orders: {
          fromState: new Int32Array(),
          untilState: new Int32Array(),
          printedState: new Int32Array(),
          premiumUsd: new Float64Array(),
          gamma: new Float64Array(),
        },
        expiries: [findExpiry(options), null, null, null, null, null],
        settlement,
        settlementSource: settlement === null ? null : 'official',
      },
    ],
  }
}

function findExpiry({ strikes, quotes }: Parameters<typeof oneSession>[0]): LabExpiry {
  const cells = STATES * strikes.length
  const none = () => new Uint32Array(cells).fill(NO_QUOTE)
  const planes = { callBid: none(), callAsk: none(), putBid: none(), putAsk: none() }
  const ages = {
    callAge: new Uint8Array(cells).fill(NO_AGE),
    putAge: new Uint8Array(cells).fill(NO_AGE),
  }
  for (const { from, to, option, bid, ask } of quotes) {
    const side = option.endsWith('C') ? 'call' : 'put'
    const index = strikes.indexOf(Number(option.slice(0, -1)))
    for (let minute = findMinute(from); minute <= findMinute(to); minute++) {
      const cell = (minute - FIRST) * strikes.length + index
      planes[`${side}Bid`][cell] = Math.round(bid * 20)
      planes[`${side}Ask`][cell] = Math.round(ask * 20)
      ages[`${side}Age`][cell] = 0
    }
  }
  const unknown = () => new Float64Array(STATES).fill(Number.NaN)
  return {
    expiry: '2026-09-24',
    tick: 0.05,
    strikes: Float64Array.from(strikes),
    years: Float64Array.from({ length: STATES }, (_, state) => (389 - state) / 525_600),
    listedFrom: new Int32Array(strikes.length),
    ...planes,
    ...ages,
    forward: unknown(),
    discount: unknown(),
    smileFrom: new Int32Array(STATES + 1),
    smileStrikes: new Float64Array(),
    smileTotalVariances: new Float64Array(),
  }
}
