import type { OrderRule } from '../kinds.ts'
import { nearestWall, ORDER_CONDITIONS, type OrderMatch } from '../rules/orders.ts'
import type { BodyPart } from './bodyPart.ts'
import { buildHead, type FoundAt } from './levels.ts'
import { formatCount, formatNumber, known, millions, points, premiumText } from './numbers.ts'

/** Bodies of orders that matched a rule. They do not reveal the order's direction. */

/** Shared by all orders of a state, with the levels of the measured book. */
export const orderBody = (found: FoundAt): BodyPart => buildHead('order', 'measured', found)

/** Part of a body about the account's own rule and the order that matched it. */
export function orderExtra(rule: OrderRule, { facts, more }: OrderMatch): BodyPart {
  const { kind } = facts
  const { oid, t, legs, expiry, size } = facts.order
  const premium = millions(facts.premium)
  const wall = nearestWall(facts, rule.wall)
  const others = more === undefined ? '' : ` ${formatCount(more, 'more order')} matched.`
  const conditions = ORDER_CONDITIONS.filter(name => rule[name] !== undefined)
  return {
    rule: {
      id: rule.id,
      name: rule.name,
      ...Object.fromEntries(conditions.map(name => [name, rule[name]])),
    },
    order: {
      oid,
      t,
      kind,
      legs,
      ...(expiry !== null && { exp: expiry }),
      size,
      premium,
      ...known('flip', facts.flipPoints === null ? null : points(facts.flipPoints)),
      ...(wall && { wall: { kind: wall.kind, points: points(wall.points) } }),
    },
    ...(more !== undefined && { more }),
    text:
      `Order of ${t}: ${kind.replaceAll('_', ' ')} ${legs}, size ${formatNumber(size)}, ` +
      `premium ${premiumText(premium)} $M; it matched "${rule.name}".${others}`,
  }
}
