import type { MinuteFacts } from '../../../src/alerts/finding/inputs.ts'
import { listSubjects, stepEntry } from '../../../src/alerts/rules/groups.ts'
import { judgeLine, viewLines } from '../../../src/alerts/rules/lines.ts'
import { stepMinute, type WatchStates } from '../../../src/alerts/rules/minute.ts'
import { compileRule, matchOrders, orderFacts } from '../../../src/alerts/rules/orders.ts'
import type { MadeAccounts } from './alertsMade.ts'

/** The yardstick of a minute: evaluates each setting of each account; returns how many matched. */
export function openScan({ alerts }: MadeAccounts): (facts: MinuteFacts) => number {
  const entries = alerts.flatMap(({ list }) =>
    list!.flatMap(({ entry }) => listSubjects(entry).map(subject => ({ entry, subject }))),
  )
  const states: unknown[] = entries.map(() => null)
  const lines = alerts.flatMap(one => one.lines.map(({ line }) => ({ line, armed: true })))
  const rules = alerts.flatMap(one => one.rules.map(({ rule }) => compileRule(rule)))
  let watch: WatchStates | null = null

  return ({ input }) => {
    let found = 0
    for (const [index, { entry, subject }] of entries.entries()) {
      const state = input.books[entry.book]
      const given = { minute: input.minute, state, largestGamma: state.netGamma }
      const step = stepEntry(entry, subject, states[index], given)
      states[index] = step.state
      if (step.event) found++
    }
    const view = viewLines(watch, input)
    for (const line of view ? lines : []) {
      const judged = judgeLine(view!, line.line, { armed: line.armed, firstMinute: null })
      line.armed = judged.armed
      if (judged.event) found++
    }
    const orders = orderFacts(input.day, input.orders)
    for (const rule of rules) found += matchOrders(rule, orders).length
    // state that the next minute's lines are compared with
    watch = stepMinute(watch, input, []).states
    return found
  }
}
