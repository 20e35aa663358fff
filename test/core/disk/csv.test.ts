import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvQuoted, csvText } from '../../../src/core/disk/csv.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'

const AWKWARD = [
  '',
  ' ',
  ',',
  '"',
  '""',
  '\r',
  '\n',
  '\r\n',
  'a,b',
  'say "no"',
  "it's",
  '=1+1',
  'ü',
]
const text = fc.oneof(fc.constantFrom(...AWKWARD), fc.string({ unit: 'grapheme' }))
const number = fc.double({ noNaN: true, noDefaultInfinity: true })
const value = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.array(number))
const table = fc
  .integer({ min: 1, max: 5 })
  .chain(width => fc.array(fc.array(value, { minLength: width, maxLength: width })))

test('null, empty text, marks and lists: each field has exactly these bytes', () => {
  const row = [null, undefined, '', 'a', 'a,b', 'say "no"', 'two\nlines', ' ', "it's"]
  expect(csvText([row], '\r\n')).toBe(`,,"",a,"a,b","say ""no""","two\nlines", ,it's\r\n`)
  const others = [0, -1.5, 1e21, true, [['C', 5000, 1]], { a: null }]
  const lists = '"[[""C"",5000,1]]","{""a"":null}"'
  expect(csvText([others], '\n')).toBe(`0,-1.5,1e+21,true,${lists}\n`)
  expect(csvText([['a\rb'], ['\r\n']], '\n')).toBe('"a\rb"\n"\r\n"\n')
  expect(csvText([], '\n')).toBe('')
  expect(csvQuoted('a"b')).toBe('"a""b"')
})

test('a reader of RFC 4180 reads any table back, null and empty text distinct', () => {
  fc.assert(
    fc.property(table, fc.constantFrom('\r\n' as const, '\n' as const), (rows, end) => {
      const reported = rows.map(row => row.map(asText))
      expect(readCsv(csvText(rows, end), end)).toEqual(reported)
    }),
  )
})

test('the engine reads any text back, null and empty text distinct', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-csv-'))
  const file = join(folder, 'rows.csv')
  // the engine has one kind of line end a file, so a field has none here
  const fields = fc.option(text.map(field => field.replace(/[\r\n]/g, '')))
  const rows = fc.sample(fc.tuple(fields, fields, fc.constant('end')), 300)
  writeFileSync(file, csvText([['a', 'b', 'c'], ...rows], '\r\n'))
  const db = await openDatabase()
  const read = await db.rows(
    `from read_csv($file, header = true, all_varchar = true, allow_quoted_nulls = false,
       delim = ',', quote = '"', escape = '"')`,
    { file },
  )
  db.close()
  rmSync(folder, { recursive: true })
  expect(read.map(({ a, b, c }) => [a, b, c])).toEqual(rows)
})

const asText = (field: unknown): string | null => {
  if (field === null) return null
  return typeof field === 'object' ? JSON.stringify(field) : String(field)
}

/** Letter by letter, by RFC 4180: a field without quotes and without letters is null. */
function readCsv(text: string, end: string): (string | null)[][] {
  const rows: (string | null)[][] = []
  let row: (string | null)[] = []
  for (let at = 0; at < text.length; ) {
    let field: string | null = null
    if (text[at] === '"') {
      field = ''
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (text[at] === '"') at += 1
        field += text[at]
      }
      at += 1
    } else {
      const from = at
      while (text[at] !== ',' && !text.startsWith(end, at)) at += 1
      if (at > from) field = text.slice(from, at)
    }
    row.push(field)
    if (text[at] === ',') {
      at += 1
      if (text.startsWith(end, at)) row.push(null)
    }
    if (text.startsWith(end, at)) {
      rows.push(row)
      row = []
      at += end.length
    }
  }
  return rows
}
