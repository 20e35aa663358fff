import type { SessionDate } from '../../market/calendar.ts'
import type { OrderRule } from '../kinds.ts'
import type { SeenOrder } from './inputs.ts'

/** Events of one rule and minute; what matched beyond them is counted in the last one. */
const TOLD_MAX = 5
const DAY_MS = 86_400_000
const USD_PER_MILLION = 1_000_000

/** What rules ask of an order, worked out once for all of them. Null: not known. */
export type OrderFacts = {
  readonly order: SeenOrder
  /** $M, gross. */
  readonly premium: number
  /** $M. */
  readonly net: number | null
  /** Calendar days from the session to the expiry. */
  readonly dte: number | null
  /** Index points between the index of its minute and the levels then. */
  readonly flipPoints: number | null
  readonly flipIs: 'over' | 'under' | null
  readonly wallPoints: Readonly<Record<'call_wall' | 'put_wall', number | null>>
}

/** An order that matched a rule; the last one that is told says how many `more` there were. */
export type OrderMatch = { readonly facts: OrderFacts; readonly more?: number }

/** A rule that was made ready to match; rules with the same key match the same orders. */
export type CompiledRule = {
  readonly key: string
  readonly matches: (facts: OrderFacts) => boolean
}

/** The orders of a minute as rules read them: largest premium first. */
export function orderFacts(day: SessionDate, orders: readonly SeenOrder[]): OrderFacts[] {
  return orders
    .map(order => factsOf(day, order))
    .sort((a, b) => b.premium - a.premium || (a.order.oid < b.order.oid ? -1 : 1))
}

function factsOf(day: SessionDate, order: SeenOrder): OrderFacts {
  const { spot, flip, expiry } = order
  const points = (level: number | null) =>
    spot === null || level === null ? null : Math.abs(spot - level)
  return {
    order,
    premium: order.grossPremiumUsd / USD_PER_MILLION,
    net: order.netPremiumUsd === null ? null : Math.abs(order.netPremiumUsd) / USD_PER_MILLION,
    dte: expiry === null ? null : (Date.parse(expiry) - Date.parse(day)) / DAY_MS,
    flipPoints: points(flip),
    flipIs: spot === null || flip === null ? null : spot >= flip ? 'over' : 'under',
    wallPoints: { call_wall: points(order.callWall), put_wall: points(order.putWall) },
  }
}

type Test = (facts: OrderFacts) => boolean

/** What each condition of a rule asks; what is not known never matches. */
const TESTS: {
  readonly [Name in OrderCondition]: (value: NonNullable<OrderRule[Name]>, rule: OrderRule) => Test
} = {
  kinds: kinds => {
    const wanted = new Set(kinds)
    return ({ order }) => wanted.has(order.kind)
  },
  min_premium: least => facts => facts.premium >= least,
  min_net: least => facts => facts.net !== null && facts.net >= least,
  min_size: least => facts => facts.order.size >= least,
  gamma: way => facts => {
    const { gamma } = facts.order
    return gamma !== null && (way === 'adds' ? gamma > 0 : gamma < 0)
  },
  min_gamma:
    least =>
    ({ order }) =>
      order.gamma !== null && Math.abs(order.gamma) >= least,
  dte_min:
    least =>
    ({ dte }) =>
      dte !== null && dte >= least,
  dte_max:
    most =>
    ({ dte }) =>
      dte !== null && dte <= most,
  flip_within:
    most =>
    ({ flipPoints }) =>
      flipPoints !== null && flipPoints <= most,
  flip_is:
    side =>
    ({ flipIs }) =>
      flipIs === side,
  // a wall alone asks that it is known
  wall: (wall, rule) => wallTest(wall, rule.wall_within ?? Number.POSITIVE_INFINITY),
  wall_within: (most, rule) => wallTest(rule.wall ?? 'any', most),
  from_t:
    first =>
    ({ order }) =>
      order.t >= first,
  to_t:
    last =>
    ({ order }) =>
      order.t <= last,
  min_confidence:
    least =>
    ({ order }) =>
      order.confidence >= least,
}

/** The names of what a rule may ask. */
export type OrderCondition = Exclude<keyof OrderRule, 'id' | 'name' | 'on'>

/** What a rule may ask, in the order in which bodies have it. */
export const ORDER_CONDITIONS = Object.keys(TESTS) as readonly OrderCondition[]

function wallTest(wall: NonNullable<OrderRule['wall']>, most: number): Test {
  return facts => {
    const near = nearestWall(facts, wall)
    return near !== null && near.points <= most
  }
}

/** The wall an order is told against: the one the rule names, else the nearest one known. */
export function nearestWall({ wallPoints }: OrderFacts, wall: OrderRule['wall'] = 'any') {
  const kinds = wall === 'any' ? (['call_wall', 'put_wall'] as const) : [wall]
  return kinds
    .map(kind => ({ kind, points: wallPoints[kind] }))
    .filter((each): each is { kind: typeof each.kind; points: number } => each.points !== null)
    .reduce<{ kind: 'call_wall' | 'put_wall'; points: number } | null>(
      (near, each) => (near === null || each.points < near.points ? each : near),
      null,
    )
}

/** Makes a rule ready to match many orders. */
export function compileRule(rule: OrderRule): CompiledRule {
  const asked = ORDER_CONDITIONS.filter(name => rule[name] !== undefined)
  const tests = asked.map(name => testOf(name, rule))
  return {
    key: JSON.stringify(asked.map(name => [name, rule[name]])),
    matches: facts => tests.every(test => test(facts)),
  }
}

const testOf = <Name extends OrderCondition>(name: Name, rule: OrderRule): Test =>
  TESTS[name](rule[name] as NonNullable<OrderRule[Name]>, rule)

/** The orders of a minute that match, in the order of `facts`. */
export const matchOrders = ({ matches }: CompiledRule, facts: readonly OrderFacts[]) =>
  facts.filter(matches)

/**
 * Of the matches that were not told before the five that are; the last says how many `more` there
 * were.
 */
export function limitMatches(matches: readonly OrderFacts[]): OrderMatch[] {
  const more = matches.length - TOLD_MAX
  return matches
    .slice(0, TOLD_MAX)
    .map((facts, index) => (more > 0 && index === TOLD_MAX - 1 ? { facts, more } : { facts }))
}
