import type { SessionDate } from '../../core/market/calendar.ts'
import type { LabMarket } from '../market/session.ts'
import type { VariantRow } from '../optimize/rows.ts'
import type { RunRequest } from '../verdict/request.ts'
import type { ComputedResult, OnProgress } from '../verdict/run.ts'

/** The engine that computes runs, as the process around it sees it. */

export type WantedMarket = {
  readonly dataFolder: string
  readonly dteMax: number
  readonly through: SessionDate
  /** True to read the newest sessions first. */
  readonly isBackwards?: boolean
}

export type RunEngine = {
  /** Returns the sessions up to a day, with the expiries that rules of a given dte need. */
  readonly readMarket: (wanted: WantedMarket) => Promise<LabMarket>
  /** Computes one of several shares of a quant's variants; sent to another process. */
  readonly variantRows: (
    market: LabMarket,
    request: RunRequest,
    share: { readonly part: number; readonly of: number },
    onProgress: OnProgress,
  ) => readonly VariantRow[]
  /** Computes the whole result; `rows` are all shares of a quant, and null for other kinds. */
  readonly computeRun: (
    market: LabMarket,
    request: RunRequest,
    rows: readonly VariantRow[] | null,
    onProgress: OnProgress,
  ) => ComputedResult
}
