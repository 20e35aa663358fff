// Checks the shape of the code itself: who may import whom, and sizes.

import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { SLICES } from './slices.ts'
import { findSqlStrings, WRITES_SQL } from './support/sqlStrings.ts'
import { circlesOf, FLOORS, isUpward, readStructure } from './support/structure.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const all = globSync('{src,pipelines,sql,test}/**/*.{ts,js,sql}')
const modules = globSync('{src,pipelines}/**/*.ts')

const EDGES = [
  ...['src/main.ts', 'src/cli.ts', 'src/app.ts', 'src/runPipeline.ts'],
  'pipelines/command/command.ts',
]

const structure = readStructure()

test('every folder stands on a floor', () => {
  const known = ['src', ...FLOORS.flat()]
  expect(structure.folders.filter(folder => !known.includes(folder))).toEqual([])
})

test('no file imports one of a floor above, and no area another', () => {
  expect(structure.upwardImports).toEqual([])
})

test('no files import each other in a circle', () => {
  expect(structure.circles).toEqual([])
})

test('no function is over 70 lines', () => {
  expect(structure.longFunctions).toEqual([])
})

test('an import that goes up, a circle and an area that knows another are found', () => {
  const upward = [
    { from: 'src/disk/files.ts', to: 'src/engine/sql.ts' },
    { from: 'src/orders/routes.ts', to: 'src/positions/routes.ts' },
    { from: 'src/orders/routes.ts', to: 'src/alerts/rules/minute.ts' },
    { from: 'src/clock.ts', to: 'src/published/replay.ts' },
    { from: 'src/http/auth.ts', to: 'src/app.ts' },
  ]
  const allowed = [
    { from: 'src/engine/sql.ts', to: 'src/disk/files.ts' },
    { from: 'src/tape/news.ts', to: 'src/published/liveManifest.ts' },
    { from: 'src/app.ts', to: 'src/orders/routes.ts' },
    { from: 'src/alerts/rules/minute.ts', to: 'src/alerts/kinds.ts' },
    { from: 'pipelines/build/day.ts', to: 'src/clock.ts' },
  ]
  expect(upward.filter(each => !isUpward(each))).toEqual([])
  expect(allowed.filter(isUpward)).toEqual([])
  const files = ['a', 'b', 'c', 'd']
  const imports = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'c' },
    { from: 'c', to: 'a' },
    { from: 'd', to: 'a' },
  ]
  expect(circlesOf(files, imports)).toEqual([['a', 'b', 'c']])
})

test('no two exported types share a name', () => {
  const names = modules.flatMap(file =>
    [...read(file).matchAll(/^export (?:type|class) (\w+)/gm)].map(([, name]) => name!),
  )
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test.each(modules)('%s reads no clock and no environment', file => {
  if (file !== 'src/clock.ts') expect(read(file)).not.toMatch(/Date\.now\(|new Date\(\)/)
  if (!EDGES.includes(file)) expect(read(file)).not.toMatch(/process\.env/)
})

test.each(modules)('%s makes markup by one template alone, which waits for nothing', file => {
  const text = read(file)
  if (file !== 'src/html/template.ts') expect(text).not.toMatch(/from 'hono/)
  // markup that nobody has escaped, and templates that would have a promise in them
  expect(text).not.toMatch(/\braw\(|\bisEscaped\b|html`[^`]*\$\{\s*(await|async)\b/)
})

test.each(all)('%s is short enough to read', file => {
  const lines = read(file).trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(file.endsWith('.sql') ? 120 : 300)
  // a polynomial and a list of tables read no better when broken
  const isFormula = file.startsWith('sql/macros/')
  // nor does a row of a text table
  const isTableRow = (line: string) => file.startsWith('test/') && /(\S+ {2,}){4}\S/.test(line)
  const isLong = (line: string) =>
    line.length > 100 && !/^-- (reads|param): /.test(line) && !isTableRow(line)
  if (!isFormula) expect(lines.filter(isLong)).toEqual([])
})

test.each(modules)('%s holds no SQL that could stand in a file', file => {
  // accounts and jobs have a store of their own, and a library that writes its SQL
  if (file.startsWith('src/accounts/') || file.startsWith('src/jobs/')) return
  const found = findSqlStrings(read(file))
  if (!Object.hasOwn(WRITES_SQL, file)) expect(found).toEqual([])
  // one that writes none any more is not on the list
  else expect(found.length).toBeGreaterThan(0)
})

const tests = all.filter(file => file.endsWith('.test.ts'))

test.each(tests)('%s sets no limit of its own', file => {
  // a busy machine takes five times as long: vitest.config.ts has the limit of what hangs
  const limit = String.raw`(\d[\d_]*_000|\w+ \? [\d_]+ : [\d_]+|[A-Z]+_MS)`
  expect(read(file)).not.toMatch(new RegExp(String.raw`^\s*\}\)?, ${limit}\)$`, 'm'))
  expect(read(file)).not.toMatch(new RegExp(String.raw`^\s*\}\)?,\n\s*${limit},\n\s*\)`, 'm'))
})

const slicesOf = (file: string) =>
  SLICES.filter(({ include, exclude }) => {
    const isOneOf = (globs: readonly string[]) => globs.some(glob => matchesGlob(file, glob))
    return isOneOf(include) && !isOneOf(exclude)
  }).map(({ name }) => name)

test('every test is in one slice, and what a slice names is a test', () => {
  const slices = tests.map(file => [file, slicesOf(file)] as const)
  expect(slices.filter(([, names]) => names.length !== 1)).toEqual([])
  expect(new Set(slices.flatMap(([, names]) => names))).toEqual(
    new Set(SLICES.map(({ name }) => name)),
  )
  const named = SLICES.flatMap(({ include, exclude }) => [...include, ...exclude])
  expect(alternativesOf(named).filter(glob => globSync(glob).length === 0)).toEqual([])
})

test('a test that starts a process or a server is neither a unit nor one of SQL', () => {
  const spawns = /^import .* from 'node:child_process'/m
  const serves = / (startPostgres|startTestApi|startServer|runScript)\(/
  const starts = tests.filter(file => spawns.test(read(file)) || serves.test(read(file)))
  expect(starts.filter(file => ['unit', 'sql'].includes(slicesOf(file)[0]!))).toEqual([])
})

/** `a/{b,c}` is `a/b` and `a/c`. */
function alternativesOf(globs: readonly string[]): string[] {
  return globs.flatMap(glob => {
    const [, before, inner, behind] = /^(.*)\{(.*)\}(.*)$/.exec(glob) ?? []
    return inner === undefined ? [glob] : inner.split(',').map(one => before + one + behind)
  })
}
