/**
 * What the house looks like: its files, who imports whom, and what breaks its rules. `npm run
 * structure` prints it, and the tidy test holds it.
 */

import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'

/**
 * The folders from the ground up: a file imports of its own folder and of the floors below, and
 * folders that stand side by side on one floor may know each other.
 */
export const FLOORS: readonly (readonly string[])[] = [
  ['src/market'],
  ['src/disk'],
  ['src/engine'],
  ['src/tape', 'src/published'],
  [
    'src/accounts',
    'src/accounts/outbox',
    'src/jobs',
    'src/webhooks',
    'src/html',
    'src/notices',
    'src/http',
    'src/http/errors',
  ],
  ['src/fair', 'src/outbox'],
  [
    'src/orders',
    'src/positions',
    'src/levels',
    'src/archive',
    'src/site',
    'src/status',
    'src/alerts',
    'src/alerts/rules',
    'src/alerts/bodies',
    'src/alerts/finding',
    'src/alerts/page',
    'src/lab',
    'src/lab/language',
    'src/lab/language/phrases',
    'src/lab/market',
    'src/lab/engine',
    'src/lab/verdict',
    'src/lab/optimize',
    'src/lab/runs',
    'src/lab/desk',
    'src/lab/page',
    'src/mcp',
    'src/geo',
  ],
  [
    'pipelines/import',
    'pipelines/build',
    'pipelines/live',
    'pipelines/upkeep',
    'pipelines/command',
    'pipelines/watch',
  ],
  ['pipelines/simulate'],
  ['pipelines/measure', 'pipelines/measure/bench'],
]

/** The product areas: none of them imports another. */
export const AREAS: readonly string[] = FLOORS[6]!

/** What stands in `src` itself: the entrance, which knows all areas, and what all may use. */
const USED_BY_ALL = [
  'src/clock.ts',
  'src/command.ts',
  'src/config.ts',
  'src/pipelineEnvironment.ts',
  'src/stop.ts',
]
/** Those of `USED_BY_ALL` that stand on the second floor. */
const LOW = ['src/clock.ts', 'src/command.ts']

export type Import = { readonly from: string; readonly to: string }

export type Structure = {
  readonly files: readonly string[]
  readonly folders: readonly string[]
  readonly imports: readonly Import[]
  /** Groups of files of which each imports, by way of the others, itself. */
  readonly circles: readonly (readonly string[])[]
  readonly upwardImports: readonly Import[]
  readonly longFunctions: readonly string[]
  readonly longFiles: readonly string[]
}

const LINES_MAX = 300

/** Reads the whole of `src` and `pipelines` below the folder the process stands in. */
export function readStructure(): Structure {
  const files = globSync('{src,pipelines}/**/*.ts').sort()
  const imports = files.flatMap(listImports)
  return {
    files,
    folders: [...new Set(files.map(file => dirname(file)))].sort(),
    imports,
    circles: listCircles(files, imports),
    upwardImports: imports.filter(isUpward),
    longFunctions: longFunctions(),
    longFiles: files.filter(file => listLines(file) > LINES_MAX),
  }
}

/** What imports a file of a folder from outside of it. */
export const listImporters = ({ imports }: Structure, folder: string): readonly Import[] =>
  imports.filter(({ from, to }) => isIn(to, folder) && !isIn(from, folder))

const isIn = (file: string, folder: string) => file.startsWith(`${folder.replace(/\/$/, '')}/`)

const listLines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').length

function listImports(from: string): Import[] {
  const text = readFileSync(from, 'utf8')
  const paths = text.matchAll(/(?:from|import) ?\(?'(\.[^']+)'/g)
  return [...paths].map(([, path]) => ({ from, to: normalize(`${dirname(from)}/${path}`) }))
}

/** Whether an import goes up, to what a file must not know, or from one area to another. */
export function isUpward({ from, to }: Import): boolean {
  const [folder, target] = [dirname(from), dirname(to)]
  if (folder === target) return false
  if (folder === 'src') return LOW.includes(from) && findFloor(target) > 1
  // what all may use is not known below the floor of disks
  if (target === 'src') return !USED_BY_ALL.includes(to) || findFloor(folder) < 2
  if (isOtherArea(folder, target)) return true
  return findFloor(target) > findFloor(folder)
}

/** Whether both are in areas, and not in the same one: an area may have folders of its own. */
function isOtherArea(folder: string, target: string): boolean {
  const findArea = (path: string) => path.split('/').slice(0, 2).join('/')
  return AREAS.includes(folder) && AREAS.includes(target) && findArea(folder) !== findArea(target)
}

/** A folder that stands on no floor may not exist: all it imports is told as upward. */
function findFloor(folder: string): number {
  return FLOORS.findIndex(folders => folders.includes(folder))
}

/** Tarjan's strongly connected components of more than one file. */
export function listCircles(files: readonly string[], imports: readonly Import[]): string[][] {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const numbers = new Map<string, number>()
  const lows = new Map<string, number>()
  const path: string[] = []
  const circles: string[][] = []
  const visit = (file: string): void => {
    numbers.set(file, numbers.size)
    lows.set(file, numbers.get(file)!)
    path.push(file)
    for (const { to } of targets.get(file) ?? []) {
      if (!numbers.has(to)) visit(to)
      if (path.includes(to)) lows.set(file, Math.min(lows.get(file)!, lows.get(to)!))
    }
    if (lows.get(file) !== numbers.get(file)) return
    const group = path.splice(path.indexOf(file))
    if (group.length > 1) circles.push(group.sort())
  }
  for (const file of files) if (!numbers.has(file)) visit(file)
  return circles
}

/** Functions over 70 lines, as Biome counts them. */
function longFunctions(): string[] {
  const rule = 'complexity/noExcessiveLinesPerFunction'
  const args = ['lint', `--only=${rule}`, '--reporter=json', '--max-diagnostics=none']
  const { stdout, error } = spawnSync('biome', [...args, 'src', 'pipelines'], { encoding: 'utf8' })
  if (error) throw error
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] }
  return diagnostics.map(({ location }) => `${location.path}:${location.start.line}`)
}

type Diagnostic = {
  readonly location: { readonly path: string; readonly start: { readonly line: number } }
}
