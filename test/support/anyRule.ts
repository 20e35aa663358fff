// Random rules, valid by the schema and most of them by the language.

import fc from 'fast-check'
import {
  ACTIONS,
  COMPARED,
  COMPARED_FIELDS,
  LEVEL_REFS,
  listOperators,
  type RuleSpec,
  STRUCTURES,
  WEEKDAYS,
} from '../../src/lab/language/spec.ts'

const minute = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map(at => {
    const [hours, minutes] = [Math.floor(at / 60), at % 60]
    return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
  })
const FIRST = 571
const LAST = 959

/** Decimals as people write them: at most two digits. */
const decimal = (min: number, max: number) =>
  fc
    .integer({ min: Math.ceil(min * 100), max: Math.floor(max * 100) })
    .map(hundredths => hundredths / 100 + 0)

const compared = fc.constantFrom(...COMPARED_FIELDS).chain(f =>
  fc.record({
    f: fc.constant(f),
    op: fc.constantFrom(...listOperators(f)),
    v: fc.oneof(
      fc.constant(0),
      decimal(Math.max(COMPARED[f].min, -900), Math.min(COMPARED[f].max, 900)),
    ),
    u: fc.constant(COMPARED[f].unit),
  }),
)
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
/** Without the keys that are undefined. */
const present = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T

const order = fc
  .record({
    f: fc.constant('order'),
    premium_musd_min: decimal(0.5, 400),
    gamma: optional(fc.constantFrom('adds', 'removes')),
    since_min: optional(fc.integer({ min: 1, max: 389 })),
    not: optional(fc.constant(true)),
  })
  .map(present)
const cross = fc.record({
  f: fc.constant('cross_flip'),
  dir: fc.constantFrom('above', 'below'),
  nth: fc.integer({ min: 1, max: 20 }),
})
const when = fc.array(fc.oneof({ arbitrary: compared, weight: 6 }, order, cross), { maxLength: 4 })

const strike = fc.oneof(
  fc.record({
    ref: fc.constantFrom('spot', ...LEVEL_REFS),
    offset: fc.integer({ min: -30, max: 30 }).map(steps => steps * 5 + 0),
  }),
  fc.record({ ref: fc.constant('em'), mult: fc.oneof(decimal(-5, -0.1), decimal(0.1, 5)) }),
  fc.record({
    ref: fc.constant('delta'),
    value: fc.integer({ min: 1, max: 95 }).map(d => d / 100),
  }),
)

const window = fc
  .tuple(fc.integer({ min: FIRST, max: LAST - 1 }), fc.integer({ min: 1, max: 300 }))
  .chain(([from, length]) => {
    const to = Math.min(from + length, LAST)
    return fc.tuple(minute(from, from), minute(to, to))
  })
const each = { times: fc.constant('each'), gap_min: fc.integer({ min: 1, max: 385 }) }
const entry = fc.oneof(
  fc.record({ at: minute(FIRST, LAST) }),
  fc.record({ window, every_min: fc.integer({ min: 1, max: 240 }) }),
  fc.record({ window, on: fc.constantFrom('order', 'cross') }),
  fc.record({ window, on: fc.constantFrom('order', 'cross'), ...each }),
  fc.record({ window }),
  fc.record({ window, ...each }),
)

const exits = fc
  .record({
    at: optional(
      fc
        .record({ at: minute(FIRST, LAST), day: optional(fc.integer({ min: 1, max: 5 })) })
        .map(present),
    ),
    profit: optional(decimal(1, 100).map(profit_pct => ({ profit_pct }))),
    stop: optional(
      fc.oneof(
        decimal(1.01, 20).map(stop_x_credit => ({ stop_x_credit })),
        decimal(1, 100).map(stop_pct_debit => ({ stop_pct_debit })),
      ),
    ),
  })
  .map(({ at, profit, stop }) => {
    const given: object[] = [at, profit, stop].filter(one => one !== undefined)
    return given.length > 0 ? given : [{ at: 'expiry' }]
  })

const core = fc
  .record({
    action: fc.constantFrom(...ACTIONS),
    structure: fc.constantFrom(...STRUCTURES),
    width: fc.integer({ min: 1, max: 40 }).map(steps => steps * 5),
    strike,
    dte: fc.integer({ min: 0, max: 5 }),
    qty: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 100 })),
    entry,
    exit: exits,
  })
  .map(({ width, exit, ...rest }) => {
    // a stop is of the credit when sold, and of the debit when bought
    const isOther = rest.action === 'sell' ? 'stop_pct_debit' : 'stop_x_credit'
    const fitting = exit.filter(one => !(isOther in one))
    const own = { ...rest, exit: fitting.length > 0 ? fitting : [{ at: 'expiry' }] }
    return own.structure === 'strangle' || own.structure === 'straddle' ? own : { ...own, width }
  })

const days = fc.option(fc.subarray([...WEEKDAYS], { minLength: 1, maxLength: 4 }), {
  nil: undefined,
})

/** Any rule that the schema takes; about a third of them fit together. */
export const anyRule = fc
  .record({ v: fc.constant(1), core, when, days })
  .map(present) as unknown as fc.Arbitrary<RuleSpec>

/** Any rule of two legs. */
export const anyTwoLegs = fc
  .tuple(anyRule, fc.record({ core, when }))
  .map(([rule, leg]) => ({ ...rule, more: [leg] })) as unknown as fc.Arbitrary<RuleSpec>
