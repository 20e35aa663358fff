import { counted } from '../../core/text/counts.ts'
import type { LabMarket } from '../market/session.ts'
import { sayNone } from './passedOver.ts'
import { RunRefused, type RunRequest } from './request.ts'

/** Half-open range [from, to) of session indexes of the market; at least one. */
export type Stretch = { readonly from: number; readonly to: number }

/** Sessions that a run uses, and those it holds out. */
export type RunPlan = {
  /** Sessions [0, designCount) are all that an optimizer may see; none of them is sealed. */
  readonly designCount: number
  readonly all: Stretch
  readonly thisYear: Stretch
  readonly holdout: Stretch | null
  /**
   * Sessions whose trades are not shown: the holdout, or those that wait to become one. Null when
   * all are shown.
   */
  readonly sealed: Stretch | null
  /** Reason why there is no holdout; null when there is one. */
  readonly noHoldout: string | null
  /** Sessions after the first test. */
  readonly since: Stretch | null
  /** True when the first test used sessions of the other kind, which seals none of these. */
  readonly isRestart: boolean
}

/** Share of the sessions, the newest, in a holdout; its minimum size, and the minimum total. */
export const HOLDOUT = { share: 0.2, sessionsMin: 60, ofSessionsMin: 120 } as const

type Dates = readonly { readonly date: string }[]

/** Bounds that the first test of an idea fixed for sessions of this kind. */
type Seal = Pick<RunRequest, 'holdoutFrom' | 'firstTestedTo'>

const isRestart = ({ kind }: LabMarket, { sealedKind }: RunRequest): boolean =>
  sealedKind != null && sealedKind !== kind

/** Returns the sealed bounds; none when they were fixed on sessions of the other kind. */
export const findSeal = (market: LabMarket, request: RunRequest): Seal =>
  isRestart(market, request) ? { holdoutFrom: null, firstTestedTo: null } : request

/**
 * Plans the eras of a run. A holdout never moves: it begins where the first test put it, and ends
 * with the newest session of that test. Throws RunRefused when no session is left.
 */
export function buildPlan(market: LabMarket, request: RunRequest): RunPlan {
  const { sessions, leftOut, passedOver = [] } = market
  if (sessions.length === 0) throw new RunRefused(sayNone(leftOut, passedOver))
  const seal = findSeal(market, request)
  const { from, why } = holdoutStart(sessions, seal)
  const isStruct = request.kind === 'struct'
  const waiting = findWaiting(sessions, seal, from)
  const designCount = waiting?.from ?? from
  const count = isStruct ? designCount : sessions.length
  if (count === 0) {
    throw new RunRefused(`All sessions are in the holdout, which begins ${request.holdoutFrom}.`)
  }
  const all = { from: 0, to: count }
  const year = sessions[count - 1]!.date.slice(0, 4)
  const end = holdoutEnd(sessions, seal, from)
  const holdout = from >= end ? null : { from, to: end }
  return {
    designCount,
    all,
    thisYear: { from: findFirstFrom(sessions, year), to: count },
    holdout: isStruct ? null : holdout,
    sealed: isStruct ? null : (holdout ?? waiting),
    noHoldout: from >= end ? why : null,
    since: isStruct ? null : findSince(sessions, seal),
    isRestart: isRestart(market, request),
  }
}

/**
 * Sessions that came since the first test and are too few for a holdout: shown now, they could
 * never be one. Null when there is a holdout, or none.
 */
function findWaiting(
  sessions: Dates,
  { holdoutFrom, firstTestedTo }: Seal,
  holdoutAt: number,
): Stretch | null {
  if (holdoutFrom !== null || firstTestedTo === null || holdoutAt < sessions.length) return null
  const from = findFirstAfter(sessions, firstTestedTo)
  return from < sessions.length ? { from, to: sessions.length } : null
}

/** Index of the first session from a date on; the number of sessions when there is none. */
function findFirstFrom(sessions: Dates, date: string): number {
  const index = sessions.findIndex(session => session.date >= date)
  return index < 0 ? sessions.length : index
}

function findFirstAfter(sessions: Dates, date: string): number {
  const index = sessions.findIndex(session => session.date > date)
  return index < 0 ? sessions.length : index
}

function holdoutStart(sessions: Dates, { holdoutFrom, firstTestedTo }: Seal) {
  const { share, sessionsMin, ofSessionsMin } = HOLDOUT
  const count = sessions.length
  if (holdoutFrom !== null) {
    return {
      from: findFirstFrom(sessions, holdoutFrom),
      why: `No session from ${holdoutFrom} on is left.`,
    }
  }
  if (count < ofSessionsMin) {
    return { from: count, why: `${counted(count, 'session')}; a holdout needs ${ofSessionsMin}.` }
  }
  if (firstTestedTo === null) {
    return { from: count - Math.max(sessionsMin, Math.ceil(share * count)), why: '' }
  }
  // sessions that the first test showed, without a holdout, can no longer be held out
  const since = count - findFirstAfter(sessions, firstTestedTo)
  if (since >= sessionsMin) return { from: count - sessionsMin, why: '' }
  const why = `${counted(since, 'session')} since those that were shown; a holdout needs ${sessionsMin}.`
  return { from: count, why }
}

/**
 * End of the holdout: the newest session of the first test; if a later test fixed it, it has a
 * fixed number of sessions.
 */
function holdoutEnd(sessions: Dates, { firstTestedTo }: Seal, from: number): number {
  const isFixed = firstTestedTo !== null && from < sessions.length
  if (!isFixed) return sessions.length
  const wasThere = sessions[from]!.date <= firstTestedTo
  if (wasThere) return findFirstAfter(sessions, firstTestedTo)
  return Math.min(sessions.length, from + HOLDOUT.sessionsMin)
}

function findSince(sessions: Dates, { firstTestedTo }: Seal): Stretch | null {
  if (firstTestedTo === null) return null
  const from = findFirstAfter(sessions, firstTestedTo)
  return from < sessions.length ? { from, to: sessions.length } : null
}
