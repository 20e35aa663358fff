import { refuseWhileUnavailable } from '../accounts/auth.ts'
import {
  findTradingSession,
  instantMs,
  listMinutes,
  MINUTE_MS,
  type MinuteEt,
  type SessionDate,
} from '../core/market/calendar.ts'
import { counted, grouped } from '../core/text/counts.ts'
import { type Catalog, describeAbsence, type Found } from '../data/published/catalog.ts'
import { messageHours, toMinuteEt } from '../data/published/messageMinutes.ts'
import { INVENTORY_UNKNOWN } from '../data/published/reasons.ts'
import { eventBody } from '../outbox/store/body.ts'
import { orDamaged } from '../platform/http/damaged.ts'
import { USUAL_LIST } from './catalogue.ts'
import { accountAlerts } from './finding/accountAlerts.ts'
import { findMinute, type MinuteResult } from './finding/findMinute.ts'
import { toMinuteFacts } from './finding/inputs.ts'
import { type Memory, memoryBefore } from './finding/memory.ts'
import type { SessionMinutes, StateRow } from './finding/minutes.ts'
import { previousPrice } from './finding/previousPrice.ts'
import type { JudgedPosition } from './finding/question.ts'
import type { MinutesReader } from './finding/readMinutes.ts'
import { always } from './finding/sinceMinute.ts'
import { type AccountAlerts, openWatched } from './finding/watched.ts'
import type { AlertLine, ListEntry, OrderRule } from './kinds.ts'
import { isLevelMinute } from './rules/hours.ts'
import type { AlertAccounts } from './store/types.ts'

/** Events that an account would have received on a day, found by the watcher's own functions. */

export type PreviewDeps = {
  readonly catalog: Catalog
  readonly reader: MinutesReader
  readonly accounts: Pick<AlertAccounts, 'alerts'>
  /** Judges positions of the account at a minute; left out, none are. */
  readonly positionsAt?: (minute: MinuteEt, found: Found) => Promise<readonly JudgedPosition[]>
}

export type PreviewedEvent = {
  readonly t: MinuteEt
  readonly type: string
  readonly text: string
  /** The body that would have been sent, without its id and the time at which it was found. */
  readonly body: Readonly<Record<string, unknown>>
}

export type Preview = {
  readonly day: SessionDate
  readonly simulated: boolean | null
  /** The last minute processed; null: there was none. */
  readonly until: MinuteEt | null
  readonly events: readonly PreviewedEvent[]
  /** Reason why nothing was processed. */
  readonly note?: string
  /** In how many minutes nothing is sent since the dealers' positions are unknown, and of what. */
  readonly unknown?: string
}

const RUN = { id: 'preview', isReplay: false, isDelivered: false } as const

/** The account of a preview without one: it has set nothing. */
const NOBODY = 'nobody'

/**
 * Returns the events that would have fired on a day with today's settings: as if all had been set
 * before the session, with every line armed. Writes nothing. `accountId` null: the default list.
 * Fails with `damaged` or `unavailable`.
 */
export async function previewDay(
  deps: PreviewDeps,
  { day, accountId }: { readonly day: SessionDate; readonly accountId: string | null },
): Promise<Preview> {
  const { catalog, reader, accounts } = deps
  const found = catalog.find(day)
  const none = { day, simulated: null, until: null, events: [] }
  if (!found) return { ...none, note: `${describeAbsence(catalog, day)}.` }
  if (found.manifest.symbol !== 'SPX') {
    return { ...none, note: `${day} is a session of ${found.manifest.symbol}; give one of SPX.` }
  }
  const set =
    accountId === null ? null : await refuseWhileUnavailable(() => accounts.alerts.read(accountId))
  const own = accountAlerts({ accountId: NOBODY, ...(set ?? NOTHING_SET) })
  const { minutes, price } = await orDamaged(catalog, async () => ({
    minutes: await reader.read(found),
    price: await previousPrice(catalog, reader, day),
  }))
  const { simulated } = found.manifest
  const { untilMs } = minutes
  if (untilMs === null) return { ...none, simulated, note: `${day} has no state yet.` }
  const events = await findAll(deps, { found, minutes, own, memory: memoryBefore(price) })
  const list = own.list ?? USUAL_LIST.map(entry => ({ entry }))
  const unknown = explainUnknownMinutes(minutes, { ...own, list })
  const until = toMinuteEt(untilMs)
  return { day, simulated, until, events, ...(unknown !== null && { unknown }) }
}

const NOTHING_SET = { list: null, lines: [], rules: [] }

type Looking = {
  readonly found: Found
  readonly minutes: SessionMinutes
  readonly own: AccountAlerts
  readonly memory: Memory
}

async function findAll(
  { positionsAt }: PreviewDeps,
  { found, minutes, own, ...looking }: Looking,
): Promise<PreviewedEvent[]> {
  const settings = openWatched({ sinceMinute: always, usualList: USUAL_LIST })
  settings.putAccounts([NOBODY])
  const armed = own.lines.map(line => ({ ...line, armed: true, firedAtMs: null }))
  settings.putAlerts({ ...own, lines: armed })
  const { firstMs } = messageHours(found.manifest.session_date)
  const events: PreviewedEvent[] = []
  let { memory } = looking
  for (let atMs = firstMs; atMs <= minutes.untilMs!; atMs += MINUTE_MS) {
    const facts = toMinuteFacts(minutes, minutes.minuteAt(atMs))
    const { minute } = facts.input
    const judged = (await positionsAt?.(minute, found)) ?? []
    const positions = judged.map(one => ({ ...one, accountId: NOBODY }))
    const result = findMinute(memory, {
      run: RUN,
      facts,
      settings,
      positions,
      sinceMinute: always,
      isSimulated: found.manifest.simulated,
      foundAtMs: atMs,
      atMs,
      minuteEndMs: null,
    })
    memory = result.memory
    for (const { lineId, isArmed, firedAtMs } of result.lineChanges) {
      settings.lines.put(settings.findLine(lineId)!, { armed: isArmed, firedAtMs })
    }
    events.push(...result.events.map(event => previewed(result, event, minute)))
  }
  return events
}

function previewed(
  { findings }: MinuteResult,
  { id, type, extra, finding }: MinuteResult['events'][number],
  t: MinuteEt,
): PreviewedEvent {
  const { body } = findings[finding]!
  const sent = JSON.parse(eventBody({ id, body, extra, hasPutSupport: false }))
  const { id: _, ts, ...rest } = sent
  return { t, type, text: rest.text, body: rest }
}

/** Settings of the measured book that wait while the dealers' positions are not known. */

type Settings = Omit<AccountAlerts, 'list' | 'accountId'> & {
  readonly list: readonly { readonly entry: ListEntry }[]
}

/**
 * Returns the sentence that says in how many minutes of a session no dealers' positions are known,
 * and what then sends nothing; null when there is no such minute, or no setting that waits.
 */
function explainUnknownMinutes(minutes: SessionMinutes, settings: Settings): string | null {
  const states = listStates(minutes)
  const unknown = states.filter(state => state?.reason === INVENTORY_UNKNOWN)
  if (unknown.length === 0) return null
  const hasNoWalls = unknown.some(state => state?.call_wall === null && state.put_wall === null)
  const waiting = [...waitingEntries(settings, hasNoWalls), ...waitingOthers(settings, hasNoWalls)]
  if (waiting.length === 0) return null
  const day = minutes.manifest.session_date
  return (
    `${grouped(unknown.length)} of ${counted(states.length, 'minute')} of ${day} had no known ` +
    `dealers' positions (${INVENTORY_UNKNOWN}); such minutes send nothing of ${waiting.join(', ')}.`
  )
}

/** States of the measured book that levels are judged by, up to the last known minute. */
function listStates({ manifest, untilMs, findState }: SessionMinutes): (StateRow | null)[] {
  const day = manifest.session_date
  return listMinutes(findTradingSession(day)!)
    .map(({ minute }) => minute)
    .filter(minute => isLevelMinute(day, minute) && instantMs(day, minute) <= (untilMs ?? 0))
    .map(minute => findState(minute, 'measured'))
}

function waitingEntries({ list }: Settings, hasNoWalls: boolean): string[] {
  const rests = (entry: ListEntry): boolean => {
    switch (entry.type) {
      case 'flip_cross':
      case 'flip_move':
      case 'regime_change':
        return true
      case 'level_near':
        return entry.levels.includes('flip') || hasNoWalls
      default:
        return hasNoWalls
    }
  }
  return list
    .filter(({ entry }) => entry.on && entry.book === 'measured' && rests(entry))
    .map(({ entry }) => entry.type)
}

function waitingOthers({ lines, rules }: Settings, hasNoWalls: boolean): string[] {
  const isWaitingLine = ({ line }: { readonly line: AlertLine }) =>
    line.kind === 'level' && line.book === 'measured' && (line.level === 'flip' || hasNoWalls)
  const isWaitingRule = ({ rule }: { readonly rule: OrderRule }) =>
    rule.on &&
    (rule.flip_within !== undefined ||
      rule.flip_is !== undefined ||
      (rule.wall_within !== undefined && hasNoWalls))
  const counts = [
    [lines.filter(isWaitingLine).length, 'line at its levels', 'lines at its levels'],
    [rules.filter(isWaitingRule).length, 'order rule', 'order rules'],
  ] as const
  return counts.flatMap(([count, one, many]) => (count === 0 ? [] : [counted(count, one, many)]))
}
