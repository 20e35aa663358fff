/** A simulated session as it would have come: its files cut by the minutes in which they came. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { copyToParquet } from '../../../src/core/engine/bulk.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { filePath } from '../../../src/core/engine/paths.ts'
import { instantMs, type SessionDate } from '../../../src/core/market/calendar.ts'
import { DEFAULT_OPTIONS } from '../../simulate/options.ts'
import { runSimulate } from '../../simulate/simulate.ts'
import type { Arrival } from './feedChild.ts'

/** Prints of the `spanMs` from `fromMs` on arrive `factor` times as fast. */
export type Burst = { readonly fromMs: number; readonly spanMs: number; readonly factor: number }

const CALM: Burst = { fromMs: 0, spanMs: 0, factor: 1 }
const DATASETS = ['prints', 'quotes', 'spots'] as const
/** Datasets available before the session opens. */
export const BEFORE_OPEN = ['open_interest', 'rates'] as const

export type FedSession = {
  readonly folder: string
  readonly date: SessionDate
  readonly prints: number
  readonly contracts: number
  readonly seed?: number
}

/** Simulates a session into `folder`; returns the folder of its files. */
export async function simulateSession(session: FedSession): Promise<string> {
  const { folder, date, prints, contracts, seed = DEFAULT_OPTIONS.seed } = session
  const out = join(folder, `simulated-${date}`)
  await runSimulate({ ...DEFAULT_OPTIONS, date, prints, contracts, seed, out })
  return out
}

/** Cuts the files of a session at the ends of its looks, ET minutes, into a folder. */
export async function cutArrivals(
  { simulated, date, folder }: { simulated: string; date: SessionDate; folder: string },
  minutes: readonly string[],
  burst: Burst = CALM,
): Promise<Arrival[]> {
  mkdirSync(folder, { recursive: true })
  const db = await openDatabase({ threads: 2, memoryLimit: '2GB' })
  try {
    const arrivals: Arrival[] = []
    let sinceMs = 0
    for (const minute of minutes) {
      const untilMs = instantMs(date, minute)
      const files: string[] = []
      for (const name of DATASETS) {
        const file = join(folder, `${name}-${minute.replace(':', '')}.parquet`)
        const params = {
          source: filePath(join(simulated, `${name}.parquet`)),
          since_ms: sinceMs,
          until_ms: untilMs,
          burst_from_ms: burst.fromMs,
          burst_span_ms: burst.spanMs,
          burst_factor: burst.factor,
        }
        const rows = await copyToParquet(db, { path: `simulate/arrived_${name}`, file, params })
        if (rows > 0) files.push(file)
      }
      arrivals.push({ untilMs, files })
      sinceMs = untilMs
    }
    return arrivals
  } finally {
    db.close()
  }
}
