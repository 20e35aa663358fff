import { z } from 'zod'
import {
  Day,
  flag,
  Minute,
  number,
  numberOrNull,
  text,
  textOrNull,
  whole,
} from '../platform/http/fields.ts'
import { POSITION_KINDS } from './kinds.ts'
import { LABELS } from './label.ts'
import { LevelsAround, levelsExample } from './levelsSchema.ts'

/**
 * Schemas of checks, tracks and entry logs, for the OpenAPI file and for tests. Distances only: no
 * response holds the index, a level or a strike.
 */

const LabelName = z
  .enum(LABELS)
  .nullable()
  .describe('TRADE, CAUTION or SKIP; null where `error` says why there is none.')

const Counts = z
  .looseObject({ on: z.int(), off: z.int(), unknown: z.int() })
  .meta({ id: 'CheckCounts', description: 'How many of the conditions that count are what.' })

const LabelCounts = z
  .looseObject({ caution: z.int(), skip: z.int() })
  .describe('How many have to be on for CAUTION and for SKIP.')

const ErrorText = text(
  'Set when there is no label, in words; other positions still answer.',
).optional()

const Condition = z
  .looseObject({
    id: text('Of the catalogue.'),
    value: numberOrNull('In `unit`. Null is not zero: `reason` says why it is not known.'),
    unit: z.string(),
    on_when: text('How value and threshold compare; `<-`, `<=-`: with minus the threshold.'),
    threshold: z.number(),
    margin: numberOrNull('How far the value is from where the condition switches, in `unit`.'),
    state: z.enum(['on', 'off', 'unknown']),
    reason: textOrNull(
      "Why the value is unknown: inventory_unknown (the dealers' positions are not known), " +
        'no_spot, no_forward, no_smile, too_early, …',
    ),
  })
  .meta({ id: 'CheckCondition', description: 'A condition that counts, at the minute.' })

const NearOrder = z
  .looseObject({
    oid: text('The order, as in the ledger.'),
    t: Minute.describe('ET minute it printed.'),
    kind: text('Its structure.'),
    points: number('Its nearest strike of the same expiry, less the short strike.'),
    premium: number('Gross premium, $M.'),
    gamma: z
      .enum(['added', 'removed', 'none'])
      .nullable()
      .describe('What it did to dealer gamma; null: not known, `gamma_null` says why.'),
    gamma_null: z.string().nullable(),
  })
  .meta({ id: 'NearOrder', description: 'A large order of the last hour within 10 points.' })

const Distance = {
  leg: z.enum(['sp', 'sc']).describe('The short put, the short call.'),
  points: numberOrNull('From the index to the strike, index points; below zero beyond the strike.'),
  expected_moves: numberOrNull('The same over the expected move that remains.'),
}

const Short = z
  .looseObject({
    ...Distance,
    order_count: whole('Large orders near it, also those not listed.'),
    orders: z.array(NearOrder).describe('The ten largest premiums.'),
    levels: LevelsAround.describe('As they stand from the strike.'),
  })
  .meta({ id: 'CheckShort', description: 'One short strike.' })

const NearestChange = z
  .looseObject({
    label: z.enum(LABELS).describe('The label there would be.'),
    relative: number('The largest `relative` of its conditions.'),
    conditions: z.array(
      z.looseObject({
        id: z.string(),
        margin: number('How far its value is from the switch.'),
        unit: z.string(),
        relative: number('The margin over the threshold; over the value where that is zero.'),
      }),
    ),
  })
  .nullable()
  .meta({
    id: 'NearestChange',
    description: 'The conditions that would have to switch least for another label, or null.',
  })

export const Check = z
  .looseObject({
    position_id: z.string(),
    kind: z.enum(POSITION_KINDS),
    error: ErrorText,
    label: LabelName,
    counts: Counts,
    label_counts: LabelCounts,
    conditions: z.array(Condition).describe('Those with `on` true.'),
    nearest_change: NearestChange,
    levels: LevelsAround.nullable().describe(
      'As they stand from the index; null where `error` says that there is no minute.',
    ),
    shorts: z.array(Short),
  })
  .meta({
    id: 'Check',
    description: 'One position judged at one minute, by what was known before it.',
  })

const CHECK_EXAMPLE = {
  position_id: 'p_4fQ8sK2mZx0T',
  kind: 'strangle',
  label: 'TRADE',
  counts: { on: 0, off: 1, unknown: 0 },
  label_counts: { caution: 1, skip: 1 },
  conditions: [
    {
      id: 'short_dist_pts',
      value: 35.25,
      unit: 'pt',
      on_when: '<',
      threshold: 15,
      margin: 20.25,
      state: 'off',
      reason: null,
    },
  ],
  nearest_change: {
    label: 'SKIP',
    relative: 1.35,
    conditions: [{ id: 'short_dist_pts', margin: 20.25, unit: 'pt', relative: 1.35 }],
  },
  levels: levelsExample([5.19, -5.42, 16.36], 49.75, -25.25),
  shorts: [
    {
      leg: 'sp',
      points: 35.25,
      expected_moves: 1.444672131,
      order_count: 1,
      orders: [
        {
          oid: '20261014-124812345678-1',
          t: '12:48',
          kind: 'vertical',
          points: -5,
          premium: 7.5,
          gamma: 'removed',
          gamma_null: null,
        },
      ],
      levels: levelsExample([40.44, 29.83, 51.61], 85, 10),
    },
    {
      leg: 'sc',
      points: 39.75,
      expected_moves: 1.629098361,
      order_count: 0,
      orders: [],
      levels: levelsExample([-34.56, -45.17, -23.39], 10, -65),
    },
  ],
} satisfies z.infer<typeof Check>

const Note = text('Present when the day has no market minute yet. Not an error.').optional()

/** Response of check. */
export const Checks = z
  .looseObject({
    day: Day,
    t: Minute.nullable().describe('The minute judged; null: the day has none yet.'),
    live: flag('Whether the day is the session that is open now.'),
    checks: z.array(Check).describe('One a position, in the order of the list.'),
    note: Note,
  })
  .meta({
    id: 'Checks',
    example: { day: '2026-10-14', t: '13:00', live: false, checks: [CHECK_EXAMPLE] },
  })

const Point = z
  .looseObject({
    t: Minute,
    error: ErrorText,
    label: LabelName,
    counts: Counts,
    on: z.array(z.string()).describe('Conditions that are on.'),
    unknown: z.array(z.string()).describe('Conditions nobody can know.'),
  })
  .meta({ id: 'TrackPoint', description: 'The label of one minute.' })

/** Response of track. */
export const Track = z
  .looseObject({
    day: Day,
    t: Minute.nullable().describe('The last minute.'),
    id: z.string(),
    from: Minute.nullable().describe('The first minute.'),
    points: z.array(Point).max(60).describe('One a minute, oldest first.'),
    note: Note,
  })
  .meta({
    id: 'Track',
    example: {
      day: '2026-10-14',
      t: '13:00',
      id: 'p_4fQ8sK2mZx0T',
      from: '13:00',
      points: [
        {
          t: '13:00',
          label: 'TRADE',
          counts: { on: 0, off: 1, unknown: 0 },
          on: [],
          unknown: [],
        },
      ],
    },
  })

export type Check = z.infer<typeof Check>
export type Point = z.infer<typeof Point>
export { Condition, Counts, Distance, ErrorText, LabelCounts, LabelName }
