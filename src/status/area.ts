import { Gauge, type Registry } from 'prom-client'
import type { Area, AreaDeps, OpenArea } from '../accounts/area.ts'
import type { AccountStore } from '../accounts/types.ts'
import { readBackfillState } from '../data/backfillState.ts'
import { listSourceStates } from '../data/fetched/responses.ts'
import { createAlarm } from './alarm.ts'
import { openStatusAsk, type StatusAsk } from './ask.ts'
import { type Health, healthPaths } from './health.ts'
import { probePages, statePages } from './pages.ts'
import { statusPaths } from './routes.ts'
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
