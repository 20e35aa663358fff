import { join } from 'node:path'
import { NOBODY } from '../fair/line.ts'
import { openThread } from '../fair/thread.ts'
import type { AllOffers, AskedLedger, OfferAsker } from '../http/askedOffers.ts'
import { orDamaged } from '../http/damaged.ts'
import { ApiError } from '../http/error.ts'
import type { WantedSession } from '../http/offers.ts'
import { shown } from '../http/request.ts'
import { dayReader, isDate } from '../market/calendar.ts'
import type { Catalog, Found } from '../published/catalog.ts'
import { askDay, askLatest, askSessions, type OrdersAskDeps } from './ask.ts'
import type { EarlierLedgers } from './earlier.ts'
import type { LookAnswer, LookQuestion, NamedLedger } from './lookThread.ts'

/** Questions of pages that may wait for the thread at once. */
const WAITING_MAX = 64
const SCRIPT = join(import.meta.dirname, 'lookThread.ts')

export type OrdersOffersDeps = {
  readonly dataFolder: string
  readonly catalog: Catalog
  readonly earlier: EarlierLedgers
  readonly nowMs: () => number
  readonly sharesPrints: boolean
}

export type OrdersOffers = {
  readonly offers: Pick<
    AllOffers,
    'orders' | 'ordersCsv' | 'order' | 'ledgerDays' | 'ledger' | 'ledgerSummary'
  >
  readonly close: () => Promise<void>
}

type SentLedger = NamedLedger & { readonly json: Uint8Array }

/** What pages may ask of orders; a thread of its own answers. */
export function openOrdersOffers(deps: OrdersOffersDeps): OrdersOffers {
  const { dataFolder, catalog, earlier, nowMs, sharesPrints } = deps
  const thread = openThread<LookQuestion, LookAnswer>({ script: SCRIPT, workerData: dataFolder })
  const dayOf = dayReader()
  let waiting = 0
  const ask = async (question: LookQuestion): Promise<LookAnswer> => {
    if (waiting >= WAITING_MAX) throw busy()
    waiting += 1
    try {
      return await orDamaged(catalog, () => thread.ask(question))
    } finally {
      waiting -= 1
    }
  }
  /** A ledger crosses to the thread once: a page of 50 orders is not to cost the copy of 40,000. */
  const askOf = async (
    { key, json }: SentLedger,
    question: (ledger: NamedLedger) => LookQuestion,
  ): Promise<LookAnswer> => {
    const answer = await ask(question({ key, json: null }))
    return answer.isLacking ? ask(question({ key, json })) : answer
  }
  const findSession = ({ day, mayBeOpen }: WantedSession): Found => {
    if (isDate(day) && day >= dayOf(nowMs()) && !mayBeOpen) throw closed(day)
    const { found, note } = askDay({ catalog, nowMs }, [day], [])
    if (!found) throw new ApiError('not_found', { message: note! })
    if (found.knownBeforeMs !== undefined && !mayBeOpen) throw closed(day)
    return found
  }
  const ledgerOf = async (
    { manifest, knownBeforeMs }: Pick<Found, 'manifest' | 'knownBeforeMs'>,
    asker: OfferAsker = { account: NOBODY },
  ): Promise<SentLedger> => {
    const key = `${manifest.session_date} ${manifest.revision} ${knownBeforeMs ?? ''}`
    if (knownBeforeMs === undefined) {
      const { bytes } = await orDamaged(catalog, () => catalog.readLedger(manifest, 'json'))
      return { key, json: bytes }
    }
    const wanted = { manifest, knownBeforeMs, form: 'json' } as const
    const { data } = await orDamaged(catalog, () => earlier.read(wanted, asker))
    return { key, json: data }
  }
  return {
    offers: {
      ...askedOffers({ catalog, nowMs, ledgerOf, askOf }),
      orders: async (wanted, by) => {
        const found = findSession(wanted)
        const ledger = await ledgerOf(found)
        const { search } = await askOf(ledger, own => ({ kind: 'search', ledger: own, by }))
        return { revision: ledger.key, ...search! }
      },
      ordersCsv: async (wanted, by) => {
        const ledger = await ledgerOf(findSession(wanted))
        return (await askOf(ledger, own => ({ kind: 'csv', ledger: own, by }))).csv!
      },
      order: async (wanted, id) => {
        const found = findSession(wanted)
        const { manifest } = found
        const ledger = await ledgerOf(found)
        const { order, note } = await askOf(ledger, own => ({ kind: 'order', ledger: own, id }))
        if (!order) return null
        const hasPrices = manifest.simulated || sharesPrints
        // files of a session that runs may have news that is not to be told yet
        const knownBeforeMs = found.knownBeforeMs ?? null
        const { evidence } = await ask({ kind: 'evidence', manifest, id, hasPrices, knownBeforeMs })
        return {
          ...{ revision: ledger.key, simulated: manifest.simulated, note, order, hasPrices },
          ...evidence!,
        }
      },
    },
    close: thread.close,
  }
}

type Asking = OrdersAskDeps & {
  readonly ledgerOf: (
    of: Pick<Found, 'manifest' | 'knownBeforeMs'>,
    asker: OfferAsker,
  ) => Promise<SentLedger>
  readonly askOf: (
    ledger: SentLedger,
    question: (ledger: NamedLedger) => LookQuestion,
  ) => Promise<LookAnswer>
}

/** What programs may ask of ledgers, as the Orders API tells them. */
function askedOffers({ catalog, nowMs, ledgerOf, askOf }: Asking) {
  const tellOf = async <Told>(
    { day, asof, asker }: AskedLedger,
    tell: (ledger: SentLedger) => Promise<Told>,
  ) => {
    const asofs = asof === null ? [] : [asof]
    const deps = { catalog, nowMs }
    const wanted = day === null && asof === null ? askLatest(deps) : askDay(deps, dayOr(day), asofs)
    const { found, note, asofMs } = wanted
    if (!found) return { day: wanted.day, told: null, note: note! }
    const known = asofMs === null ? {} : { knownBeforeMs: asofMs }
    const ledger = await ledgerOf({ manifest: found.manifest, ...known }, asker)
    return { day: wanted.day, told: await tell(ledger), note: null }
  }
  const dayOr = (day: string | null) => [day ?? askLatest({ catalog, nowMs }).day]
  return {
    ledgerDays: () => askSessions(catalog).sessions,
    ledger: (wanted, by) =>
      tellOf(wanted, async ledger => {
        const { search } = await askOf(ledger, own => ({ kind: 'search', ledger: own, by }))
        return { revision: ledger.key, ...search! }
      }),
    ledgerSummary: wanted =>
      tellOf(wanted, async ledger => {
        const { summary } = await askOf(ledger, own => ({ kind: 'summary', ledger: own }))
        return { revision: ledger.key, ...summary! }
      }),
  } satisfies Partial<AllOffers>
}

const closed = (day: string) =>
  new ApiError('not_found', { message: `the session of ${shown(day)} is not finished yet.` })

const busy = () =>
  new ApiError('unavailable', {
    message: 'many are looking for orders; ask again in 2 s.',
    headers: { 'retry-after': '2' },
  })
