import { expect, test } from 'vitest'
import { FORMATS } from '../../../pipelines/import/formats.ts'
import { refusingDamage } from '../../../pipelines/import/source.ts'
import { missingResource, Refusal } from '../../../src/core/disk/refusal.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { newFolder } from '../../support/import.ts'

/** Message of the engine for a query that needs more than it may have. */
async function findEngineOut(memoryLimit: string): Promise<Error> {
  const db = await openDatabase({ memoryLimit, temporaryFolder: newFolder() })
  try {
    await db.run("set max_temp_directory_size = '0KB'")
    return await db.rows('select list(i) from range(20000000) as r(i)').then(
      () => new Error('the query had enough'),
      error => error,
    )
  } finally {
    db.close()
  }
}

const parquet = { label: 'prints.parquet', path: 'prints.parquet', columns: [] }
const reading = (error: Error) =>
  refusingDamage(FORMATS[0]!, parquet, () => Promise.reject(error)).catch(reason => reason)

test('a file that the engine had no memory for is not reported as damaged', async () => {
  const error = await findEngineOut('20MB')
  expect(error.message).toMatch(/^Out of Memory Error/)
  expect(await reading(error)).toBe(error)
  expect(missingResource(error)).toBe('there is not enough memory')
})

test.each([
  'IO Error: Could not write file "spill": No space left on device',
  'IO Error: Could not read from file "prints.parquet": Input/output error',
  'IO Error: Cannot open file "prints.parquet": Too many open files',
])('nor one of which it says: %s', async message => {
  const error = new Error(message)
  expect(await reading(error)).toBe(error)
})

test('what it cannot make sense of is', async () => {
  const error = new Error('Invalid Input Error: Failed to decode page')
  expect(missingResource(error)).toBeNull()
  expect(await reading(error)).toBeInstanceOf(Refusal)
})
