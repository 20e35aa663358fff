import type { Input } from '../../src/core/commandRow.ts'
import { parseRange } from '../../src/core/days.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import { counted, formatDuration } from '../../src/core/text/counts.ts'
import { planRange, withPlanView } from './planRange.ts'
import type { PLAN } from './rows.ts'
import { TASK_MEMORY_GB, type TaskStage } from './tasks.ts'

const STAGES: readonly TaskStage[] = ['fold', 'carry', 'build']

/** Runs `tapefold plan`. */
export async function planCommand({ words, data, force, json }: Input<typeof PLAN>): Promise<void> {
  const range = parseRange(words)
  const version = codeVersion()
  const options = { ...range, dataFolder: data, version, isForced: force }
  const plan = await withPlanView(data, view => planRange(view, options))
  const { dates, withoutTape, tasks } = plan
  if (json) {
    const shown = { ...range, version, sessions: dates.length, without_tape: withoutTape, tasks }
    process.stdout.write(`${JSON.stringify(shown, null, 1)}\n`)
    return
  }
  const lines = [`${counted(dates.length, 'session')} with a tape, ${withoutTape.length} without`]
  for (const stage of STAGES) {
    const own = tasks.filter(task => task.stage === stage)
    const seconds = own.reduce((sum, task) => sum + task.cpu_seconds, 0)
    lines.push(
      `${stage.padEnd(6)}${counted(own.length, 'task').padStart(12)}, about ` +
        `${formatDuration(seconds * 1000)} of one core`,
    )
  }
  lines.push(`a task takes up to ${TASK_MEMORY_GB} GB of memory and two cores`)
  process.stdout.write(`${lines.join('\n')}\n`)
}
