import type { SessionDate } from '../../core/market/calendar.ts'
import type { OrderRule } from '../kinds.ts'
import { toAlertKind } from '../orderKinds.ts'
import type { SeenOrder } from './inputs.ts'

/** Events of one rule and minute; further matches are counted in the last one. */
const EVENTS_PER_RULE_MAX = 5
const DAY_MS = 86_400_000
const USD_PER_MILLION = 1_000_000

/** Properties of an order that rules test, computed once for all rules. */
export type OrderFacts = {
  readonly order: SeenOrder
  /** Its structure as rules and bodies name it, which reveals no side. */
  readonly kind: string
  /** $M, gross. */
  readonly premium: number
  /** Index points between the index of its minute and the levels then; null: not known. */
  readonly flipPoints: number | null
  readonly wallPoints: Readonly<Record<'call_wall' | 'put_wall', number | null>>
  /** Values that rules test, by `COLUMNS`; NaN, which is in no range: not known. */
  readonly values: readonly number[]
}

const COLUMNS = [
  'premium',
  'net',
  'size',
  'gamma',
  'gammaSize',
  'dte',
  'flip',
  'overFlip',
  'call_wall',
  'put_wall',
  'any',
  'minute',
  'confidence',
] as const
type Column = (typeof COLUMNS)[number]

/** An order that matched a rule; the last one reported states how many `more` there were. */
export type OrderMatch = { readonly facts: OrderFacts; readonly more?: number }

/** A compiled rule; rules with the same key match the same orders. */
export type CompiledRule = {
  readonly key: string
  readonly kinds: ReadonlySet<string> | null
  readonly ranges: readonly Range[]
}

/** Range of a column that a condition accepts, both ends included. */
type Range = { readonly column: number; readonly low: number; readonly high: number }

/** Facts of a minute's orders, largest premium first. */
export function orderFacts(day: SessionDate, orders: readonly SeenOrder[]): OrderFacts[] {
  return orders
    .map(order => computeFacts(day, order))
    .sort((a, b) => b.premium - a.premium || (a.order.oid < b.order.oid ? -1 : 1))
}

function computeFacts(day: SessionDate, order: SeenOrder): OrderFacts {
  const { spot, flip, expiry, gamma, netPremiumUsd: net } = order
  const points = (level: number | null) =>
    spot === null || level === null ? null : Math.abs(spot - level)
  const premium = order.grossPremiumUsd / USD_PER_MILLION
  const flipPoints = points(flip)
  const wallPoints = { call_wall: points(order.callWall), put_wall: points(order.putWall) }
  const numbers: Record<Column, number | null> = {
    premium,
    size: order.size,
    gamma,
    flip: flipPoints,
    ...wallPoints,
    net: net === null ? null : Math.abs(net) / USD_PER_MILLION,
    gammaSize: gamma === null ? null : Math.abs(gamma),
    dte: expiry === null ? null : (Date.parse(expiry) - Date.parse(day)) / DAY_MS,
    overFlip: spot === null || flip === null ? null : Number(spot >= flip),
    any: nearestWall({ wallPoints })?.points ?? null,
    minute: minuteNumber(order.t),
    confidence: order.confidence,
  }
  const values = COLUMNS.map(column => numbers[column] ?? Number.NaN)
  return { order, kind: toAlertKind(order.kind), premium, flipPoints, wallPoints, values }
}

const minuteNumber = (minute: string) => Number(minute.replace(':', ''))

const atLeast = (column: Column, low: number) => between(column, low, Number.POSITIVE_INFINITY)
const atMost = (column: Column, high: number) => between(column, Number.NEGATIVE_INFINITY, high)
const between = (column: Column, low: number, high: number): Range => ({
  column: COLUMNS.indexOf(column),
  low,
  high,
})

/** Range of each condition of a rule. */
const RANGES: {
  readonly [Name in Ranged]: (value: NonNullable<OrderRule[Name]>, rule: OrderRule) => Range
} = {
  min_premium: least => atLeast('premium', least),
  min_net: least => atLeast('net', least),
  min_size: least => atLeast('size', least),
  gamma: way =>
    way === 'adds' ? atLeast('gamma', Number.MIN_VALUE) : atMost('gamma', -Number.MIN_VALUE),
  min_gamma: least => atLeast('gammaSize', least),
  dte_min: least => atLeast('dte', least),
  dte_max: most => atMost('dte', most),
  flip_within: most => atMost('flip', most),
  flip_is: side => (side === 'over' ? atLeast('overFlip', 1) : atMost('overFlip', 0)),
  // a wall alone requires that it is known
  wall: wall => atLeast(wall, 0),
  wall_within: (most, rule) => atMost(rule.wall ?? 'any', most),
  from_t: first => atLeast('minute', minuteNumber(first)),
  to_t: last => atMost('minute', minuteNumber(last)),
  min_confidence: least => atLeast('confidence', least),
}

type OrderCondition = Exclude<keyof OrderRule, 'id' | 'name' | 'on'>
type Ranged = Exclude<OrderCondition, 'kinds'>

const RANGED = Object.keys(RANGES) as readonly Ranged[]

/** Conditions of a rule, in the order of bodies. */
export const ORDER_CONDITIONS: readonly OrderCondition[] = ['kinds', ...RANGED]

/** The wall reported with an order: the one the rule names, else the nearest known one. */
export function nearestWall(
  { wallPoints }: Pick<OrderFacts, 'wallPoints'>,
  wall: OrderRule['wall'] = 'any',
) {
  const kinds = wall === 'any' ? (['call_wall', 'put_wall'] as const) : [wall]
  return kinds
    .map(kind => ({ kind, points: wallPoints[kind] }))
    .filter((each): each is { kind: typeof each.kind; points: number } => each.points !== null)
    .reduce<{ kind: 'call_wall' | 'put_wall'; points: number } | null>(
      (near, each) => (near === null || each.points < near.points ? each : near),
      null,
    )
}

/** Compiles a rule to match many orders. */
export function compileRule(rule: OrderRule): CompiledRule {
  const conditions = ORDER_CONDITIONS.filter(name => rule[name] !== undefined)
  return {
    key: JSON.stringify(conditions.map(name => [name, rule[name]])),
    kinds: rule.kinds ? new Set(rule.kinds) : null,
    ranges: RANGED.filter(name => rule[name] !== undefined).map(name => toRange(name, rule)),
  }
}

const toRange = <Name extends Ranged>(name: Name, rule: OrderRule): Range =>
  RANGES[name](rule[name] as NonNullable<OrderRule[Name]>, rule)

/** Returns the orders of a minute that match, in the order of `facts`. */
export function matchOrders(rule: CompiledRule, facts: readonly OrderFacts[]): OrderFacts[] {
  const found: OrderFacts[] = []
  for (const one of facts) if (isMatch(rule, one)) found.push(one)
  return found
}

function isMatch({ kinds, ranges }: CompiledRule, { kind, values }: OrderFacts): boolean {
  for (const { column, low, high } of ranges) {
    const value = values[column]!
    // NaN is in no range
    if (!(value >= low && value <= high)) return false
  }
  return kinds === null || kinds.has(kind)
}

/** Returns the first five of the new matches; the last states how many `more` there were. */
export function limitMatches(matches: readonly OrderFacts[]): OrderMatch[] {
  const more = matches.length - EVENTS_PER_RULE_MAX
  return matches
    .slice(0, EVENTS_PER_RULE_MAX)
    .map((facts, index) =>
      more > 0 && index === EVENTS_PER_RULE_MAX - 1 ? { facts, more } : { facts },
    )
}
