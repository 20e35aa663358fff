// A backfill on one machine whose processes are killed: nothing is lost, and nothing is left over.

import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sessionsFrom } from '../../../pipelines/measure/bench/tape.ts'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { COMMAND_PROCESS } from '../../../src/core/pipeline.ts'
import { counted, findContent, isChaos, report } from '../../support/chaos.ts'
import { randomNumbers } from '../../support/random.ts'

const DATES = sessionsFrom('2026-10-05', isChaos ? 20 : 3)
const CHILD_KILLS = isChaos ? 10 : 2
const PARENT_KILLS = isChaos ? 3 : 1
const root = mkdtempSync(join(tmpdir(), 'tapefold-workers-'))
const quiet = join(root, 'quiet')
const killed = join(root, 'killed')

beforeAll(async () => {
  for (const [index, date] of DATES.entries()) {
    const out = join(root, date)
    const size = { prints: 300, contracts: 150, seed: 4 + index, hasQuotes: false }
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, date, out })
    await importSimulated(quiet, out, ['prints', 'spots'])
  }
  cpSync(quiet, killed, { recursive: true })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function startBackfill(dataFolder: string) {
  const range = [DATES[0]!, DATES.at(-1)!]
  const args = [COMMAND_PROCESS, 'backfill', ...range, '--workers', '2', '--data', dataFolder]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
  }
  const ended = new Promise<{ code: number | null; text: string }>(resolve =>
    child.on('close', code => resolve({ code, text })),
  )
  return { child, ended }
}

/** Process numbers of the tasks that run. */
function listTasks({ pid }: ChildProcess): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

const delay = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Kills processes of one backfill at random moments; returns the kills of tasks that it did. */
async function killTasks(backfill: ReturnType<typeof startBackfill>, count: number, seed: number) {
  const random = randomNumbers(seed)
  let kills = 0
  while (kills < count && backfill.child.exitCode === null) {
    await delay(500 + random() * 4_000)
    const [task] = listTasks(backfill.child)
    if (task === undefined) continue
    process.kill(task, 'SIGKILL')
    kills++
  }
  return kills
}

const manifests = (dataFolder: string) => DATES.map(date => findContent(dataFolder, date))

test('killed children and a killed parent cost nothing but time', async () => {
  expect((await startBackfill(quiet).ended).code).toBe(0)
  for (let round = 0; round < PARENT_KILLS; round++) {
    const backfill = startBackfill(killed)
    await delay(4_000 + round * 9_000)
    backfill.child.kill('SIGKILL')
    report('tried', 'workers killed in a backfill')
    await backfill.ended
    report('right', 'workers killed in a backfill')
  }
  await counted('workers killed in a backfill', async () => {
    const backfill = startBackfill(killed)
    const kills = await killTasks(backfill, CHILD_KILLS, 11)
    const { code, text } = await backfill.ended
    expect(text).toMatch(/\n\d+ built, \d+ up to date, 0 failed\n$/)
    expect(code).toBe(0)
    report('tried', 'workers killed in a backfill', Math.max(0, kills - 1))
    expect(manifests(killed)).toEqual(manifests(quiet))
    report('right', 'workers killed in a backfill', Math.max(0, kills - 1))
  })
  // no queue file, and nothing that the stages handed on
  for (const name of ['jobs.sqlite', 'stages']) expect(existsSync(join(killed, name))).toBe(false)
})
