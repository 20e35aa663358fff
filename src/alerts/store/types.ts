import type { ChangeResponse, OneRequest } from '../../accounts/repeats.ts'
import type { AccountStore } from '../../accounts/types.ts'

/** Stored alert settings of accounts, and their queries. */

export type StoredAlertLine = {
  readonly id: string
  /** `price` or `level`: determines which of the columns below are set. */
  readonly kind: string
  readonly price: number | null
  readonly book: string | null
  readonly level: string | null
  /** Index points from the level. */
  readonly offset: number | null
  readonly direction: string
  readonly mode: string
  readonly note: string | null
}

/** A line and its state in a run of the watch. */
export type StoredAlertLineState = {
  readonly isArmed: boolean
  /** Last firing, milliseconds since the Unix epoch; null when it has not fired. */
  readonly firedAtMs: number | null
}

/** Time of the last change of a line or a rule: it ignores earlier events. */
export type SetAt = { readonly setAtMs: number }

export type StoredAlertRule = {
  readonly id: string
  /** JSON. */
  readonly body: string
}

/** All settings of an account, lines and rules oldest first. */
export type StoredAlerts = {
  /** JSON of the configured entries; null when there are none. */
  readonly list: string | null
  readonly lines: readonly (StoredAlertLine & StoredAlertLineState & SetAt)[]
  readonly rules: readonly (StoredAlertRule & SetAt)[]
}

/** Change to the alerts of an account. */
export type AlertsChange = {
  readonly list?: string
  /** Added, or replaced; `isMoved` resets it to not fired. */
  readonly putLine?: StoredAlertLine & { readonly isMoved: boolean }
  readonly putRule?: StoredAlertRule
  /** Id of a line or a rule. */
  readonly removeId?: string
  /** Id of a line to arm again in the live run. */
  readonly armId?: string
  readonly response: string
}

export type AlertsRequest = OneRequest & {
  /** Decides on the stored settings. Its error changes nothing and is thrown. */
  readonly decide: (stored: StoredAlerts) => AlertsChange
}

/** Updates that a watch has to load. */
export type WatchedAlerts = {
  /** Version to pass to the next query. */
  readonly version: number
  /**
   * True: discard all earlier settings, since the database is older than them, as after a restore.
   */
  readonly isWhole: boolean
  /** Accounts on a plan of the Orders API; those never in `changed` have the default list. */
  readonly accountIds: readonly string[]
  /** Changes since the given version, of any account. */
  readonly changed: readonly (StoredAlerts & { readonly accountId: string })[]
}

/** Alert settings of accounts; every operation is one statement or one transaction. */
export type AlertSettings = {
  /** Settings with their states in the live run. */
  readonly read: (accountId: string) => Promise<StoredAlerts>
  /** Changes the settings of an account, as `changePositions` does. */
  readonly change: (request: AlertsRequest) => Promise<ChangeResponse | null>
  /** Settings changed since a version, 0 for all, with their states in a run. */
  readonly watched: (query: {
    readonly sinceVersion: number
    readonly atMs: number
    readonly run: string
  }) => Promise<WatchedAlerts>
}

/** Accounts, with their alert settings. */
export type AlertAccounts = AccountStore & { readonly alerts: AlertSettings }
