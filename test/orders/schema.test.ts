import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SIDE_REASONS } from '../../src/orders/orderFields.ts'

test('every reason the fold gives for having no side is documented, and no other', () => {
  const models = ['order_signs', 'order_sides'].map(name =>
    readFileSync(`sql/fold/${name}.sql`, 'utf8'),
  )
  const given = models.join().matchAll(/then '(\w+)'/g)
  expect([...given].map(([, reason]) => reason)).toEqual(SIDE_REASONS)
})
