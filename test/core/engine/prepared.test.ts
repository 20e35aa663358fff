import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/engine/database.ts'

test('a plan made when no row could match finds the rows that came since', async () => {
  const db = await openDatabase()
  await db.run('create table ledger.tape_minutes (minute_et varchar, print_count integer)')
  await db.run("insert into ledger.tape_minutes values ('09:30', 5), ('09:31', 7)")
  const run = await db.prepare('views/missing_minutes')
  expect(await run()).toEqual([])
  await db.run("insert into ledger.tape_minutes values ('09:32', 0)")
  expect(await run()).toEqual([{ minute_et: '09:32' }])
  await db.run('delete from ledger.tape_minutes')
  expect(await run()).toEqual([])
  db.close()
})
