// Stands for `tapefold` in the recipe for Slurm: "plan" prints the stub tasks of a folder, "task ID"
// does one of them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StageTask } from '../../pipelines/upkeep/tasks.ts'
import { appendLine, runStub } from './sharedTasksProcess.ts'

const [command, id = ''] = process.argv.slice(2)
const folder = process.argv.at(-1)!
const tasks: StageTask[] = JSON.parse(readFileSync(join(folder, 'tasks.json'), 'utf8'))
if (command === 'plan') process.stdout.write(JSON.stringify({ tasks }))
else {
  process.on('SIGTERM', () => {
    appendLine(folder, { pid: process.pid, id, what: 'stopped' })
    process.exit(143)
  })
  const task = tasks.find(one => one.id === id)
  if (!task) throw new Error(`there is no task ${id}`)
  await runStub(folder, new AbortController().signal)(task)
}
