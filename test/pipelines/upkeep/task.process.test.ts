// The commands for other schedulers: a plan, and one task of it.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runImport } from '../../../pipelines/import/import.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { withLock } from '../../../src/core/disk/lock.ts'
import { publishedSessions } from '../../../src/data/published/manifest.ts'

const DATES = ['2026-10-14', '2026-10-15']
const root = mkdtempSync(join(tmpdir(), 'tapefold-task-'))
const dataFolder = join(root, 'data')

beforeAll(async () => {
  for (const date of DATES) {
    const out = join(root, date)
    const size = { prints: 120, contracts: 100, seed: 4, hasQuotes: false }
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, date, out })
    for (const name of ['prints', 'spots']) {
      const files = [join(out, `${name}.parquet`)]
      await runImport({ dataFolder, format: name, files, simulated: true })
    }
  }
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function run(command: 'plan' | 'task', ...args: string[]) {
  const script = `pipelines/upkeep/${command}.ts`
  const ran = spawnSync(process.execPath, [script, ...args, '--data', dataFolder], {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: undefined },
  })
  return { code: ran.status, output: ran.stdout, errors: ran.stderr }
}

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

test('its tasks, done one by one, publish the range; done twice they change nothing', () => {
  const { tasks } = JSON.parse(run('plan', ...DATES, '--json').output)
  for (const { id } of tasks) expect(run('task', id)).toMatchObject({ code: 0, errors: '' })
  expect(publishedSessions(dataFolder)).toEqual(DATES)
  const again = run('task', 'build-2026-10-15', '--json')
  expect(JSON.parse(again.output)).toMatchObject({ id: 'build-2026-10-15', outcome: 'current' })
  expect(run('task', 'fold-2026-10-14').output).toBe('fold-2026-10-14 is up to date\n')
  expect(JSON.parse(run('plan', ...DATES, '--json').output).tasks).toEqual([])
})

test('a session that another process builds is to be tried again: 75', async () => {
  const lock = join(dataFolder, 'work/build-2026-10-15.lock')
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

test.each([
  [[], 'task takes the id of a task'],
  [['sign-2026-10-15'], 'sign-2026-10-15 is not the id of a task'],
  [['fold-2026-10-15', 'fold-2026-10-16'], 'fold-2026-10-15 fold-2026-10-16 is not the id of'],
])('%j is not understood: 2', (args, message) => {
  const { code, errors } = run('task', ...args)
  expect(code).toBe(2)
  expect(errors).toContain(message)
  expect(errors).toContain('give one of "tapefold plan", such as build-2026-10-15.')
})

test('a day that no calendar has is not understood: 2', () => {
  const { code, errors } = run('task', 'fold-2026-02-30')
  expect([code, errors]).toEqual([
    2,
    'tapefold: 2026-02-30 is not a date; give one such as 2026-10-15.\n',
  ])
})
