import { Gauge, type Registry } from 'prom-client'
import type { Health } from './health.ts'
import type { ServiceState } from './state.ts'

/** Adds Prometheus gauges of the data: the same state as on the pages. */
export function addStateGauges(registry: Registry, { health, status }: ServiceState): void {
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
