import type { NumberColumns } from '../../core/engine/numbers.ts'
import type { BlockDraft } from './blocks.ts'
import type { LegType } from './quotes.ts'
import { NO_AGE } from './session.ts'
import { findFirstIndexFrom } from './strikes.ts'

/** Rows of one expiry's contracts as blocks: all states of an option are contiguous. */

type Blocks = Readonly<Record<string, BlockDraft>>

/** Part index of an option in the block of quotes. */
export const optionPart = (strikeIndex: number, type: LegType): number =>
  strikeIndex * 2 + (type === 'P' ? 1 : 0)

/** Smile points, ordered by state and strike. */
export function smileBlocks(points: NumberColumns, stateCount: number): Blocks {
  const states = points.state!
  const first = states.findIndex(state => state >= 0)
  const begin = first < 0 ? states.length : first
  const after = states.findIndex(state => state >= stateCount)
  const end = after < 0 ? states.length : after
  const from = new Int32Array(stateCount + 1)
  for (let row = begin; row < end; row++) from[states[row]! + 1]! += 1
  for (let state = 0; state < stateCount; state++) from[state + 1]! += from[state]!
  return {
    smileFrom: { values: from },
    smileStrikes: { values: points.strike!.slice(begin, end) },
    smileVariances: { values: points.total_variance!.slice(begin, end) },
  }
}

/** Nickels when all prices are on them, else cents. */
const STEPS = [
  { tick: 0.05, perPoint: 20 },
  { tick: 0.01, perPoint: 100 },
] as const
const SIDES = [
  { type: 'C', bid: 'call_bid', ask: 'call_ask', age: 'call_age' },
  { type: 'P', bid: 'put_bid', ask: 'put_ask', age: 'put_age' },
] as const

/** Strikes, and the bids, asks and ages of each option: 0 means no price. */
export function quoteBlocks(
  rows: NumberColumns,
  stateCount: number,
): { readonly tick: number; readonly blocks: Blocks } {
  const { tick, perPoint } = STEPS.find(step => isOnStep(rows, step.perPoint)) ?? STEPS[1]
  const states = rows.state!
  const strikes = distinct(rows.strike!)
  const strikeIndexes = new Int32Array(states.length)
  for (let row = 0; row < states.length; row++) {
    strikeIndexes[row] = findFirstIndexFrom(strikes, rows.strike![row]!)
  }
  const listedFrom = new Int32Array(strikes.length).fill(stateCount)
  for (let row = 0; row < states.length; row++) {
    const strikeIndex = strikeIndexes[row]!
    listedFrom[strikeIndex] = Math.max(0, Math.min(listedFrom[strikeIndex]!, states[row]!))
  }
  const quotes = new Float64Array(strikes.length * SIDES.length * 3 * stateCount)
  for (const { type, ...names } of SIDES) {
    const [bids, asks, ages] = [rows[names.bid]!, rows[names.ask]!, rows[names.age]!]
    for (let strikeIndex = 0; strikeIndex < strikes.length; strikeIndex++) {
      const start = optionPart(strikeIndex, type) * 3 * stateCount
      quotes.fill(NO_AGE, start + 2 * stateCount, start + 3 * stateCount)
    }
    for (let row = 0; row < states.length; row++) {
      const state = states[row]!
      if (state < 0 || state >= stateCount) continue
      const at = optionPart(strikeIndexes[row]!, type) * 3 * stateCount + state
      quotes[at] = toSteps(bids[row]!, perPoint)
      quotes[at + stateCount] = toSteps(asks[row]!, perPoint)
      if (ages[row]! < NO_AGE) quotes[at + 2 * stateCount] = Math.max(0, ages[row]!)
    }
  }
  const Steps = quotes.every(value => value <= 0xffff) ? Uint16Array : Uint32Array
  return {
    tick,
    blocks: {
      strikes: { values: strikes },
      listedFrom: { values: listedFrom },
      quotes: { values: new Steps(quotes), parts: strikes.length * SIDES.length },
    },
  }
}

/** Distinct values, ascending; avoids a Set, which would box every number. */
function distinct(values: Float64Array): Float64Array {
  const sorted = values.slice().sort()
  return sorted.filter((value, index) => index === 0 || value !== sorted[index - 1])
}

const toSteps = (price: number, perPoint: number): number =>
  price > 0 ? Math.round(price * perPoint) : 0

function isOnStep(rows: NumberColumns, perPoint: number): boolean {
  const isOn = (price: number) => {
    const steps = price * perPoint
    return Number.isNaN(price) || Math.abs(steps - Math.round(steps)) < 1e-6
  }
  return SIDES.every(({ bid, ask }) => rows[bid]!.every(isOn) && rows[ask]!.every(isOn))
}
