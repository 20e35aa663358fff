import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silent } from '../../pipelines/command/progress.ts'
import type { LabelKind } from '../../pipelines/simulate/history.ts'
import { runHistory } from '../../pipelines/simulate/minuteSessions.ts'

export type TestHistory = { readonly dataFolder: string; readonly remove: () => void }

/** A folder with simulated sessions of minutes. */
export async function simulateSessions(
  until: string,
  sessionCount: number,
  labels: LabelKind = 'informative',
  seed = 5,
): Promise<TestHistory> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-history-'))
  await runHistory({ dataFolder, sessionCount, until, seed, labels, progress: silent })
  return { dataFolder, remove: () => rmSync(dataFolder, { recursive: true, force: true }) }
}
