import { Gauge, type Registry } from 'prom-client'
import type { Health } from './health.ts'
import type { ServiceState } from './state.ts'

/** Adds what Prometheus is told of the data: the state that the pages tell. */
export function addStateGauges(registry: Registry, { health }: ServiceState): void {
  const gauges: Record<string, [string, (told: Health) => number | null]> = {
    tapefold_up: ['1 when /health is green, 0 when it is red.', told => +(told.status === 'green')],
    tapefold_problems: ['Problems that /health reports.', told => told.problems.length],
    tapefold_warnings: ['Warnings that /health reports.', told => told.warnings.length],
    tapefold_data_age_seconds: [
      'Time since the newest ledger knows nothing more; NaN without one.',
      told => told.data_age_s,
    ],
    tapefold_minute_lag_seconds: [
      'Age of the data of the open session; NaN when none is open.',
      told => told.lag_s,
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
