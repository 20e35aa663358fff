import { hash, randomBytes } from 'node:crypto'
import { planAt } from '../accounts/products.ts'
import type { AccountStore } from '../accounts/types.ts'
import { wallTimeEt } from '../core/market/calendar.ts'
import { readWeek, recordedWeeks } from '../data/geo/records.ts'
import { GEO_OWNER, type SingleEvent, type WebhookEndpoint } from '../outbox/store/types.ts'
import type { GeoReader } from './ask.ts'
import type { GeoItem } from './item.ts'
import { inOrder, type WeekItems } from './weekItems.ts'
import { itemWire, utcText } from './wire.ts'

/** New records for the webhook endpoints of accounts. */

/** Records known longer ago than this were imported late and are not sent. */
const NEW_RECORDS_MS = 6 * 3_600_000
/** Maximum items of an event. */
const ITEMS_MAX = 100
/** Not a watched run, so that no list of alerts shows its events. */
const RUN = 'geo'

/** Records that became known at one instant: one event for each account. */
type Step = {
  readonly knownMs: number
  readonly items: readonly GeoItem[]
  readonly simulated: boolean
}

export type RecordNotifier = {
  /**
   * Queues the records that became known since the last tick; returns the number of events. Must
   * not run concurrently with itself.
   */
  readonly tick: () => Promise<number>
}

type NotifierDeps = {
  readonly geo: GeoReader
  readonly accounts: Pick<AccountStore, 'outbox' | 'findAccount'>
  /** System clock. */
  readonly nowMs: () => number
}

/**
 * Notifies accounts of new records, once each, even with several processes: an event has the same
 * id in all of them. A failure is retried at the next tick.
 */
export function openRecordNotifier({ geo, accounts, nowMs }: NotifierDeps): RecordNotifier {
  let before: readonly WeekItems[] = []
  return {
    tick: async () => {
      const atMs = nowMs()
      const weeks = await readChangedWeeks(geo, atMs)
      if (weeks.length === before.length && weeks.every((week, at) => week === before[at])) return 0
      const steps = await readSteps(geo, weeks, atMs)
      let count = 0
      for (const endpoint of steps.length === 0
        ? []
        : await accounts.outbox.listOwnerEndpoints(GEO_OWNER)) {
        const account = await accounts.findAccount(endpoint.accountId)
        if (endpoint.state === 'off' || !planAt(account?.products ?? [], 'geo', atMs)) continue
        for (const step of steps) {
          if (step.knownMs <= endpoint.sinceMs) continue
          if (await accounts.outbox.queueEvent(recordEvent(endpoint, step, atMs))) count++
        }
      }
      before = weeks
      return count
    },
  }
}

/** Returns weeks with records that became known recently; the same objects when nothing changed. */
async function readChangedWeeks(
  { dataFolder, reader }: GeoReader,
  atMs: number,
): Promise<WeekItems[]> {
  const weeks: WeekItems[] = []
  for (const week of recordedWeeks(dataFolder)) {
    const spans = readWeek(dataFolder, week).batches.flatMap(({ known }) => Object.values(known))
    const isNew = spans.some(({ from, to }) => from <= atMs && to > atMs - NEW_RECORDS_MS)
    if (isNew) weeks.push(await reader.read(week, atMs))
  }
  return weeks
}

/** Returns the records that became known recently, by instant, oldest first, as known then. */
async function readSteps(
  { reader }: GeoReader,
  weeks: readonly WeekItems[],
  atMs: number,
): Promise<Step[]> {
  const steps = new Map<number, Step>()
  for (const { week, items } of weeks) {
    const instants = new Set(items.map(({ knownMs }) => knownMs))
    for (const knownMs of [...instants].filter(instant => instant > atMs - NEW_RECORDS_MS)) {
      const then = await reader.read(week, knownMs)
      const own = then.items.filter(item => item.knownMs === knownMs)
      const { items: others = [], simulated = false } = steps.get(knownMs) ?? {}
      const isSimulated = simulated || then.simulated
      steps.set(knownMs, { knownMs, items: [...others, ...own], simulated: isSimulated })
    }
  }
  return [...steps.values()].sort((a, b) => a.knownMs - b.knownMs)
}

/** Releases first, then by number of events. */
const byWeight = (one: GeoItem, other: GeoItem): number =>
  Number(other.kind === 'release') - Number(one.kind === 'release') ||
  (other.events ?? 0) - (one.events ?? 0) ||
  inOrder(one, other)

function recordEvent({ accountId }: WebhookEndpoint, step: Step, atMs: number): SingleEvent {
  const { knownMs, simulated } = step
  const items = step.items.toSorted(byWeight)
  // a later import for the same instant makes another event
  const subject = [RUN, accountId, knownMs, ...items.map(({ id }) => id).sort()].join('|')
  const wireItems = items.slice(0, ITEMS_MAX).map(itemWire)
  return {
    ...shared(accountId, 'geo.record', atMs),
    id: `evt_${hash('sha256', subject).slice(0, 32)}`,
    day: wallTimeEt(knownMs).date,
    body: JSON.stringify({
      version: 1,
      type: 'geo.record',
      ts: utcText(atMs),
      known_at: utcText(knownMs),
      items: wireItems,
      more: items.length - wireItems.length,
      simulated,
      text: formatText(items),
    }),
  }
}

/** Builds a test event for an account's webhook endpoint. */
export const testEvent = (accountId: string, atMs: number): SingleEvent => ({
  ...shared(accountId, 'geo.test', atMs),
  id: `evt_${randomBytes(16).toString('hex')}`,
  day: wallTimeEt(atMs).date,
  body: JSON.stringify({
    version: 1,
    type: 'geo.test',
    ts: utcText(atMs),
    known_at: null,
    items: [],
    more: 0,
    simulated: false,
    text: 'A test of the webhook of public records.',
  }),
})

const shared = (
  accountId: string,
  type: string,
  atMs: number,
): Omit<SingleEvent, 'id' | 'day' | 'body'> => ({
  accountId,
  type,
  atMs,
  run: RUN,
  extra: null,
  owner: GEO_OWNER,
  channels: ['webhook'],
  minute: null,
  minuteEndMs: null,
  // a user waits for a test
  priority: type === 'geo.test' ? 0 : 3,
})

function formatText(items: readonly GeoItem[]): string {
  const [first] = items as [GeoItem]
  const what = `${first.country} ${first.label}, ${first.date}`
  return items.length === 1 ? `New: ${what}.` : `New: ${what}, and ${items.length - 1} more.`
}
