/**
 * Thread that serves the pages' order queries: parsing and sorting a ledger of 40,000 orders takes
 * long enough to block every other call.
 */

import { LRUCache } from 'lru-cache'
import { toDecimals } from '../core/text/values.ts'
import type { PublishedManifest } from '../data/published/manifest.ts'
import { serveThread } from '../platform/pool/thread.ts'
import type { FoundOrders, LedgerSummary, OrderSearch } from './ask.ts'
import { type Evidence, type EvidenceQuestion, readEvidence } from './evidence.ts'
import { csvBytes } from './render.ts'
import type { WireLedger, WireOrder } from './schema.ts'
import { listChoices, searchOrders } from './search.ts'

/** Maximum number of orders listed in each direction. */
const TOP = 5
/** Sums are rounded to one dollar, as single orders are. */
const DECIMALS = 6

/** Summary of a ledger: its counts, its structures, and the orders with the largest effect. */
function summarize(ledger: WireLedger): Omit<LedgerSummary, 'revision'> {
  const { asof, simulated = false, note, orders, stats, tape } = ledger
  const up = orders.filter(({ g }) => g !== null && g > 0)
  const down = orders.filter(({ g }) => g !== null && g < 0)
  return {
    asof,
    simulated,
    note,
    stats: stats ?? null,
    grade: tape?.grade ?? null,
    structures: countStructures(orders),
    // a ledger has the largest first
    up: up.slice(0, TOP),
    down: down.slice(0, TOP),
  }
}

function countStructures(orders: readonly WireOrder[]): LedgerSummary['structures'] {
  const groups = [...Map.groupBy(orders, ({ kind }) => kind)].map(([kind, those]) => ({
    kind,
    orders: those.length,
    net: sum(those.map(({ net }) => net)),
    gamma: sum(those.map(({ g }) => g)),
  }))
  return groups.toSorted(
    (one, other) => other.orders - one.orders || (one.kind < other.kind ? -1 : 1),
  )
}

/** The sum of the known values. */
const sum = (values: readonly (number | null)[]): number =>
  toDecimals(
    values.reduce<number>((total, value) => total + (value ?? 0), 0),
    DECIMALS,
  )

/**
 * A ledger as JSON with a unique key. The JSON may be left out when the thread may still have it
 * cached; if not, the result has `isLacking`.
 */
export type NamedLedger = { readonly key: string; readonly json: Uint8Array | null }

export type LookQuestion =
  | { readonly kind: 'search'; readonly ledger: NamedLedger; readonly by: OrderSearch }
  | { readonly kind: 'csv'; readonly ledger: NamedLedger; readonly by: OrderSearch }
  | { readonly kind: 'summary'; readonly ledger: NamedLedger }
  | { readonly kind: 'order'; readonly ledger: NamedLedger; readonly id: string }
  | ({ readonly kind: 'evidence'; readonly manifest: PublishedManifest } & EvidenceQuestion)

export type LookResult = {
  /** The ledger has to be sent as well. */
  readonly isLacking?: true
  readonly search?: Omit<FoundOrders, 'revision'>
  readonly summary?: Omit<LedgerSummary, 'revision'>
  readonly csv?: Uint8Array
  readonly order?: WireOrder | null
  /** Note on the whole ledger of that order. */
  readonly note?: string | undefined
  readonly evidence?: Evidence
}

/** Ledgers cached as objects: the largest is about 50 MB. */
const LEDGERS_MAX = 3

type Parsed = {
  readonly ledger: WireLedger
  readonly kinds: readonly string[]
  readonly exps: readonly string[]
}

const parsed = new LRUCache<string, Parsed>({ max: LEDGERS_MAX })

function parse({ key, json }: NamedLedger): Parsed | null {
  const known = parsed.get(key)
  if (known) return known
  if (json === null) return null
  const ledger = JSON.parse(Buffer.from(json).toString('utf8')) as WireLedger
  const { orders } = ledger
  const kinds = listChoices(orders.map(({ kind }) => kind))
  const made = { ledger, kinds, exps: listChoices(orders.map(({ exp }) => exp)).toSorted() }
  parsed.set(key, made)
  return made
}

function search({ ledger, kinds, exps }: Parsed, by: OrderSearch): LookResult['search'] {
  const { asof, simulated = false, note, orders, stats } = ledger
  const page = searchOrders(orders, by)
  const { matched } = page
  const head = { asof, simulated, note, total: orders.length, matched, kinds, exps }
  return { ...head, orders: page.orders, stats: stats ?? null }
}

export default serveThread<LookQuestion, LookResult>(dataFolder => ({
  respond: async question => {
    if (question.kind === 'evidence') {
      return { evidence: await readEvidence(dataFolder as string, question.manifest, question) }
    }
    const own = parse(question.ledger)
    if (own === null) return { isLacking: true }
    if (question.kind === 'search') return { search: search(own, question.by)! }
    if (question.kind === 'summary') return { summary: summarize(own.ledger) }
    const { orders, note } = own.ledger
    if (question.kind === 'csv') {
      const found = searchOrders(orders, question.by)
      // a buffer of its own, as it is transferred
      return { csv: new Uint8Array(csvBytes(found.orders)) }
    }
    const order = orders.find(({ oid }) => oid === question.id)
    return { order: order ?? null, note }
  },
  listTransfers: ({ csv }) => (csv ? [csv.buffer as ArrayBuffer] : []),
}))
