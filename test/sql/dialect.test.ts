// Holds all SQL files to one way of writing.

import { expect, test } from 'vitest'
import { findDialectFaults } from '../support/sqlDialect.ts'
import { readSqlFiles } from '../support/sqlHeaders.ts'

test('all SQL files are written in one dialect', () => {
  const faults = Object.entries(readSqlFiles()).flatMap(([file, text]) =>
    findDialectFaults(text).map(fault => `${file}, ${fault}`),
  )
  expect(faults).toEqual([])
})

test.each([
  ['select a\nfrom b\njoin c using (d)', ['line 3: write "inner join"']],
  ['select a\nfrom b\ninner join c using (d)\nleft join e using (f)', []],
  ['select a,\nfrom b', ['line 1: no comma before "from"']],
  ['select a, -- the last one\nfrom b', ['line 1: no comma before "from"']],
  ['select a\nfrom b, c', ['line 2: write "cross join" instead of a comma']],
  ['select a\nfrom (select 1, 2) as b, c', ['line 2: write "cross join" instead of a comma']],
  ['select a, b\nfrom c\norder by a, b', []],
  ['with\n\none as (from a),\n\ntwo as (from one)\n\nselect b, c from two', []],
  ["select 'a, from b join c' as d, x -- join, from a, b\nfrom e", []],
  ["select a, 'b'\nfrom c", []],
])('%j has the faults %j', (text, faults) => {
  expect(findDialectFaults(text)).toEqual(faults)
})
