import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isLack } from '../../core/disk/refusal.ts'
import type { SessionDate } from '../../core/market/calendar.ts'
import { readStamp } from './damagedFile.ts'
import { type PublishedManifest, parseManifest } from './manifest.ts'
import { timeText } from './sight.ts'

/**
 * Maximum age of a scan: two files may change within one kernel tick, with one folder time stamp.
 */
const RESCAN_AFTER_MS = 500

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
}

export type Look = {
  readonly view: ReturnType<typeof createView>
  /** Set while the folder cannot be read: the view is then the last one, if there was any. */
  readonly fault: Fault | null
  readonly isBlind: boolean
}

/** Manifests by day, read again when a file of the folder changed, or could not be read. */
export function manifestLook({ what, folder, nowMs, log }: LookDeps): () => Look {
  let known = new Map<SessionDate, Known>()
  let problems = new Map<SessionDate, string>()
  let last = { stamp: '', atMs: Number.NEGATIVE_INFINITY }
  let look: Look = { view: createView(known, problems), fault: null, isBlind: true }

  const readOne = (date: SessionDate, stamp: string): Known => {
    try {
      return { stamp, manifest: readManifest(folder, date) }
    } catch (error) {
      if (isLack(error)) throw error
      // an unreadable manifest hides nothing that was readable before
      const problem = `manifests/${date}.json: ${describeReason(error)}`
      if (problems.get(date) !== problem) {
        log.error({ date, reason: describeReason(error) }, 'unreadable manifest')
      }
      // an error of the system may go away without a change of the file
      const isOfSystem = (error as NodeJS.ErrnoException).code !== undefined
      const manifest = known.get(date)?.manifest ?? null
      return { stamp: isOfSystem ? '' : stamp, manifest, problem }
    }
  }
  const scan = () => {
    const next = new Map<SessionDate, Known>()
    const nextProblems = new Map<SessionDate, string>()
    for (const date of manifestDates(folder)) {
      const stamp = readStamp(join(folder, `${date}.json`))
      const before = known.get(date)
      const entry = before?.stamp === stamp ? before : readOne(date, stamp)
      next.set(date, entry)
      if (entry.problem !== undefined) nextProblems.set(date, entry.problem)
    }
    known = next
    problems = nextProblems
    return createView(known, problems)
  }
  const lookAgain = (): Look => {
    try {
      const view = scan()
      if (look.fault) log.info?.({ what }, 'files are read again')
      return { view, fault: null, isBlind: false }
    } catch (error) {
      const { code = 'its log says why' } = error as NodeJS.ErrnoException
      if (look.fault?.code === code) return look
      log.error({ what, reason: (error as Error).message }, 'files cannot be read')
      const sinceMs = look.fault?.sinceMs ?? nowMs()
      const text = `since ${timeText(sinceMs)} ${what} cannot be read (${code})`
      return { ...look, fault: { code, sinceMs, text } }
    }
  }

  return () => {
    const stamp = readStamp(folder)
    const isStale = stamp !== last.stamp || Math.abs(nowMs() - last.atMs) >= RESCAN_AFTER_MS
    if (!isStale) return look
    last = { stamp, atMs: nowMs() }
    look = lookAgain()
    return look
  }
}

function createView(known: ReadonlyMap<string, Known>, problems: ReadonlyMap<string, string>) {
  const manifests = new Map<SessionDate, PublishedManifest>()
  for (const [date, { manifest }] of known) if (manifest) manifests.set(date, manifest)
  const unreadable = [...known.keys()].filter(date => !manifests.has(date))
  return { dates: [...manifests.keys()], manifests, unreadable, problems: [...problems.values()] }
}

/** Describes why a file cannot be used, without the machine's path that a system error contains. */
export function describeReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return code === undefined ? String(message) : `it cannot be read (${code})`
}

function readManifest(folder: string, date: SessionDate): PublishedManifest {
  const manifest = parseManifest(readFileSync(join(folder, `${date}.json`), 'utf8'))
  if (manifest.session_date === date) return manifest
  throw new Error(`it is about ${manifest.session_date}`)
}

function manifestDates(folder: string): SessionDate[] {
  try {
    return readdirSync(folder)
      .filter(name => /^\d{4}-\d{2}-\d{2}\.json$/.test(name))
      .map(name => name.slice(0, 10))
      .sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
