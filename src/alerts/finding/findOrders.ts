import { minuteOf } from '../../published/newsMinutes.ts'
import { orderBody, orderExtra } from '../bodies/orders.ts'
import { limitMatches, matchOrders, type OrderFacts, orderFacts } from '../rules/orders.ts'
import { foundAt, type MinuteQuestion } from './question.ts'
import type { Telling } from './telling.ts'
import type { RuleAsker, RuleAskers } from './watched.ts'

/** An order that matches a rule, and the minutes at which it matched before. */
type Match = { readonly facts: OrderFacts; readonly before: readonly string[] }

/**
 * Orders of the minute that match rules: once a rule and order, at the first version that matches.
 * A rule that was not there then has not heard of it.
 */
export function findOrders(question: MinuteQuestion, telling: Telling): void {
  const { facts, settings } = question
  const { day, minute, orders } = facts.input
  if (orders.length === 0) return
  const seen = orderFacts(day, orders)
  const shared = orderBody(foundAt(question))
  for (const asked of settings.rules()) {
    const matches = matchesOf(question, asked, seen)
    if (matches.length === 0) continue
    const askers = [...asked.askers.values()].filter(
      ({ accountId, firstMinute }) => settings.isTold(accountId) && (firstMinute ?? '') <= minute,
    )
    for (const asker of askers.sort(byRule)) tellOrders(telling, { shared, asker, matches })
  }
}

const byRule = (a: RuleAsker, b: RuleAsker) => (a.rule.id < b.rule.id ? -1 : 1)

/** Of each order the first version of the minute that matches. */
function matchesOf(
  { facts }: MinuteQuestion,
  { compiled }: RuleAskers,
  seen: readonly OrderFacts[],
): Match[] {
  const { rowOf, earlier, input } = facts
  const found = matchOrders(compiled, seen)
  if (found.length === 0) return []
  const isFirst = (one: OrderFacts) =>
    !found.some(
      other =>
        other.order.oid === one.order.oid &&
        rowOf(other.order).revision_number < rowOf(one.order).revision_number,
    )
  return found.filter(isFirst).map(one => {
    const row = rowOf(one.order)
    const known = row.revision_number > 1 ? earlier(row) : []
    const before = known
      .filter(({ ms }) => ms < row.state_ms)
      .filter(({ order }) => matchOrders(compiled, orderFacts(input.day, [order])).length > 0)
      .map(({ ms }) => minuteOf(ms))
    return { facts: one, before }
  })
}

type Telltale = {
  readonly shared: ReturnType<typeof orderBody>
  readonly asker: RuleAsker
  readonly matches: readonly Match[]
}

function tellOrders(telling: Telling, { shared, asker, matches }: Telltale): void {
  const { accountId, rule, firstMinute } = asker
  const isNew = ({ before }: Match) => !before.some(minute => minute >= (firstMinute ?? ''))
  const news = matches.filter(isNew).map(({ facts }) => facts)
  for (const match of limitMatches(news)) {
    telling.tell(telling.find(shared), {
      ...{ accountId, type: 'order', source: rule.id, subject: match.facts.order.oid },
      ...{ isOfDay: true, owner: 'alerts', priority: 3, extra: orderExtra(rule, match) },
    })
  }
}
