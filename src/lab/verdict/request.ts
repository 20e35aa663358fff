import type { Assumptions } from '../engine/trade.ts'
import type { RuleSpec } from '../language/spec.ts'
import type { LabMarket } from '../market/session.ts'
import type { LabResult } from '../result.ts'

/** What a run of LAB is asked. */
export type RunRequest = {
  readonly kind: LabResult['kind']
  readonly job: string
  /** The idea's id: all chance of a result is drawn from it. */
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
  /** Which sessions those two are of; none: of any. */
  readonly sealedKind?: LabMarket['kind'] | null
  /** This run is counted, as one trial; the result counts each variant of a quant. */
  readonly lineage: LabResult['lineage']
}

/** A run that cannot be: its message says why, in one sentence for people. */
export class RunRefused extends Error {}
