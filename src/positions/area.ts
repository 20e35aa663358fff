import { Counter, type Registry } from 'prom-client'
import type { Area, AreaDeps, OpenArea } from '../accounts/area.ts'
import { type Catalog, withReplayed } from '../data/published/catalog.ts'
import { isJudgeable } from '../data/published/positionTables.ts'
import { workOfNewStates } from '../data/published/streamStates.ts'
import { openEventStreams } from '../platform/http/eventStream.ts'
import type { RequestScheduler } from '../platform/pool/requestScheduler.ts'
import { throttleCalls } from '../platform/pool/throttle.ts'
import { positionsSection, positionsUsed } from './accountSection.ts'
import { openAhead } from './ahead.ts'
import { openPositionsAsk, type PositionsAsk } from './ask.ts'
import { CHECK_METHODS, CHECK_PATHS, checksRouter } from './checkRoutes.ts'
import { type Judge, openJudge } from './marketValues.ts'
import { checksPaths, positionsPaths } from './openapi.ts'
import { POSITION_METHODS, positionsRouter, refusePath } from './routes.ts'
import { POSITION_TABLES } from './store/schema.ts'
import type { PositionAccounts } from './store/types.ts'
import { readStoredPosition, readStoredPositions } from './stored.ts'

const PATH = '/api/positions'
/** Newest sessions read ahead of any request, so that their hashes are already verified. */
const WARMED_SESSIONS = 60

type OwnAsks = { readonly positions: PositionsAsk }

/** Stored positions of accounts, and their checks at a minute. */
export const POSITIONS_AREA: Area<RequestScheduler, PositionAccounts, unknown, OwnAsks> = {
  name: 'positions',
  product: 'orders',
  tag: { name: 'Positions', description: 'Short options positions that an account keeps.' },
  paths: { ...positionsPaths, ...checksPaths },
  methods: {
    [PATH]: POSITION_METHODS,
    ...Object.fromEntries(CHECK_PATHS.map(path => [`${PATH}${path}`, CHECK_METHODS])),
  },
  tables: POSITION_TABLES,
  open: deps => openPositions(deps, openJudge(deps.dataFolder, deps.scheduler)),
}

/** Opens the area with a judge, which it closes. */
export function openPositions(
  deps: AreaDeps<RequestScheduler, PositionAccounts>,
  judge: Judge,
): OpenArea<OwnAsks> {
  const { accounts, nowMs, elapsedMs, isWarmed, webhooks } = deps
  const catalog = withReplayed(deps.catalog)
  const streams = openEventStreams(elapsedMs)
  const checks = checksRouter({
    streams,
    catalog,
    nowMs,
    judge,
    readPositions: accountId => readStoredPositions(accounts, accountId),
    findPosition: (accountId, id) => readStoredPosition(accounts, accountId, id),
  })
  const ahead = openAhead({ catalog, judge, accounts, nowMs })
  return {
    routes: {
      [PATH]: [
        throttleCalls(elapsedMs),
        positionsRouter({ accounts, nowMs, webhooks }),
        checks,
        refusePath,
      ],
    },
    account: {
      sections: [positionsSection({ accounts, catalog, nowMs, judge })],
      usage: request => positionsUsed(accounts, request),
    },
    asks: { positions: openPositionsAsk({ accounts, catalog, nowMs, judge }) },
    work: [workOfNewStates({ catalog, nowMs }, streams.notify), ...(isWarmed ? [ahead.work] : [])],
    warm: () => judge.warm(newestSessions(catalog)),
    measure: registry => void addCaseCounter(registry, judge),
    stop: () => {
      streams.close()
      ahead.stop()
    },
    close: judge.close,
  }
}

const addCaseCounter = (registry: Registry, { counts }: Judge) =>
  new Counter({
    name: 'tapefold_judged_cases_total',
    help: 'Positions at a minute whose results were cached, or were judged anew.',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [result, count] of Object.entries(counts())) this.inc({ result }, count)
    },
  })

const newestSessions = (catalog: Catalog) =>
  catalog
    .sessions()
    .slice(-WARMED_SESSIONS)
    .flatMap(date => catalog.find(date)?.manifest ?? [])
    .filter(isJudgeable)
