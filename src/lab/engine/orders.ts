import type { RuleCondition } from '../language/spec.ts'
import type { LabSession } from '../market/session.ts'

export type OrderCondition = Extract<RuleCondition, { f: 'order' }>

/** Match of one version of an order with a condition, apart from when it counts. */
type Fit = 'none' | 'fits' | 'unknown'

/** By state: 1 the condition holds, 0 it does not, -1 it is not known. */
export function orderMarks(session: LabSession, condition: OrderCondition): Int8Array {
  const { fromState, untilState, printedState } = session.orders
  const marks = new Int8Array(session.stateCount)
  for (let version = 0; version < fromState.length; version++) {
    const fit = judgeFit(session, version, condition)
    if (fit === 'none') continue
    const end = Math.min(
      session.stateCount,
      untilState[version]!,
      lastState(printedState[version]!, condition) + 1,
    )
    for (let state = Math.max(0, fromState[version]!); state < end; state++) {
      if (fit === 'fits') marks[state] = 1
      else if (marks[state] === 0) marks[state] = -1
    }
  }
  if (!condition.not) return marks
  return marks.map(mark => (mark < 0 ? mark : 1 - mark))
}

/** By state: 1 where a matching version begins to count. */
export function markNewOrders(session: LabSession, condition: OrderCondition): Uint8Array {
  const { fromState, untilState, printedState } = session.orders
  const isNew = new Uint8Array(session.stateCount)
  for (let version = 0; version < fromState.length; version++) {
    const state = fromState[version]!
    const counts =
      state >= 0 &&
      state < Math.min(session.stateCount, untilState[version]!) &&
      state <= lastState(printedState[version]!, condition)
    if (counts && judgeFit(session, version, condition) === 'fits') isNew[state] = 1
  }
  return isNew
}

/** Last state at which an order is recent enough. */
const lastState = (printed: number, { since_min: since }: OrderCondition) =>
  since === undefined ? Number.POSITIVE_INFINITY : printed + since - 1

function judgeFit({ orders }: LabSession, version: number, condition: OrderCondition): Fit {
  if (!(orders.premiumUsd[version]! >= condition.premium_musd_min * 1e6)) return 'none'
  if (condition.gamma === undefined) return 'fits'
  const gamma = orders.gamma[version]!
  if (Number.isNaN(gamma)) return 'unknown'
  return (condition.gamma === 'adds' ? gamma > 0 : gamma < 0) ? 'fits' : 'none'
}
