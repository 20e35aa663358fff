import { LRUCache } from 'lru-cache'
import { instantMs } from '../core/market/calendar.ts'
import { formatStateId, listStatesAfter, type StreamState } from '../data/published/streamStates.ts'
import { orDamaged } from '../platform/http/damaged.ts'
import type { ReadEvents } from '../platform/http/eventStream.ts'
import { NOBODY } from '../platform/pool/fairQueue.ts'
import type { OrdersQueryDeps } from './ask.ts'
import type { EarlierLedgers } from './earlier.ts'
import type { WireLedger, WireOrder } from './schema.ts'

/** Changes of the ledger as a stream: an event a state, or one for all states a client missed. */

type StreamDeps = OrdersQueryDeps & { readonly earlier: EarlierLedgers }

/** Changes stored: those of a session. */
const CHANGES_MAX = 400
/** Parsed ledgers stored: that of a state is the one before the next. */
const LEDGERS_MAX = 2

/** Returns the reader of every client's events. */
export function openLedgerEvents(deps: StreamDeps): ReadEvents {
  const changes = new LRUCache<string, Promise<string>>({ max: CHANGES_MAX })
  const ledgers = new LRUCache<string, Promise<ReadonlyMap<string, WireOrder>>>({
    max: LEDGERS_MAX,
  })
  const readChanges = (state: StreamState, before: StreamState | null) => {
    const key = `${before?.minute} ${stateKey(deps, state)}`
    const known = changes.get(key)
    if (known) return known
    const change = compareLedgers(
      { state, before },
      readOnce(ledgers, deps, before),
      readOnce(ledgers, deps, state),
    )
    changes.set(key, change)
    change.catch(() => changes.delete(key))
    return change
  }
  return async afterId => {
    const missed = listStatesAfter(deps, afterId)
    const [first] = missed
    if (!first) return []
    // only the last state of the session is rendered, and compared with what the client has
    const state = missed.findLast(({ day }) => day === first.day)!
    const ofDay = listStatesAfter(deps, `${state.day}T00:00`).filter(({ day }) => day === state.day)
    const before = ofDay.findLast(({ minute }) => minute < first.minute) ?? null
    const data = await readChanges(state, before)
    return [{ id: formatStateId(state), event: 'orders', data }]
  }
}

/** Identifies a ledger; a state that was published stands until the session is built whole. */
function stateKey({ catalog }: StreamDeps, state: StreamState): string {
  const found = catalog.find(state.day)
  const revision = found?.knownBeforeMs === undefined ? found?.manifest.revision : 'running'
  return `${formatStateId(state)} ${revision}`
}

type Ledgers = LRUCache<string, Promise<ReadonlyMap<string, WireOrder>>>

/** Returns the orders of a ledger as known at a state, by id; none before the first state. */
function readOnce(ledgers: Ledgers, deps: StreamDeps, state: StreamState | null) {
  if (state === null) return Promise.resolve(new Map<string, WireOrder>())
  const key = stateKey(deps, state)
  const known = ledgers.get(key)
  if (known) return known
  const ledger = readOrders(deps, state)
  ledgers.set(key, ledger)
  ledger.catch(() => ledgers.delete(key))
  return ledger
}

async function readOrders({ catalog, earlier }: StreamDeps, { day, minute }: StreamState) {
  const { manifest } = catalog.find(day)!
  const wanted = { manifest, knownBeforeMs: instantMs(day, minute), form: 'json' } as const
  const { data } = await orDamaged(catalog, () => earlier.read(wanted, { account: NOBODY }))
  const { orders } = JSON.parse(Buffer.from(data).toString('utf8')) as WireLedger
  return new Map(orders.map(order => [order.oid, order]))
}

type Compared = { readonly state: StreamState; readonly before: StreamState | null }

/** Returns what changed: orders that are new or are known otherwise, and ids of those that ended. */
async function compareLedgers(
  { state: { day, minute }, before: had }: Compared,
  earlier: Promise<ReadonlyMap<string, WireOrder>>,
  later: Promise<ReadonlyMap<string, WireOrder>>,
): Promise<string> {
  const [before, after] = await Promise.all([earlier, later])
  const isChanged = (order: WireOrder) =>
    JSON.stringify(before.get(order.oid)) !== JSON.stringify(order)
  return JSON.stringify({
    day,
    t: minute,
    from: had?.minute ?? null,
    orders: [...after.values()].filter(isChanged),
    ended: [...before.keys()].filter(oid => !after.has(oid)),
  })
}
