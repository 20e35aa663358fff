import type { Assumptions } from '../engine/trade.ts'
import { RuleSpec } from '../language/spec.ts'
import type { StoredRun } from '../store/runTypes.ts'
import type { RunRequest } from '../verdict/request.ts'

/** Returns the request of a stored run. */
export function toRunRequest(run: StoredRun): RunRequest {
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
