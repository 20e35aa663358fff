/**
 * Which tests a change may have broken. Tests import what they test, but for SQL, which is read by
 * name: the tests of a model are those of its stage that name it, or all of the stage where none
 * does, and those that hold the form of all files.
 */

import { basename } from 'node:path'

export type Touched = {
  /** Sources whose tests are found by who imports them. */
  readonly sources: readonly string[]
  /** Test files to run whatever they import. */
  readonly tests: readonly string[]
}

/** Tests that read the sources themselves, as text. */
const OF_THE_FORM = ['test/tidy.test.ts', 'test/unused.test.ts']

/** Of a macro all stages are made, so that only those tests are run which name it. */
const WITHOUT_STAGE = ['macros']

/**
 * Sorts what has changed. `tests` are all test files with their texts; `mirror` finds what stands
 * for a file that no test imports.
 */
export function touchedBy(changed: readonly string[], tests: ReadonlyMap<string, string>): Touched {
  const found = new Set<string>(OF_THE_FORM)
  for (const file of changed) {
    if (file.endsWith('.test.ts')) found.add(file)
    for (const test of testsOfModel(file, tests)) found.add(test)
    for (const test of testsThatRead(file, tests)) found.add(test)
  }
  return {
    sources: changed.filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts')),
    tests: [...found].filter(test => tests.has(test)).sort(),
  }
}

function testsOfModel(file: string, tests: ReadonlyMap<string, string>): string[] {
  const [, stage] = /^sql\/(\w+)\/\w+\.sql$/.exec(file) ?? []
  if (stage === undefined) return []
  const name = new RegExp(`\\b${basename(file, '.sql')}\\b`)
  const named = [...tests].filter(([test, text]) => name.test(`${test} ${text}`))
  const near = named.filter(([test]) => test.startsWith('test/sql/'))
  if (near.length > 0 || WITHOUT_STAGE.includes(stage)) return near.map(([test]) => test)
  return [...tests.keys()].filter(test => test.startsWith(`test/sql/${stage}/`))
}

/** Documents, tables and vectors: whoever names the file. */
function testsThatRead(file: string, tests: ReadonlyMap<string, string>): string[] {
  if (/\.(ts|sql)$/.test(file)) return []
  const name = basename(file).replace(/\.\w+$/, '')
  return [...tests].filter(([, text]) => text.includes(name)).map(([test]) => test)
}
