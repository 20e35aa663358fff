// Finds what nothing uses: exports no other file names, SQL files no pipeline runs.
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const files = globSync('{src,pipelines,test}/**/*.ts')
const texts = new Map(files.map(file => [file, readFileSync(file, 'utf8')]))
const modules = files.filter(file => !file.startsWith('test/'))
const allText = [...texts.values()].join('\n')

/** Names a file exports. */
const exportsOf = (file: string): string[] => {
  const declared = /^export (?:async )?(?:const|function|type|class) (\w+)/gm
  return [...texts.get(file)!.matchAll(declared)].map(match => match[1]!)
}

test.each(modules)('every export of %s has a reader', file => {
  const others = files.filter(other => other !== file).map(other => texts.get(other)!)
  const unused = exportsOf(file).filter(name => {
    const use = new RegExp(`\\b${name}\\b`)
    return !others.some(text => use.test(text))
  })
  // a type that only describes its own file's functions is part of their signature
  const own = texts.get(file)!
  const isSignature = (name: string) =>
    (own.match(new RegExp(`\\b${name}\\b`, 'g')) ?? []).length > 1
  const isType = (name: string) => new RegExp(`export type ${name}\\b`).test(own)
  expect(unused.filter(name => !(isType(name) && isSignature(name)))).toEqual([])
})

const sqlFiles = globSync('sql/*/*.sql').filter(file => !file.startsWith('sql/macros/'))

test.each(sqlFiles)('%s is run by a pipeline', file => {
  const name = basename(file, '.sql')
  // one file a dataset: the pipeline puts the dataset's name behind the prefix
  const [prefix] = name.split('_')
  expect(allText).toMatch(new RegExp(`\\b${name}\\b|\\b${prefix}_\\$\\{`))
})
