/** A build in a separate process, with its own memory; sends its parent the cost. */

import type { SessionDate } from '../../../src/core/market/calendar.ts'
import { buildDay } from '../../build/day.ts'
import { silent } from '../../command/progress.ts'
import { measure, readPeakMib, type Taken } from './meter.ts'

/** Cost of a build: its steps in order, and its peak memory. */
export type ChildBuild = {
  readonly steps: readonly (Taken & { readonly step: string })[]
  /** CPU time of the whole process, including its start. */
  readonly cpu_seconds: number
  readonly peak_mib: number
  readonly order_count: number
}

async function build(dataFolder: string, date: SessionDate): Promise<ChildBuild> {
  const steps: (Taken & { step: string })[] = []
  const manifest = await buildDay({
    dataFolder,
    date,
    progress: {
      ...silent,
      step: async (step, work) => {
        const { taken, result } = await measure(work)
        steps.push({ step, ...taken })
        return result
      },
    },
  })
  const { user, system } = process.cpuUsage()
  return {
    steps,
    cpu_seconds: (user + system) / 1e6,
    peak_mib: readPeakMib('self')!,
    order_count: manifest.datasets.orders!.rows,
  }
}

if (import.meta.main) {
  const [dataFolder, date] = process.argv.slice(2) as [string, string]
  process.send!(await build(dataFolder, date))
  process.disconnect()
}
