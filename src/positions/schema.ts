import { z } from 'zod'
import { Day, flag, Minute, number, text, textOrNull } from '../platform/http/fields.ts'
import { EVENTS_UNTIL_OFF } from '../platform/webhooks/delivery.ts'
import { ALERT_DEFAULTS, LABEL_DEFAULTS, listConditions } from './catalogue.ts'
import { ALERT_CHANNELS, POSITION_KINDS } from './kinds.ts'

/** A stored position as the API returns it and as every check reads it: complete and validated. */

const strike = (leg: string) =>
  number(`Strike of the ${leg}, index points; absent when the kind has none.`).optional()

const Legs = z
  .looseObject({
    lp: strike('long put'),
    sp: strike('short put'),
    sc: strike('short call'),
    lc: strike('long call'),
  })
  .meta({
    id: 'PositionLegs',
    description: `Strikes, rising: condor lp sp sc lc; strangle sp sc; put_spread lp sp;
call_spread sc lc.`,
  })

const Condition = z
  .looseObject({
    id: text('A condition of the catalogue.'),
    on: flag('Whether it counts towards the label.'),
    threshold: number("Where it switches on, in the condition's unit."),
  })
  .meta({ id: 'PositionCondition', description: 'One condition of a position.' })

export const Label = z
  .looseObject({
    caution: z.int().min(1).describe('Conditions that are on from which: CAUTION.'),
    skip: z.int().min(1).describe('Conditions that are on from which: SKIP.'),
  })
  .meta({ id: 'PositionLabel', description: 'caution <= skip <= conditions that count.' })

export const Alert = z
  .looseObject({
    channel: z.enum(ALERT_CHANNELS),
    url: textOrNull('Webhook address in its normal form; kept while another channel is chosen.'),
    before: z.int().min(0).max(385).describe('Minutes before the entry at which alerts start.'),
    state: z
      .enum(['on', 'off'])
      .optional()
      .describe(
        `Of the webhook: off after ${EVENTS_UNTIL_OFF} that failed, until its address is saved ` +
          'again. Absent on other channels.',
      ),
  })
  .meta({ id: 'PositionAlert', description: 'Where alerts of a position go.' })

/** A position with the defaults. */
const example = (): object => ({
  id: 'p_4fQ8sK2mZx0T',
  kind: 'condor',
  legs: { lp: 5930, sp: 5950, sc: 6050, lc: 6070 },
  entry: '10:30',
  conditions: listConditions('condor').map(condition => {
    return { id: condition.id, on: true, threshold: condition.default }
  }),
  label: LABEL_DEFAULTS,
  alert: ALERT_DEFAULTS,
  session: '2026-10-14',
})

export const Position = z
  .looseObject({
    id: z.string().regex(/^p_[0-9A-Za-z]+$/),
    kind: z.enum(POSITION_KINDS),
    legs: Legs,
    entry: Minute.describe('Entry minute, ET.'),
    conditions: z
      .array(Condition)
      .describe('Every condition of the kind, in the order of the catalogue.'),
    label: Label,
    alert: Alert,
    session: Day.nullable().describe(
      'Session the strikes were set against; null when none was named.',
    ),
  })
  .meta({
    id: 'Position',
    description: 'A short options position that an account keeps.',
    example: example(),
  })

/** A validated position: the store persists it and a check judges it. */
export type Position = z.infer<typeof Position>
