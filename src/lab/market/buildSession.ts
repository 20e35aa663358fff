import type { Database, Params } from '../../core/engine/database.ts'
import { type NumberColumns, noNumbers, readNumbers } from '../../core/engine/numbers.ts'
import { filePaths } from '../../core/engine/paths.ts'
import { expiresAtMs, instantMs, MINUTE_MS, type Session } from '../../core/market/calendar.ts'
import { verifiedFiles } from '../../data/published/knownLedgers.ts'
import { LAB_SOURCES } from '../../data/published/labFiles.ts'
import type { PublishedManifest } from '../../data/published/manifest.ts'
import type { BlockDraft } from './blocks.ts'
import { quoteBlocks, smileBlocks } from './contractBlocks.ts'
import type { LabMinutes } from './session.ts'

/** Builds the columns that LAB replays from the published files of one session. */

export const FIRST_MINUTE = 571
const YEAR_MS = 31_536_000_000

/** Columns of a session as they are stored; `about` holds everything that is not a column. */
export type SessionDraft = {
  readonly about: AboutFile
  readonly blocks: Readonly<Record<string, BlockDraft>>
}

/** Metadata of a file: its session and its contracts. */
export type AboutFile = {
  /** Null in a file of later contracts. */
  readonly session: {
    readonly hasSpot: boolean
    /** States at which the dealers' positions are not known; absent where there is none. */
    readonly unknownCount?: number
    /** States whose index is one by put-call parity; absent where there is none. */
    readonly parityCount?: number
    settlement: number | null
    source: string | null
  } | null
  /** Null: neither a quote nor a smile of these contracts was published. */
  readonly expiry: { readonly expiry: string; readonly tick: number } | null
}

export const MINUTE_COLUMNS: readonly (readonly [keyof LabMinutes, string])[] = [
  ['spot', 'spot'],
  ['open', 'open'],
  ['previousClose', 'previous_close'],
  ['expectedMove', 'expected_move'],
  ['sessionExpectedMove', 'session_expected_move'],
  ['netGamma', 'net_gamma'],
  ['flip', 'flip'],
  ['callWall', 'call_wall'],
  ['putWall', 'put_wall'],
]

export const countStates = ({ isHalfDay }: Session): number => (isHalfDay ? 210 : 390)

type Source = {
  readonly db: Database
  readonly dataFolder: string
  readonly manifest: PublishedManifest
  readonly session: Session
}

/** Files of each dataset, as a query parameter; null when there is none. */
type Files = Readonly<Record<(typeof LAB_SOURCES)[number], string>>

/**
 * Builds the contracts of a session for each requested dte; those of dte 0 include its market.
 * Fails with DamagedFile when a published file does not match its manifest.
 */
export async function buildSession(
  source: Source,
  dtes: readonly number[],
): Promise<SessionDraft[]> {
  const { db, dataFolder, manifest } = source
  const found: Record<string, string> = {}
  for (const name of LAB_SOURCES) {
    found[name] = filePaths(await verifiedFiles(dataFolder, manifest, name))
  }
  const files = found as Files
  const known = await readExpiries(db, files)
  const drafts: SessionDraft[] = []
  for (const dte of dtes) {
    const expiry = known.find(row => row.dte === dte)?.expiry as string | undefined
    const market = dte === 0 ? await buildMarket(source, files) : null
    const contracts = expiry ? await buildContracts(source, files, { dte, expiry }) : null
    const blocks: SessionDraft['blocks'] = { ...market?.blocks, ...contracts?.blocks }
    drafts.push({
      about: { session: market?.about ?? null, expiry: contracts?.about ?? null },
      blocks: Object.fromEntries(
        // blocks that are read first are stored contiguously
        Object.entries(blocks).sort(([a], [b]) => Number(isLarge(a)) - Number(isLarge(b))),
      ),
    })
  }
  return drafts
}

/** Paths of a dataset of which a running session has published nothing yet. */
const NO_FILES = filePaths([])

/** Columns of each numeric query. */
const COLUMNS = {
  'lab/minutes': ['state', ...MINUTE_COLUMNS.map(([, name]) => name), 'is_unknown', 'is_parity'],
  'lab/orders': ['from_state', 'until_state', 'printed_state', 'premium_usd', 'gamma'],
  'lab/quotes': [
    'state',
    'strike',
    'call_bid',
    'call_ask',
    'call_age',
    'put_bid',
    'put_ask',
    'put_age',
  ],
  'lab/smile_minutes': ['state', 'forward', 'discount'],
  'lab/smile_points': ['state', 'strike', 'total_variance'],
} as const

/** Reads rows of a dataset as columns; empty when it has no file yet. */
const readDatasetNumbers = async (
  db: Database,
  path: keyof typeof COLUMNS,
  params: Params & { readonly files: string },
): Promise<NumberColumns> =>
  params.files === NO_FILES ? noNumbers(COLUMNS[path]) : readNumbers(db, path, params)

/** True for blocks that are read on first access. */
const isLarge = (name: string) => /^(quotes|smileStrikes|smileVariances)$/.test(name)

async function buildMarket({ db, session }: Source, files: Files) {
  const stateCount = countStates(session)
  const firstMs = instantMs(session.date, '09:31')
  const rows = await readDatasetNumbers(db, 'lab/minutes', {
    files: files.market_minutes,
    first_minute: FIRST_MINUTE,
  })
  const orders = await readDatasetNumbers(db, 'lab/orders', {
    files: files.large_orders,
    first_ms: firstMs,
  })
  const { settlements } = files
  const [settled] =
    settlements === NO_FILES ? [] : await db.query('lab/settlement', { files: settlements })
  const minutes = new Float64Array(MINUTE_COLUMNS.length * stateCount)
  for (const [column, [, name]] of MINUTE_COLUMNS.entries()) {
    minutes.set(byState(rows, name, stateCount), column * stateCount)
  }
  const countStatesWith = (name: string) =>
    byState(rows, name, stateCount).filter(one => one === 1).length
  const [unknownCount, parityCount] = [countStatesWith('is_unknown'), countStatesWith('is_parity')]
  return {
    about: {
      ...(unknownCount > 0 && { unknownCount }),
      ...(parityCount > 0 && { parityCount }),
      hasSpot: !minutes.subarray(0, stateCount).every(Number.isNaN),
      settlement: (settled?.settlement ?? null) as number | null,
      source: (settled?.source ?? null) as string | null,
    },
    blocks: { minutes: { values: minutes }, ...orderBlocks(orders, stateCount) },
  }
}

/** Versions that count at some state of the session. */
function orderBlocks(rows: NumberColumns, stateCount: number): Record<string, BlockDraft> {
  const { from_state: from, until_state: until, printed_state: printed } = rows
  const rowIndexes = [...from!.keys()].filter(row => from![row]! < stateCount)
  const states = (value: (row: number) => number) => ({
    values: Int32Array.from(rowIndexes, value),
  })
  return {
    orderFrom: states(row => Math.max(0, from![row]!)),
    // NaN: never superseded
    orderUntil: states(row => (until![row]! < stateCount ? Math.max(0, until![row]!) : stateCount)),
    orderPrinted: states(row => printed![row]!),
    orderPremium: { values: Float64Array.from(rowIndexes, row => rows.premium_usd![row]!) },
    orderGamma: { values: Float64Array.from(rowIndexes, row => rows.gamma![row]!) },
  }
}

/** Column of rows indexed by state; NaN at states without a row. */
function byState(rows: NumberColumns, name: string, stateCount: number): Float64Array {
  const column = new Float64Array(stateCount).fill(Number.NaN)
  for (const [row, state] of rows.state!.entries()) {
    if (state >= 0 && state < stateCount) column[state] = rows[name]![row]!
  }
  return column
}

/** Expiry of each dte with a published quote or smile. */
async function readExpiries(db: Database, { option_minutes, smiles }: Files) {
  const has = [option_minutes, smiles].filter(list => list !== NO_FILES)
  if (has.length === 0) return []
  return await db.query('lab/expiries', { quote_files: has[0]!, smile_files: has.at(-1)! })
}

async function buildContracts(
  { db, session }: Source,
  { option_minutes: quoteFiles, smiles: smileFiles }: Files,
  { dte, expiry }: { readonly dte: number; readonly expiry: string },
) {
  const stateCount = countStates(session)
  const params = { dte, first_minute: FIRST_MINUTE }
  const quotes = await readDatasetNumbers(db, 'lab/quotes', { ...params, files: quoteFiles })
  const minutes = await readDatasetNumbers(db, 'lab/smile_minutes', {
    ...params,
    files: smileFiles,
  })
  const points = await readDatasetNumbers(db, 'lab/smile_points', { ...params, files: smileFiles })
  const { tick, blocks } = quoteBlocks(quotes, stateCount)
  const firstMs = instantMs(session.date, '09:31')
  const endMs = expiresAtMs(expiry, 'PM', session.date)
  const years = Float64Array.from({ length: stateCount }, (_, state) =>
    Math.max(0, (endMs - firstMs - state * MINUTE_MS) / YEAR_MS),
  )
  return {
    about: { expiry, tick },
    blocks: {
      years: { values: years },
      forward: { values: byState(minutes, 'forward', stateCount) },
      discount: { values: byState(minutes, 'discount', stateCount) },
      ...smileBlocks(points, stateCount),
      ...blocks,
    },
  }
}
