// An import reads only those batches of the tape that may hold what it brings.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTapeManifest, writeTapeManifest } from '../../../src/data/tape/manifest.ts'
import { importFiles, newFile, newFolder, tapeRows } from '../../support/import.ts'
import { randomNumbers } from '../../support/random.ts'

const DAY = '2026-10-14'
const PRINTS = 'printed_at,root,expiry,strike,option_type,size,price,sequence,exchange,condition'
const QUOTES = 'minute_at,root,expiry,strike,option_type,best_bid,best_ask'
/** Microseconds from 20:15 ET of the evening before to 14:00 UTC. */
const FIRST_INSTANT = (13 * 3600 + 45 * 60) * 1e6

const printFile = (rows: readonly string[]) =>
  newFile('prints.csv', `${[PRINTS, ...rows].join('\n')}\n`)
const quoteFile = (rows: readonly string[]) =>
  newFile('quotes.csv', `${[QUOTES, ...rows].join('\n')}\n`)

const second = (at: number) => `${DAY}T14:00:${String(at).padStart(2, '0')}Z`

/** Fields that batches of earlier versions do not have. */
function forgetReach(data: string): void {
  const manifest = readTapeManifest(data, DAY)
  const batches = manifest.batches.map(({ reach: _, ...batch }) => batch)
  writeTapeManifest(data, { ...manifest, batches })
}

test.each([1, 2])('random files make the tape they make when all is read, seed %i', async seed => {
  const random = randomNumbers(seed)
  const pick = (count: number) => Math.floor(random() * count)
  const row = () => {
    const [at, size, kind] = [pick(50), 1 + pick(3), pick(4)]
    // none, one of its time, one of another time, and one where those of an instant are made
    const made = (FIRST_INSTANT + ((at * 7) % 50) * 1e6) * 1e5 + size
    const reported = ['', 100 + at * 10 + size, 100 + ((at * 7) % 50) * 10 + size, made][kind]
    const sequence = pick(300) === 0 ? 111 : reported
    // numbers of another exchange are other numbers
    const [strike, exchange] = [6000 + 5 * pick(3), 5 + kind]
    return `${second(at)},SPXW,${DAY},${strike},C,${size},1.25,${sequence},${exchange},I`
  }
  const pool = Array.from({ length: 300 }, row)
  const files = Array.from({ length: 6 }, () => {
    const from = pick(100)
    return printFile([...pool.slice(from, from + 30), ...Array.from({ length: 5 }, row)])
  })
  const [ranged, whole] = [newFolder(), newFolder()]
  for (const file of files) {
    const reported = await importFiles(ranged, 'prints', file)
    expect(reported.out.replaceAll(ranged, '')).toBe(
      (await importFiles(whole, 'prints', file)).out.replaceAll(whole, ''),
    )
    forgetReach(whole)
  }
  const query = 'from tape.prints order by sequence'
  const rows = await tapeRows(ranged, DAY, query)
  expect(rows.length).toBeGreaterThan(100)
  expect(rows).toEqual(await tapeRows(whole, DAY, query))
})

test('a batch that cannot hold the same rows is not read', async () => {
  const data = newFolder()
  const print = (at: number, sequence: number) =>
    `${second(at)},SPXW,${DAY},6000,C,1,1.25,${sequence},5,I`
  const quote = (minute: string, query: number) =>
    `${DAY}T${minute}:00Z,SPXW,${DAY},6000,C,1.2,${query}`
  await importFiles(data, 'prints', printFile([print(1, 10), print(2, 11)]))
  await importFiles(data, 'quotes', quoteFile([quote('14:01', 1.3)]))
  for (const { file } of readTapeManifest(data, DAY).batches) {
    writeFileSync(join(data, 'tape', file), 'no Parquet')
  }
  const next = printFile([print(3, 12), print(3, 13)])
  expect((await importFiles(data, 'prints', next)).out).toMatch(/prints +2 +2 +0 +0/)
  const minute = quoteFile([quote('14:02', 1.3), quote('14:03', 1.3)])
  expect((await importFiles(data, 'quotes', minute)).out).toMatch(/quotes +2 +2 +0 +0/)

  // the same number, or the same instant, may be the same print
  for (const met of [print(4, 11), print(2, 14)]) {
    expect((await importFiles(data, 'prints', printFile([met]))).code).toBe(1)
  }
  const same = quoteFile([quote('14:01', 1.4)])
  expect((await importFiles(data, 'quotes', same)).code).toBe(1)
})

test('one quote of a minute that comes twice with other prices is refused as before', async () => {
  const data = newFolder()
  const quote = (minute: number, query: number) =>
    `${DAY}T14:${String(minute).padStart(2, '0')}:00Z,SPXW,${DAY},6000,C,1.2,${query}`
  const minutes = Array.from({ length: 59 }, (_, at) => at + 1)
  await importFiles(data, 'quotes', quoteFile(minutes.map(minute => quote(minute, 1.3))))
  const later = minutes.map(minute => quote(minute, minute === 30 ? 1.4 : 1.3))
  const hundred = Array.from({ length: 100 }, (_, at) =>
    quote(at % 60, 1.3).replace('6000', `${7000 + at}`),
  )
  const { out } = await importFiles(data, 'quotes', quoteFile([...later, ...hundred]))
  expect(out).toMatch(/quotes +159 +100 +58 +1/)
})

test('numbers of several lines are distinguished', async () => {
  const data = newFolder()
  // two lines count independently; each file has the next numbers of both
  const minute = (at: number) =>
    printFile(
      [0, 1].flatMap(line =>
        Array.from({ length: 30 }, (_, index) => {
          const number = 1e9 * line + 100 * at + index
          return `${second(2 * at)},SPXW,${DAY},${6000 + 5 * index},C,1,1.25,${number},${line},I`
        }),
      ),
    )
  await importFiles(data, 'prints', minute(0))
  const [first] = readTapeManifest(data, DAY).batches
  writeFileSync(join(data, 'tape', first!.file), 'no Parquet')
  expect((await importFiles(data, 'prints', minute(1))).out).toMatch(/prints +60 +60 +0 +0/)
  const [, next] = readTapeManifest(data, DAY).batches
  const instant = (FIRST_INSTANT + 2e6) * 1e5
  expect(next!.reach!.number).toEqual([
    ['100', '129'],
    ['1000000100', '1000000129'],
    [String(instant), String(instant + 99_999)],
  ])
})
