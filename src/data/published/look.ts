import { opendirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLack } from '../../core/disk/refusal.ts'
import { isDate, type SessionDate } from '../../core/market/calendar.ts'
import { oncePerTurn } from '../../core/turn.ts'
import { readStamp } from './damagedFile.ts'
import { hasLedger, type PublishedManifest, parseManifest } from './manifest.ts'
import { timeText } from './sight.ts'

/**
 * Maximum age of a sweep: two files may change within one kernel tick, with one folder time stamp.
 */
const SWEEP_AFTER_MS = 500

/** Entries that one look checks at most; the event loop is free before the next ones. */
export const LOOK_MAX = 128

/** Reading a manifest takes as long as checking so many entries. */
const READ_COST = 32

type Known = {
  readonly stamp: string
  readonly manifest: PublishedManifest | null
  /** Reason why its file cannot be used. */
  readonly problem?: string
}

type Fault = { readonly code: string; readonly sinceMs: number; readonly text: string }

type LookDeps = {
  readonly nowMs: () => number
  readonly log: {
    readonly error: (fields: object, message: string) => void
    readonly info?: (fields: object, message: string) => void
  }
  readonly what: string
  readonly folder: string
  /**
   * True when looks within one turn of the event loop share what the first has seen: for a server,
   * whose calls of a turn came together. A program that writes and looks in one turn sees both.
   */
  readonly sharesTurn?: boolean | undefined
}

export type Look = {
  /** The same object while no manifest has changed. */
  readonly view: ReturnType<typeof createView>
  /** Set while the folder cannot be read: the view is then the last one, if there was any. */
  readonly fault: Fault | null
  readonly isBlind: boolean
}

/**
 * Manifests by day, read again when a file of the folder changed, or could not be read. A folder of
 * at most LOOK_MAX sessions is swept whole within a look. A larger one is swept by the look and
 * after it, LOOK_MAX entries at a time; the day that a look is for is always as it is now, and
 * other days are as they were one sweep before. The first look sweeps any folder whole.
 */
export function manifestLook({
  what,
  folder,
  nowMs,
  log,
  sharesTurn = false,
}: LookDeps): (date?: SessionDate) => Look {
  let known = new Map<SessionDate, Known>()
  let changes = new Map<SessionDate, Known | null>()
  let swept = { stamp: '', atMs: Number.NEGATIVE_INFINITY, isSettled: false }
  let sweep: Generator<void> | null = null
  let look: Look = { view: createView(known), fault: null, isBlind: true }

  const findKnown = (date: SessionDate) => (changes.has(date) ? changes.get(date) : known.get(date))

  const readOne = (date: SessionDate, stamp: string): Known => {
    const before = findKnown(date)
    try {
      return { stamp, manifest: readManifest(folder, date) }
    } catch (error) {
      if (isLack(error)) throw error
      // an unreadable manifest hides nothing that was readable before
      const problem = `manifests/${date}.json: ${describeReason(error)}`
      if (before?.problem !== problem) {
        log.error({ date, reason: describeReason(error) }, 'unreadable manifest')
      }
      // an error of the system may go away without a change of the file
      const isOfSystem = (error as NodeJS.ErrnoException).code !== undefined
      return { stamp: isOfSystem ? '' : stamp, manifest: before?.manifest ?? null, problem }
    }
  }

  /** Reads the manifest of a day if its file has changed; true when it was read. */
  const check = (date: SessionDate): boolean => {
    const stamp = readStamp(join(folder, `${date}.json`))
    const before = findKnown(date)
    if (before?.stamp === stamp) return false
    if (stamp === 'ENOENT') {
      if (before) changes.set(date, null)
      return false
    }
    const entry = readOne(date, stamp)
    const isSame = entry.stamp === before?.stamp && entry.problem === before.problem
    if (!isSame) changes.set(date, entry)
    return true
  }

  function* sweepFolder(): Generator<void> {
    const unseen = new Set(known.keys())
    let cost = 0
    for (const date of readDates(folder)) {
      unseen.delete(date)
      cost += check(date) ? READ_COST : 1
      if (cost < LOOK_MAX || look.isBlind) continue
      yield
      cost = 0
    }
    // a list that is read while files are replaced may lack some of them
    for (const date of unseen) {
      check(date)
      if (++cost % LOOK_MAX === 0) yield
    }
  }

  /** Runs a step of a look; after a failure the last view stays. */
  const attempt = (step: () => void): void => {
    try {
      step()
      if (changes.size > 0) {
        known = applyChanges(known, changes)
        look = { ...look, view: createView(known) }
        changes = new Map()
      }
    } catch (error) {
      sweep?.return(undefined)
      sweep = null
      swept.isSettled = false
      const { code = 'its log says why' } = error as NodeJS.ErrnoException
      if (look.fault?.code === code) return
      log.error({ what, reason: (error as Error).message }, 'files cannot be read')
      const sinceMs = look.fault?.sinceMs ?? nowMs()
      const text = `since ${timeText(sinceMs)} ${what} cannot be read (${code})`
      look = { ...look, fault: { code, sinceMs, text } }
    }
  }

  const advance = (): void =>
    attempt(() => {
      if (!sweep?.next().done) return
      sweep = null
      if (look.fault) log.info?.({ what }, 'files are read again')
      look = { ...look, fault: null, isBlind: false }
    })

  const goOn = (): void => {
    if (sweep === null) return
    setImmediate(() => {
      advance()
      goOn()
    }).unref()
  }

  const begin = (stamp: string): void => {
    swept = { stamp, atMs: nowMs(), isSettled: stamp === swept.stamp }
    sweep = sweepFolder()
    do advance()
    while (sweep !== null && known.size <= LOOK_MAX)
    goOn()
  }

  const isStale = (stamp: string): boolean => {
    if (stamp !== swept.stamp) return true
    // a file that was written in place: a large folder is swept for it as often as time permits
    const times = swept.isSettled ? Math.max(1, known.size / LOOK_MAX) : 1
    return Math.abs(nowMs() - swept.atMs) >= SWEEP_AFTER_MS * times
  }

  const readFolderStamp = sharesTurn
    ? oncePerTurn(() => readStamp(folder))
    : () => readStamp(folder)

  return date => {
    const stamp = readFolderStamp()
    if (sweep === null && isStale(stamp)) begin(stamp)
    // a folder that cannot be read says nothing about a day
    const isAmong = date !== undefined && isDate(date) && look.fault === null
    if (isAmong && (sweep !== null || !swept.isSettled)) {
      attempt(() => void check(date))
    }
    return look
  }
}

/** Changes the known manifests; returns them in the order of days, a new map where a day is new or gone. */
function applyChanges(
  known: Map<SessionDate, Known>,
  changes: ReadonlyMap<SessionDate, Known | null>,
): Map<SessionDate, Known> {
  const isSame = [...changes].every(([date, entry]) => entry !== null && known.has(date))
  for (const [date, entry] of changes) {
    if (entry === null) known.delete(date)
    else known.set(date, entry)
  }
  return isSame ? known : new Map([...known].sort(([a], [b]) => (a < b ? -1 : 1)))
}

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The known manifests, in lists that are made when they are first read. */
function createView(known: ReadonlyMap<SessionDate, Known>) {
  return {
    ...createLists(known, () => true),
    /** Those of sessions with a ledger alone. */
    withLedger: createLists(known, hasLedger),
    unreadable: once(() =>
      [...known].flatMap(([date, { manifest }]) => (manifest === null ? [date] : [])),
    ),
    problems: once(() => [...known.values()].flatMap(({ problem }) => problem ?? [])),
  }
}

/** Manifests by day, those that are wanted. */
export type ManifestLists = ReturnType<typeof createLists>

function createLists(
  known: ReadonlyMap<SessionDate, Known>,
  isWanted: (manifest: PublishedManifest) => boolean,
) {
  const select = (entry: Known | undefined) =>
    entry?.manifest && isWanted(entry.manifest) ? entry.manifest : null
  const all = once(() => [...known.values()].flatMap(entry => select(entry) ?? []))
  return {
    find: (date: SessionDate) => select(known.get(date)),
    dates: once(() => [...known].flatMap(([date, entry]) => (select(entry) ? [date] : []))),
    all,
  }
}

/** Describes why a file cannot be used, without the machine's path that a system error contains. */
export function describeReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code === undefined ? String(message) : `it cannot be read (${code})`
}

function readManifest(folder: string, date: string): PublishedManifest {
  const manifest = parseManifest(readFileSync(join(folder, `${date}.json`), 'utf8'))
  if (manifest.session_date === date) return manifest
  throw new Error(`it is about ${manifest.session_date}`)
}

/** The days of the manifests in a folder, in no order, read as they are taken. */
function* readDates(folder: string): Generator<SessionDate> {
  let entries: ReturnType<typeof opendirSync>
  try {
    entries = opendirSync(folder, { bufferSize: LOOK_MAX })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      if (/^\d{4}-\d{2}-\d{2}\.json$/.test(entry.name)) yield entry.name.slice(0, 10)
    }
  } finally {
    entries.closeSync()
  }
}
