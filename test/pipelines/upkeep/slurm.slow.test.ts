// The recipe of docs/scale.md under a Slurm of this machine: hundreds of stub tasks with kills, and
// the tasks of a real plan. `npm run chaos` runs the whole.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/core/clock.ts'
import { publishedSessions } from '../../../src/data/published/manifest.ts'
import { isChaos, report } from '../../support/chaos.ts'
import { importPlanned, PLANNED, runPlanCommand } from '../../support/planCommands.ts'
import { waitUntil } from '../../support/processes.ts'
import { randomNumbers } from '../../support/random.ts'
import { findOverlapMs, findSpans, readLog, stubTasks } from '../../support/sharedTasks.ts'
import { appendLine, type LogLine } from '../../support/sharedTasksProcess.ts'
import { hasSlurm, type Slurm, startSlurm } from '../../support/slurm.ts'

const [FOLDS, BUILDS, KILLS] = isChaos ? [270, 30, 40] : [27, 3, 4]
/** Cores of the node, whether the machine has them or not; a task takes two. */
const CORES = 16

const ROOT = join(import.meta.dirname, '../../..')
const TAPEFOLD = 'npm run -s tapefold --'
const STUB = `${process.execPath} ${join(ROOT, 'test/support/slurmTask.ts')}`

/** The recipe of the document, for a folder and a range. */
function readRecipe(dataFolder: string, range: readonly string[], tapefold: string): string {
  const page = readFileSync(join(ROOT, 'docs/scale.md'), 'utf8')
  const [, recipe] = /### Slurm\n[\s\S]*?```bash\n([\s\S]*?)```/.exec(page)!
  return recipe!
    .replaceAll(TAPEFOLD, tapefold)
    .replaceAll('/srv/tapefold', dataFolder)
    .replaceAll('2006-01-03 2026-11-25', range.join(' '))
}

describe.skipIf(!hasSlurm)('the recipe for Slurm', () => {
  let slurm: Slurm
  let folder: string

  beforeAll(async () => {
    slurm = await startSlurm(CORES)
    folder = mkdtempSync(join(tmpdir(), 'tapefold-recipe-'))
  })
  afterAll(async () => {
    await slurm.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs the recipe in a folder; returns once its jobs are submitted. */
  function submit(recipe: string): void {
    const cwd = join(folder, 'jobs')
    mkdirSync(cwd, { recursive: true })
    writeFileSync(join(folder, 'recipe'), `cd ${cwd}\nset -e\n${recipe}`)
    const { status, stderr } = slurm.run('bash', join(folder, 'recipe'))
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  }

  /** Tasks that are being done, by the log. */
  function listRunning(): LogLine[] {
    const open = new Map<string, LogLine>()
    for (const line of readLog(folder)) {
      if (line.what === 'begin') open.set(`${line.pid} ${line.id}`, line)
      else open.delete(`${line.pid} ${line.id}`)
    }
    return [...open.values()]
  }

  /** Kills the process of a task, or has Slurm end it and queue it again; false: it has ended. */
  function harm({ pid, id }: LogLine, isRequeued: boolean): boolean {
    try {
      if (!isRequeued) {
        process.kill(pid, 'SIGKILL')
        appendLine(folder, { pid, id, what: 'killed' })
        return true
      }
      const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      const [job, task] = ['SLURM_ARRAY_JOB_ID', 'SLURM_ARRAY_TASK_ID'].map(name =>
        variables.find(text => text.startsWith(`${name}=`))!.slice(name.length + 1),
      )
      return slurm.run('scontrol', 'requeue', `${job}_${task}`).status === 0
    } catch {
      return false
    }
  }

  test(`${FOLDS + BUILDS + 1} tasks with ${KILLS} kills: none is lost, none overlaps`, async () => {
    const tasks = stubTasks(FOLDS, BUILDS, 5)
    mkdirSync(join(folder, 'done'))
    writeFileSync(join(folder, 'tasks.json'), JSON.stringify(tasks))
    writeFileSync(join(folder, 'log'), '')
    submit(readRecipe(folder, ['2006-01-03', '2026-11-25'], STUB))
    const startMs = systemClock.nowMs()
    const random = randomNumbers(6)
    for (let kills = 0; kills < KILLS; ) {
      const running = listRunning()
      const victim = running[Math.floor(random() * running.length)]
      const ended = readLog(folder).filter(({ what }) => what === 'end').length
      const isDue = ended >= (kills * FOLDS) / (KILLS + 1)
      if (victim && isDue && harm(victim, kills % 2 === 1)) {
        kills += 1
        report('tried', 'tasks killed under Slurm')
      }
      await sleep(20)
    }
    await waitUntil('all jobs end', () => slurm.countJobs() === 0)
    const log = readLog(folder)
    const { spans } = findSpans(log)
    const of = (wanted: LogLine['what']) => log.filter(({ what }) => what === wanted)
    const [ended, again, doubled] = [of('end'), of('again'), of('doubled')]
    const overlapMs = findOverlapMs(spans)
    const lost = tasks.filter(({ id }) => !ended.some(line => line.id === id)).map(({ id }) => id)
    const position = (stage: string, what: string, at: number) =>
      log
        .map((line, index) => (line.what === what && line.id.startsWith(stage) ? index : -1))
        .filter(index => index >= 0)
        .at(at)!
    process.stdout.write(
      `${slurm.version}: ${tasks.length} tasks, ${KILLS} kills (half of them by scontrol requeue), ` +
        `${((systemClock.nowMs() - startMs) / 1_000).toFixed(0)} s; ${lost.length} lost, ` +
        `${doubled.length} doubled, ${again.length} begun again when done, longest overlap ` +
        `${overlapMs} ms\n`,
    )
    expect({ lost, doubled, overlapMs }).toEqual({ lost: [], doubled: [], overlapMs: 0 })
    expect(position('fold', 'end', -1)).toBeLessThan(position('carry', 'begin', 0))
    expect(position('carry', 'end', -1)).toBeLessThan(position('build', 'begin', 0))
    report('right', 'tasks killed under Slurm', KILLS)
  })

  test('the tasks of a real plan publish its range', async () => {
    const { root, dataFolder } = await importPlanned()
    submit(readRecipe(dataFolder, PLANNED, `npm --prefix ${ROOT} run -s tapefold --`))
    await waitUntil('all jobs end', () => slurm.countJobs() === 0)
    expect(publishedSessions(dataFolder)).toEqual(PLANNED)
    const { output } = runPlanCommand(dataFolder, 'plan', ...PLANNED, '--json')
    expect(JSON.parse(output).tasks).toEqual([])
    rmSync(root, { recursive: true, force: true })
  })
})
