import express, { type RequestHandler, type Router } from 'express'
import type { z } from 'zod'
import { acceptedType } from '../http/answer.ts'
import { ApiError } from '../http/error.ts'
import { readQuery } from '../http/query.ts'
import { contextOf, shown } from '../http/request.ts'
import {
  isDate,
  type MinuteEt,
  type SessionDate,
  sessionOf,
  wallTimeEt,
} from '../market/calendar.ts'
import { sendJson } from '../orders/routes.ts'
import type { Catalog } from '../store/catalog.ts'
import type { PublishedManifest } from '../store/manifest.ts'
import { isJudgeable } from '../store/markets.ts'
import { checkOf, pointOf, unchecked } from './check.ts'
import type { Checks, Track } from './checkSchema.ts'
import { readEntries } from './entries.ts'
import { DamagedMarket, type Judge, type Judged, minutesBefore } from './judge.ts'
import { FIRST_MINUTE, isOpen, lastMinuteOf, latestMinute } from './minutes.ts'
import type { Position } from './schema.ts'

export type ChecksDeps = {
  readonly catalog: Catalog
  readonly judge: Judge
  readonly nowMs: () => number
  /** What an account keeps, oldest first. */
  readonly positionsOf: (accountId: string) => Promise<Position[]>
  /** One of them. Fails with `not_found`. */
  readonly findPosition: (accountId: string, id: string) => Promise<Position>
}

/** Minutes of a label track. */
const TRACK_MINUTES = 60
export const REPLAY_MAX = 1000
export const REPLAY_DEFAULT = 20

/** Checks, tracks and entry logs, to be mounted under `/api/positions` behind a key. */
export function checksRouter(deps: ChecksDeps): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  router.all('/check', getting(readCheck(deps)))
  router.all('/track', getting(readTrack(deps)))
  router.all('/entries', getting(readEntryLog(deps)))
  return router
}

/** A handler of GET alone; another method is 405 `method`. */
function getting(handler: RequestHandler): RequestHandler {
  return (req, res, next) => {
    if (req.method === 'GET') return handler(req, res, next)
    throw new ApiError('method', {
      message: `this endpoint takes GET, not ${req.method}.`,
      headers: { allow: 'GET, OPTIONS' },
    })
  }
}

function readCheck(deps: ChecksDeps): RequestHandler {
  return async (req, res) => {
    const query = readQuery(req, res, ['day', 't', 'id'])
    const asked = readMinute(deps, query.day, query.t)
    const id = onlyOne('id', query.id)
    const accountId = contextOf(res).accountId!
    const positions =
      id === null ? await deps.positionsOf(accountId) : [await deps.findPosition(accountId, id)]
    acceptedType(req, ['application/json'])
    const { day, minute, note } = asked
    const judged = await judgeCases(
      deps,
      asked,
      positions.map(position => ({ position, minute })),
    )
    const at = { day, minute: minute! }
    const answer: CheckAnswer = {
      day,
      t: minute,
      live: isOpen(sessionOf(day), deps.nowMs()),
      checks: positions.map((position, index) =>
        note === null ? checkOf(position, judged[index]!, at) : unchecked(position, note),
      ),
      ...(note === null ? {} : { note }),
    }
    sendJson(req, res, JSON.stringify(answer))
  }
}

function readTrack(deps: ChecksDeps): RequestHandler {
  return async (req, res) => {
    const query = readQuery(req, res, ['day', 't', 'id'])
    const asked = readMinute(deps, query.day, query.t)
    const position = await deps.findPosition(contextOf(res).accountId!, requiredId(query.id))
    acceptedType(req, ['application/json'])
    const { day, minute, note } = asked
    const minutes = minute === null ? [] : minutesUntil(minute)
    const judged = await judgeCases(
      deps,
      asked,
      minutes.map(t => ({ position, minute: t })),
    )
    const answer: TrackAnswer = {
      day,
      t: minute,
      id: position.id,
      from: minutes[0] ?? null,
      points: minutes.map((t, index) => pointOf(position, judged[index]!, { day, minute: t })),
      ...(note === null ? {} : { note }),
    }
    sendJson(req, res, JSON.stringify(answer))
  }
}

function readEntryLog(deps: ChecksDeps): RequestHandler {
  return async (req, res) => {
    const query = readQuery(req, res, ['id', 'replay'])
    const count = readReplay(query.replay)
    const position = await deps.findPosition(contextOf(res).accountId!, requiredId(query.id))
    acceptedType(req, ['application/json'])
    sendJson(req, res, JSON.stringify(await readEntries(position, count, deps)))
  }
}

type CheckAnswer = z.infer<typeof Checks>
type TrackAnswer = z.infer<typeof Track>

/** The day and minute that are asked for; without a minute, why there is none. */
type Asked = {
  readonly day: SessionDate
  readonly manifest: PublishedManifest | null
  readonly minute: MinuteEt | null
  readonly note: string | null
  readonly isDamaged: boolean
}

function readMinute(
  { catalog, nowMs }: ChecksDeps,
  days: readonly string[],
  minutes: readonly string[],
): Asked {
  const given = readDay(days)
  const t = readTime(minutes)
  const day = given ?? newestDay(catalog, nowMs())
  const session = sessionOf(day)
  const last = session ? lastMinuteOf(session) : '15:59'
  if (t !== null && (t < FIRST_MINUTE || t > last)) {
    throw badTime(`t is ${t}; a session can be checked from ${FIRST_MINUTE} to ${last} ET.`)
  }
  const found = catalog.find(day)
  const isDamaged = !found && catalog.unreadable().includes(day)
  const none = { day, manifest: null, minute: null, isDamaged }
  if (!found) return { ...none, note: noteOf(day, nowMs()) }
  const { manifest } = found
  if (!isJudgeable(manifest)) {
    return {
      ...none,
      note: `${day} was published without market minutes; it has to be built again.`,
    }
  }
  const latest = latestMinute(manifest, nowMs())
  if (latest === null) return { ...none, note: `${day} has no market minute yet.` }
  if (t !== null && t > latest) {
    throw badTime(`t is ${t}; the latest minute of ${day} is ${latest}.`)
  }
  return { day, manifest, minute: t ?? latest, note: null, isDamaged }
}

/** The newest session the service has, also when its manifest is damaged. */
function newestDay(catalog: Catalog, nowMs: number): SessionDate {
  const newest = catalog.newest()?.session_date ?? ''
  const hidden = catalog.unreadable().at(-1) ?? ''
  return [newest, hidden].sort().at(-1) || wallTimeEt(nowMs).date
}

function noteOf(day: SessionDate, nowMs: number): string {
  const session = sessionOf(day)
  if (!session) return `${day} is not a trading day: it has no market minutes.`
  if (session.opensAtMs > nowMs) return `The session of ${day} has not begun: no market minute yet.`
  return `${day} has no market minutes: it is not published.`
}

type Wanted = { readonly position: Position; readonly minute: MinuteEt | null }

async function judgeCases(
  { judge }: ChecksDeps,
  { day, manifest, isDamaged }: Asked,
  wanted: readonly Wanted[],
): Promise<(Judged | null)[]> {
  if (isDamaged) throw damaged(day)
  if (!manifest || wanted.length === 0) return wanted.map(() => null)
  try {
    return await judge.judge(
      manifest,
      wanted.map(({ position, minute }) => ({
        minute_et: minute!,
        short_put: position.legs.sp ?? null,
        short_call: position.legs.sc ?? null,
        base_spot: null,
      })),
    )
  } catch (cause) {
    if (!(cause instanceof DamagedMarket)) throw cause
    throw Object.assign(damaged(cause.date), { cause })
  }
}

function minutesUntil(minute: MinuteEt): MinuteEt[] {
  const minutes = Array.from({ length: TRACK_MINUTES }, (_, index) =>
    minutesBefore(minute, TRACK_MINUTES - 1 - index),
  )
  return minutes.filter(one => one >= FIRST_MINUTE)
}

function readDay(values: readonly string[]): SessionDate | null {
  if (values.length === 0) return null
  const example = 'such as day=2026-10-14'
  if (values.length > 1) {
    throw new ApiError('bad_day', { message: `day is given ${values.length} times; give it once.` })
  }
  if (isDate(values[0]!)) return values[0]!
  throw new ApiError('bad_day', {
    message: `day is ${shown(values[0]!)}; give a date written YYYY-MM-DD, ${example}.`,
  })
}

function readTime(values: readonly string[]): MinuteEt | null {
  if (values.length === 0) return null
  if (values.length > 1) throw badTime(`t is given ${values.length} times; give it once.`)
  if (/^([01]\d|2[0-3]):[0-5]\d$/.test(values[0]!)) return values[0]!
  throw badTime(`t is ${shown(values[0]!)}; give an ET minute written HH:MM, such as t=10:30.`)
}

function readReplay(values: readonly string[]): number {
  if (values.length === 0) return REPLAY_DEFAULT
  const [value] = values as [string]
  if (values.length === 1 && /^\d{1,4}$/.test(value) && Number(value) <= REPLAY_MAX) {
    return Number(value)
  }
  throw new ApiError('invalid', {
    message:
      `replay is ${shown(values.join(' '))}; give a whole number from 0 to ${REPLAY_MAX}, ` +
      'such as replay=60.',
  })
}

function onlyOne(name: string, values: readonly string[]): string | null {
  if (values.length <= 1) return values[0] ?? null
  throw new ApiError('invalid', {
    message: `${name} is given ${values.length} times; give it once.`,
  })
}

function requiredId(values: readonly string[]): string {
  const id = onlyOne('id', values)
  if (id !== null) return id
  throw new ApiError('invalid', { message: 'id is missing; give one such as id=p_4fQ8sK2mZx0T.' })
}

const badTime = (message: string) => new ApiError('bad_time', { message })

const damaged = (day: SessionDate) =>
  new ApiError('damaged', {
    message: `a file of ${day} is damaged and has to be repaired; ask again in a minute.`,
    headers: { 'retry-after': '60' },
  })
