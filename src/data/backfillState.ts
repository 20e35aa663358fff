import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../core/disk/files.ts'

/** `work/backfill.json`: how far the newest backfill is. Instants are UTC texts. */
const BackfillState = z.object({
  from: z.string(),
  to: z.string(),
  started_at: z.string(),
  /** Rewritten at every end of a task, and every half minute. */
  updated_at: z.string(),
  /** Null while it runs, or where it was killed. */
  ended_at: z.string().nullable(),
  /** Sessions to be built, and those of them that are built or turned out to be up to date. */
  sessions: z.int(),
  done: z.int(),
  /** Tasks that run, and that wait for others or for a free worker. */
  running: z.int(),
  waiting: z.int(),
  failed: z.array(z.object({ day: z.string(), reason: z.string() })),
  sessions_per_hour: z.number().nullable(),
  seconds_left: z.number().nullable(),
})
export type BackfillState = z.infer<typeof BackfillState>

const statePath = (dataFolder: string): string => join(dataFolder, 'work', 'backfill.json')

export const writeBackfillState = (dataFolder: string, state: BackfillState): void =>
  writeAtomically(statePath(dataFolder), `${JSON.stringify(state)}\n`)

/** Returns how far the newest backfill is; null where there was none. */
export function readBackfillState(dataFolder: string): BackfillState | null {
  const path = statePath(dataFolder)
  if (!existsSync(path)) return null
  try {
    return BackfillState.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}
