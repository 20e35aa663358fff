import { hash } from 'node:crypto'
import { z } from 'zod'

/**
 * The compiled rule: instrument, times and conditions. One meaning has one form and so one hash:
 * defaults are omitted unless the interface shows them, lists have a fixed order.
 */

export const ACTIONS = ['sell', 'buy'] as const
export const STRUCTURES = [
  'put_spread',
  'call_spread',
  'iron_condor',
  'iron_butterfly',
  'strangle',
  'straddle',
] as const
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri'] as const
export const LEVEL_REFS = ['put_wall', 'call_wall', 'flip'] as const

/** Bounds of every number of a rule. */
export const BOUNDS = {
  widthStep: 5,
  widthMax: 200,
  offsetMax: 500,
  multMin: 0.1,
  multMax: 5,
  deltaMin: 0.01,
  deltaMax: 0.95,
  dteMax: 5,
  qtyMax: 100,
  everyMax: 240,
  gapMax: 385,
  profitMaxSold: 100,
  profitMaxBought: 1_000,
  stopDebitMax: 100,
  stopCreditMax: 20,
  premiumMaxMusd: 10_000,
  sinceMax: 389,
  nthMax: 20,
  conditionsMax: 12,
  firstEntry: '09:31',
  lastEntry: '15:59',
  /** Default last minute of a window. */
  lastDefault: '15:30',
} as const

/** Fields that a condition may compare, in the order of a rule's conditions. */
export const COMPARED = {
  spot_minus_put_wall: { unit: 'pt', min: -500, max: 500 },
  call_wall_minus_spot: { unit: 'pt', min: -500, max: 500 },
  spot_minus_flip: { unit: 'pt', min: -500, max: 500 },
  net_gamma: { unit: 'musd_pt', min: -100_000, max: 100_000 },
  abs_gap: { unit: 'pct', min: 0, max: 20 },
  abs_move_from_open: { unit: 'em', min: 0, max: 10 },
  move_from_open: { unit: 'pct', min: -20, max: 20 },
  atm_iv_change: { unit: 'vol_pt', min: -100, max: 100 },
} as const
export type ComparedField = keyof typeof COMPARED
export const COMPARED_FIELDS = Object.keys(COMPARED) as readonly ComparedField[]

/** Comparisons, in the order of a field's conditions. */
export const OPS = ['<', '<=', '>', '>=', 'abs<', 'abs<=', 'abs>', 'abs>='] as const
export type CompareOp = (typeof OPS)[number]
/** Only distances have an absolute value; a gap and a move are sizes already. */
export const listOperators = (f: ComparedField): readonly CompareOp[] =>
  COMPARED[f].unit === 'pt' ? OPS : OPS.slice(0, 4)

const finite = z.number().meta({ description: 'A finite number.' })
const minuteEt = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/)
  .meta({ description: 'An ET minute, HH:MM.' })

const compared = COMPARED_FIELDS.map(f =>
  z.strictObject({
    f: z.literal(f),
    op: z.enum(listOperators(f)),
    v: finite.min(COMPARED[f].min).max(COMPARED[f].max),
    u: z.literal(COMPARED[f].unit),
  }),
)
const orderCondition = z.strictObject({
  f: z.literal('order'),
  premium_musd_min: finite.positive().max(BOUNDS.premiumMaxMusd),
  gamma: z.enum(['adds', 'removes']).optional(),
  since_min: z.int().min(1).max(BOUNDS.sinceMax).optional(),
  not: z.literal(true).optional(),
})
const crossCondition = z.strictObject({
  f: z.literal('cross_flip'),
  dir: z.enum(['above', 'below']),
  nth: z.int().min(1).max(BOUNDS.nthMax),
})
export const RuleCondition = z
  .union([orderCondition, crossCondition, ...compared])
  .meta({ id: 'RuleCondition', description: 'One condition; all of a rule must hold.' })

const step = z.int().multipleOf(BOUNDS.widthStep)
export const RuleStrike = z
  .union([
    z.strictObject({
      ref: z.enum(['spot', ...LEVEL_REFS]),
      offset: step.min(-BOUNDS.offsetMax).max(BOUNDS.offsetMax),
    }),
    z.strictObject({
      ref: z.literal('em'),
      mult: finite.min(-BOUNDS.multMax).max(BOUNDS.multMax),
    }),
    z.strictObject({
      ref: z.literal('delta'),
      value: finite.min(BOUNDS.deltaMin).max(BOUNDS.deltaMax),
    }),
  ])
  .meta({ id: 'RuleStrike', description: 'Where the short strike is, or the long one if bought.' })

const window = z.tuple([minuteEt, minuteEt]).meta({
  // tools require a schema of further items, although there are at most two
  override: ({ jsonSchema }) => {
    jsonSchema.items = {}
  },
})
const each = {
  times: z.literal('each').optional(),
  gap_min: z.int().min(1).max(BOUNDS.gapMax).optional(),
}
export const RuleEntry = z
  .union([
    z.strictObject({ at: minuteEt }),
    z.strictObject({ window, every_min: z.int().min(1).max(BOUNDS.everyMax) }),
    z.strictObject({ window, on: z.enum(['order', 'cross']), ...each }),
    z.strictObject({ window, ...each }),
  ])
  .meta({ id: 'RuleEntry', description: 'When it trades.' })

export const RuleExit = z
  .union([
    z.strictObject({ at: z.literal('expiry') }),
    z.strictObject({ at: minuteEt, day: z.int().min(1).max(BOUNDS.dteMax).optional() }),
    z.strictObject({ profit_pct: finite.positive().max(BOUNDS.profitMaxBought) }),
    z.strictObject({ stop_pct_debit: finite.positive().max(BOUNDS.stopDebitMax) }),
    z.strictObject({ stop_x_credit: finite.gt(1).max(BOUNDS.stopCreditMax) }),
  ])
  .meta({ id: 'RuleExit', description: 'One way out; the first that is reached is taken.' })

export const RuleCore = z
  .strictObject({
    action: z.enum(ACTIONS),
    structure: z.enum(STRUCTURES),
    width: step.min(BOUNDS.widthStep).max(BOUNDS.widthMax).optional(),
    strike: RuleStrike,
    dte: z.int().min(0).max(BOUNDS.dteMax),
    qty: z.int().min(1).max(BOUNDS.qtyMax),
    entry: RuleEntry,
    exit: z.array(RuleExit).min(1).max(4),
  })
  .meta({ id: 'RuleCore', description: 'The trade itself, without its conditions.' })

const when = z.array(RuleCondition).max(BOUNDS.conditionsMax)

export const RuleSpec = z
  .strictObject({
    v: z.literal(1),
    core: RuleCore,
    when,
    days: z.array(z.enum(WEEKDAYS)).min(1).max(4).optional(),
    more: z
      .array(z.strictObject({ core: RuleCore, when }))
      .min(1)
      .max(1)
      .optional(),
  })
  .meta({ id: 'RuleSpec', description: 'A compiled rule.' })

export type RuleSpec = z.infer<typeof RuleSpec>
export type RuleCore = z.infer<typeof RuleCore>
export type RuleStrike = z.infer<typeof RuleStrike>
export type RuleEntry = z.infer<typeof RuleEntry>
export type RuleExit = z.infer<typeof RuleExit>
export type RuleCondition = z.infer<typeof RuleCondition>
export type RuleAction = RuleCore['action']
export type RuleStructure = RuleCore['structure']
export type Weekday = (typeof WEEKDAYS)[number]
export type LevelRef = (typeof LEVEL_REFS)[number]

/** True when a condition compares a measured value, and is not an event. */
export const isCompared = (
  condition: RuleCondition,
): condition is Extract<RuleCondition, { op: CompareOp }> => 'op' in condition

/** A rule in canonical form: conditions, exits and days in order, no hidden default. */
export function canonicalSpec({ core, when: conditions, days, more }: RuleSpec): RuleSpec {
  const listed = WEEKDAYS.filter(day => days?.includes(day))
  return {
    v: 1,
    core: canonicalCore(core),
    when: sortedConditions(conditions),
    ...(listed.length > 0 && listed.length < WEEKDAYS.length ? { days: listed } : {}),
    ...(more
      ? {
          more: more.map(leg => ({
            core: canonicalCore(leg.core),
            when: sortedConditions(leg.when),
          })),
        }
      : {}),
  }
}

const EXIT_KEYS = ['at', 'profit_pct', 'stop_pct_debit', 'stop_x_credit'] as const

function canonicalCore(core: RuleCore): RuleCore {
  const rank = (exit: RuleExit) => EXIT_KEYS.findIndex(key => key in exit)
  // holding to expiry is the default: included only when it is the only exit
  const isStated = (exit: RuleExit) => !('at' in exit && exit.at === 'expiry')
  const stated = core.exit.filter(isStated).sort((a, b) => rank(a) - rank(b))
  return { ...core, exit: stated.length > 0 ? stated : [{ at: 'expiry' }] }
}

const FIELD_ORDER: readonly string[] = ['order', 'cross_flip', ...COMPARED_FIELDS]

/** Distinct conditions in the order of their fields, comparisons and values. */
function sortedConditions(conditions: readonly RuleCondition[]): RuleCondition[] {
  const rank = (one: RuleCondition) => [
    FIELD_ORDER.indexOf(one.f),
    isCompared(one) ? OPS.indexOf(one.op) : 0,
    isCompared(one) ? one.v : one.f === 'order' ? one.premium_musd_min : one.nth,
  ]
  const once = new Map(conditions.map(one => [canonicalJson(one), one]))
  return [...once]
    .sort(([aText, a], [bText, b]) => {
      const [ranksA, ranksB] = [rank(a), rank(b)]
      const differing = ranksA.findIndex((value, index) => value !== ranksB[index])
      if (differing >= 0) return ranksA[differing]! - ranksB[differing]!
      return aText < bText ? -1 : 1
    })
    .map(([, one]) => one)
}

/**
 * JSON by RFC 8785: keys in the order of their UTF-16 units, no whitespace, numbers as in
 * ECMAScript.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}

/** SHA-256 of a rule's canonical form, hex: its identity. */
export const ruleHash = (spec: RuleSpec): string =>
  hash('sha256', canonicalJson(canonicalSpec(spec)))
