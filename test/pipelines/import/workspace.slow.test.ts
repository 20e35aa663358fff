// Files that come together: which of them are imported concurrently, and what that changes.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FORMATS } from '../../../pipelines/import/formats.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { openImportWorkspace } from '../../../pipelines/import/workspace.ts'
import { groupIntoRounds } from '../../../pipelines/live/spool.ts'
import { lockPath, withLock } from '../../../src/core/disk/lock.ts'
import { Busy, Refusal } from '../../../src/core/disk/refusal.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { listWork } from '../../support/chaos.ts'
import { findManifest, findTree, newFile, newFolder } from '../../support/import.ts'

const DAY = '2026-10-14'

/** Opens a workspace of a new data folder, closed when the test ends. */
async function openSpace(dataFolder = newFolder()) {
  const space = await openImportWorkspace(dataFolder, DAY)
  onTestFinished(space.close)
  return { dataFolder, space }
}

const roundsOfNames = (...formats: string[]) =>
  groupIntoRounds(formats.map((name, index) => ({ format: findFormat(name), index }))).map(round =>
    round.map(({ format, index }) => `${index} ${format.name}`),
  )

const findFormat = (name: string) => FORMATS.find(format => format.name === name)!

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

const HEADER = 'printed_at,root,expiry,strike,option_type,size,price,sequence,exchange,condition'

const printsFile = (count: number, exchange = 5) => {
  const rows = Array.from(
    { length: count },
    (_, at) => `${DAY}T14:00:${10 + (at % 40)}Z,SPXW,${DAY},6000,C,1,1.25,${at + 1},${exchange},I`,
  )
  return newFile('prints.csv', `${[HEADER, ...rows].join('\n')}\n`)
}
const spotsFile = () =>
  newFile('spots.csv', `session_date,spotted_at,spot\n${DAY},${DAY} 13:30:10,6000.5\n`)
const interestFile = () =>
  newFile(
    'open-interest.csv',
    `session_date,root,expiry,strike,option_type,open_interest\n${DAY},SPXW,${DAY},6000,C,7\n`,
  )

test('concurrent imports equal sequential ones, byte for byte', async () => {
  const { dataFolder: together, space } = await openSpace()
  const apart = newFolder()
  const files = [
    // the first takes longest: it is published first all the same
    { format: 'prints', files: [printsFile(20_000)] },
    { format: 'open-interest', files: [interestFile()] },
    { format: 'spots', files: [spotsFile()] },
  ]
  const requests = files.map(each => ({ dataFolder: together, ...each }))
  const results = await space.take(requests)
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
  for (const each of files) await runImport({ dataFolder: apart, ...each })
  expect(findManifest(together, DAY).batches.map(({ dataset }) => dataset)).toEqual([
    'prints',
    'open_interest',
    'spots',
  ])
  expect(findTree(together)).toEqual(findTree(apart))
  expect(listWork(together)).toEqual([])
})

const chainFile = () =>
  newFile(
    'chain.csv',
    [
      'S&P 500 INDEX,Last: 6001.25,Change: 1.0',
      '"Date: October 14, 2026 at 11:55 AM EDT",Bid: 1,Ask: 2,Size: 1*1,Volume: 0',
      'Expiration Date,Calls,Bid,Ask,Open Interest,Strike,Puts,Bid,Ask,Open Interest',
      'Fri,SPXW261016C06000000,9.5,9.7,40,6000.00,SPXW261016P06000000,0,0.05,50',
    ].join('\n'),
  )

/** Prints of a minute: the first of them in the file before, too, the last two not to be used. */
const minuteFile = (minute: number) => {
  const rows = Array.from({ length: 301 }, (_, at) => {
    const number = 300 * minute + at
    const printedAt = new Date(Date.parse(`${DAY}T14:00:00Z`) + number * 100).toISOString()
    return `${printedAt},SPXW,${DAY},6000,C,1,1.25,${number},5,I`
  })
  const broken = `${DAY}T14:00:00Z,SPXW,${DAY},6000,X,1,1.25,${minute},5,I`
  const unknown = `${DAY}T14:00:01Z,SPXW,${DAY},6000,C,1,1.25,${minute},5,?`
  return newFile('prints.csv', `${[HEADER, ...rows, broken, unknown].join('\n')}\n`)
}

/** More than one row in a hundred cannot be used: the file is refused. */
const brokenFile = () =>
  newFile('prints.csv', readFileSync(minuteFile(6), 'utf8').replaceAll(',C,', ',X,'))

/** The same rows as Parquet, its sizes in another type than text. */
const parquetFile = async (minute: number) => {
  const path = join(newFolder(), 'prints.parquet')
  const db = await openDatabase()
  await db.run(
    `copy (select * replace (size::integer as size) from read_csv($from, all_varchar = true))
     to '${path}'`,
    { from: minuteFile(minute) },
  )
  db.close()
  return path
}

test('cached plans import the same minute by minute, whatever comes between', async () => {
  const { dataFolder: together, space } = await openSpace()
  const apart = newFolder()
  const rounds = [
    ...[0, 1, 2, 3, 4].map(minute => [['prints', minuteFile(minute)] as const]),
    [['prints', await parquetFile(5)] as const, ['spots', spotsFile()] as const],
    [['prints', brokenFile()] as const],
    [['prints', await parquetFile(6)] as const],
    // large, and of several datasets: in databases of their own
    [['prints', printsFile(80_000, 6)] as const, ['cboe-chain', chainFile()] as const],
    ...[7, 8, 4, 9].map(minute => [['prints', minuteFile(minute)] as const]),
  ]
  const refused: string[] = []
  for (const round of rounds) {
    const requests = round.map(([format, file]) => ({ format, files: [file] }))
    const taken = await space.take(requests.map(each => ({ dataFolder: together, ...each })))
    const oneByOne: PromiseSettledResult<unknown>[] = []
    for (const each of requests) {
      oneByOne.push(...(await Promise.allSettled([runImport({ dataFolder: apart, ...each })])))
    }
    expect(taken).toEqual(oneByOne)
    for (const one of taken) if (one.status === 'rejected') refused.push(String(one.reason.message))
    await space.makeReady()
  }
  expect(refused).toEqual([expect.stringContaining('the limit is 1 %')])
  expect(findTree(together)).toEqual(findTree(apart))
})

test('one that is refused leaves the others as they are', async () => {
  const { dataFolder, space } = await openSpace()
  const broken = newFile('prints.csv', 'nothing,of,it\n1,2,3\n')
  const requests = [
    { dataFolder, format: 'prints', files: [broken] },
    { dataFolder, format: 'spots', files: [spotsFile()] },
    { dataFolder, format: 'nothing', files: [broken] },
  ]
  const results = await space.take(requests)
  expect(results).toEqual([
    { status: 'rejected', reason: expect.any(Refusal) },
    { status: 'fulfilled', value: expect.objectContaining({ format: 'spots' }) },
    { status: 'rejected', reason: expect.objectContaining({ message: expect.any(String) }) },
  ])
  expect(findManifest(dataFolder, DAY).batches.map(({ dataset }) => dataset)).toEqual(['spots'])
  // what was refused stands in nobody's way
  const again = { dataFolder, format: 'prints', files: [printsFile(5)] }
  expect(await space.take([again])).toEqual([
    { status: 'fulfilled', value: expect.objectContaining({ format: 'prints' }) },
  ])
})

test('none begins while another import runs', async () => {
  const { dataFolder, space } = await openSpace()
  const request = { dataFolder, format: 'spots', files: [spotsFile()] }
  await withLock(lockPath(dataFolder, 'import'), 'busy', async () => {
    await expect(space.take([request])).rejects.toThrow(Busy)
  })
  expect(findTree(join(dataFolder, 'tape'))).toBeNull()
})
