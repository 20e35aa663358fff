import type { SessionDate } from '../../core/market/calendar.ts'
import type { Assumptions } from '../engine/trade.ts'
import { RuleSpec } from '../language/spec.ts'
import type { VariantRow } from '../optimize/rows.ts'
import type { StoredRun } from '../store/runTypes.ts'
import type { RunRequest } from '../verdict/request.ts'
import type { OnProgress } from '../verdict/run.ts'
import { CHILD_COUNT, type Pool } from './pool.ts'
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

/** Returns the request of a stored run. */
function toRunRequest(run: StoredRun): RunRequest {
  const { id, ideaId, kind, rule, assume, lineage } = run
  const { holdoutFrom, firstTestedTo, sealedKind } = run
  return {
    kind,
    job: id,
    seedId: ideaId ?? id,
    say: rule.say,
    ruleHash: rule.ruleHash,
    spec: RuleSpec.parse(JSON.parse(rule.spec)),
    assume: JSON.parse(assume) as Assumptions,
    holdoutFrom,
    firstTestedTo,
    sealedKind,
    lineage: {
      versions: lineage.versions,
      trials: lineage.trials,
      looks: lineage.looks,
      family_trials: lineage.familyTrials,
      family_looks: lineage.familyLooks,
    },
  }
}
