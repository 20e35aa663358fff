import type { Area, AreaDeps, OpenArea } from '../accounts/area.ts'
import { DAY_LIMIT } from '../accounts/limits/dayLimit.ts'
import type { AccountStore } from '../accounts/types.ts'
import { NOBODY } from '../platform/pool/fairQueue.ts'
import type { RequestScheduler } from '../platform/pool/requestScheduler.ts'
import { throttleCalls } from '../platform/pool/throttle.ts'
import type { OrdersAsk } from './ask.ts'
import { openEarlierLedgers } from './earlier.ts'
import { ORDERS_ERRORS } from './errors.ts'
import { openOrdersAsk } from './openAsk.ts'
import { ordersPaths } from './openapi.ts'
import { ordersRouter } from './routes.ts'

/** Interval at which the server looks for a new minute. */
const AHEAD_EVERY_MS = 1_000

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
  const looks = openOrdersAsk({ ...deps, earlier })
  let made = ''
  /** Renders the ledger of a new minute, at the lowest priority. */
  const makeAhead = async () => {
    const newest = catalog.newest()
    if (newest?.knownBeforeMs === undefined) return
    const { manifest, knownBeforeMs } = newest
    const seen = `${manifest.revision} ${knownBeforeMs}`
    if (seen === made) return
    // a failure is retried with the next minute, or by a client's request
    made = seen
    await earlier.read({ manifest, knownBeforeMs, form: 'gzip' }, { account: NOBODY })
  }
  const ahead = { name: 'make the ledger of a new minute ahead', everyMs: AHEAD_EVERY_MS }
  return {
    routes: {
      '/orders/api': [throttleCalls(elapsedMs), ordersRouter({ catalog, earlier, nowMs })],
    },
    account: { firstCallPath: '/orders/api/latest' },
    work: isWarmed ? [{ ...ahead, run: makeAhead }] : [],
    asks: { orders: looks.ask },
    close: async () => {
      await Promise.all([earlier.close(), looks.close()])
    },
  } satisfies OpenArea<{ orders: OrdersAsk }>
}
