import { expect, test } from 'vitest'
import {
  ALERT_DEFAULTS,
  CONDITIONS,
  LABEL_DEFAULTS,
  listConditions,
} from '../../src/positions/catalogue.ts'
import { POSITION_KINDS } from '../../src/positions/kinds.ts'
import { readVectors } from '../support/shared.ts'

const vectors = readVectors('position_conditions')

test('the catalogue is that of the reference vectors, in its order', () => {
  const written = CONDITIONS.map(({ kinds, ...row }) => ({
    ...row,
    kinds: kinds.length === POSITION_KINDS.length ? 'all' : kinds.join(','),
  }))
  expect(written).toEqual(vectors.catalogue)
  expect(vectors.results[0].label_counts).toEqual(LABEL_DEFAULTS)
})

test('a kind has the conditions that speak of it', () => {
  const ids = (kind: Parameters<typeof listConditions>[0]) =>
    listConditions(kind).map(({ id }) => id)
  expect(ids('condor')).toEqual(CONDITIONS.map(({ id }) => id))
  expect(ids('call_spread')).not.toContain('under_flip')
  expect(ids('call_spread')).not.toContain('skew')
  expect(ids('call_spread')).toHaveLength(CONDITIONS.length - 2)
})

test('every default lies within its range, and alerts start switched off', () => {
  const outside = CONDITIONS.filter(row => row.default < row.min || row.default > row.max)
  expect(outside).toEqual([])
  expect(ALERT_DEFAULTS).toMatchObject({ channel: 'off', url: null })
})
