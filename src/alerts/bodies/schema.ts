import { z } from 'zod'
import { PUT_SUPPORT_LAST_DAY } from '../../platform/http/deprecations.ts'
import { Day, flag, Minute, number } from '../../platform/http/fields.ts'
import { responseValue } from '../fieldSchema.ts'
import { ALERT_BOOKS, LEVEL_KINDS } from '../kinds.ts'
import { RULE_FIELDS } from '../ruleFields.ts'
import { REPORTED_LABELS } from '../rules/positionLabel.ts'
import { ALERT_EXAMPLE, POSITION_EXAMPLE } from './examples.ts'
import { eventHead, origin, price, priceIfKnown, symbol, text, ts } from './fields.ts'
import { IdeaClosed, IdeaTriggered } from './ideaSchema.ts'

/** Schemas of webhook bodies, for the OpenAPI file and for tests. */

const Levels = z
  .looseObject({
    flip: z.number().optional(),
    call_wall: z.number().optional(),
    put_wall: z.number().optional(),
    put_support: z
      .number()
      .optional()
      .meta({
        deprecated: true,
        description: `The same as put_wall. Sent until ${PUT_SUPPORT_LAST_DAY}.`,
      }),
  })
  .meta({
    id: 'AlertLevels',
    description: 'Levels of the book at the minute, index points; absent where not known.',
  })

/** First fields of every event of a minute. */
const minuteHead = {
  ...eventHead,
  symbol,
  book: z.enum(ALERT_BOOKS),
  ts,
  day: Day,
  minute: Minute.describe('The state at which it was found, ET.'),
  levels: Levels,
  text,
  ...origin,
}

const Side = z
  .enum(['above', 'below'])
  .describe('Where the price is, seen from the level; on the level it is above.')
const Way = z.enum(['up', 'down'])
const threshold = number('The threshold of the entry, index points.')

const levelSchema = <Kinds extends readonly [string, ...string[]]>(kinds: Kinds) =>
  z.looseObject({
    kind: z.enum(kinds),
    value: number('Index points; of net gamma, $M per index point.'),
  })
const movedLevelSchema = <Kinds extends readonly [string, ...string[]]>(kinds: Kinds) =>
  levelSchema(kinds).extend({ from: number('What it was before.') })

const WALLS = ['call_wall', 'put_wall'] as const

const FlipCross = z.looseObject({
  ...minuteHead,
  type: z.literal('flip_cross'),
  level: levelSchema(['flip']),
  price,
  direction: Side,
  flip_lo: number("Lower end of the flip's 90 % interval.").optional(),
  flip_hi: number('Its upper end.').optional(),
  within_bar: flag('Whether the price is in it.').optional(),
})

const WallBreak = z.looseObject({
  ...minuteHead,
  type: z.literal('wall_break'),
  level: levelSchema(WALLS),
  price,
  direction: Side,
})

const RegimeChange = z.looseObject({
  ...minuteHead,
  type: z.literal('regime_change'),
  level: movedLevelSchema(['net_gamma']),
  price: priceIfKnown,
  direction: z.enum(['positive', 'negative']),
})

const WallMove = z.looseObject({
  ...minuteHead,
  type: z.literal('wall_move'),
  level: movedLevelSchema(WALLS),
  price: priceIfKnown,
  direction: Way,
})

const FlipMove = z.looseObject({
  ...minuteHead,
  type: z.literal('flip_move'),
  level: movedLevelSchema(['flip']),
  price: priceIfKnown,
  direction: Way,
  threshold_points: threshold,
})

const LevelNear = z.looseObject({
  ...minuteHead,
  type: z.literal('level_near'),
  level: levelSchema(LEVEL_KINDS),
  price,
  direction: Side,
  threshold_points: threshold,
})

const lineHead = {
  id: z.string(),
  price: number('Where the line is, index points.'),
  mode: z.enum(['once', 'repeat']),
}

const PriceAlert = z.looseObject({
  ...minuteHead,
  type: z.literal('price_alert'),
  price,
  direction: Side,
  alert: z.looseObject({ ...lineHead, kind: z.literal('price') }),
})

const LevelLine = z.looseObject({
  ...minuteHead,
  type: z.literal('level_line'),
  level: levelSchema(LEVEL_KINDS),
  price,
  direction: Side,
  alert: z.looseObject({
    ...lineHead,
    kind: z.literal('level'),
    level: z.enum(LEVEL_KINDS),
    offset: number('Index points from the level to the line.'),
  }),
})

/** Conditions of a rule; those not set are absent. */
const conditions = Object.fromEntries(
  RULE_FIELDS.filter(({ name }) => name !== 'name' && name !== 'on').map(field => [
    field.name,
    responseValue(field).optional(),
  ]),
)

const OrderFound = z.looseObject({
  ...minuteHead,
  type: z.literal('order'),
  price: priceIfKnown,
  rule: z
    .looseObject({ id: z.string(), name: z.string(), ...conditions })
    .describe('The rule that matched, with what it asks.'),
  order: z.looseObject({
    oid: z.string(),
    t: Minute.describe('ET minute it printed.'),
    kind: z.string().describe('Its structure.'),
    legs: z.string(),
    exp: Day.optional(),
    size: z.int(),
    premium: number('Gross, $M.'),
    flip: number('Index points from the flip then.').optional(),
    wall: z
      .looseObject({ kind: z.enum(WALLS), points: z.number() })
      .optional()
      .describe('The wall the rule names, else the nearer one, and how far it was.'),
  }),
  more: z
    .int()
    .min(1)
    .optional()
    .describe('How many more orders of the minute matched; on the last of five.'),
})

const AlertTest = z.looseObject({
  ...eventHead,
  type: z.literal('test'),
  symbol,
  ts,
  day: Day,
  text,
})

/** Bodies sent to the alerts' webhook endpoint. */
export const AlertBody = z
  .discriminatedUnion('type', [
    FlipCross,
    WallBreak,
    RegimeChange,
    WallMove,
    FlipMove,
    LevelNear,
    PriceAlert,
    LevelLine,
    OrderFound,
    IdeaTriggered,
    IdeaClosed,
    AlertTest,
  ])
  .meta({
    id: 'AlertBody',
    description: 'An event of the alerts. It never says how to trade.',
    example: ALERT_EXAMPLE,
  })

const Label = z.enum(REPORTED_LABELS).nullable().describe('Null: `error` says why.')

const positionHead = {
  ...eventHead,
  ts,
  day: Day,
  minute: Minute,
  position_id: z.string(),
  kind: z.enum(['condor', 'strangle', 'put_spread', 'call_spread']),
  entry: Minute.describe('Entry minute of the position, ET.'),
  label: Label,
  error: z.string().optional().describe('Why there is no label.'),
  counts: z.looseObject({ on: z.int(), off: z.int(), unknown: z.int() }),
  on: z.array(z.string()).describe('Conditions that are on.'),
  shorts: z
    .array(
      z.looseObject({
        leg: z.enum(['sp', 'sc']),
        points: z.number().optional(),
        expected_moves: z.number().optional(),
      }),
    )
    .describe('How far the index is from each short strike; absent: not known.'),
  text,
  ...origin,
}

const OpeningRead = z.looseObject({ ...positionHead, type: z.literal('opening_read') })

const LabelChanged = z.looseObject({
  ...positionHead,
  type: z.literal('label_changed'),
  from: Label.describe('The label that was told before.'),
})

const PositionTest = z.looseObject({
  ...eventHead,
  type: z.literal('test'),
  ts,
  day: Day,
  position_id: z.string(),
  text,
})

/** Bodies sent to the webhook endpoint of a position. */
export const PositionBody = z
  .discriminatedUnion('type', [OpeningRead, LabelChanged, PositionTest])
  .meta({
    id: 'PositionBody',
    description: 'An event of a position. Distances only.',
    example: POSITION_EXAMPLE,
  })
