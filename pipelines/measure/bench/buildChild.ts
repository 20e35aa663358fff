/** A build in a separate process, with its own memory; sends its parent the cost of each step. */

import '../../../src/server/registerAreas.ts'
import { buildDay } from '../../build/day.ts'
import { silent } from '../../command/progress.ts'
import { type Cost, measure } from './meter.ts'

/** Cost of a build: its steps by their name, in order, and its peak memory. */
export type ChildBuild = {
  readonly steps: Readonly<Record<string, Cost>>
  /** CPU time of the whole process, including its start. */
  readonly cpu_seconds: number
  readonly peak_mib: number
  readonly orders: number
}

async function build(dataFolder: string, date: string): Promise<ChildBuild> {
  const steps: Record<string, Cost> = {}
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const { cost, result } = await measure(work)
    steps[name] = cost
    return result
  }
  const manifest = await buildDay({ dataFolder, date, progress: { ...silent, step } })
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  return {
    steps,
    cpu_seconds: (userCPUTime + systemCPUTime) / 1e6,
    peak_mib: maxRSS / 1024,
    orders: manifest.datasets.orders!.rows,
  }
}

if (import.meta.main) {
  const [dataFolder, date] = process.argv.slice(2) as [string, string]
  process.send!(await build(dataFolder, date))
  process.disconnect()
}
