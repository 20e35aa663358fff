import type { ApiProduct, KeyedRequest } from '../accounts/apiProduct.ts'
import type { Area, AreaDeps, OpenArea } from '../accounts/area.ts'
import { minuteLimit } from '../accounts/limits/minuteLimit.ts'
import {
  CALLS_PER_MINUTE_MAX,
  CLIENT_ADDRESSES_PER_HOUR,
  type PlanRow,
  planAt,
} from '../accounts/products.ts'
import type { AccountStore } from '../accounts/types.ts'
import { isDate } from '../core/market/calendar.ts'
import { workOfNewStates } from '../data/published/streamStates.ts'
import { openEventStreams } from '../platform/http/eventStream.ts'
import { NOBODY } from '../platform/pool/fairQueue.ts'
import type { RequestScheduler } from '../platform/pool/requestScheduler.ts'
import { throttleCalls } from '../platform/pool/throttle.ts'
import { type LevelsAsk, openLevelsAsk } from './ask.ts'
import { openStamps } from './asOf.ts'
import { openDays } from './endpoints.ts'
import { LIVE_ERRORS, liveError } from './errors.ts'
import { oldestLiveDay } from './oldestDay.ts'
import { levelsPaths } from './openapi.ts'
import { openLevelsResponses } from './responses.ts'
import { levelsRouter } from './routes.ts'
import { openSessions } from './sessions.ts'
import { openLevelBodies } from './stream.ts'
import { usageReader } from './usage.ts'

/** LIVE: its own keys, and those of a dataset licence for historical days. */
const LIVE: ApiProduct = {
  name: 'live',
  errors: LIVE_ERRORS,
  otherScopes: ['dataset'],
  limits: [
    minuteLimit({
      minuteCalls: CALLS_PER_MINUTE_MAX,
      hourAddresses: CLIENT_ADDRESSES_PER_HOUR,
      refuseCalls: refused => liveError('rate_limited', refused),
      refuseAddress: refused => liveError('too_many_places', refused),
    }),
  ],
  findPlan: findLivePlan,
}

/** Returns the plan of the account for LIVE or, for historical days, for the product of its key. */
function findLivePlan({ holder, atMs, shownMs, url }: KeyedRequest): PlanRow | null {
  const own = planAt(holder.products, 'live', atMs)
  if (own || holder.scope === 'live') return own
  // a licence for historical days covers only those
  const guest = planAt(holder.products, holder.scope, atMs)
  const day = new URLSearchParams(url.split('?')[1] ?? '').get('day') ?? ''
  return isDate(day) && day < oldestLiveDay(shownMs) ? guest : null
}

const PATH = '/api/v1'

type OwnAsks = { readonly levels: LevelsAsk }

/** The levels API: levels of dealer gamma at every minute. */
export const LEVELS_AREA: Area<RequestScheduler, AccountStore, unknown, OwnAsks> = {
  name: 'levels',
  product: 'live',
  apiProduct: LIVE,
  tag: { name: 'Levels', description: "Levels of the dealers' book at every minute." },
  paths: levelsPaths,
  methods: {},
  addressKeyPaths: [`${PATH}/levels.txt`, `${PATH}/bookmap.csv`],
  tables: [],
  open: openLevels,
}

function openLevels(deps: AreaDeps<RequestScheduler>): OpenArea<OwnAsks> {
  const { dataFolder, catalog, accounts, scheduler, nowMs, elapsedMs } = deps
  const sessions = openSessions(dataFolder, scheduler)
  const streams = openEventStreams(elapsedMs)
  const routeDeps = {
    streams,
    levelBodies: openLevelBodies(),
    catalog,
    sessions,
    nowMs,
    elapsedMs,
    send: openLevelsResponses(),
    daysAt: openDays(),
    readStamp: openStamps({ catalog, nowMs }),
  }
  const warm = async () => {
    const newest = catalog.newest()
    if (newest) await sessions.read(newest.manifest, 'levels', { account: NOBODY })
  }
  return {
    routes: {
      [PATH]: [throttleCalls(elapsedMs), levelsRouter(routeDeps)],
    },
    account: { firstCallPath: `${PATH}/levels?sym=SPX`, usage: usageReader(accounts) },
    asks: { levels: openLevelsAsk({ catalog, sessions, nowMs, requester: { account: NOBODY } }) },
    work: [workOfNewStates({ catalog, nowMs }, streams.notify)],
    warm,
    stop: streams.close,
    close: sessions.close,
  }
}
