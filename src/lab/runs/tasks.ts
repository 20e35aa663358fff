import type { SessionDate } from '../../market/calendar.ts'
import type { LabMarket } from '../market/session.ts'
import type { VariantRow } from '../optimize/rows.ts'
import type { RunRequest } from '../verdict/request.ts'

/** What processes that compute runs are asked and say. */

type TaskBase<Do extends string> = {
  readonly do: Do
  /** Sessions after it are not looked at. */
  readonly through: SessionDate
}

export type Task =
  /** Reads the market ahead of any run, in one order or in the other. */
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

/** What a run answers, as it is kept. */
export type ComputedRun = {
  readonly result: string
  readonly summary: string
  readonly tradesSha256: string
  readonly variants: number
  readonly holdoutFrom: string | null
  readonly testedTo: string
  readonly testedKind: LabMarket['kind']
}

export type TaskReport = {
  readonly id: number
} /** It is past reading: what it does from now on ends with it. */ & (
  | { readonly isComputing: true }
  | { readonly done: number; readonly total: number }
  | { readonly handle: unknown }
  | { readonly refusal: string }
  | { readonly error: string }
)

export type TaskRequest = { readonly id: number; readonly task: Task }
