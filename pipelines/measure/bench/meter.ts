import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

/** Cost of some work: wall-clock seconds, and CPU seconds of all cores together. */
export type Cost = { readonly seconds: number; readonly cpu_seconds: number }

/** Ticks of the kernel's clock in a second, as Linux reports them to every program (USER_HZ). */
const TICKS_PER_SECOND = 100
const KIB_PER_MIB = 1024

/** Runs work of this process and measures it. */
export async function measure<T>(
  work: () => Promise<T>,
): Promise<{ readonly cost: Cost; readonly result: T }> {
  const startMs = performance.now()
  const cpuBefore = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(cpuBefore)
  const seconds = (performance.now() - startMs) / 1000
  return { cost: { seconds, cpu_seconds: (user + system) / 1e6 }, result }
}

/** Runs a yardstick several times and returns the fastest: the strictest comparison. */
export async function fastest(times: number, work: () => Promise<unknown>): Promise<Cost> {
  const seen: Cost[] = []
  for (let time = 0; time < times; time++) seen.push((await measure(work)).cost)
  return fastestRun(seen)
}

/** The fastest of several runs. */
export const fastestRun = <Run extends Cost>(runs: readonly Run[]): Run =>
  runs.reduce((best, run) => (run.seconds < best.seconds ? run : best))

/**
 * The nearest-rank percentile: the smallest value that at least this share of all values does not
 * exceed. `share` is above 0 and at most 1. NaN of none.
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  // 0.07 * 100 is a hair above 7: the next rank must not be taken for it
  const rank = Math.ceil(Number((share * sorted.length).toPrecision(12)))
  return sorted[rank - 1] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** CPU seconds, user and system, that a process has taken so far (proc(5), fields 14 and 15). */
export function readCpuSeconds(pid: number): number {
  // the name of the program may contain spaces: the text after its bracket does not
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Peak memory of a process, MiB: VmHWM of proc(5). Null when it is gone. */
export function readPeakMib(pid: number | 'self'): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kib = /^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]
    return kib === undefined ? null : Number(kib) / KIB_PER_MIB
  } catch {
    return null
  }
}

/** The processes that still run of those a process, or one of these, has started (proc(5)). */
export function listDescendants(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    const children = text.trim().split(' ').filter(Boolean).map(Number)
    return children.flatMap(child => [child, ...listDescendants(child)])
  } catch {
    return []
  }
}
