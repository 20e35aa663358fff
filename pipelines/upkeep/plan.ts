import { readArguments } from '../../src/core/command.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import { counted, formatDuration } from '../../src/core/text/counts.ts'
import { runCommand } from '../command/command.ts'
import { planRange, withPlanView } from './planRange.ts'
import { parseRange } from './range.ts'
import { TASK_MEMORY_GB, type TaskStage } from './tasks.ts'

const USAGE = `usage: tapefold plan FROM TO [--force] [--json] [--data DIR]

Shows the tasks that would bring the sessions from FROM to TO up to date, and changes nothing:
a fold of each session, one carry of the positions through them, a build of each. Only the carry
waits for all folds, and the builds for it.

  --force   plans sessions that are up to date as well
  --json    prints the tasks as JSON, for a scheduler that starts "tapefold task ID"
`

const STAGES: readonly TaskStage[] = ['fold', 'carry', 'build']

if (import.meta.main) {
  runCommand(async () => {
    const { values, positionals } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      allowPositionals: true,
      options: {
        data: { type: 'string', default: 'data' },
        force: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    })
    const range = parseRange('plan', positionals)
    const version = codeVersion()
    const options = { ...range, dataFolder: values.data, version, isForced: values.force }
    const plan = await withPlanView(values.data, view => planRange(view, options))
    const { dates, withoutTape, tasks } = plan
    if (values.json) {
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
  })
}
