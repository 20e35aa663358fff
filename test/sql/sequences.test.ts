// Holds all SQL files to time: the number of a print only decides between prints of one instant.

import { expect, test } from 'vitest'
import { readSqlFiles } from '../support/sqlHeaders.ts'

/** Where a query takes a number of prints for time. */
const TAKEN_FOR_TIME = [
  // a window that is sorted by it first
  /\(\s*(?:partition\s+by[^()]*\s)?order\s+by\s+(?:\w+\.)?\w*sequence\b/g,
  /\barg_m(?:in|ax)\(\s*[^,()]+,\s*-?(?:\w+\.)?\w*sequence\s*\)/g,
  /\bsequence\s*[<>]=?\s*\w+\.\w*sequence\b/g,
] as const

const findFaults = (text: string): string[] => {
  const code = text.replace(/--.*/g, '')
  return TAKEN_FOR_TIME.flatMap(pattern => [...code.matchAll(pattern)].map(([found]) => found))
}

test('no query takes the number of a print for the order of time', () => {
  const faults = Object.entries(readSqlFiles()).flatMap(([file, text]) =>
    findFaults(text).map(fault => `${file}: ${fault}`),
  )
  expect(faults).toEqual([])
})

test.each([
  'select row_number() over (order by sequence) from prints',
  'select lag(price) over (\n    partition by root, strike\n    order by prints.sequence\n) from prints',
  'select sum(size) over so_far from prints window so_far as (order by first_sequence)',
  'select arg_min(price, prints.sequence) from prints',
  'select * from a inner join b on a.sequence < b.sequence',
])('%j takes it for time', text => {
  expect(findFaults(text)).toHaveLength(1)
})

test.each([
  'select row_number() over (order by printed_at, sequence) from prints',
  'select arg_max(price, (printed_at, sequence)) from prints',
  'select * from prints order by sequence -- over (order by sequence)',
  'select * from prints where sequence < 9007199254740992',
])('%j does not', text => {
  expect(findFaults(text)).toEqual([])
})
