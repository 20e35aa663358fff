// Finds what nothing uses: exports no other file names, SQL files no pipeline runs.

import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { ENTRIES } from '../src/cli/commands.ts'
import { rowsOf, workOf } from '../src/core/commandRow.ts'

const files = globSync('{src,pipelines,test}/**/*.ts')
const texts = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))

/** The files in which each word stands. */
const filesByWord = new Map<string, Set<string>>()
for (const [file, text] of texts)
  for (const [word] of text.matchAll(/[A-Za-z_$][\w$]*/g)) {
    const found = filesByWord.get(word)
    if (found) found.add(file)
    else filesByWord.set(word, new Set([file]))
  }

/** Functions that do commands, which the table of commands loads by their names. */
const works = ENTRIES.flatMap(rowsOf).map(row => workOf(row)[1])

/** Exports of a file that no other file names. */
function listUnused(file: string): string[] {
  const text = texts.get(file)!
  const declared = /^export (?:async )?(const|function|type|class) (\w+)/gm
  return [...text.matchAll(declared)].flatMap(([, kind, name]) => {
    if (filesByWord.get(name!)!.size > 1 || works.includes(name!)) return []
    // a type that only describes its own file's functions is part of their signature
    const uses = text.match(new RegExp(`\\b${name}\\b`, 'g'))!.length
    return kind === 'type' && uses > 1 ? [] : [`${file}: ${name}`]
  })
}

test('every export has a reader', () => {
  const modules = files.filter(file => !file.startsWith('test/'))
  expect(modules.flatMap(listUnused)).toEqual([])
})

test('every SQL file is run by a pipeline', () => {
  const allText = [...texts.values()].join('\n')
  const sqlFiles = globSync('sql/*/*.sql').filter(file => !file.startsWith('sql/macros/'))
  const unused = sqlFiles.filter(file => {
    const name = basename(file, '.sql')
    if (filesByWord.has(name)) return false
    // one file a dataset: the pipeline puts the dataset's name behind the prefix
    return !allText.includes(`${name.split('_')[0]}_\${`)
  })
  expect(unused).toEqual([])
})
