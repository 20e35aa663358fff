import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { filePath, filePaths, formatList } from '../../../src/core/engine/paths.ts'
import { openTestDb } from '../../support/db.ts'

/** Folders, and next to each another that a pattern of its name would match. */
const FOLDERS = [
  ['a[x]', 'ax'],
  ['a*b', 'aab'],
  ['a?b', 'axb'],
  ['**', 'any'],
  ['[', 'other'],
  ["desk's data", 'desks data'],
  ['100%', '100'],
  ['größe ✓', 'groesse'],
  ['a"b, c;$d', 'ab'],
  ['a\\b', 'ab'],
  ['root=SPX', 'root'],
] as const

test.each(FOLDERS)('a file in %s is read alone, with all that it says', async (folder, others) => {
  const root = mkdtempSync(join(tmpdir(), 'tapefold-paths-'))
  const db = await openTestDb()
  for (const name of [folder, others]) {
    mkdirSync(join(root, name))
    const file = join(root, name, 'rows.parquet')
    await db.run("copy (select $name as folder, 'SPXW' as root) to $file", { name, file })
    writeFileSync(join(root, name, 'rows.txt'), `${name}\n`)
  }
  const [file, text] = ['rows.parquet', 'rows.txt'].map(name => join(root, folder, name)) as [
    string,
    string,
  ]
  const rows = 'select folder, root, filename from read_parquet'
  const options = 'hive_partitioning = false, filename = true'
  const found = [{ folder, root: 'SPXW', filename: file }]
  expect(await db.rows(`${rows}($file, ${options})`, { file: filePath(file) })).toEqual(found)
  const files = filePaths([file])
  expect(await db.rows(`${rows}($files::varchar[], ${options})`, { files })).toEqual(found)
  expect(await db.rows('select line from text_lines($path)', { path: filePath(text) })).toEqual([
    { line: folder },
  ])
  const names = await db.query('tape/named_columns', { files, names: formatList(['root', "it's"]) })
  expect(names).toEqual([{ file_name: file, names: 'root' }])
  db.close()
})

test('a list of texts is read as it was written, whatever stands in it', async () => {
  const items = ["it's", 'a\\b', "\\'", '', 'null', '[x], "y"', 'line\nline', 'ö']
  const db = await openTestDb()
  expect(await db.rows('select $items::varchar[] as items', { items: formatList(items) })).toEqual([
    { items },
  ])
  db.close()
})

test('a relative path is one of the working folder, also where it looks like a home', () => {
  expect(filePath('~data/a.parquet')).toBe(join(process.cwd(), '~data/a.parquet'))
})

test('a backslash next to a character of patterns cannot be read, and is refused by name', () => {
  expect(() => filePath('/a\\b/[x]/rows.parquet')).toThrow(
    '/a\\b/[x]/rows.parquet has a \\ in its path beside one of * ? [, and such files cannot be ' +
      'read; rename the folder, such as to data.',
  )
})
