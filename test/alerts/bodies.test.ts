// Bodies of events, byte for byte as test/vectors/alert_bodies.jsonl has them.

import { expect, test } from 'vitest'
import type { BodyPart } from '../../src/alerts/bodies/bodyPart.ts'
import { ALERT_EXAMPLE, POSITION_EXAMPLE } from '../../src/alerts/bodies/examples.ts'
import { levelBody } from '../../src/alerts/bodies/levels.ts'
import { alertsTestBody, positionTestBody } from '../../src/alerts/bodies/onDemand.ts'
import { orderBody, orderExtra } from '../../src/alerts/bodies/orders.ts'
import { positionBody } from '../../src/alerts/bodies/positions.ts'
import { AlertBody, PositionBody } from '../../src/alerts/bodies/schema.ts'
import type { OrderRule } from '../../src/alerts/kinds.ts'
import type { BookState } from '../../src/alerts/rules/inputs.ts'
import { limitMatches, orderFacts } from '../../src/alerts/rules/orders.ts'
import { instantMs } from '../../src/core/market/calendar.ts'
import {
  asOf,
  DAY,
  finding,
  LEVEL_LINE,
  line,
  POSITION,
  PRICE_LINE,
  readBodyVectors,
  reading,
  render,
  state,
} from '../support/alertBodies.ts'

const vectors = readBodyVectors()

const level = (of: BookState, one: Parameters<typeof finding>[0]): [BodyPart, null] => [
  levelBody(finding({ ...one, minute: of.minute }), asOf(of)),
  null,
]

const RULE: OrderRule = {
  id: 'r_5Xk9mZ2aBc3D',
  name: 'big',
  on: true,
  min_premium: 1,
  kinds: ['vertical'],
}
const ORDER = {
  oid: '20261125-130012345678-1',
  t: '13:00',
  kind: 'vertical',
  legs: '5950/5970P',
  expiry: '2026-11-25',
  size: 1000,
  grossPremiumUsd: 2_100_000,
  netPremiumUsd: 1_900_000,
  gamma: -3,
  confidence: 0.9,
  spot: 5993.57,
  flip: 5998.76,
  callWall: 6050,
  putWall: 5950,
}

const afterwards = (): [BodyPart, BodyPart] => {
  const of = state('13:02', 5993.57)
  const [match] = limitMatches(orderFacts(DAY, [ORDER]))
  return [orderBody(asOf(of)), orderExtra(RULE, match!)]
}

/** Source of each vector, in the order of the file. */
const MADE: readonly [string, () => [BodyPart, BodyPart | null]][] = [
  [
    'flip_cross',
    () =>
      level(state('10:37', 5994.1), {
        type: 'flip_cross',
        subject: 'flip',
        value: 5998.76,
        direction: 'below',
      }),
  ],
  [
    'wall_break',
    () =>
      level(state('11:02', 6052.3), {
        type: 'wall_break',
        subject: 'call_wall',
        value: 6050,
        direction: 'above',
      }),
  ],
  [
    'regime_change',
    () =>
      level(state('10:38', 5994.1), {
        type: 'regime_change',
        subject: 'net_gamma',
        value: -42.3641,
        from: 18.2069,
        direction: 'negative',
      }),
  ],
  [
    'wall_move',
    () =>
      level(state('13:20', 5961.4, 5925), {
        type: 'wall_move',
        subject: 'put_wall',
        value: 5925,
        from: 5950,
        direction: 'down',
      }),
  ],
  [
    'flip_move',
    () =>
      level(state('12:11', 6003.2, 5950, 6011.3), {
        type: 'flip_move',
        subject: 'flip',
        value: 6011.3,
        from: 5998.76,
        direction: 'up',
        thresholdPoints: 10,
      }),
  ],
  [
    'level_near',
    () =>
      level(state('14:05', 5954.2), {
        type: 'level_near',
        subject: 'put_wall',
        value: 5950,
        direction: 'above',
        thresholdPoints: 5,
      }),
  ],
  ['price_alert', () => line(state('11:30', 6000.4), PRICE_LINE, null)],
  ['level_line', () => line(state('14:01', 5959.1), LEVEL_LINE, 5950)],
  ['order', afterwards],
  ['test', () => [alertsTestBody(instantMs(DAY, '11:40') + 12_000), null]],
  [
    'opening_read',
    () => [
      positionBody(
        POSITION,
        { type: 'opening_read', label: 'TRADE' },
        reading('10:00', ['gap'], 13),
      ),
      null,
    ],
  ],
  [
    'label_changed',
    () => [
      positionBody(
        POSITION,
        { type: 'label_changed', from: 'TRADE', label: 'CAUTION' },
        reading('10:12', ['flip_near', 'gap', 'skew'], 11),
      ),
      null,
    ],
  ],
  ['test', () => [positionTestBody(POSITION.id, instantMs(DAY, '11:40') + 4000), null]],
]

test.each(MADE.map(([type, make], index) => ({ type, make, index })))(
  'vector $index, $type, is made of typed values byte for byte',
  ({ type, make, index }) => {
    const { body } = vectors[index]!
    const [shared, extra] = make()
    expect(shared.type).toBe(type)
    expect(render(shared, extra, body)).toBe(body)
    const schema = type.includes('read') || type.includes('label') ? PositionBody : AlertBody
    const position = JSON.parse(body).position_id !== undefined
    expect((position ? PositionBody : schema).parse(JSON.parse(body))).toEqual(JSON.parse(body))
  },
)

test('the bodies that the OpenAPI file shows are vectors', () => {
  const bodies = vectors.map(({ body }) => body)
  expect(bodies).toContain(JSON.stringify(ALERT_EXAMPLE))
  expect(bodies).toContain(JSON.stringify(POSITION_EXAMPLE))
})

test('all vectors are made', () => expect(MADE).toHaveLength(vectors.length))
