import type { SessionDate } from '../../market/calendar.ts'
import type { TradeLedger } from '../engine/trade.ts'
import type { LabMarket } from '../market/session.ts'
import type { VariantRow } from '../optimize/rows.ts'
import type { LabResult } from '../result.ts'
import type { RunRequest } from '../verdict/request.ts'
import type { OnProgress } from '../verdict/run.ts'

/** What computes runs, as far as the process around it knows it. */

export type WantedMarket = {
  readonly dataFolder: string
  readonly dteMax: number
  readonly through: SessionDate
  /** Whether the newest sessions are read first. */
  readonly isBackwards?: boolean
}

export type RunEngine = {
  /** The sessions up to a day, with what rules of so many days to expiry need. */
  readonly readMarket: (wanted: WantedMarket) => Promise<LabMarket>
  /** The share of a quant's variants that is the part-th of so many; it goes to another process. */
  readonly variantRows: (
    market: LabMarket,
    request: RunRequest,
    share: { readonly part: number; readonly of: number },
    onProgress: OnProgress,
  ) => readonly VariantRow[]
  /** The whole answer; `rows` are all shares of a quant, and null for other kinds. */
  readonly computeRun: (
    market: LabMarket,
    request: RunRequest,
    rows: readonly VariantRow[] | null,
    onProgress: OnProgress,
  ) => { readonly result: LabResult; readonly ledger: TradeLedger }
}
