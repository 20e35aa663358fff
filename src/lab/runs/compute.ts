import type { SessionDate } from '../../core/market/calendar.ts'
import type { VariantRow } from '../optimize/rows.ts'
import type { StoredRun } from '../store/runTypes.ts'
import type { OnProgress } from '../verdict/run.ts'
import { CHILD_COUNT, type Pool } from './pool.ts'
import { toRunRequest } from './request.ts'
import type { ComputedRun } from './tasks.ts'

export type Computing = {
  /** Last session to read. */
  readonly through: SessionDate
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
}

/** Computes a run: shares of a quant's variants in parallel, then the whole result. */
export async function compute(
  pool: Pool,
  run: StoredRun,
  { through, signal, onProgress }: Computing,
): Promise<ComputedRun> {
  const request = toRunRequest(run)
  if (run.kind !== 'quant') {
    const task = { do: 'run', through, request, rows: null } as const
    return (await pool.runTask(task, { signal, onProgress })) as ComputedRun
  }
  // the first share to fail aborts the others
  const shares = new AbortController()
  const both = AbortSignal.any([signal, shares.signal])
  const progress = Array.from({ length: CHILD_COUNT }, () => ({ done: 0, total: 0 }))
  const tasks = progress.map((_, part) => {
    const task = { do: 'rows', through, request, part, of: CHILD_COUNT } as const
    return pool.runTask(task, {
      signal: both,
      onProgress: (done, total) => {
        progress[part] = { done, total }
        const sum = (name: 'done' | 'total') => progress.reduce((all, one) => all + one[name], 0)
        onProgress(sum('done'), sum('total'))
      },
    })
  })
  try {
    const rows = (await Promise.all(tasks)).flat() as VariantRow[]
    return (await pool.runTask({ do: 'run', through, request, rows }, { signal })) as ComputedRun
  } finally {
    shares.abort()
    await Promise.allSettled(tasks)
  }
}
