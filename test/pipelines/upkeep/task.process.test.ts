// The commands for other schedulers: a plan, and the exit codes of a task.

import { readdirSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockPath, withLock } from '../../../src/core/disk/lock.ts'
import { importPlanned, runPlanCommand } from '../../support/planCommands.ts'

let root: string
let dataFolder: string

beforeAll(async () => {
  ;({ root, dataFolder } = await importPlanned())
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const run = (command: 'plan' | 'task', ...args: string[]) =>
  runPlanCommand(dataFolder, command, ...args)

test('a plan lists its tasks with what they need, and changes nothing', () => {
  const before = readdirSync(dataFolder)
  const { code, output } = run('plan', '2026-10-13', '2026-10-15', '--json')
  expect(code).toBe(0)
  const plan = JSON.parse(output)
  expect(plan).toMatchObject({ sessions: 2, without_tape: ['2026-10-13'] })
  const needs = (id: string) => plan.tasks.find((task: { id: string }) => task.id === id)?.needs
  expect(plan.tasks).toHaveLength(4)
  expect(needs('fold-2026-10-14')).toEqual([])
  expect(needs('carry-2026-10-14-2026-10-15')).toEqual(['fold-2026-10-14'])
  expect(needs('build-2026-10-14')).toEqual([])
  expect(needs('build-2026-10-15')).toEqual(['carry-2026-10-14-2026-10-15'])
  for (const task of plan.tasks) {
    expect(task).toMatchObject({
      memory_gb: 3.5,
      cpu_seconds: expect.any(Number),
      inputs: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
  }
  expect(run('plan', '2026-10-13', '2026-10-15', '--json').output).toBe(output)
  expect(readdirSync(dataFolder)).toEqual(before)
  expect(run('plan', '2026-10-13', '2026-10-15').output).toMatch(
    /^2 sessions with a tape, 1 without\nfold +1 task, about .+ of one core\n/,
  )
})

test('a session that another process builds is to be tried again: 75', async () => {
  const lock = lockPath(dataFolder, 'build-2026-10-15')
  await withLock(lock, 'busy', async () => {
    const { code, errors } = run('task', 'build-2026-10-15', '--force')
    expect([code, errors]).toEqual([
      75,
      'tapefold: Another build of 2026-10-15 is running; wait until it has ended.\n',
    ])
  })
})

test('what cannot be done is refused: 1', () => {
  const { code, errors } = run('task', 'fold-2026-10-12')
  expect(code).toBe(1)
  expect(errors).toMatch(/^tapefold: there are no prints of 2026-10-12: import them first/)
})
