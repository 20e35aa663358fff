// A data folder of two sessions, and the commands for other schedulers on it.

import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importSimulated } from '../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../pipelines/simulate/options.ts'
import { runSimulate } from '../../pipelines/simulate/simulate.ts'
import { COMMAND_PROCESS } from '../../src/core/pipeline.ts'

export const PLANNED = ['2026-10-14', '2026-10-15'] as const

/** Imports both sessions into a new folder, which lies in the returned one. */
export async function importPlanned(): Promise<{ root: string; dataFolder: string }> {
  const root = mkdtempSync(join(tmpdir(), 'tapefold-task-'))
  const dataFolder = join(root, 'data')
  for (const date of PLANNED) {
    const out = join(root, date)
    const size = { prints: 120, contracts: 100, seed: 4, hasQuotes: false }
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, date, out })
    await importSimulated(dataFolder, out, ['prints', 'spots'])
  }
  return { root, dataFolder }
}

/** Runs one of the commands to its end. */
export function runPlanCommand(
  dataFolder: string,
  command: 'plan' | 'task',
  ...args: readonly string[]
) {
  const ran = spawnSync(
    process.execPath,
    [COMMAND_PROCESS, command, ...args, '--data', dataFolder],
    {
      encoding: 'utf8',
      env: { ...process.env, DATABASE_URL: undefined },
    },
  )
  return { code: ran.status, output: ran.stdout, errors: ran.stderr }
}
