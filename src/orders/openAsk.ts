import { join } from 'node:path'
import type { WantedSession } from '../archive/ask.ts'
import { dayReader, isDate } from '../core/market/calendar.ts'
import type { Catalog, Found } from '../data/published/catalog.ts'
import { orDamaged } from '../platform/http/damaged.ts'
import { ApiError, retryLater } from '../platform/http/error.ts'
import { shown } from '../platform/http/request.ts'
import { NOBODY } from '../platform/pool/fairQueue.ts'
import type { Requester } from '../platform/pool/requestScheduler.ts'
import { openThread } from '../platform/pool/thread.ts'
import {
  findDayLedger,
  findLatestLedger,
  type LedgerQuery,
  listSessions,
  type OrdersAsk,
  type OrdersQueryDeps,
} from './ask.ts'
import type { EarlierLedgers } from './earlier.ts'
import type { LookQuestion, LookResult, NamedLedger } from './lookThread.ts'

/** Maximum concurrent page queries of the thread. */
const WAITING_MAX = 64
const SCRIPT = join(import.meta.dirname, 'lookThread.ts')

type OrdersAskDeps = {
  readonly dataFolder: string
  readonly catalog: Catalog
  readonly earlier: EarlierLedgers
  readonly nowMs: () => number
  readonly sharesPrints: boolean
}

type OpenOrdersAsk = { readonly ask: OrdersAsk; readonly close: () => Promise<void> }

type SentLedger = NamedLedger & { readonly json: Uint8Array }

/** Order queries for other areas, served by a thread of their own. */
export function openOrdersAsk(deps: OrdersAskDeps): OpenOrdersAsk {
  const { dataFolder, catalog, earlier, nowMs, sharesPrints } = deps
  const thread = openThread<LookQuestion, LookResult>({
    script: SCRIPT,
    workerData: dataFolder,
    // a search does not wait for the files of an order's evidence
    concurrency: WAITING_MAX,
  })
  const readDay = dayReader()
  let waiting = 0
  const queryThread = async (question: LookQuestion): Promise<LookResult> => {
    if (waiting >= WAITING_MAX) throw busy()
    waiting += 1
    try {
      return await orDamaged(catalog, () => thread.query(question))
    } finally {
      waiting -= 1
    }
  }
  /** Sends a ledger to the thread once: a page of 50 orders should not cost a copy of 40,000. */
  const queryLedger = async (
    { key, json }: SentLedger,
    question: (ledger: NamedLedger) => LookQuestion,
  ): Promise<LookResult> => {
    const result = await queryThread(question({ key, json: null }))
    return result.isLacking ? queryThread(question({ key, json })) : result
  }
  const findSession = ({ day, mayBeOpen }: WantedSession): Found => {
    if (isDate(day) && day >= readDay(nowMs()) && !mayBeOpen) throw closed(day)
    const { found, note } = findDayLedger({ catalog, nowMs }, [day], [])
    if (!found) throw new ApiError('not_found', { message: note! })
    if (found.knownBeforeMs !== undefined && !mayBeOpen) throw closed(day)
    return found
  }
  const sendLedger = async (
    { manifest, knownBeforeMs }: Pick<Found, 'manifest' | 'knownBeforeMs'>,
    requester: Requester = { account: NOBODY },
  ): Promise<SentLedger> => {
    const key = `${manifest.session_date} ${manifest.revision} ${knownBeforeMs ?? ''}`
    if (knownBeforeMs === undefined) {
      const { bytes } = await orDamaged(catalog, () => catalog.readLedger(manifest, 'json'))
      return { key, json: bytes }
    }
    const wanted = { manifest, knownBeforeMs, form: 'json' } as const
    const { data } = await orDamaged(catalog, () => earlier.read(wanted, requester))
    return { key, json: data }
  }
  return {
    ask: {
      ...ledgerQueries({ catalog, nowMs, sendLedger, queryLedger }),
      findOrders: async (wanted, by) => {
        const found = findSession(wanted)
        const ledger = await sendLedger(found)
        const { search } = await queryLedger(ledger, own => ({ kind: 'search', ledger: own, by }))
        return { revision: ledger.key, ...search! }
      },
      formatCsv: async (wanted, by) => {
        const ledger = await sendLedger(findSession(wanted))
        return (await queryLedger(ledger, own => ({ kind: 'csv', ledger: own, by }))).csv!
      },
      findOrder: async (wanted, id) => {
        const found = findSession(wanted)
        const { manifest } = found
        const ledger = await sendLedger(found)
        const { order, note } = await queryLedger(ledger, own => ({
          kind: 'order',
          ledger: own,
          id,
        }))
        if (!order) return null
        const hasPrices = manifest.simulated || sharesPrints
        // files of a running session may have newer data that are not yet visible
        const knownBeforeMs = found.knownBeforeMs ?? null
        const { evidence } = await queryThread({
          kind: 'evidence',
          manifest,
          id,
          hasPrices,
          knownBeforeMs,
        })
        return {
          revision: ledger.key,
          simulated: manifest.simulated,
          note,
          order,
          hasPrices,
          ...evidence!,
        }
      },
    },
    close: thread.close,
  }
}

type LedgerQueriesDeps = OrdersQueryDeps & {
  readonly sendLedger: (
    of: Pick<Found, 'manifest' | 'knownBeforeMs'>,
    requester: Requester,
  ) => Promise<SentLedger>
  readonly queryLedger: (
    ledger: SentLedger,
    question: (ledger: NamedLedger) => LookQuestion,
  ) => Promise<LookResult>
}

/** Ledger queries for programs, with the content of the Orders API. */
function ledgerQueries({ catalog, nowMs, sendLedger, queryLedger }: LedgerQueriesDeps) {
  const readContent = async <Content>(
    { day, asof, requester }: LedgerQuery,
    read: (ledger: SentLedger) => Promise<Content>,
  ) => {
    const asofs = asof === null ? [] : [asof]
    const deps = { catalog, nowMs }
    const wanted =
      day === null && asof === null
        ? findLatestLedger(deps)
        : findDayLedger(deps, dayOr(day), asofs)
    const { found, note, asofMs } = wanted
    if (!found) return { day: wanted.day, content: null, note: note! }
    const known = asofMs === null ? {} : { knownBeforeMs: asofMs }
    const ledger = await sendLedger({ manifest: found.manifest, ...known }, requester)
    return { day: wanted.day, content: await read(ledger), note: null }
  }
  const dayOr = (day: string | null) => [day ?? findLatestLedger({ catalog, nowMs }).day]
  return {
    listDays: () => listSessions(catalog).sessions,
    searchLedger: (wanted, by) =>
      readContent(wanted, async ledger => {
        const { search } = await queryLedger(ledger, own => ({ kind: 'search', ledger: own, by }))
        return { revision: ledger.key, ...search! }
      }),
    summarizeLedger: wanted =>
      readContent(wanted, async ledger => {
        const { summary } = await queryLedger(ledger, own => ({ kind: 'summary', ledger: own }))
        return { revision: ledger.key, ...summary! }
      }),
  } satisfies Partial<OrdersAsk>
}

const closed = (day: string) =>
  new ApiError('not_found', { message: `the session of ${shown(day)} is not finished yet.` })

const busy = () => retryLater('unavailable', 'many are looking for orders', 2)
