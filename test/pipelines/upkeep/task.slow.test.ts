// The tasks of a plan, done one by one as another scheduler would.

import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishedSessions } from '../../../src/data/published/manifest.ts'
import { importPlanned, PLANNED, runPlanCommand } from '../../support/planCommands.ts'

let root: string
let dataFolder: string

beforeAll(async () => {
  ;({ root, dataFolder } = await importPlanned())
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const run = (command: 'plan' | 'task', ...args: string[]) =>
  runPlanCommand(dataFolder, command, ...args)

test('its tasks, done one by one, publish the range; done twice they change nothing', () => {
  const { tasks } = JSON.parse(run('plan', ...PLANNED, '--json').output)
  for (const { id } of tasks) expect(run('task', id)).toMatchObject({ code: 0, errors: '' })
  expect(publishedSessions(dataFolder)).toEqual(PLANNED)
  const again = run('task', 'build-2026-10-15', '--json')
  expect(JSON.parse(again.output)).toMatchObject({ id: 'build-2026-10-15', outcome: 'current' })
  expect(run('task', 'fold-2026-10-14').output).toBe('fold-2026-10-14 is up to date\n')
  expect(JSON.parse(run('plan', ...PLANNED, '--json').output).tasks).toEqual([])
})
