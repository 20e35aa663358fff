// Files that come together: which of them are imported beside each other, and what that changes.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStageDatabase } from '../../pipelines/import/stage.ts'
import { importBeside, runImport } from '../../pipelines/import.ts'
import { roundsOf } from '../../pipelines/spool.ts'
import type { Database } from '../../src/store/duck.ts'
import { withLock } from '../../src/store/lock.ts'
import { Busy, Refusal } from '../../src/store/refusal.ts'
import { manifestOf, newFile, newFolder, treeOf } from '../support/import.ts'

const DAY = '2026-10-14'
const databases: Database[] = []

beforeAll(async () => {
  for (let count = 0; count < 2; count++) databases.push(await openStageDatabase({ threads: 1 }))
})
afterAll(() => {
  for (const database of databases) database.close()
})

const roundsOfNames = (...formats: string[]) =>
  roundsOf(formats.map((format, index) => ({ format, index }))).map(round =>
    round.map(({ format, index }) => `${index} ${format}`),
  )

test('a round takes one file of each dataset, in the order of the files', () => {
  expect(roundsOfNames()).toEqual([])
  expect(roundsOfNames('prints', 'prints', 'quotes', 'spots')).toEqual([
    ['0 prints', '2 quotes', '3 spots'],
    ['1 prints'],
  ])
})

test('a file waits for all before it that may hold its rows, also for those that wait', () => {
  // a chain holds quotes, open interest and the index
  expect(roundsOfNames('quotes', 'cboe-chain', 'spots', 'prints')).toEqual([
    ['0 quotes', '3 prints'],
    ['1 cboe-chain'],
    ['2 spots'],
  ])
  // another vendor's trades are prints, too
  expect(roundsOfNames('prints', 'cboe-trades')).toEqual([['0 prints'], ['1 cboe-trades']])
})

const printsFile = (count: number) => {
  const header = 'printed_at,root,expiry,strike,option_type,size,price,sequence,exchange,condition'
  const rows = Array.from(
    { length: count },
    (_, at) => `${DAY}T14:00:${10 + (at % 40)}Z,SPXW,${DAY},6000,C,${1 + at},1.25,${at + 1},5,I`,
  )
  return newFile('prints.csv', `${[header, ...rows].join('\n')}\n`)
}
const spotsFile = () =>
  newFile('spots.csv', `session_date,spotted_at,spot\n${DAY},${DAY} 13:30:10,6000.5\n`)
const interestFile = () =>
  newFile(
    'open-interest.csv',
    `session_date,root,expiry,strike,option_type,open_interest\n${DAY},SPXW,${DAY},6000,C,7\n`,
  )

test('beside each other is what one after the other is, byte for byte', async () => {
  const [together, apart] = [newFolder(), newFolder()]
  const files = [
    // the first takes longest: it is published first all the same
    { format: 'prints', files: [printsFile(20_000)] },
    { format: 'open-interest', files: [interestFile()] },
    { format: 'spots', files: [spotsFile()] },
  ]
  const requests = files.map(each => ({ dataFolder: together, ...each }))
  const results = await importBeside(together, requests, databases)
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  for (const each of files) await runImport({ dataFolder: apart, ...each })
  expect(manifestOf(together, DAY).batches.map(({ dataset }) => dataset)).toEqual([
    ...['prints', 'open_interest', 'spots'],
  ])
  expect(treeOf(together)).toEqual(treeOf(apart))
  expect(existsSync(join(together, 'work'))).toBe(false)
}, 30_000)

test('one that is refused leaves the others as they are', async () => {
  const dataFolder = newFolder()
  const broken = newFile('prints.csv', 'nothing,of,it\n1,2,3\n')
  const requests = [
    { dataFolder, format: 'prints', files: [broken] },
    { dataFolder, format: 'spots', files: [spotsFile()] },
    { dataFolder, format: 'nothing', files: [broken] },
  ]
  const results = await importBeside(dataFolder, requests, databases)
  expect(results).toEqual([
    { status: 'rejected', reason: expect.any(Refusal) },
    { status: 'fulfilled', value: expect.objectContaining({ format: 'spots' }) },
    { status: 'rejected', reason: expect.objectContaining({ message: expect.any(String) }) },
  ])
  expect(manifestOf(dataFolder, DAY).batches.map(({ dataset }) => dataset)).toEqual(['spots'])
  // what was refused stands in nobody's way
  const again = { dataFolder, format: 'prints', files: [printsFile(5)] }
  expect(await importBeside(dataFolder, [again], databases)).toEqual([
    { status: 'fulfilled', value: expect.objectContaining({ format: 'prints' }) },
  ])
}, 30_000)

test('none begins while another import runs', async () => {
  const dataFolder = newFolder()
  const request = { dataFolder, format: 'spots', files: [spotsFile()] }
  await withLock(join(dataFolder, 'work/import.lock'), 'busy', async () => {
    await expect(importBeside(dataFolder, [request], databases)).rejects.toThrow(Busy)
  })
  expect(treeOf(join(dataFolder, 'tape'))).toBeNull()
})
