/**
 * Structure of the code: its files, who imports whom, and what breaks its rules. `npm run
 * structure` prints it, and the tidy test holds it.
 */

import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, normalize } from 'node:path'

/** The product areas: each imports of another its `ask.ts` and `schema.ts` alone. */
export const AREAS = [
  'src/orders',
  'src/positions',
  'src/levels',
  'src/archive',
  'src/alerts',
  'src/lab',
  'src/geo',
  'src/status',
  'src/site',
  'src/mcp',
]

/** Folders that make the published folder: they know no server, no account and no area. */
export const BATCH = ['import', 'fetch', 'build', 'live', 'upkeep', 'command'].map(
  name => `pipelines/${name}`,
)

/**
 * The floors from the ground up, as folders with all that is in them: a file imports of its own
 * floor and of those below.
 */
export const FLOORS: readonly (readonly string[])[] = [
  ['src/core'],
  ['src/data'],
  ['src/platform'],
  BATCH,
  ['src/accounts', 'src/outbox'],
  AREAS,
  ['src/server'],
  ['pipelines/watch'],
  ['pipelines/simulate'],
  ['pipelines/measure'],
  ['src/cli'],
]

/** Folders of one floor of which each imports those before it alone. */
const ROWS: readonly (readonly string[])[] = [
  ['src/core/market', 'src/core/disk', 'src/core/engine'],
  [
    'src/data/dictionary',
    'src/data/fetched',
    'src/data/tape',
    'src/data/published',
    'src/data/geo',
  ],
]

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

/** Importers of a file of a folder from outside of it. */
export const listImporters = ({ imports }: Structure, folder: string): readonly Import[] =>
  imports.filter(({ from, to }) => isIn(to, folder) && !isIn(from, folder))

const isIn = (file: string, folder: string) => file.startsWith(`${folder.replace(/\/$/, '')}/`)

const listLines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').length

function listImports(from: string): Import[] {
  const text = readFileSync(from, 'utf8')
  const paths = text.matchAll(/(?:from|import) ?\(?'(\.[^']+)'/g)
  return [...paths].map(([, path]) => ({ from, to: normalize(`${dirname(from)}/${path}`) }))
}

/** The first of some folders that has a file, or -1. */
const indexOfFolder = (folders: readonly string[], file: string) =>
  folders.findIndex(folder => isIn(file, folder))

/** Number of the floor of a file; -1 when it stands on none. */
export const findFloor = (file: string): number =>
  FLOORS.findIndex(folders => indexOfFolder(folders, file) !== -1)

/**
 * True when an import goes up, against a row of its floor, or from one area to a file of another that
 * is not its public face.
 */
export function isUpward({ from, to }: Import): boolean {
  const area = indexOfFolder(AREAS, from)
  const target = indexOfFolder(AREAS, to)
  if (area !== -1 && target !== -1 && area !== target) {
    return !['ask.ts', 'schema.ts'].some(face => to === `${AREAS[target]}/${face}`)
  }
  if (
    ROWS.some(
      row => indexOfFolder(row, from) !== -1 && indexOfFolder(row, to) > indexOfFolder(row, from),
    )
  ) {
    return true
  }
  // who serves builds nothing, and who builds serves nothing
  if (from.startsWith('src/') && !isIn(from, 'src/cli') && to.startsWith('pipelines/')) return true
  if (indexOfFolder(BATCH, from) !== -1 && isIn(to, 'src/platform/http')) return true
  return findFloor(to) > findFloor(from)
}

/** Files that a folder's files import, by way of others too. */
export function reachedFrom({ files, imports }: Structure, folders: readonly string[]): string[] {
  const targets = Map.groupBy(imports, ({ from }) => from)
  const reached = new Set(files.filter(file => indexOfFolder(folders, file) !== -1))
  for (const file of reached) for (const { to } of targets.get(file) ?? []) reached.add(to)
  return [...reached]
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
