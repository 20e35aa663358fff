import type { ChangeResponse, Repeat } from './repeats.ts'

/** What is kept of the alerts that an account has set, and what can be asked of it. */

export type StoredAlertLine = {
  readonly id: string
  /** `price` or `level`: which of the columns below are set. */
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

/** A line, and where it stands in a run of the watch. */
export type StoredAlertLineState = {
  readonly isArmed: boolean
  /** When it last fired, milliseconds since the Unix epoch; null when it has not. */
  readonly firedAtMs: number | null
}

/** Since when a line or a rule is as it is: what happened before is no news to it. */
export type SetAt = { readonly setAtMs: number }

export type StoredAlertRule = {
  readonly id: string
  /** JSON. */
  readonly body: string
}

/** All that an account has set, lines and rules oldest first. */
export type StoredAlerts = {
  /** JSON of the entries that were set; null when none was. */
  readonly list: string | null
  readonly lines: readonly (StoredAlertLine & StoredAlertLineState & SetAt)[]
  readonly rules: readonly (StoredAlertRule & SetAt)[]
}

/** What becomes of the alerts of an account. */
export type AlertsChange = {
  readonly list?: string
  /** Added, or replaced; `isMoved` makes it one that has not fired. */
  readonly putLine?: StoredAlertLine & { readonly isMoved: boolean }
  readonly putRule?: StoredAlertRule
  /** Of a line or a rule. */
  readonly removeId?: string
  /** Of a line that waits for its price again, in the live run. */
  readonly armId?: string
  readonly response: string
}

export type AlertsRequest = {
  readonly accountId: string
  readonly atMs: number
  /** Set when the client may ask the same again, and then wants the same answer. */
  readonly repeat: Repeat | null
  /** Decides on what the account has set. Its error changes nothing and is thrown. */
  readonly decide: (stored: StoredAlerts) => AlertsChange
}

/** What a watch has to know anew. */
export type WatchedAlerts = {
  /** To be given the next time. */
  readonly version: number
  /** Forget all that was known: the database is older than it, as after a restore. */
  readonly isWhole: boolean
  /** Accounts that are on a plan of the Orders API; those never told of have the usual list. */
  readonly accountIds: readonly string[]
  /** What was changed since the version that was given, of any account. */
  readonly changed: readonly (StoredAlerts & { readonly accountId: string })[]
}

/** The alert settings of accounts: every operation is one statement or one transaction. */
export type AlertSettings = {
  /** As they stand in the live run. */
  readonly read: (accountId: string) => Promise<StoredAlerts>
  /** Changes what an account has set, as `changePositions` does. */
  readonly change: (request: AlertsRequest) => Promise<ChangeResponse | null>
  /** Settings that were changed since a version, 0 for all, as they stand in a run. */
  readonly watched: (query: {
    readonly sinceVersion: number
    readonly atMs: number
    readonly run: string
  }) => Promise<WatchedAlerts>
}
