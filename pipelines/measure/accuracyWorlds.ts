/** Sides, flow and flip in every world of sides: nobody knows in which one the market is. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyToParquet } from '../../src/core/engine/bulk.ts'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { DEFAULT_OPTIONS } from '../simulate/options.ts'
import { SIDE_WORLDS, type SideWorldName } from '../simulate/sideWorlds.ts'
import { runSimulate } from '../simulate/simulate.ts'
import { buildPublishedFlow, buildTrueFlow, type CustomerFlowAccuracy } from './accuracyFlow.ts'
import {
  type BookAccuracy,
  buildFewStates,
  buildSimulated,
  buildTrueLevels,
  DRAWN_DEALERS,
  estimateImported,
} from './accuracyLevels.ts'
import { partFile, withNewFolder, withParts } from './accuracyParts.ts'

/** Right sides of one world, where no side is stated a coin is tossed; shares of orders and of lots. */
type WorldSides = {
  readonly orders: number
  readonly right_share: number
  readonly right_lots_share: number
  /** By the plain quote rule, and by the stack of Grauer, Schuster and Uhrig-Homburg. */
  readonly quote_share: number
  readonly quote_lots_share: number
  readonly stack_share: number
  readonly stack_lots_share: number
}

/** Orders of one tenth of the stated probability, in one world or in all of them. */
export type WorldClass = {
  /** 0 to 9: probabilities from class / 10. */
  readonly class: number
  readonly orders: number
  readonly stated_share: number
  readonly observed_share: number
  readonly observed_lots_share: number
}

export type WorldAccuracy = {
  readonly world: SideWorldName
  readonly sides: WorldSides
  readonly classes: readonly WorldClass[]
  readonly flow: readonly CustomerFlowAccuracy[]
  /** The flip with imported positions. */
  readonly flip: Pick<
    BookAccuracy,
    'minute_count' | 'flip_count' | 'covered_share' | 'covered_error' | 'mean_width'
  >
}

export type WorldsRequest = {
  /** Of each world. */
  readonly sessions: number
  readonly prints: number
  readonly contracts: number
  readonly worlds?: readonly SideWorldName[]
}

/** Every world of sides: the classes of all of them together, and each for itself. */
export type WorldsAccuracy = Omit<WorldsRequest, 'worlds'> & {
  readonly classes: readonly WorldClass[]
  readonly worlds: readonly WorldAccuracy[]
}

/** Tables that each session contributes. */
const PARTS = ['side_rows', 'flow_minutes', 'level_minutes'] as const

/** Simulates and builds sessions of each world, and compares them with the truth. */
export async function measureWorlds(
  { worlds: names = Object.keys(SIDE_WORLDS) as SideWorldName[], ...size }: WorldsRequest,
  firstSeed: number,
): Promise<WorldsAccuracy> {
  return withNewFolder('worlds', async folder => {
    const worlds: WorldAccuracy[] = []
    for (const world of names) {
      for (let number = 0; number < size.sessions; number++) {
        process.stderr.write(`  worlds of sides: ${world} ${number + 1} of ${size.sessions}\n`)
        await measureSession(folder, world, { ...size, seed: firstSeed + number })
      }
      const measured = await withParts(folder, { tables: PARTS, group: world }, measureWorld)
      worlds.push({ world, ...measured })
    }
    const classes = await withParts(folder, { tables: ['side_rows'], group: '*' }, queryClasses)
    return { ...size, classes, worlds }
  })
}

const queryClasses = async (db: Database) =>
  (await db.query('measure/world_classes')) as WorldClass[]

async function measureWorld(db: Database) {
  const [sides] = (await db.query('measure/world_sides')) as WorldSides[]
  const flow = (await db.query('measure/flow_errors')) as CustomerFlowAccuracy[]
  const books = (await db.query('measure/level_errors')) as BookAccuracy[]
  const { minute_count, flip_count, covered_share, covered_error, mean_width } = books.find(
    ({ book_basis }) => book_basis === 'measured',
  )!
  const flip = { minute_count, flip_count, covered_share, covered_error, mean_width }
  return { sides: sides!, classes: await queryClasses(db), flow, flip }
}

async function measureSession(
  folder: string,
  world: SideWorldName,
  size: { readonly prints: number; readonly contracts: number; readonly seed: number },
): Promise<void> {
  const out = join(folder, 'session')
  const { seed } = size
  const db = await openDatabase({ threads: 2, temporaryFolder: join(folder, 'spill') })
  const store = (part: (typeof PARTS)[number], params: Readonly<Record<string, string | number>>) =>
    copyToParquet(db, {
      path: `measure/${part}`,
      file: partFile(folder, { table: part, group: world, session: seed }),
      params,
    })
  try {
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, world, out })
    await buildSimulated(db, out)
    await db.build('measure/exact_legs')
    await db.build('measure/side_orders')
    await store('side_rows', { seed })
    await buildPublishedFlow(db)
    await buildFewStates(db)
    await estimateImported(db, seed)
    await buildTrueLevels(db)
    await store('level_minutes', { seed, dealers: DRAWN_DEALERS })
    await db.build('measure/minutes', { is_all: true }, 'tape.minutes')
    await buildTrueFlow(db)
    await store('flow_minutes', { seed })
  } finally {
    db.close()
    rmSync(out, { recursive: true, force: true })
  }
}
