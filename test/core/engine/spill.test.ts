import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { newFolder } from '../../support/import.ts'

const SETTING = "select current_setting('temp_directory') as folder"
/** More than fits into 100 MB. */
const LARGE = 'create table large as select random() as a, random() as b from range(8000000)'

test('a database spills to a folder of its own, never where the process was started', async () => {
  const options = { threads: 2, memoryLimit: '100MB' }
  const [db, other] = [await openDatabase(options), await openDatabase(options)]
  const [[own], [others]] = [await db.rows(SETTING), await other.rows(SETTING)]
  const folder = String(own!.folder)
  expect(folder.startsWith(join(tmpdir(), 'tapefold-spill-'))).toBe(true)
  expect(others).not.toEqual(own)

  await db.run(LARGE)
  expect(existsSync(folder)).toBe(true)
  expect(existsSync('.tmp')).toBe(false)
  db.close()
  other.close()
  expect(existsSync(folder)).toBe(false)
})

test('or to the folder that it is given', async () => {
  const folder = join(newFolder(), 'spill')
  const db = await openDatabase({ threads: 2, memoryLimit: '100MB', temporaryFolder: folder })
  await db.run(LARGE)
  expect(existsSync(folder)).toBe(true)
  db.close()
})
