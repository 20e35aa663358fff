import { toMinuteEt } from '../../data/published/messageMinutes.ts'
import { orderBody, orderExtra } from '../bodies/orders.ts'
import { limitMatches, matchOrders, type OrderFacts, orderFacts } from '../rules/orders.ts'
import { foundAt, type MinuteQuestion } from './question.ts'
import type { EventCollector } from './recipients.ts'
import type { RuleSubscriber, SubscribedRule } from './watched.ts'

/** An order that matches a rule, and the minutes at which it matched before. */
type Match = { readonly facts: OrderFacts; readonly before: readonly string[] }

/**
 * Collects orders of the minute that match rules: once per rule and order, at the first version
 * that matches. A rule set after that version does not receive the order.
 */
export function findOrders(question: MinuteQuestion, collector: EventCollector): void {
  const { facts, settings } = question
  const { day, minute, orders } = facts.input
  if (orders.length === 0) return
  const seen = orderFacts(day, orders)
  const shared = orderBody(foundAt(question))
  for (const subscribed of settings.rules()) {
    const matches = selectMatches(question, subscribed, seen)
    if (matches.length === 0) continue
    const subscribers = [...subscribed.subscribers.values()].filter(
      ({ accountId, firstMinute }) =>
        settings.isNotified(accountId) && (firstMinute ?? '') <= minute,
    )
    for (const subscriber of subscribers.sort(byRule))
      collectOrders(collector, { shared, subscriber, matches })
  }
}

const byRule = (a: RuleSubscriber, b: RuleSubscriber) => (a.rule.id < b.rule.id ? -1 : 1)

/** Returns the first matching version of each order of the minute. */
function selectMatches(
  { facts }: MinuteQuestion,
  { compiled }: SubscribedRule,
  seen: readonly OrderFacts[],
): Match[] {
  const { findRow, earlier, input } = facts
  const found = matchOrders(compiled, seen)
  if (found.length === 0) return []
  const isFirst = (one: OrderFacts) =>
    !found.some(
      other =>
        other.order.oid === one.order.oid &&
        findRow(other.order).revision_number < findRow(one.order).revision_number,
    )
  return found.filter(isFirst).map(one => {
    const row = findRow(one.order)
    const known = row.revision_number > 1 ? earlier(row) : []
    const before = known
      .filter(({ ms }) => ms < row.state_ms)
      .filter(({ order }) => matchOrders(compiled, orderFacts(input.day, [order])).length > 0)
      .map(({ ms }) => toMinuteEt(ms))
    return { facts: one, before }
  })
}

type SubscriberMatches = {
  readonly shared: ReturnType<typeof orderBody>
  readonly subscriber: RuleSubscriber
  readonly matches: readonly Match[]
}

function collectOrders(
  collector: EventCollector,
  { shared, subscriber, matches }: SubscriberMatches,
): void {
  const { accountId, rule, firstMinute } = subscriber
  const isNew = ({ before }: Match) => !before.some(minute => minute >= (firstMinute ?? ''))
  const newMatches = matches.filter(isNew).map(({ facts }) => facts)
  for (const match of limitMatches(newMatches)) {
    collector.add(collector.find(shared), {
      accountId,
      type: 'order',
      source: rule.id,
      subject: match.facts.order.oid,
      isOfDay: true,
      owner: 'alerts',
      priority: 3,
      extra: orderExtra(rule, match),
    })
  }
}
