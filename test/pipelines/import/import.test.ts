// Effects of a second, overlapping or contradicting import, and what stays out of the tape.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runImport } from '../../../pipelines/import/import.ts'
import { listWork } from '../../support/chaos.ts'
import {
  findManifest,
  findTree,
  importFiles,
  newFile,
  newFolder,
  tapeRows,
} from '../../support/import.ts'

const DAY = '2026-10-14'
const HEADER = 'printed_at,root,expiry,strike,option_type,size,price,sequence,exchange,condition'
const csv = (rows: readonly string[]) => newFile('prints.csv', `${[HEADER, ...rows].join('\n')}\n`)

const print = (second: number, size: number, sequence: number | '' = '', strike = 6000) =>
  `${DAY}T14:00:${String(second).padStart(2, '0')}Z,SPXW,${DAY},${strike},C,${size},1.25,` +
  `${sequence},5,I`

const ALL = 'select * from tape.prints order by printed_at, sequence'
const CONTENT = `select printed_at::varchar as at, strike, size, price, condition from tape.prints
  order by all`

test('the same file twice changes no byte of the data folder', async () => {
  const data = newFolder()
  const file = csv([
    print(1, 5),
    print(1, 5),
    print(2, 6),
    `${DAY}T14:00:03Z,SPXW,x,1,C,1,1,,5,I`,
    ...many(200),
  ])
  expect((await importFiles(data, 'prints', file)).out).toMatch(/prints +204 +203 +0 +1/)
  const before = findTree(data)
  const again = await importFiles(data, 'prints', file)
  expect(again.out).toMatch(new RegExp(`${DAY} +prints +204 +0 +203 +1`))
  expect(findTree(data)).toEqual(before)
})

const many = (count: number, sequence: (at: number) => number | '' = () => '') =>
  Array.from({ length: count }, (_, at) => print(10 + (at % 40), 1 + (at % 7), sequence(at)))

test.each([
  ['with vendor sequences', (at: number) => 1000 + at, ALL],
  ['without', () => '' as const, CONTENT],
])('overlapping halves %s make the same tape in either order', async (_name, sequence, query) => {
  const rows = many(90, sequence)
  const [first, second] = [csv(rows.slice(0, 60)), csv(rows.slice(30))]
  const tapes = []
  for (const files of [[csv(rows)], [first, second], [second, first]]) {
    const data = newFolder()
    for (const file of files) await importFiles(data, 'prints', file)
    tapes.push(await tapeRows(data, DAY, query))
  }
  const together = newFolder()
  await importFiles(together, 'prints', first, second)
  tapes.push(await tapeRows(together, DAY, query))
  expect(tapes[0]).toHaveLength(90)
  for (const tape of tapes) expect(tape).toEqual(tapes[0])
})

test('shuffled rows make the same tape', async () => {
  const rows = many(90, at => 1000 + at)
  const [inOrder, shuffled] = [newFolder(), newFolder()]
  await importFiles(inOrder, 'prints', csv(rows))
  await importFiles(
    shuffled,
    'prints',
    csv(rows.toSorted((a, b) => (a.slice(15) < b.slice(15) ? 1 : -1))),
  )
  expect(await tapeRows(shuffled, DAY, ALL)).toEqual(await tapeRows(inOrder, DAY, ALL))
})

test('two equal prints without a sequence are two prints, numbered by their instant', async () => {
  const data = newFolder()
  await importFiles(data, 'prints', csv([print(1, 5), print(1, 5)]))
  await importFiles(data, 'prints', csv([print(1, 5), print(1, 5), print(1, 5), print(1, 9)]))
  // 14:00:01 UTC is 13 h 45 min 1 s after 20:15 ET of the evening before
  const first = (13 * 3600 + 45 * 60 + 1) * 1e6 * 1e5
  expect(await tapeRows(data, DAY, 'select sequence, size from tape.prints')).toEqual([
    { sequence: first, size: 5 },
    { sequence: first + 1, size: 5 },
    { sequence: first + 2, size: 5 },
    { sequence: first + 3, size: 9 },
  ])
})

test('a sequence that two contracts share stays with the first; both are known again', async () => {
  const data = newFolder()
  const file = csv([print(2, 7, 11, 6005), print(1, 5, 11)])
  await importFiles(data, 'prints', file)
  const rows = await tapeRows(data, DAY, 'select sequence, strike from tape.prints')
  expect(rows[0]).toEqual({ sequence: 11, strike: 6000 })
  expect(rows[1]!.sequence).toBeGreaterThan(1e15)
  expect((await importFiles(data, 'prints', file)).out).toMatch(/prints +2 +0 +2 +0/)
})

test('a print that contradicts an imported one is rejected, the first one stands', async () => {
  const data = newFolder()
  await importFiles(data, 'prints', csv([print(1, 5, 11), ...many(200, at => 100 + at)]))
  const outcome = await importFiles(
    data,
    'prints',
    csv([print(1, 6, 11), ...many(200, at => 300 + at)]),
  )
  expect(outcome.out).toMatch(/prints +201 +200 +0 +1/)
  const reject = /rejects\/\S+/.exec(outcome.out)![0]
  expect(readFileSync(join(data, reject), 'utf8').split('\n').slice(0, 2)).toEqual([
    'line_number,dataset,reason,line',
    `2,prints,"contradicts a row that is already imported","${print(1, 6, 11)}"`,
  ])
  const stored = 'select size from tape.prints where sequence = 11'
  expect(await tapeRows(data, DAY, stored)).toEqual([{ size: 5 }])
})

test('a cancel may carry the sequence of the print it cancels', async () => {
  const data = newFolder()
  await importFiles(data, 'prints', csv([print(1, 5, 11), print(9, 5, 11).replace(/I$/, 'A')]))
  const rows = await tapeRows(data, DAY, 'select condition from tape.prints')
  expect(rows).toEqual([{ condition: 'I' }, { condition: 'A' }])
})

test('a quote that changes its value is rejected, an equal one is known', async () => {
  const row = (minute: number, query: number) =>
    `${DAY}T14:${String(minute).padStart(2, '0')}:00Z,SPXW,${DAY},6000,C,1.0,${query}`
  const quotes = (queries: readonly number[]) =>
    newFile(
      'quotes.csv',
      `minute_at,root,expiry,strike,option_type,best_bid,best_ask\n${queries
        .flatMap((query, minute) => [row(minute % 60, query)])
        .join('\n')}\n`,
    )
  const data = newFolder()
  const wide = (change: number) =>
    Array.from({ length: 60 }, (_, at) => (at === 3 ? 2 + change : 2)).concat([2 + change])
  expect((await importFiles(data, 'quotes', quotes(wide(0)))).out).toMatch(/quotes +61 +60 +1 +0/)
  const refused = await importFiles(data, 'quotes', quotes(wide(1)))
  expect(refused.error).toContain('2 of 61 rows (3.3 %)')
  expect(refused.error).toContain('line 5: contradicts a row that is already imported')
})

test('twenty kinds of broken rows among many good ones are reported and left out', async () => {
  const good = print(1, 5)
  const broken: [string, string][] = [
    ['is missing or is not a time', good.replace(/^[^,]+/, 'yesterday')],
    ['between 2000 and 2100', good.replace('2026', '1970')],
    ['no trading session', good.replace('-14T', '-11T')],
    ['root is missing', good.replace('SPXW', '')],
    ['root is missing or is not', good.replace('SPXW', 'spx w')],
    ['expiry is missing', good.replace(`,${DAY},`, ',soon,')],
    ['expiry is before', good.replace(`,${DAY},`, ',2026-10-13,')],
    ['strike', good.replace('6000', 'nan')],
    ['strike', good.replace('6000', '-6000')],
    ['option_type', good.replace(',C,', ',CALL,')],
    ['size', good.replace(',C,5,', ',C,-5,')],
    ['size', good.replace(',C,5,', ',C,0.5,')],
    ['size', good.replace(',C,5,', ',C,99999999999,')],
    ['price is 0', good.replace('1.25', '0.00')],
    ['price is not', good.replace('1.25', '1e400')],
    ['price is not', good.replace('1.25', '')],
    ['columns', `${good},7`],
    ['columns', good.slice(0, 40)],
    ['open', good.replace('SPXW', '"SPXW')],
    ['not text', good.replace('SPXW', 'SPX\0')],
  ]
  const data = newFolder()
  const file = csv([...many(1990), ...broken.map(([, row]) => row)])
  const outcome = await importFiles(data, 'prints', file)
  expect(outcome).toMatchObject({ code: 0 })
  expect(await tapeRows(data, DAY, 'select count(*) as n from tape.prints')).toEqual([{ n: 1990 }])
  const lines = readFileSync(join(data, /rejects\/\S+/.exec(outcome.out)![0]), 'utf8').split('\n')
  broken.forEach(([reason], at) => {
    expect(lines[at + 1]).toContain(`${1992 + at},prints,`)
    expect(lines[at + 1]).toContain(reason)
  })
  const refused = await importFiles(
    newFolder(),
    'prints',
    csv([...many(1970), ...broken.map(([, row]) => row)]),
  )
  expect(refused.error).toContain('20 of 1990 rows (1.0 %)')
})

test('an unknown condition goes to quarantine with its count', async () => {
  const data = newFolder()
  const file = csv([print(1, 5), print(2, 6).replace(/I$/, '?'), print(3, 6).replace(/I$/, '?')])
  const outcome = await importFiles(data, 'prints', file)
  expect(outcome.out).toContain('2 (?: 2)')
  expect(findManifest(data, DAY).batches[0]!.counts.quarantined).toEqual({ '?': 2 })
  const quarantine = readFileSync(join(data, /quarantine\/\S+/.exec(outcome.out)![0]), 'utf8')
  expect(quarantine).toContain(`3,prints,"unknown condition ?","${DAY}T14:00:02Z`)
  expect(await tapeRows(data, DAY, CONTENT)).toHaveLength(1)
})

test('the evening from 20:15 ET belongs to the next session', async () => {
  const at = (instant: string) =>
    print(1, 5)
      .replace(/^[^,]+/, instant)
      .replace(`,${DAY},`, ',2026-12-18,')
  const data = newFolder()
  const file = csv([
    at('2026-10-13T23:59:00Z'), // 19:59 ET: the session of the 13th
    at('2026-10-14T00:15:00Z'), // 20:15 ET
    at('2026-10-14T04:30:00+00:00'), // 00:30 ET of the 14th, 23:30 of the 13th at UTC-5
    at('2026-10-14T20:59:59-04:00'), // the session of the 15th
    at('2026-10-12 00:20:00'), // Sunday evening
  ])
  await importFiles(data, 'prints', file.toString())
  const days = ['2026-10-12', '2026-10-13', '2026-10-14', '2026-10-15']
  const query = 'select printed_at::varchar as at from tape.prints'
  const found = await Promise.all(days.map(day => tapeRows(data, day, query)))
  expect(found.map(rows => rows.map(row => String(row.at).slice(5)))).toEqual([
    ['10-12 00:20:00'],
    ['10-13 23:59:00'],
    ['10-14 00:15:00', '10-14 04:30:00'],
    ['10-15 00:59:59'],
  ])
})

test('a second vendor, and a simulation next to real data, are refused', async () => {
  const data = newFolder()
  await importFiles(data, 'prints', csv([print(1, 5)]))
  const simulated = await importFiles(data, '--simulated', 'prints', csv([print(2, 5)]))
  expect(simulated.error).toContain(
    'has simulated data of 2026-10-14, but the tape of that session is real',
  )
  const other = newFile(
    'massive.csv',
    'ticker,conditions,exchange,price,sip_timestamp,size\n' +
      `O:SPXW261014C06000000,232,302,1.25,${Date.parse(`${DAY}T14:00:01Z`)}000000,5\n`,
  )
  const vendor = await importFiles(data, 'massive-trades', other)
  expect(vendor.error).toContain('whose prints were imported as prints')
  expect(await tapeRows(data, DAY, CONTENT)).toHaveLength(1)
})

test('a manifest that cannot be written leaves no batch behind', async () => {
  const data = newFolder()
  mkdirSync(join(data, 'tape'))
  writeFileSync(join(data, 'tape/manifests'), 'a file where the folder should be')
  const before = findTree(data)
  const outcome = await importFiles(data, 'prints', csv([print(1, 5)]))
  expect(outcome).toMatchObject({ code: 1 })
  expect(outcome.error).toMatch(
    /manifests\S* cannot be used: a (file of that name|part of its path)/,
  )
  expect(findTree(data)).toEqual(before)
})

test('what a killed import left behind is gone after the next one', async () => {
  const data = newFolder()
  mkdirSync(join(data, 'work/import-1'), { recursive: true })
  writeFileSync(join(data, 'work/import-1/rows.csv'), 'half')
  await importFiles(data, 'prints', csv([print(1, 5)]))
  expect(listWork(data)).toEqual([])
})

test('a byte order mark, mixed line ends and a last line without an end are no fault', async () => {
  const data = newFolder()
  const rows = `\uFEFF${HEADER}\r\n${print(1, 5)}\n\n${print(2, 6)}\r\n${print(3, 7)}`
  const outcome = await importFiles(data, 'prints', newFile('windows.csv', rows))
  expect(outcome.out).toMatch(/prints +3 +3 +0 +0/)
})

test('roots and a day narrow an import', async () => {
  const data = newFolder()
  const rows = [
    print(1, 5),
    print(2, 6).replace('SPXW', 'XSP'),
    print(3, 7).replaceAll('-14', '-15'),
  ]
  const report = await runImport({
    dataFolder: data,
    format: 'prints',
    files: [csv(rows)],
    roots: ['SPXW'],
    day: DAY,
  })
  expect(report.rows).toMatchObject([
    { sessionDate: DAY, read: 2, imported: 1, skipped: 1 },
    { sessionDate: '2026-10-15', read: 1, imported: 0, skipped: 1 },
  ])
  const other = { dataFolder: data, format: 'prints', files: [csv(rows)], day: '2026-10-16' }
  await expect(runImport({ ...other, roots: ['SPXW'] })).rejects.toThrow(
    'holds no rows of SPXW (see --roots) on 2026-10-16; it has 1 row of other roots (XSP 1).',
  )
})
