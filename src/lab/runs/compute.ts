import type { KeptRun } from '../../accounts/labRunTypes.ts'
import type { SessionDate } from '../../market/calendar.ts'
import type { VariantRow } from '../optimize/rows.ts'
import type { OnProgress } from '../verdict/run.ts'
import { CHILD_COUNT, type Pool } from './pool.ts'
import { requestOf } from './request.ts'
import type { ComputedRun } from './tasks.ts'

export type Computing = {
  /** Sessions after it are not looked at. */
  readonly through: SessionDate
  readonly signal: AbortSignal
  readonly onProgress: OnProgress
}

/** Computes a run: the variants of a quant in shares side by side, then the answer of all. */
export async function compute(
  pool: Pool,
  run: KeptRun,
  { through, signal, onProgress }: Computing,
): Promise<ComputedRun> {
  const request = requestOf(run)
  if (run.kind !== 'quant') {
    const task = { do: 'run', through, request, rows: null } as const
    return (await pool.ask(task, { signal, onProgress })) as ComputedRun
  }
  // one share that fails ends the others
  const shares = new AbortController()
  const both = AbortSignal.any([signal, shares.signal])
  const told = Array.from({ length: CHILD_COUNT }, () => ({ done: 0, total: 0 }))
  const asked = told.map((_, part) => {
    const task = { do: 'rows', through, request, part, of: CHILD_COUNT } as const
    return pool.ask(task, {
      signal: both,
      onProgress: (done, total) => {
        told[part] = { done, total }
        const sum = (name: 'done' | 'total') => told.reduce((all, one) => all + one[name], 0)
        onProgress(sum('done'), sum('total'))
      },
    })
  })
  try {
    const rows = (await Promise.all(asked)).flat() as VariantRow[]
    return (await pool.ask({ do: 'run', through, request, rows }, { signal })) as ComputedRun
  } finally {
    shares.abort()
    await Promise.allSettled(asked)
  }
}
