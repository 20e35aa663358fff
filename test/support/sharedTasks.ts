// Workers and submitters of stub tasks as processes, kills of them, and checks of their log.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StageTask, TaskStage } from '../../pipelines/upkeep/tasks.ts'
import { type Started, start, waitUntil } from './processes.ts'
import { randomNumbers } from './random.ts'
import { appendLine, type LogLine, type SharedTasksProcess } from './sharedTasksProcess.ts'

const SCRIPT = join(import.meta.dirname, 'sharedTasksProcess.ts')

/** A stub task that takes so many milliseconds. */
export const stubTask = (id: string, tookMs: number, needs: readonly string[] = []): StageTask => ({
  id,
  stage: id.split('-')[0] as TaskStage,
  from: '2026-10-15',
  to: '2026-10-15',
  needs,
  memory_gb: 0,
  cpu_seconds: tookMs / 1_000,
  inputs: '',
})

/** Folds of 50 to 500 ms, a carry that needs them all, and builds that need the carry. */
export function stubTasks(foldCount: number, buildCount: number, seed: number): StageTask[] {
  const random = randomNumbers(seed)
  const tookMs = () => Math.round(50 + random() * 450)
  const folds = Array.from({ length: foldCount }, (_, index) => stubTask(`fold-${index}`, tookMs()))
  const carry = stubTask(
    'carry-all',
    200,
    folds.map(({ id }) => id),
  )
  const builds = Array.from({ length: buildCount }, (_, index) =>
    stubTask(`build-${index}`, tookMs(), [carry.id]),
  )
  return [...folds, carry, ...builds]
}

export type Fleet = {
  /** Address of the database. */
  readonly url: string
  /** Workers that run, and those of them that take tasks. */
  readonly workers: () => readonly Started[]
  readonly readyWorkers: () => readonly Started[]
  readonly startWorker: () => Started
  /** Starts a worker, and waits until it takes tasks. */
  readonly addWorker: () => Promise<Started>
  readonly submit: () => Started
  readonly kill: (victim: Started) => Promise<void>
  /** Stops a process for some time without its knowledge. */
  readonly halt: (victim: Started, lastsMs: number) => Promise<void>
  readonly log: () => LogLine[]
  /** Ends all that runs, and removes the folder. */
  readonly end: () => Promise<void>
}

/** Opens a folder in which processes of a queue log what they do. */
export function openFleet(url: string, tasks: readonly StageTask[]): Fleet {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-shared-'))
  mkdirSync(join(folder, 'done'))
  writeFileSync(join(folder, 'tasks.json'), JSON.stringify(tasks))
  writeFileSync(join(folder, 'log'), '')
  const all = new Set<Started>()
  const workers = new Set<Started>()
  const launch = (role: SharedTasksProcess['role']) => {
    const given: SharedTasksProcess = { role, url, folder, workerCount: 1 }
    const started = start(process.execPath, [SCRIPT, JSON.stringify(given)])
    all.add(started)
    void started.ended.then(how => {
      all.delete(started)
      workers.delete(started)
      if (how === 'SIGKILL') appendLine(folder, { pid: started.pid, id: '', what: 'killed' })
    })
    return started
  }
  const startWorker = () => {
    const worker = launch('work')
    workers.add(worker)
    return worker
  }
  const isReady = (worker: Started) => worker.text().includes('waiting for tasks')
  const addWorker = async () => {
    const worker = startWorker()
    await waitUntil('a worker starts', () => isReady(worker))
    return worker
  }
  const kill = async (victim: Started) => {
    process.kill(victim.pid, 'SIGKILL')
    await victim.ended
  }
  return {
    url,
    workers: () => [...workers],
    readyWorkers: () => [...workers].filter(isReady),
    startWorker,
    addWorker,
    submit: () => launch('submit'),
    kill,
    halt: async ({ pid }, lastsMs) => {
      process.kill(pid, 'SIGSTOP')
      appendLine(folder, { pid, id: '', what: 'halted' })
      await new Promise(resolve => setTimeout(resolve, lastsMs))
      appendLine(folder, { pid, id: '', what: 'continued' })
      process.kill(pid, 'SIGCONT')
    },
    log: () => readLog(folder),
    end: async () => {
      const left = [...all]
      for (const { pid } of left) process.kill(pid, 'SIGKILL')
      await Promise.all(left.map(({ ended }) => ended))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export const readLog = (folder: string): LogLine[] =>
  readFileSync(join(folder, 'log'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))

/** Counts and times of a run, by its log. */
export type Judged = {
  /** Tasks that nobody did, or whose end was not reported. */
  readonly lost: readonly string[]
  /** Tasks whose end was reported more than once by one submitter, or that were done twice. */
  readonly doubled: readonly string[]
  /** Longest time, in milliseconds, for which two processes did the same task. */
  readonly overlapMs: number
  /** Ends that were reported as failed, as 'ID: REASON'. */
  readonly failed: readonly string[]
  /** Times from the death of a worker until its task began again, in milliseconds, in order. */
  readonly againMs: readonly number[]
  /** From the first begin to the last report, in milliseconds. */
  readonly lastedMs: number
  /** Time that the tasks which were done took, each alone, in milliseconds. */
  readonly doneMs: number
  /** Time from the first task of each worker to its last, in milliseconds. */
  readonly upMs: number
}

type Span = {
  readonly id: string
  readonly pid: number
  readonly fromMs: number
  readonly toMs: number
  /** True when the task was done at its end. */
  readonly isDone: boolean
}

/** Judges a log; `submitterPid` is the process whose reports count. */
export function judge(
  lines: readonly LogLine[],
  tasks: readonly StageTask[],
  submitterPid: number,
): Judged {
  const reports = lines.filter(({ what, pid }) => what === 'reported' && pid === submitterPid)
  const count = (found: readonly LogLine[], id: string) =>
    found.filter(line => line.id === id).length
  const ended = new Set(lines.filter(({ what }) => what === 'end').map(({ id }) => id))
  const reported = Map.groupBy(reports, ({ id }) => id)
  const poison = new Set(tasks.filter(({ inputs }) => inputs === 'poison').map(({ id }) => id))
  const { spans, againMs } = findSpans(lines)
  const doubled = lines.filter(({ what }) => what === 'doubled').map(({ id }) => id)
  return {
    lost: tasks
      .filter(({ id }) => !reported.has(id) || !(ended.has(id) || poison.has(id)))
      .map(({ id }) => id),
    doubled: [
      ...doubled,
      ...tasks.filter(({ id }) => count(reported.get(id) ?? [], id) > 1).map(({ id }) => id),
    ],
    overlapMs: findOverlapMs(spans),
    failed: reports
      .filter(({ outcome }) => outcome === 'failed')
      .map(({ id, reason }) => `${id}: ${reason}`),
    againMs: againMs.sort((a, b) => a - b),
    lastedMs:
      Math.max(...reports.map(({ atMs }) => atMs)) -
      Math.min(...lines.filter(({ what }) => what === 'begin').map(({ atMs }) => atMs)),
    doneMs: spans
      .filter(({ isDone }) => isDone)
      .reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0),
    upMs: [...Map.groupBy(spans, ({ pid }) => pid).values()].reduce(
      (sum, own) =>
        sum +
        Math.max(...own.map(({ toMs }) => toMs)) -
        Math.min(...own.map(({ fromMs }) => fromMs)),
      0,
    ),
  }
}

/** Spans in which a process worked on a task, without those in which it stood still. */
export function findSpans(lines: readonly LogLine[]): { spans: Span[]; againMs: number[] } {
  const spans: Span[] = []
  const againMs: number[] = []
  const open = new Map<string, Span>()
  const died = new Map<string, number>()
  const close = (key: string, atMs: number, isDone = false) => {
    const span = open.get(key)
    if (span) spans.push({ ...span, toMs: atMs, isDone })
    open.delete(key)
  }
  const halted = new Map<number, Span[]>()
  for (const { what, pid, id, atMs } of lines) {
    const own = [...open.values()].filter(span => span.pid === pid)
    const key = `${pid} ${id}`
    if (what === 'begin') {
      const diedMs = died.get(id)
      if (diedMs !== undefined) againMs.push(atMs - diedMs)
      died.delete(id)
      open.set(key, { id, pid, fromMs: atMs, toMs: atMs, isDone: false })
    } else if (what === 'killed') {
      for (const span of own) {
        died.set(span.id, atMs)
        close(`${pid} ${span.id}`, atMs)
      }
    } else if (what === 'halted') {
      for (const span of own) close(`${pid} ${span.id}`, atMs)
      halted.set(pid, own)
    } else if (what === 'continued') {
      for (const span of halted.get(pid) ?? []) {
        open.set(`${pid} ${span.id}`, { ...span, fromMs: atMs, toMs: atMs })
      }
    } else if (what !== 'reported') close(key, atMs, what === 'end')
  }
  return { spans, againMs }
}

/** Longest time, in milliseconds, for which two processes did the same task. */
export function findOverlapMs(spans: readonly Span[]): number {
  let longestMs = 0
  for (const same of Map.groupBy(spans, ({ id }) => id).values()) {
    for (const [index, a] of same.entries()) {
      for (const b of same.slice(index + 1)) {
        if (a.pid === b.pid) continue
        const bothMs = Math.min(a.toMs, b.toMs) - Math.max(a.fromMs, b.fromMs)
        longestMs = Math.max(longestMs, bothMs)
      }
    }
  }
  return longestMs
}

/** The value below which a share of sorted values lies. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
