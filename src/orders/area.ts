import type { Area, AreaDeps, OpenArea } from '../accounts/area.ts'
import { DAY_LIMIT } from '../accounts/limits/dayLimit.ts'
import type { AccountStore } from '../accounts/types.ts'
import type { Found } from '../data/published/catalog.ts'
import { workOfNewMinutes } from '../data/published/newMinute.ts'
import { workOfNewStates } from '../data/published/streamStates.ts'
import { openEventStreams } from '../platform/http/eventStream.ts'
import { NOBODY } from '../platform/pool/fairQueue.ts'
import type { RequestScheduler } from '../platform/pool/requestScheduler.ts'
import { throttleCalls } from '../platform/pool/throttle.ts'
import type { OrdersAsk } from './ask.ts'
import { openEarlierLedgers } from './earlier.ts'
import { ORDERS_ERRORS } from './errors.ts'
import { openOrdersAsk } from './openAsk.ts'
import { ordersPaths } from './openapi.ts'
import { ordersRouter } from './routes.ts'

/** The Orders API: ledgers of finished sessions and of the newest one. */
export const ORDERS_AREA: Area<RequestScheduler, AccountStore, unknown, { orders: OrdersAsk }> = {
  name: 'orders',
  product: 'orders',
  apiProduct: { name: 'orders', errors: ORDERS_ERRORS, limits: [DAY_LIMIT] },
  tag: { name: 'Orders', description: 'Ledgers of finished sessions and of the newest one.' },
  paths: ordersPaths,
  methods: {},
  tables: [],
  open: openOrders,
}

function openOrders(deps: AreaDeps<RequestScheduler>) {
  const { dataFolder, catalog, scheduler, nowMs, elapsedMs, isWarmed } = deps
  const earlier = openEarlierLedgers(dataFolder, scheduler)
  const streams = openEventStreams(elapsedMs)
  const looks = openOrdersAsk({ ...deps, earlier })
  /** Renders the ledger of a new minute, at the lowest priority. */
  const makeAhead = async ({ manifest, knownBeforeMs }: Found) => {
    if (knownBeforeMs === undefined) return
    await earlier.read({ manifest, knownBeforeMs, form: 'gzip' }, { account: NOBODY })
  }
  return {
    routes: {
      '/orders/api': [throttleCalls(elapsedMs), ordersRouter({ catalog, earlier, streams, nowMs })],
    },
    account: { firstCallPath: '/orders/api/latest' },
    work: [
      workOfNewStates(deps, streams.notify),
      ...(isWarmed
        ? [workOfNewMinutes(deps, 'make the ledger of a new minute ahead', makeAhead)]
        : []),
    ],
    stop: streams.close,
    asks: { orders: looks.ask },
    close: async () => {
      await Promise.all([earlier.close(), looks.close()])
    },
  } satisfies OpenArea<{ orders: OrdersAsk }>
}
