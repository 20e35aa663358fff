// The schedule as a process: it finds by itself what to build.

import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runImport } from '../../../pipelines/import/import.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { systemClock } from '../../../src/core/clock.ts'
import { neighbourSession, wallTimeEt } from '../../../src/core/market/calendar.ts'
import { publishedSessions } from '../../../src/data/published/manifest.ts'
import { pipelineEnvironment } from '../../../src/server/pipelineEnvironment.ts'

const root = mkdtempSync(join(tmpdir(), 'tapefold-schedule-'))
const dataFolder = join(root, 'data')
// the schedule looks at the machine's clock, so the session has to be a recent one
const date = neighbourSession(wallTimeEt(systemClock.nowMs()).date, -1).date

beforeAll(async () => {
  const size = { prints: 200, contracts: 150, seed: 4, hasQuotes: false }
  const out = join(root, date)
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date, out })
  for (const format of ['prints', 'spots']) {
    const files = [join(out, `${format}.parquet`)]
    await runImport({ dataFolder, format, files, simulated: true })
  }
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

function start(...args: string[]) {
  const command = ['src/server/cli.ts', 'schedule', '--data', dataFolder, ...args]
  // a machine whose own clocks change: the ticks must not follow them
  const env = { ...process.env, TZ: 'America/New_York' }
  const child = spawn(process.execPath, command, { env })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
  }
  const ended = new Promise<number | null>(resolve => child.on('close', resolve))
  return { child, text: () => text, ended }
}

test('it builds what has finished, verifies, stops on a signal, and leaves no work', async () => {
  const schedule = start()
  while (!schedule.text().includes('wrote month=')) {
    expect(schedule.child.exitCode, schedule.text()).toBeNull()
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  const { pid } = schedule.child
  const [pipeline] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  const environment = readFileSync(`/proc/${pipeline}/environ`, 'utf8').split('\0')
  expect(environment).toContain('TZ=UTC')
  expect(environment).toContain(`GLIBC_TUNABLES=${pipelineEnvironment({}).GLIBC_TUNABLES}`)
  expect(publishedSessions(dataFolder)).toEqual([date])
  expect(schedule.text()).toMatch(new RegExp(`UTC  1 of 1  ${date}  built in .+\\n`))
  expect(schedule.text()).toMatch(/UTC {2}verified for the night of .+: 0 findings\n/)
  schedule.child.kill('SIGTERM')
  expect(await schedule.ended).toBe(0)

  const once = start('--once')
  expect([await once.ended, once.text()]).toEqual([0, ''])
})
