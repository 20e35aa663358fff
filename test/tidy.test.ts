// Checks of the code itself what a reader would miss: directions of imports, circles, clocks, words.

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findSqlStrings, WRITES_SQL } from './support/sqlStrings.ts'
import {
  AREAS,
  BATCH,
  findFloor,
  isUpward,
  listCircles,
  reachedFrom,
  readStructure,
} from './support/structure.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const modules = globSync('{src,pipelines}/**/*.ts')

const EDGES = [
  'src/cli/tapefold.ts',
  'src/server/main.ts',
  'src/cli/cli.ts',
  'src/cli/child.ts',
  'src/cli/perform.ts',
  'src/server/areaDuties.ts',
  'src/server/app.ts',
  'src/core/pipeline.ts',
  'pipelines/command/command.ts',
]

/** Returns lines and bytes of the TypeScript and SQL below folders, and how many files they have. */
function countCode(folders: string) {
  const texts = globSync(`${folders}/**/*.{ts,sql}`).map(read)
  const sum = (count: (text: string) => number) =>
    texts.reduce((total, text) => total + count(text), 0)
  return {
    lines: sum(text => text.split('\n').length - 1),
    bytes: sum(text => Buffer.byteLength(text)),
    files: globSync(`${folders}/**/*.*`).length,
  }
}

test('source and tests are within their budget', () => {
  // a change that needs more says what for in docs/decisions/what-we-leave-out.md
  const budget = JSON.parse(read('test/budget.json'))
  for (const [name, folders] of Object.entries({ source: '{src,pipelines,sql}', tests: 'test' })) {
    for (const [unit, count] of Object.entries(countCode(folders))) {
      expect(count, `${unit} of ${name}`).toBeLessThanOrEqual(budget[name][unit])
    }
  }
})

const structure = readStructure()

test('every file stands on a floor', () => {
  expect(structure.files.filter(file => findFloor(file) === -1)).toEqual([])
})

test('no file imports one of a floor above, and no area the inside of another', () => {
  expect(structure.upwardImports).toEqual([])
})

test('who imports, builds and publishes reaches no server, no account and no area', () => {
  const reached = reachedFrom(structure, ['src/core', 'src/data', ...BATCH])
  const others = [...AREAS, 'src/server', 'src/accounts', 'src/outbox', 'src/cli']
  expect(reached.filter(file => others.some(folder => file.startsWith(`${folder}/`)))).toEqual([])
})

test('no files import each other in a circle', () => {
  expect(structure.circles).toEqual([])
})

test('an import that goes up, a circle and an area that knows the inside of another are found', () => {
  const upward = [
    { from: 'src/core/disk/files.ts', to: 'src/core/engine/sql.ts' },
    { from: 'src/orders/routes.ts', to: 'src/positions/routes.ts' },
    { from: 'src/orders/routes.ts', to: 'src/alerts/rules/minute.ts' },
    { from: 'src/orders/routes.ts', to: 'src/alerts/rules/schema.ts' },
    { from: 'src/core/clock.ts', to: 'src/data/published/replay.ts' },
    { from: 'src/core/market/normal.ts', to: 'src/core/disk/files.ts' },
    { from: 'src/data/tape/manifest.ts', to: 'src/data/published/liveManifest.ts' },
    { from: 'src/accounts/auth.ts', to: 'src/server/app.ts' },
    { from: 'src/platform/http/page.ts', to: 'src/accounts/auth.ts' },
    { from: 'pipelines/build/day.ts', to: 'src/orders/render.ts' },
    { from: 'pipelines/build/day.ts', to: 'src/platform/http/table.ts' },
    { from: 'src/server/serve.ts', to: 'pipelines/build/day.ts' },
  ]
  const allowed = [
    { from: 'src/core/engine/sql.ts', to: 'src/core/disk/files.ts' },
    { from: 'src/data/published/liveManifest.ts', to: 'src/data/tape/session.ts' },
    { from: 'src/server/app.ts', to: 'src/orders/routes.ts' },
    { from: 'src/site/home.ts', to: 'src/archive/ask.ts' },
    { from: 'src/mcp/ledgerRows.ts', to: 'src/orders/schema.ts' },
    { from: 'src/alerts/rules/minute.ts', to: 'src/alerts/kinds.ts' },
    { from: 'pipelines/build/day.ts', to: 'src/core/clock.ts' },
    { from: 'pipelines/watch/watch.ts', to: 'src/alerts/ask.ts' },
    { from: 'src/cli/commands.ts', to: 'pipelines/command/rows.ts' },
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
  expect(listCircles(files, imports)).toEqual([['a', 'b', 'c']])
})

test('no two exported types share a name', () => {
  const names = modules.flatMap(file =>
    [...read(file).matchAll(/^export (?:type|class) (\w+)/gm)].map(([, name]) => name!),
  )
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

/** Files whose text has what `isWrong` finds. */
const filesWith = (files: readonly string[], isWrong: (text: string, file: string) => boolean) =>
  files.filter(file => isWrong(read(file), file))

test('only the clock reads the time, and only entrances read the environment', () => {
  // benches measure what takes microseconds
  const timed = modules.filter(file => !file.startsWith('pipelines/measure/'))
  const asksForTime = /Date\.now\(|new Date\(\)|performance\.now\(|hrtime/
  const clocks = filesWith(timed, text => asksForTime.test(text))
  expect(clocks).toEqual(['src/core/clock.ts'])
  const readers = filesWith(modules, text => text.includes('process.env'))
  expect(readers.filter(file => !EDGES.includes(file))).toEqual([])
})

test('markup is made by one template alone, which waits for nothing', () => {
  const makers = filesWith(modules, text => text.includes("from 'hono"))
  expect(makers).toEqual(['src/platform/html/template.ts'])
  // markup that nobody has escaped, and templates that would have a promise in them
  const unsafe = /\braw\(|\bisEscaped\b|html`[^`]*\$\{\s*(await|async)\b/
  expect(filesWith(modules, text => unsafe.test(text))).toEqual([])
})

test('no module holds SQL that could stand in a file', () => {
  // accounts and jobs have a store of their own, and a library that writes its SQL
  const writers = modules.filter(file => !/^src\/(accounts|jobs|\w+\/store)\//.test(file))
  const found = writers.filter(file => findSqlStrings(read(file)).length > 0)
  // a file that writes none any more is not on the list
  expect(found.toSorted()).toEqual(Object.keys(WRITES_SQL).toSorted())
})

const tests = globSync('test/**/*.test.ts')

test('no test sets a time limit of its own', () => {
  // a busy machine takes five times as long: vitest.config.ts has the limit of what hangs
  const limit = String.raw`(\d[\d_]*_000|\w+ \? [\d_]+ : [\d_]+|[A-Z]+_MS)`
  const behind = new RegExp(String.raw`^\s*\}\)?, ${limit}\)$`, 'm')
  const below = new RegExp(String.raw`^\s*\}\)?,\n\s*${limit},\n\s*\)`, 'm')
  expect(filesWith(tests, text => behind.test(text) || below.test(text))).toEqual([])
})

test('a test that starts a process or a server says so in its name', () => {
  const spawns = /^import .* from 'node:child_process'/m
  const serves = / (startPostgres|startTestApi|startServer|runScript)\(/
  const starts = tests.filter(file => spawns.test(read(file)) || serves.test(read(file)))
  expect(starts.filter(file => !/\.(process|slow)\.test\.ts$/.test(file))).toEqual([])
})

test('every dependency has its reason in docs/developing.md, and every reason its dependency', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'))
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  const [, table] = /\| dependency \| why \|\n(.*?)\n\n/s.exec(read('docs/developing.md'))!
  const cells = table!.split('\n').map(row => row.split('|')[1]!)
  const explained = cells.flatMap(cell => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  expect(explained.filter(name => name !== 'node:sqlite').toSorted()).toEqual(names.toSorted())
})
