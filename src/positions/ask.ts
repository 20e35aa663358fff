import { hash } from 'node:crypto'
import type { z } from 'zod'
import {
  findTradingSession,
  isMinute,
  type MinuteEt,
  minutesAfter,
  type SessionDate,
  wallTimeEt,
} from '../core/market/calendar.ts'
import type { Catalog } from '../data/published/catalog.ts'
import { readLiveFacts } from '../data/published/liveManifest.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { isJudgeable } from '../data/published/positionTables.ts'
import {
  FIRST_MINUTE,
  isOpen,
  lastJudgedMinute,
  latestMinute,
} from '../data/published/stateMinutes.ts'
import { damagedDay, orDamaged } from '../platform/http/damaged.ts'
import { badTime, givenDay, givenMinute } from '../platform/http/dayAndMinute.ts'
import { shown } from '../platform/http/request.ts'
import type { Requester } from '../platform/pool/requestScheduler.ts'
import type { Checks, Track } from './checkSchema.ts'
import { toCheck, unchecked } from './checkWire.ts'
import type { SessionCase } from './judged.ts'
import type { Judge } from './marketValues.ts'
import type { Position } from './schema.ts'
import type { PositionAccounts } from './store/types.ts'
import { readStoredPosition, readStoredPositions } from './stored.ts'

export type JudgingDeps = {
  readonly catalog: Catalog
  readonly judge: Judge
  readonly nowMs: () => number
  /** Requester for fair scheduling; default: a single account. */
  readonly requester?: Requester
}

/** Queries of an account's positions for other areas, in the format of the Positions API. */
export type PositionsAsk = {
  /** Stored positions of an account, oldest first. */
  readonly listPositions: (accountId: string) => Promise<readonly Position[]>
  /** Checks of the positions, or of one, at a minute; fails as the Positions API does. */
  readonly checkPositions: (wanted: ChecksQuery) => Promise<z.infer<typeof Checks>>
}

export type ChecksQuery = {
  /** Null: all positions of the account. */
  readonly id: string | null
  /** Null: today. */
  readonly day: string | null
  /** Null: the latest minute. */
  readonly t: string | null
  readonly requester: Requester
}

/** Minutes of a label track. */
const TRACK_MINUTES = 60

/** The requested day and minute; without a minute, `note` states the reason. */
export type AsOfMinute = {
  readonly day: SessionDate
  readonly manifest: PublishedManifest | null
  readonly minute: MinuteEt | null
  readonly note: string | null
  readonly isDamaged: boolean
}

/** Reads `day`, default today, and `t`. Fails with `bad_day` or `bad_time`. */
export function readAsOfMinute(
  { catalog, nowMs }: JudgingDeps,
  days: readonly string[],
  minutes: readonly string[],
): AsOfMinute {
  const given = givenDay(days)
  const t = readTime(minutes)
  const day = given ?? wallTimeEt(nowMs()).date
  const session = findTradingSession(day)
  const last = session ? lastJudgedMinute(session) : '15:59'
  if (t !== null && (t < FIRST_MINUTE || t > last)) {
    throw badTime(`t is ${t}; a session can be checked from ${FIRST_MINUTE} to ${last} ET.`)
  }
  const found = catalog.find(day)
  const isDamaged = !found && catalog.unreadable().includes(day)
  const none = { day, manifest: null, minute: null, isDamaged }
  if (!found) {
    const newest = given === null ? newestDay(catalog) : null
    const hint = newest === null ? '' : ` The newest session is day=${newest}.`
    return { ...none, note: formatNote(day, nowMs()) + hint }
  }
  const { manifest } = found
  if (!isJudgeable(manifest)) {
    const note =
      readLiveFacts(manifest) === null
        ? `${day} was published without market minutes; it has to be built again.`
        : `${day} has no market minute yet: they are published when the session has finished.`
    return { ...none, note }
  }
  const latest = latestMinute(found, nowMs())
  if (latest === null) return { ...none, note: `${day} has no market minute yet.` }
  if (t !== null && t > latest) {
    throw badTime(`t is ${t}; the latest minute of ${day} is ${latest}.`)
  }
  return { day, manifest, minute: t ?? latest, note: null, isDamaged }
}

/** Returns the newest session, also when its manifest is damaged. */
function newestDay(catalog: Catalog): SessionDate | null {
  const newest = catalog.newest()?.manifest.session_date ?? ''
  const hidden = catalog.unreadable().at(-1) ?? ''
  return [newest, hidden].sort().at(-1) || null
}

function formatNote(day: SessionDate, nowMs: number): string {
  const session = findTradingSession(day)
  if (!session) return `${day} is not a trading day: it has no market minutes.`
  if (session.opensAtMs > nowMs) return `The session of ${day} has not begun: no market minute yet.`
  return `${day} has no market minutes: it is not published.`
}

/** Checks positions as of a minute. Fails with `damaged`. */
export async function checksAt(
  deps: JudgingDeps,
  asOfMinute: AsOfMinute,
  positions: readonly Position[],
): Promise<z.infer<typeof Checks>> {
  const { day, minute, note } = asOfMinute
  const judged = await readPublished(deps, asOfMinute, manifest => {
    const cases = positions.map(position => toCase(position, minute!))
    return deps.judge.judge(manifest, cases, deps.requester)
  })
  const at = { day, minute: minute! }
  return {
    day,
    t: minute,
    live: isOpen(findTradingSession(day), deps.nowMs()),
    checks: positions.map((position, index) =>
      note === null ? toCheck(position, judged[index]!, at) : unchecked(position, note),
    ),
    ...(note === null ? {} : { note }),
  }
}

/** Returns the labels of a position over the hour up to a minute. Fails with `damaged`. */
export async function trackUntil(
  deps: JudgingDeps,
  asOfMinute: AsOfMinute,
  position: Position,
): Promise<z.infer<typeof Track>> {
  const { day, minute, note } = asOfMinute
  const minutes = minute === null ? [] : minutesUntil(minute)
  const track = { position, key: hash('sha256', JSON.stringify(position), 'base64url') }
  const points = await readPublished(deps, asOfMinute, manifest => {
    const cases = minutes.map(t => ({ ...toCase(position, t), track }))
    return deps.judge.judge(manifest, cases, deps.requester)
  })
  return {
    day,
    t: minute,
    id: position.id,
    from: minutes[0] ?? null,
    points,
    ...(note === null ? {} : { note }),
  }
}

const toCase = ({ legs }: Position, minute: MinuteEt): SessionCase => ({
  minute_et: minute,
  short_put: legs.sp ?? null,
  short_call: legs.sc ?? null,
  base_spot: null,
})

/** Reads results of a published session; without one, there are none. Fails with `damaged`. */
async function readPublished<Result>(
  { catalog }: JudgingDeps,
  { day, manifest, isDamaged }: AsOfMinute,
  read: (manifest: PublishedManifest) => Promise<Result[]>,
): Promise<Result[]> {
  if (isDamaged) throw damagedDay(day)
  return manifest ? orDamaged(catalog, () => read(manifest)) : []
}

function minutesUntil(minute: MinuteEt): MinuteEt[] {
  const minutes = Array.from({ length: TRACK_MINUTES }, (_, index) =>
    minutesAfter(minute, index + 1 - TRACK_MINUTES),
  )
  return minutes.filter(one => one >= FIRST_MINUTE)
}

function readTime(values: readonly string[]): MinuteEt | null {
  const t = givenMinute('t', values)
  if (t === null || isMinute(t)) return t
  throw badTime(`t is ${shown(t)}; give an ET minute written HH:MM, such as t=10:30.`)
}

/** Opens the queries for other areas over the stored positions of accounts. */
export function openPositionsAsk(
  deps: Omit<JudgingDeps, 'requester'> & { readonly accounts: PositionAccounts },
): PositionsAsk {
  const { accounts } = deps
  const given = (value: string | null) => (value === null ? [] : [value])
  return {
    listPositions: accountId => readStoredPositions(accounts, accountId),
    checkPositions: async ({ id, day, t, requester }) => {
      const asOfMinute = readAsOfMinute(deps, given(day), given(t))
      const positions =
        id === null
          ? await readStoredPositions(accounts, requester.account)
          : [await readStoredPosition(accounts, requester.account, id)]
      return checksAt({ ...deps, requester }, asOfMinute, positions)
    },
  }
}
