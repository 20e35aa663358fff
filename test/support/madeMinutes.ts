// Published sessions, running or finished, made of the states and orders that a test names.

import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Database, openDatabase } from '../../src/core/engine/database.ts'
import { findTradingSession, instantMs, listMinutes } from '../../src/core/market/calendar.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { writeManifest } from './published.ts'

type Values = Readonly<Record<string, unknown>>

/** Fields of a state about the measured book, and about the others where they differ. */
export type MadeState = {
  readonly spot?: number | null
  readonly flip?: number | null
  readonly roots?: readonly number[]
  readonly threshold?: readonly [low: number, high: number] | null
  readonly call_wall?: number | null
  readonly put_wall?: number | null
  readonly net_gamma?: number | null
  readonly reason?: string
  readonly vol?: Omit<MadeState, 'vol' | 'oi' | 'spot'>
  readonly oi?: Omit<MadeState, 'vol' | 'oi' | 'spot'>
}

export type MadeOrder = Values & {
  readonly order_id: string
  /** ET, HH:MM:SS or with microseconds: when this version became visible. */
  readonly visible: string
  /** ET: when it was known otherwise. */
  readonly superseded?: string
}

export type MadeSession = {
  readonly day: string
  /** By minute; one that is not there has no row at all. */
  readonly states: Readonly<Record<string, MadeState>>
  readonly orders?: readonly MadeOrder[]
  /** Rows of other datasets by name, each with the `minute_et` from which it is known. */
  readonly others?: Readonly<Record<string, readonly Values[]>>
  readonly simulated?: boolean
  readonly symbol?: string
}

const BOOKS = ['measured', 'vol', 'oi'] as const

/** A state where nothing happens: 5 points over the flip, between the walls. */
export const QUIET: MadeState = {
  spot: 6005,
  flip: 6000,
  threshold: [5992, 6008],
  net_gamma: 40,
  call_wall: 6050,
  put_wall: 5950,
}

/** The measured book of a state without known positions of dealers; the convention has a flip. */
export const UNKNOWN: MadeState = {
  ...QUIET,
  flip: null,
  threshold: null,
  call_wall: null,
  put_wall: null,
  reason: 'inventory_unknown',
  oi: { flip: 6001, call_wall: 6050, put_wall: 5950 },
}

/** The same quiet state at every minute from one to another, changed where a test says so. */
export function quietStates(
  day: string,
  changes: Readonly<Record<string, MadeState | null>> = {},
  { from = '09:31', until = '16:14' } = {},
): Record<string, MadeState> {
  const minutes = listMinutes(findTradingSession(day)!).map(({ minute }) => minute)
  const reported = minutes.filter(minute => minute >= from && minute <= until)
  const states = reported.map(minute => [minute, { ...QUIET, ...changes[minute] }] as const)
  return Object.fromEntries(states.filter(([minute]) => changes[minute] !== null))
}

function levelRows({ day, states }: MadeSession): Values[] {
  return Object.entries(states).flatMap(([minute, state]) =>
    BOOKS.map(book => {
      const own = { ...state, ...(book === 'measured' ? {} : state[book]) }
      const { spot = null, flip = null, call_wall = null, put_wall = null, threshold } = own
      return {
        session_date: day,
        minute_et: minute,
        book_basis: book,
        spot,
        flip,
        net_gamma_musd_per_point: own.net_gamma ?? null,
        flip_roots: own.roots ?? (flip === null ? [] : [flip]),
        call_wall,
        put_wall,
        measured_share: 1,
        priced_share: 1,
        flip_lo: threshold?.[0] ?? null,
        flip_hi: threshold?.[1] ?? null,
        reason: own.reason ?? null,
      }
    }),
  )
}

/** An ET wall time as the text of a UTC timestamp. */
function findUtc(day: string, time: string): string {
  const [minute, rest] = [time.slice(0, 5), time.slice(6)]
  const seconds = rest === '' ? '00' : rest
  const date = new Date(instantMs(day, minute)).toISOString().slice(0, 17)
  return date.replace('T', ' ') + seconds
}

const ORDER: Values = {
  structure: 'single',
  legs_text: '6000C',
  leg_count: 1,
  print_count: 1,
  size: 100,
  contracts: 100,
  gross_premium_usd: 1_000_000,
  net_premium_usd: 1_000_000,
  sign: 1,
  fold_basis: 'conditions',
  fold_rule: 'single',
  fold_confidence: 0.9,
  flags: [],
  print_class: 'single',
  dealer_gamma_musd_per_point: -2.5,
  spot: 6005,
  flip: 6000,
  flip_distance_points: 5,
  flip_side: 'over',
  is_in_ledger: true,
  revision_number: 1,
}

function orderRows({ day, orders = [] }: MadeSession): Values[] {
  return orders.map(({ visible, superseded, ...own }) => ({
    ...ORDER,
    session_date: day,
    main_expiry: day,
    minute_et: visible.slice(0, 5),
    printed_at: findUtc(day, visible),
    last_printed_at: findUtc(day, visible),
    known_at: findUtc(day, visible),
    visible_at: findUtc(day, visible),
    ...(superseded === undefined
      ? {}
      : { superseded_at: findUtc(day, superseded), superseded_by: 'late_print' }),
    ...own,
  }))
}

/** The minute whose state first has what became known at an ET time. */
const stateAfter = (time: string) => {
  const next = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5)) + 1
  const pad = (part: number) => String(part).padStart(2, '0')
  return `${pad(Math.floor(next / 60))}:${pad(next % 60)}`
}

type Written = { file: string; bytes: number; sha256: string; rows: number }

/** Publishes sessions into one data folder; close it at the end. */
export async function openMaker(dataFolder: string) {
  const db = await openDatabase({ threads: 1 })
  return {
    /** The whole session as a build publishes it. */
    finish: (made: MadeSession) => publishFinished(db, dataFolder, made),
    /** A running session up to a minute, a file a minute and dataset, added to those there are. */
    runUntil: (made: MadeSession, until: string) => publishRunning(db, dataFolder, made, until),
    close: db.close,
  }
}

async function publishFinished(db: Database, dataFolder: string, made: MadeSession) {
  const { day, orders = [], others = {} } = made
  const rows = orderRows(made)
  const datasets: Record<string, Written> = {}
  const put = async (name: string, content: readonly Values[]) => {
    datasets[name] = await writeFile(db, join(dataFolder, 'published'), { name, day, content })
  }
  await put('levels', levelRows(made))
  await put(
    'orders',
    rows.filter((_, index) => orders[index]!.superseded === undefined),
  )
  await put(
    'revisions',
    rows.filter((_, index) => orders[index]!.superseded !== undefined),
  )
  for (const [name, content] of Object.entries(others)) await put(name, content)
  writeManifest(dataFolder, day, { ...findHead(made, datasets), datasets })
}

async function publishRunning(
  db: Database,
  dataFolder: string,
  made: MadeSession,
  until: string,
): Promise<void> {
  const { day, orders = [], others = {} } = made
  const path = join(dataFolder, 'live/manifests', `${day}.json`)
  const before = readLive(path)
  const files: Record<string, Written[]> = { ...before?.files }
  const rows = orderRows(made)
  const listSteps = minutesUpTo(day, until).filter(minute => minute > (before?.minute ?? ''))
  for (const step of listSteps) {
    const isNow = (_: unknown, index: number) => stateAfter(orders[index]!.visible) === step
    const isEnded = (_: unknown, index: number) =>
      orders[index]!.superseded !== undefined && stateAfter(orders[index]!.superseded!) === step
    const added: Record<string, readonly Values[]> = {
      levels: levelRows(made).filter(row => row.minute_et === step),
      // as it came: that it will end is not known yet
      orders: rows.filter(isNow).map(({ superseded_at, superseded_by, ...row }) => row),
      revisions: rows.filter(isEnded),
    }
    for (const [name, all] of Object.entries(others)) {
      added[name] = all.filter(row => row.minute_et === step)
    }
    for (const [name, content] of Object.entries(added)) {
      if (content.length === 0) continue
      const file = await writeFile(db, join(dataFolder, 'live'), { name, day, content, step })
      files[name] = [...(files[name] ?? []), file]
    }
  }
  const live = { minute: until, known_before_ms: instantMs(day, until), files }
  const text = JSON.stringify({ ...findHead(made, files), asof: `${until}:00`, live })
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.tmp`, text)
  renameSync(`${path}.tmp`, path)
}

/** State minutes of a session, and the three after its close in which orders are still sent. */
function minutesUpTo(day: string, until: string): string[] {
  const minutes = listMinutes(findTradingSession(day)!).map(({ minute }) => minute)
  const all = [...minutes, ...Array.from({ length: 4 }, () => '')]
  for (let at = minutes.length; at < all.length; at++) all[at] = stateAfter(all[at - 1]!)
  return all.filter(minute => minute <= until)
}

function readLive(path: string): { minute: string; files: Record<string, Written[]> } | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).live
  } catch {
    return null
  }
}

function findHead({ day, symbol = 'SPX', simulated = false }: MadeSession, files: object) {
  const { isHalfDay } = findTradingSession(day)!
  const expected = isHalfDay ? 225 : 405
  const revision = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16)
  return {
    format: 1,
    session_date: day,
    symbol,
    simulated,
    revision,
    code_version: 'test',
    asof: isHalfDay ? '13:15:00' : '16:15:00',
    minutes: { expected, present: expected, missing: [] },
    datasets: {},
    ledger: {},
    inputs: [],
    tape: {},
  }
}

type Writing = {
  readonly name: string
  readonly day: string
  readonly content: readonly Values[]
  readonly step?: string
}

/** Writes rows of a dataset in the types of the dictionary; what a row does not say is null. */
async function writeFile(
  db: Database,
  folder: string,
  { name, day, content, step = '' }: Writing,
): Promise<Written> {
  const { columns } = PUBLISHED_DATASETS.find(dataset => dataset.name === name)!
  const types = JSON.stringify([Object.fromEntries(columns.map(one => [one.name, one.type]))])
  const names = columns.map(column => column.name).join(', ')
  const rows = JSON.stringify(content)
  const hash = createHash('sha256').update(rows).digest('hex').slice(0, 16)
  const prefix = step === '' ? '' : `${step.replace(':', '')}-`
  const file = `${name}/session=${day}/${prefix}${hash}.parquet`
  const path = join(folder, file)
  mkdirSync(dirname(path), { recursive: true })
  await db.run(
    `copy (select ${names} from (select unnest(from_json($rows, '${types}'), max_depth := 2)))
     to $path (format parquet)`,
    { rows, path },
  )
  const bytes = readFileSync(path)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { file, bytes: bytes.byteLength, sha256, rows: content.length }
}
