// Names of folders are no columns: each reader of files says so.

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const READER = /\b(read_(?:parquet|csv|json|ndjson)\w*|parquet_scan|sniff_csv)\s*\(/g
/** A file as a table by its bare name, which cannot say how it is read. */
const BARE =
  /\b(?:from|join|table)\s+['"][^'"\n]*\.(?:parquet|[ct]sv|txt|n?djson|json)\b[^'"\n]*['"]/gi

/** The arguments of a call from its parenthesis on, up to the one that closes it. */
function listArguments(text: string, open: number): string {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return text.slice(open, at)
  }
  return text.slice(open)
}

/** The readers of a text that may take names of folders for columns. */
function findReaders(text: string): string[] {
  const calls = [...text.matchAll(READER)].filter(
    ({ 0: call, index }) =>
      !/\bhive_partitioning = false\b|\bparquetOptions\(/.test(
        listArguments(text, index + call.length - 1),
      ),
  )
  return [...calls, ...text.matchAll(BARE)].map(([call]) => call)
}

const SQL = globSync('sql/**/*.sql')
const TYPESCRIPT = globSync(['src/**/*.ts', 'pipelines/**/*.ts'])
const read = (file: string) => readFileSync(file, 'utf8')

test('no reader of files takes the names of folders for columns', () => {
  const faults = SQL.map(file => [file, findReaders(read(file))] as const)
  const texts = TYPESCRIPT.map(file => [file, read(file)] as const).filter(([, text]) =>
    /\b(?:read_\w+|parquet_scan)\(/.test(text),
  )
  faults.push(...texts.map(([file, text]) => [file, findReaders(text)] as const))
  expect(Object.fromEntries(faults.filter(([, calls]) => calls.length > 0))).toEqual({})
  const calls = [...SQL.map(read), ...texts.map(([, text]) => text)].flatMap(text => [
    ...text.matchAll(READER),
  ])
  expect(calls.length).toBeGreaterThan(45)
})

test.each([
  ['from read_parquet($file)', 1],
  ['from read_parquet($file, hive_partitioning = true)', 1],
  ["from read_csv($file, columns = {'a': 'decimal(9, 4)'}, hive_partitioning = false)", 0],
  ['from read_parquet($a, hive_partitioning = false) join read_json_auto($b) using (c)', 1],
  ["from 'rows.parquet'", 1],
  ['from parquet_scan([$a])', 1],
])('of %s %i may', (text, count) => expect(findReaders(text)).toHaveLength(count))
