import { openDatabase } from '../../src/core/engine/database.ts'
import { instantMs, MINUTE_MS, wallTimeEt } from '../../src/core/market/calendar.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import {
  type LiveManifest,
  publishState,
  readLiveManifest,
  STEP_TABLES,
} from '../../src/data/published/liveManifest.ts'
import { fillTable } from './versions.ts'

/** Datasets with rows; the others are empty, and have no files. */
const FILLED = ['orders', 'levels', 'strikes'] as const

export type States = {
  /** Publishes the state so many minutes after 09:30, all of whose numbers are the version. */
  readonly publish: (version: number, folder: string) => Promise<LiveManifest>
  readonly close: () => void
}

/** A publisher of states of a running session that costs no tape. */
export async function openStates(date: string): Promise<States> {
  const db = await openDatabase({ threads: 1 })
  await db.run('create schema live')
  for (const table of Object.values(STEP_TABLES)) await db.run(`create table ${table} (i integer)`)
  return {
    publish: async (version, folder) => {
      const replaces = readLiveManifest(folder, date)?.revision ?? null
      for (const name of FILLED) {
        const { columns } = PUBLISHED_DATASETS.find(dataset => dataset.name === name)!
        await fillTable(db, STEP_TABLES[name], columns, { date, version })
      }
      const untilMs = instantMs(date, '09:30') + version * MINUTE_MS
      const { minute } = wallTimeEt(untilMs)
      return publishState(db, folder, {
        session_date: date,
        symbol: 'SPX',
        simulated: true,
        asof: `${minute}:00`,
        code_version: 'test',
        min_premium_usd: 50_000,
        minute,
        knownBeforeMs: untilMs,
        replaces,
        minutes: { expected: version, present: version, missing: [] },
      })
    },
    close: db.close,
  }
}
