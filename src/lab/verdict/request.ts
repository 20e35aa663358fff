import type { Assumptions } from '../engine/trade.ts'
import type { RuleSpec } from '../language/spec.ts'
import type { LabMarket } from '../market/session.ts'
import type { LabResult } from '../result.ts'

/** Request of a LAB run. */
export type RunRequest = {
  readonly kind: LabResult['kind']
  readonly job: string
  /** Id of the idea, which seeds all random numbers of a result. */
  readonly seedId: string
  readonly spec: RuleSpec
  /** The rule in words. */
  readonly say: string
  readonly ruleHash: string
  readonly assume: Assumptions
  /** First session of the holdout, as the first test of the idea fixed it; null: none is fixed. */
  readonly holdoutFrom: string | null
  /** Newest session at the first test of the idea; null: this is the first. */
  readonly firstTestedTo: string | null
  /** Kind of the sessions that those two refer to; none: any kind. */
  readonly sealedKind?: LabMarket['kind'] | null
  /** This run counts as one trial; the result adds each variant of a quant. */
  readonly lineage: LabResult['lineage']
}

/** Raised for a run that is impossible: its message explains why, in one sentence for people. */
export class RunRefused extends Error {}
