import { expect, test } from 'vitest'
import {
  ALERT_CHANNELS,
  LEG_NAMES,
  LEGS_OF_KIND,
  POSITION_KINDS,
  Position,
} from '../../src/positions/schema.ts'

test('the example of a position is one, and has the legs of its kind', () => {
  const position = Position.parse(Position.meta()!.example)
  expect(Object.keys(position.legs)).toEqual(LEGS_OF_KIND[position.kind])
  expect(ALERT_CHANNELS).toContain(position.alert.channel)
})

test.each(POSITION_KINDS)('the legs of a %s rise and hold a short one', kind => {
  const legs = LEGS_OF_KIND[kind]
  expect(legs).toEqual(LEG_NAMES.filter(name => legs.includes(name)))
  expect(legs.some(name => name.startsWith('s'))).toBe(true)
})
