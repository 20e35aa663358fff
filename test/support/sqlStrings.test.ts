import { expect, test } from 'vitest'
import { findSqlStrings } from './sqlStrings.ts'

test.each([
  ["'select 1 + 1 as two'"],
  ['"select reason from fold.a where b = \'c\'"'],
  ['`\n  with a as (select 1)\n  select * from a`'],
  ["'create or replace view fold.a as select 1'"],
  ["'create table fold.a as from fold.b where c'"],
  ['`insert into fold.$' + '{name} select 1`'],
  ["'from fold.a semi join fold.b using (c)'"],
  ["'update fold.a set b = null'"],
  ["'b in (select b from fold.a)'"],
  ["'delete from fold.a where b = 1'"],
])('%s is a query in a string', text => {
  expect(findSqlStrings(`const a = 1\nrun(${text})`)).toEqual([expect.stringMatching(/^line 2: /)])
})

test.each([
  ["'from fold.a'"],
  ['`from fold.$' + '{name} limit 0`'],
  ["'select b, c from fold.a'"],
  ["'select * exclude (b) from fold.a'"],
  ["'create table fold.a (b varchar, c bigint)'"],
  ["'create table fold.a as from fold.b limit 0'"],
  ["'delete from fold.a where b in (from fold.c)'"],
  ["'with 09:31, from then on'"],
  ['/* run */ // `select 1`'],
])('%s is none: it names a table as it is, or is no SQL', text => {
  expect(findSqlStrings(text.startsWith('/') ? text.slice(10) : `run(${text})`)).toEqual([])
})
