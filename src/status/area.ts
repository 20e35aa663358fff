import type { Area, AreaDeps, OpenArea } from '../accounts/area.ts'
import type { AccountStore } from '../accounts/types.ts'
import { readBackfillState } from '../data/backfillState.ts'
import { listSourceStates } from '../data/fetched/responses.ts'
import { createAlarm } from './alarm.ts'
import { openStatusAsk, type StatusAsk } from './ask.ts'
import { addStateGauges } from './gauges.ts'
import { healthPaths } from './health.ts'
import { probePages, statePages } from './pages.ts'
import { statusPaths } from './routes.ts'
import { openState } from './state.ts'

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
