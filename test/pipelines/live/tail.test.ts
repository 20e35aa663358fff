// Files that are still written while a feed reads them.

import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { silent } from '../../../pipelines/command/progress.ts'
import { type FeedOptions, openFeed } from '../../../pipelines/live/feed.ts'
import { copyLines } from '../../../pipelines/live/tail.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { readTapeManifest } from '../../../src/data/tape/manifest.ts'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'

const DATE = '2026-10-15'
const HEADER = 'printed_at,root,expiry,strike,option_type,size,price'
const row = (second: number, price: string) =>
  `${DATE} 13:40:${second},SPXW,2026-10-16,6000,C,5,${price}`

describe('copied lines', () => {
  const path = newFile('rows.csv', '')
  const target = join(newFolder(), 'copy.csv')
  beforeEach(() => rmSync(target, { force: true }))
  const copied = () => readFileSync(target, 'utf8')

  test('are whole ones, then the header and those that are new', async () => {
    writeFileSync(path, 'a,b\n1,2\n3,4')
    const first = await copyLines(path, target, null)
    expect(copied()).toBe('a,b\n1,2\n')
    expect(first).toMatchObject({ isRest: false, leftOut: 0, lines: 2, hasOpenLine: true })
    appendFileSync(path, '5\n6,7\n')
    const second = await copyLines(path, target, first.reached)
    expect(copied()).toBe('a,b\n3,45\n6,7\n')
    expect(second).toMatchObject({ isRest: true, leftOut: 1, lines: 2, hasOpenLine: false })
    const third = await copyLines(path, target, second.reached)
    expect(copied()).toBe('a,b\n')
    expect(third).toMatchObject({ isRest: true, leftOut: 3, lines: 0 })
    expect(third.reached).toEqual(second.reached)
  })

  test.each([
    ['was changed before what is new', 'a,b\n1,3\n3,45\n6,7\n8,9\n'],
    ['became shorter', 'a,b\n1,2\n'],
    ['lost the end of a line that was read', 'a,b\n1,2\n3,45\n6,7'],
  ])('are all of a file that %s', async (_, text) => {
    writeFileSync(path, 'a,b\n1,2\n3,45\n6,7\n')
    const { reached } = await copyLines(path, target, null)
    writeFileSync(path, text)
    const { isRest } = await copyLines(path, target, reached)
    expect([isRest, copied()]).toEqual([false, text.slice(0, text.lastIndexOf('\n') + 1)])
  })

  test('are not taken of a file that becomes shorter while it is read', async () => {
    writeFileSync(path, 'a,b\n'.repeat(10_000_000))
    const copying = copyLines(path, target, null)
    while (!existsSync(target) || statSync(target).size === 0) await new Promise(setImmediate)
    truncateSync(path, 4)
    await expect(copying).rejects.toThrow(`${path} is being rewritten.`)
  })

  test('are none where no line has ended, however long it is', async () => {
    writeFileSync(path, 'a'.repeat(3_000_000))
    const none = await copyLines(path, target, null)
    expect(none).toMatchObject({ reached: null, lines: 0, hasOpenLine: true })
    appendFileSync(path, `\nb\n${'c'.repeat(2_500_000)}`)
    const { reached, lines } = await copyLines(path, target, null)
    expect([reached, lines, copied().slice(-3)]).toEqual([null, 2, '\nb\n'])
  })
})

function findFeed(options: Pick<FeedOptions, 'spool' | 'rows'>) {
  const dataFolder = newFolder()
  const text: string[] = []
  const feed = openFeed({
    dataFolder,
    date: DATE,
    simulated: true,
    graceMs: 0,
    ...options,
    clock: { nowMs: () => instantMs(DATE, '09:29') },
    progress: { ...silent, say: line => void text.push(line) },
  })
  return { dataFolder, said: text, feed }
}

const listPrints = (dataFolder: string) =>
  tapeRows(
    dataFolder,
    DATE,
    'select printed_at::varchar as at, sequence, price from tape.prints order by all',
  )
/** The numbers and texts of the lines that were rejected, however often. */
const rejectedLines = (dataFolder: string) => {
  const texts = globSync('rejects/*.csv', { cwd: dataFolder }).flatMap(file =>
    readFileSync(join(dataFolder, file), 'utf8').trimEnd().split('\n').slice(1),
  )
  return [...new Set(texts)]
}
const listReads = (dataFolder: string) =>
  readTapeManifest(dataFolder, DATE).batches.map(({ counts }) => counts.read)

test('half a line is no print, and of a file that grows only what is new is read', async () => {
  const spool = newFolder()
  const file = join(spool, 'prints.csv')
  const { dataFolder, said: text, feed } = findFeed({ spool, rows: null })
  const { look, untaken, close } = await feed
  writeFileSync(file, `${HEADER}\n${row(10, '12.10')}\n${row(11, '12.5')}`)
  await look()
  expect(text).toEqual([
    'prints.csv: 1 new rows',
    'prints.csv waits: its last line has no end yet, and may be half a line.',
  ])
  expect(untaken()).toEqual(['prints.csv'])
  appendFileSync(file, `5\n${row(12, '12.60')}\n`)
  await look()
  expect(untaken()).toEqual([])
  // the second of two equal prints, which only the whole file distinguishes from one that is
  // read again
  appendFileSync(file, `${row(12, '12.60')}\n${row(14, '12.70')}\n`)
  await look()
  // one that is none among many that are
  const many = Array.from({ length: 150 }, (_, index) => row(15, `${13 + index / 10}`))
  appendFileSync(file, [...many, row(16, 'much'), row(17, '12.80'), ''].join('\n'))
  await look()
  await close()
  expect(text.slice(2, 5)).toEqual([2, 1, 1].map(count => `prints.csv: ${count} new rows`))
  expect(text.slice(5)).toEqual([
    expect.stringMatching(
      /^prints\.csv: 151 new rows; rejected rows, with reasons: rejects\/\w+\.csv$/,
    ),
  ])
  expect(listReads(dataFolder)).toEqual([1, 2, 2, 5, 152])
  const atOnce = newFolder()
  const whole = await importFiles(atOnce, '--simulated', '--day', DATE, 'prints', file)
  expect(whole.code).toBe(0)
  expect(await listPrints(dataFolder)).toEqual(await listPrints(atOnce))
  const [line, ...others] = rejectedLines(dataFolder)
  expect(line).toMatch(/^157,prints,/)
  expect([line, ...others]).toEqual(rejectedLines(atOnce))
})

test('rows of a pipe that ends within a line are taken up to there', async () => {
  const input = new PassThrough()
  const {
    dataFolder,
    said: text,
    feed,
  } = findFeed({ spool: null, rows: { dataset: 'prints', input } })
  const { look, untaken, close } = await feed
  input.write(`${HEADER}\r\n${row(10, '12.10')}\r\n${row(11, '12.5')}`)
  await look()
  expect(untaken()).toEqual([])
  input.write('5\n')
  input.end(row(12, '1'))
  await new Promise(done => input.once('end', done))
  await look()
  await close()
  expect((await listPrints(dataFolder)).map(({ price }) => price)).toEqual([12.1, 12.55])
  expect(untaken()).toEqual(['standard input'])
  expect(text.at(-1)).toBe(
    'standard input waits: its last line has no end yet, and may be half a line.',
  )
})

test('a broken row of a pipe leaves its neighbours, and is reported with its line', async () => {
  const input = new PassThrough()
  const {
    dataFolder,
    said: text,
    feed,
  } = findFeed({ spool: null, rows: { dataset: 'prints', input } })
  const { look, untaken, close } = await feed
  input.write(`${HEADER}\n${row(10, '12.10')}\n`)
  await look()
  input.write(`${row(11, 'much')}\n${row(12, '12.20')}\n`)
  await look()
  for (let again = 0; again < 2; again += 1) {
    input.write(`${row(11, 'much')}\n`)
    await look()
  }
  await close()
  expect((await listPrints(dataFolder)).map(({ price }) => price)).toEqual([12.1, 12.2])
  expect(untaken()).toEqual([])
  expect(text).toEqual([
    'standard input: 1 new rows',
    expect.stringMatching(/^standard input: 1 new rows; rejected rows, with reasons: rejects\/\w+/),
    expect.stringMatching(/^standard input: 0 new rows; rejected rows, with reasons: /),
    expect.stringMatching(/^standard input: 0 new rows; rejected rows, with reasons: /),
  ])
  const rejected = rejectedLines(dataFolder).map(line => line.split(',').slice(0, 3).join())
  expect(rejected.sort()).toEqual(
    [3, 5, 6].map(line => `${line},prints,"price is not a number above 0"`),
  )
})

test('a pipe without a header of its format is reported, and its rows are not taken', async () => {
  const input = new PassThrough()
  const { said: text, feed } = findFeed({ spool: null, rows: { dataset: 'prints', input } })
  const { look, untaken, close } = await feed
  input.write('foo,bar\n1,2\n')
  await look()
  await close()
  expect(text).toEqual([
    expect.stringMatching(
      /^standard input is refused: standard input has no header of this format/,
    ),
  ])
  expect(untaken()).toEqual(['standard input'])
})

test('a spool folder may be away briefly, and holds links to files', async () => {
  const index = newFolder()
  const [spool, away] = [join(index, 'spool'), join(index, 'away')]
  mkdirSync(spool)
  const { dataFolder, said: text, feed } = findFeed({ spool, rows: null })
  const { look, close } = await feed
  await look()
  renameSync(spool, away)
  await look()
  await look()
  symlinkSync(newFile('rows.csv', `${HEADER}\n${row(10, '12.10')}\n`), join(away, 'prints.csv'))
  symlinkSync(join(index, 'nowhere'), join(away, 'prints-2.csv'))
  renameSync(away, spool)
  await look()
  await close()
  expect(text).toEqual([`${spool} does not exist yet: waiting for it`, 'prints.csv: 1 new rows'])
  expect(await listPrints(dataFolder)).toHaveLength(1)
})
