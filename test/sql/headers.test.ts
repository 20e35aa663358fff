// Holds the headers of all SQL files to what their queries say.

import { expect, test } from 'vitest'
import { findHeaderFaults, findUncheckedHeaders, readSqlFiles } from '../support/sqlHeaders.ts'

test('every SQL file is one select whose header is true, or a file of macros', async () => {
  expect(await findHeaderFaults(readSqlFiles())).toEqual({})
})

const MODEL = `-- fold.sweeps: prints of one contract.
-- grain: sweep_id
-- reads: tape.prints
-- param: session
with own as (select sweep_id from tape.prints where session_date = $session)
select sweep_id from own -- of $one, from fold.other
`

const listFaults = async (text: string, file = 'sql/fold/sweeps.sql') =>
  (await findHeaderFaults({ [file]: text }))[file] ?? []

test('a header that is true has no fault, and comments and own parts are not read', async () => {
  expect(await listFaults(MODEL)).toEqual([])
})

test.each([
  ['its name', '-- fold.sweeps: ', '-- fold.sweep: ', 'does not begin with its name'],
  ['a line for each', '-- grain: sweep_id\n', '', 'has no grain'],
  ['what it reads', '-- reads: tape.prints\n', '', 'has no line of what it reads'],
  ['each table', 'from own', 'from own, tape.quotes', 'which is "tape.prints, tape.quotes"'],
  ['each parameter', 'from own', 'where true = $is_one', 'which is "is_one, session"'],
  ['earlier stages', 'from own', 'from book.pairs', 'book.pairs is not of an earlier stage'],
  ['another table by its name', 'from own', 'from orders', 'orders is not of an earlier stage'],
  ['files', 'from own', 'from read_parquet($session)', 'does not say what files it reads'],
  ['only files it opens', 'tape.prints\n', 'tape.prints, the files of a day\n', 'reads no files'],
  ['one statement', 'from own', 'from own; select 1', 'is not one statement'],
  ['a statement', 'select sweep_id from own', 'drop table own', 'syntax error'],
])('a header has to tell %s', async (_, from, to, fault) => {
  expect((await listFaults(MODEL.replace(from, to))).join('; ')).toContain(fault)
})

test('a model that opens files says so in one entry', async () => {
  const text = MODEL.replace('from own', 'from read_parquet($session)')
  const message = text.replace('reads: tape.prints', 'reads: tape.prints, the files of a day')
  expect(await listFaults(message)).toEqual([])
})

test('a file of macros says which tables they read by name', async () => {
  const macro = '-- The roots.\ncreate or replace macro roots() as (select 1 from tape.roots)\n'
  const file = 'sql/macros/roots.sql'
  expect((await listFaults(macro, file)).join()).toContain('which is "tape.roots"')
  expect(await listFaults(macro.replace('\n', '\n-- reads: tape.roots\n'), file)).toEqual([])
})

test('a file of macros holds nothing else', async () => {
  const macro =
    "-- One.\ncreate or replace macro one() as ';';\ncreate or replace macro two() as 2;\n"
  const file = 'sql/macros/one.sql'
  expect(await listFaults(macro, file)).toEqual([])
  expect(await listFaults(`${macro}drop table fold.sweeps`, file)).toEqual(['has what is no macro'])
})

test('of four files two are unchecked: one in no folder of sql and one that fails', async () => {
  const texts = {
    'sql/fold/sweeps.sql': MODEL,
    'sql/fold/waves.sql': MODEL,
    'src/tape/sweeps.sql': MODEL,
    'sql/macros/two.sql': '-- Two.\ncreate or replace macro two() as 2\n',
  }
  expect(await findUncheckedHeaders(texts)).toEqual(['sql/fold/waves.sql', 'src/tape/sweeps.sql'])
  const elsewhere = { 'sql/waves/sweeps.sql': MODEL.replace('fold.sweeps', 'waves.sweeps') }
  expect(await findUncheckedHeaders(elsewhere)).toEqual(['sql/waves/sweeps.sql'])
})
