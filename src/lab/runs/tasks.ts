import type { SessionDate } from '../../core/market/calendar.ts'
import type { LabMarket } from '../market/session.ts'
import type { VariantRow } from '../optimize/rows.ts'
import type { SealedRun } from '../store/runTypes.ts'
import type { RunRequest } from '../verdict/request.ts'

/** Messages between the server and the processes that compute runs. */

type TaskBase<Do extends string> = {
  readonly do: Do
  /** Last session to read. */
  readonly through: SessionDate
}

export type Task =
  /** Reads the market ahead of any run, forwards or backwards. */
  | (TaskBase<'warm'> & { readonly isBackwards: boolean })
  /** A share of a quant's variants. */
  | (TaskBase<'rows'> & {
      readonly request: RunRequest
      readonly part: number
      readonly of: number
    })
  | (TaskBase<'run'> & {
      readonly request: RunRequest
      readonly rows: readonly VariantRow[] | null
    })

/** Result of a run, as it is stored. */
export type ComputedRun = {
  /** The result as it is shown while the holdout is sealed. */
  readonly result: string
  readonly summary: string
  readonly tradesSha256: string
  readonly variants: number
  readonly holdoutFrom: string | null
  readonly testedTo: string
  readonly testedKind: LabMarket['kind']
  /** Stored for the time when the holdout is opened; null: nothing is sealed. */
  readonly sealed: SealedRun | null
}

/** `isComputing`: the market has been read; from now on an abort kills the process. */
export type TaskReport = {
  readonly id: number
} & (
  | { readonly isComputing: true }
  | { readonly done: number; readonly total: number }
  | { readonly value: unknown }
  | { readonly refusal: string }
  | { readonly error: string }
)

export type TaskRequest = { readonly id: number; readonly task: Task }
