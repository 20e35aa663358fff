import { Gauge, type Registry } from 'prom-client'
import type { Area, AreaDeps, OpenArea } from '../accounts/area.ts'
import type { AccountStore } from '../accounts/types.ts'
import { readBackfillState } from '../data/backfillState.ts'
import { listSourceStates } from '../data/fetched/responses.ts'
import { briefPage, type Page, type PageContent } from '../platform/http/page.ts'
import { JSON_TYPE } from '../platform/http/response.ts'
import { createAlarm } from './alarm.ts'
import { openStatusAsk, type StatusAsk } from './ask.ts'
import { type Health, healthPaths, RED_RETRY_SECONDS } from './health.ts'
import { statusPage } from './page.ts'
import { publicStatus } from './publicStatus.ts'
import { statusPaths, wireStatus } from './routes.ts'
import { openState, type ServiceState } from './state.ts'

/** Interval at which the account store is queried for the progress of alerts. */
const LOOK_EVERY_MS = 1_000

/** The age of the data, for people, monitors and the log. */
export const STATUS_AREA: Area<unknown, AccountStore, unknown, { status: StatusAsk }> = {
  name: 'status',
  product: null,
  tag: { name: 'Service', description: 'The state of the service itself; no key needed.' },
  paths: { ...healthPaths, ...statusPaths },
  methods: {},
  tables: [],
  open: openStatus,
}

function openStatus(deps: AreaDeps<unknown>): OpenArea<{ status: StatusAsk }> {
  const state = openState({
    ...deps,
    sources: () => listSourceStates(deps.dataFolder),
    backfill: () => readBackfillState(deps.dataFolder),
  })
  const reportAlarm = createAlarm(deps.log)
  return {
    routes: {},
    asks: { status: openStatusAsk(state) },
    pages: statePages(state),
    probes: probePages(state),
    work: [
      {
        name: 'judge the age of the data',
        everyMs: deps.alarmEveryMs,
        run: () => reportAlarm(state.status()),
      },
      { name: 'look at the alerts', everyMs: LOOK_EVERY_MS, run: state.lookAtAlerts },
    ],
    measure: registry => addStateGauges(registry, state),
  }
}

/** Adds Prometheus gauges of the data: the same state as on the pages. */
function addStateGauges(registry: Registry, { health, status }: ServiceState): void {
  const gauges: Record<string, [string, (judged: Health) => number | null]> = {
    tapefold_up: [
      '1 when /health is green, 0 when it is red.',
      judged => +(judged.status === 'green'),
    ],
    tapefold_data_red: [
      '1 when /status.json is red, such as for late data; else 0.',
      () => +(status().status === 'red'),
    ],
    tapefold_problems: ['Problems that /health reports.', judged => judged.problems.length],
    tapefold_warnings: ['Warnings that /health reports.', judged => judged.warnings.length],
    tapefold_data_age_seconds: [
      'Time since the newest ledger knows nothing more; NaN without one.',
      judged => judged.data_age_s,
    ],
    tapefold_minute_lag_seconds: [
      'Age of the data of the open session; NaN when none is open.',
      judged => judged.lag_s,
    ],
    tapefold_watch_lag_seconds: [
      'How long a published minute has waited for the watcher; NaN when none was watched.',
      judged => judged.alerts?.lag_s ?? null,
    ],
    tapefold_deliveries_waiting: [
      'Events that wait to be sent; NaN when that is not known.',
      judged => judged.alerts?.waiting ?? null,
    ],
    tapefold_deliveries_oldest_due_seconds: [
      'How long the oldest of them has been due; NaN when none waits.',
      judged => judged.alerts?.oldest_due_s ?? null,
    ],
    tapefold_deliveries_sent_last_hour: [
      'Events that were sent in the last hour; NaN when that is not known.',
      judged => judged.alerts?.sent_last_hour ?? null,
    ],
    tapefold_deliveries_failed_last_hour: [
      'Events that could not be sent in the last hour; NaN when that is not known.',
      judged => judged.alerts?.failed_last_hour ?? null,
    ],
  }
  for (const [name, [help, read]] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        // a null is never a zero
        this.set(read(await health()) ?? Number.NaN)
      },
    })
  }
}

/** A copy may be cached, but must be revalidated before use: it changes every second. */
const CACHING = { 'cache-control': 'no-cache' }

/**
 * The pages of the state. `/status` and `/status.json` need no account store and are always 200;
 * `/health` is 503 when it is red.
 */
function statePages({ status, health }: ServiceState): Record<string, () => Page | Promise<Page>> {
  return {
    '/status': openMaker(status, shownStatus =>
      textPage({
        content: statusPage(publicStatus(shownStatus)),
        contentType: 'text/html; charset=utf-8',
      }),
    ),
    '/status.json': openMaker(status, shownStatus =>
      jsonPage(wireStatus(publicStatus(shownStatus))),
    ),
    '/health': openMaker(health, async judged => {
      const shownStatus = await judged
      return shownStatus.status === 'green' ? jsonPage(shownStatus) : redPage(shownStatus)
    }),
  }
}

/** The probes of a supervisor and of a load balancer, which no limit of calls may refuse. */
function probePages({
  ready,
}: Pick<ServiceState, 'ready'>): Record<string, () => Page | Promise<Page>> {
  const live = jsonPage({ status: 'live' })
  return {
    '/health/live': () => live,
    '/health/ready': openMaker(ready, async judged => {
      const judgement = await judged
      return judgement.status === 'ready' ? jsonPage(judgement) : redPage(judgement)
    }),
  }
}

/** Caches what is made of a frequently read object until another object is read. */
function openMaker<From extends object, Made>(look: () => From, make: (from: From) => Made) {
  let last: { readonly from: From; readonly made: Made } | null = null
  return () => {
    const from = look()
    if (last?.from !== from) last = { from, made: make(from) }
    return last.made
  }
}

const textPage = (page: Omit<PageContent, 'headers'>) => briefPage({ headers: CACHING, ...page })

const redPage = (shownStatus: object) => {
  const headers = { 'cache-control': 'no-store', 'retry-after': String(RED_RETRY_SECONDS) }
  return jsonPage(shownStatus, { status: 503, headers })
}

const jsonPage = (shownStatus: object, changes: Partial<PageContent> = {}) =>
  briefPage({
    headers: CACHING,
    content: JSON.stringify(shownStatus),
    contentType: JSON_TYPE,
    ...changes,
  })
