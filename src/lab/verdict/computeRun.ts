import { backtest } from '../engine/backtest.ts'
import type { LabMarket } from '../market/session.ts'
import type { VariantRow } from '../optimize/rows.ts'
import type { RunRequest } from './request.ts'
import { type ComputedResult, type OnProgress, rowsWith, runWith } from './run.ts'

/**
 * Computes a run of LAB: its result, the part of it that is shown while its holdout is sealed, and
 * the ledger behind each figure. The same market, request
 * and code give the same bytes. Throws RunRefused when there is no session to test on.
 *
 * Processes may share the variants of a quant: each computes its part with `variantRows`, and one
 * of them passes all rows here, in any order. Missing rows are computed here.
 */
export function computeRun(
  market: LabMarket,
  request: RunRequest,
  onProgress?: OnProgress,
  rows?: readonly VariantRow[],
): ComputedResult {
  return runWith({ market, request, replay: backtest, onProgress, rows })
}

/**
 * Computes a share of the variants of a quant: those at `part`, `part` + `of` and so on. Rows are
 * plain JSON. Throws RunRefused as computeRun does.
 */
export function variantRows(
  market: LabMarket,
  request: RunRequest,
  share: { readonly part: number; readonly of: number },
  onProgress?: OnProgress,
): VariantRow[] {
  return rowsWith({ market, request, replay: backtest, onProgress }, share)
}
