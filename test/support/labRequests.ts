// Requests for tests of ideas, each with a key: the same one however often it is sent.

import { ASSUMED } from '../../src/lab/engine/trade.ts'
import type { RuleSpec } from '../../src/lab/language/spec.ts'
import { type BeginDeps, type Begun, beginRun, beginStruct } from '../../src/lab/runs/queryRuns.ts'

/** A test of an idea, or of a rule alone. */
export type LabRequest = { readonly key: string; readonly accountId: string } & (
  | { readonly kind: 'backtest' | 'quant'; readonly id: string }
  | { readonly kind: 'struct'; readonly spec: RuleSpec }
)

/** Requests a test, as the API does for the plan LAB. */
export function query(deps: BeginDeps, request: LabRequest): Promise<Begun> {
  const { key, accountId } = request
  const requester = { accountId, monthlyCredits: 30 }
  const repeat = { key, requestHash: key }
  return request.kind === 'struct'
    ? beginStruct(deps, requester, { spec: request.spec, assume: ASSUMED }, repeat)
    : beginRun(deps, requester, request, repeat)
}
