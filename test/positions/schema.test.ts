import { expect, test } from 'vitest'
import {
  ALERT_CHANNELS,
  LEG_NAMES,
  LEGS_OF_KIND,
  POSITION_KINDS,
} from '../../src/positions/kinds.ts'
import { parseChange } from '../../src/positions/parseChange.ts'
import { Position } from '../../src/positions/schema.ts'
import { listComplaints, openApi } from '../support/openapi.ts'
import { complete } from '../support/position.ts'

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

test('the examples of responses match their schemas', () => {
  for (const operation of ['get', 'post']) {
    const pointer = `responses/200/content/application~1json`
    const { example } =
      openApi.paths['/api/positions'][operation].responses[200].content['application/json']
    const schema = `/paths/~1api~1positions/${operation}/${pointer}/schema`
    expect(listComplaints(schema, example), operation).toBe('[]')
  }
})

test('the examples of changes are taken', () => {
  const { examples } = openApi.paths['/api/positions'].post.requestBody.content['application/json']
  expect(Object.keys(examples)).toEqual(['add', 'update', 'remove'])
  for (const { value } of Object.values<{ value: { op: string } }>(examples)) {
    expect(parseChange(JSON.stringify(value))).toEqual(value)
  }
  const { conditions, ...rest } = examples.add.value.position
  const position = complete(examples.add.value.position)
  expect(position).toMatchObject(rest)
  for (const condition of conditions) {
    expect(position.conditions).toContainEqual(expect.objectContaining(condition))
  }
})
