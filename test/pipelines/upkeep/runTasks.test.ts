// Tasks on one machine: their order, how many at once, and what a failure or a kill costs.

import { expect, test } from 'vitest'
import { runInChild, runTasks, type TaskEnd } from '../../../pipelines/upkeep/runTasks.ts'
import { parseTaskId, type StageTask } from '../../../pipelines/upkeep/tasks.ts'

const DONE: TaskEnd = { outcome: 'done', reason: null, tookMs: 1 }

function makeTask(id: string, needs: readonly string[] = []): StageTask {
  const { stage, from, to } = parseTaskId(id)!
  return { id, stage, from, to, needs, memory_gb: 3.5, cpu_seconds: 1, inputs: 'abc' }
}

const DAYS = ['2026-10-05', '2026-10-06', '2026-10-07', '2026-10-08']
const CARRY = 'carry-2026-10-05-2026-10-08'
const FOLDS = DAYS.map(day => makeTask(`fold-${day}`))
const TASKS = [
  ...DAYS.map(day => makeTask(`build-${day}`, [CARRY])),
  makeTask(
    CARRY,
    FOLDS.map(({ id }) => id),
  ),
  ...FOLDS,
]

test('each task begins when all that it needs have ended, and only so many run at once', async () => {
  const ended: string[] = []
  let running = 0
  let most = 0
  await runTasks(
    TASKS,
    3,
    async task => {
      for (const need of task.needs) expect(ended).toContain(need)
      most = Math.max(most, ++running)
      await new Promise(resolve => setImmediate(resolve))
      running--
      return DONE
    },
    ({ id }) => ended.push(id),
  )
  expect(most).toBe(3)
  expect(ended.toSorted()).toEqual(TASKS.map(({ id }) => id).toSorted())
})

test('a task that fails keeps no other waiting', async () => {
  const outcomes: Record<string, string> = {}
  await runTasks(
    TASKS,
    2,
    async ({ id }) => (id === 'fold-2026-10-06' ? { ...DONE, outcome: 'failed' } : DONE),
    ({ id }, { outcome }) => {
      outcomes[id] = outcome
    },
  )
  expect(Object.keys(outcomes)).toHaveLength(TASKS.length)
  expect(outcomes).toMatchObject({ 'fold-2026-10-06': 'failed', [CARRY]: 'done' })
})

test('an error while an end is reported ends the run, and nothing new begins', async () => {
  const begun: string[] = []
  const run = runTasks(
    TASKS,
    1,
    async ({ id }) => {
      begun.push(id)
      return DONE
    },
    ({ stage }) => {
      if (stage === 'carry') throw new Error('the disk is full')
    },
  )
  await expect(run).rejects.toThrow('the disk is full')
  expect(begun.filter(id => id.startsWith('build'))).toEqual([])
})

test('a task without a tape is refused by its process, with the sentence of the command', async () => {
  const options = {
    dataFolder: '/nonexistent',
    isForced: false,
    isBadTapeRefused: false,
    isOneOfMany: true,
  }
  const end = await runInChild(options)(makeTask('fold-2026-10-06'))
  expect(end).toMatchObject({ outcome: 'failed', reason: expect.stringMatching(/\.$/) })
})

test.each([
  ['fold-2026-10-15', { stage: 'fold', from: '2026-10-15', to: '2026-10-15' }],
  ['build-2026-10-15', { stage: 'build', from: '2026-10-15', to: '2026-10-15' }],
  ['carry-2006-01-03-2026-11-25', { stage: 'carry', from: '2006-01-03', to: '2026-11-25' }],
  ['carry-2026-10-15', null],
  ['fold-2026-10-15-2026-10-16', null],
  ['build-20261015', null],
  ['sign-2026-10-15', null],
  ['', null],
])('the id %j says %j', (id, task) => {
  expect(parseTaskId(id)).toEqual(task)
})
