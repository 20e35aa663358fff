import type { MinuteEt } from '../../core/market/calendar.ts'
import type { EntryParams } from '../kinds.ts'
import { since } from './gap.ts'
import { hold, type RuleInput, type Step } from './step.ts'

/** A sign counts from this share of the session's largest net gamma so far. */
const LEAST_SHARE = 0.05

export type RegimeChangeState = {
  readonly at: MinuteEt
  readonly sign: 1 | -1
  /** Net gamma when it last had this sign, $M per index point. */
  readonly from: number
  /** Consecutive states with the other sign. */
  readonly run: number
}

/** Net gamma changes its sign and is not close to zero. */
export function stepRegimeChange(
  before: RegimeChangeState | null,
  { minute, state, largestGamma }: RuleInput,
  params: EntryParams['regime_change'],
): Step<RegimeChangeState> {
  const gamma = state.netGamma
  if (gamma === null) return hold(before)
  const sign = gamma > 0 ? 1 : -1
  const gap = before && since(before.at, minute)
  // exactly zero has no sign
  if (before === null || gap === 'long') {
    return hold(gamma === 0 ? null : { at: minute, sign, from: gamma, run: 0 })
  }
  const isOther = gamma !== 0 && sign !== before.sign
  const counts = isOther && Math.abs(gamma) >= LEAST_SHARE * (largestGamma ?? 0)
  const run = counts ? (gap === 'none' ? before.run : 0) + 1 : 0
  if (run < params.confirm) {
    const from = isOther || gamma === 0 ? before.from : gamma
    return hold({ at: minute, sign: before.sign, from, run })
  }
  const direction = sign > 0 ? 'positive' : 'negative'
  const event = { value: gamma, from: before.from, direction } as const
  return { state: { at: minute, sign, from: gamma, run: 0 }, event }
}
