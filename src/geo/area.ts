import type { RequestHandler } from 'express'
import type { AccountPart } from '../accounts/accountPage.ts'
import type { Area, AreaDeps, OpenArea } from '../accounts/area.ts'
import { monthAt, monthLimit } from '../accounts/limits/monthLimit.ts'
import { planAt } from '../accounts/products.ts'
import type { AccountStore } from '../accounts/types.ts'
import { clientAddress } from '../platform/http/addresses.ts'
import { limitByAddress } from '../platform/http/addressLimit.ts'
import { throttleCalls } from '../platform/pool/throttle.ts'
import { type GeoAsk, openGeo, openGeoAsk } from './ask.ts'
import { GEO_ERRORS, refuseExtraKey } from './errors.ts'
import { geoPaths, geoWebhooks } from './openapi.ts'
import { freeRouter, keyedRouter } from './routes.ts'
import { geoSection } from './section.ts'

const PATH = '/geo'

/** Maximum calls without a key per address and minute. */
export const GEO_MINUTE_CALLS = 60

/** Public records by country and week, linked to the sessions in which they became known. */
export const GEO_AREA: Area<unknown, AccountStore, unknown, { geo: GeoAsk }> = {
  name: 'geo',
  product: 'geo',
  apiProduct: {
    name: 'geo',
    errors: GEO_ERRORS,
    limits: [monthLimit({ refuseKey: refuseExtraKey })],
  },
  tag: { name: 'Geo', description: 'What was reported in the world, by country and week.' },
  paths: geoPaths,
  webhooks: geoWebhooks,
  methods: {},
  hosts: { geo: PATH },
  tables: [],
  open: openGeoArea,
}

function openGeoArea(given: AreaDeps<unknown>): OpenArea<{ geo: GeoAsk }> {
  const { dataFolder, accounts, webhooks, nowMs, elapsedMs } = given
  const geo = openGeo(dataFolder)
  const deps = { geo, nowMs, elapsedMs }
  return {
    publicRoutes: { [PATH]: [freeRouter(deps, limited(elapsedMs))] },
    routes: { [`${PATH}/v1`]: [throttleCalls(elapsedMs), keyedRouter(deps)] },
    isCountedInside: true,
    account: {
      firstCallPath: `${PATH}/v1/usage`,
      usage: usageReader(accounts),
      sections: [geoSection({ accounts, webhooks })],
    },
    asks: { geo: openGeoAsk(geo, nowMs) },
    close: geo.reader.close,
  }
}

/** Refuses calls of an address above the limit. */
function limited(elapsedMs: () => number): RequestHandler {
  const limitRequests = limitByAddress({
    atOnce: GEO_MINUTE_CALLS,
    perSecond: GEO_MINUTE_CALLS / 60,
    elapsedMs,
    readAddress: clientAddress,
  })
  return (req, _res, next) => next(limitRequests(req) ?? undefined)
}

/** Returns an account's usage of the month. */
const usageReader =
  ({ months }: Pick<AccountStore, 'months'>): NonNullable<AccountPart['usage']> =>
  async ({ account, atMs }) => {
    const plan = planAt(account.products, 'geo', atMs)
    if (plan?.monthlyCalls === undefined) return []
    const { monthUtc } = monthAt(atMs)
    const used = await months.used({ accountId: account.id, product: 'geo', monthUtc })
    return [
      {
        what: `${plan.name}: calls of ${monthUtc}`,
        used,
        limit: plan.monthlyCalls,
        resets: 'with the month, UTC',
      },
    ]
  }
