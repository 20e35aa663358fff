import type { ChangeResponse, OneRequest } from '../../accounts/repeats.ts'
import type { AccountStore } from '../../accounts/types.ts'
import type { WebhookEndpoint } from '../../outbox/store/types.ts'

/** Stored positions of accounts, and their queries. */

export type StoredPosition = {
  readonly id: string
  /** JSON. */
  readonly body: string
}

/** A position that may have alerts, and the time it was last saved. */
export type AlertingPosition = StoredPosition & {
  readonly accountId: string
  readonly updatedAtMs: number
}

/** Webhook endpoint of a position's alerts, to be switched on. */
export type PositionEndpoint = {
  readonly url: string
  /** Secret for an account that has none; null when this server cannot seal one. */
  readonly firstSecret: string | null
}

/** Change to the positions of an account: one is put (added, or replaced) or removed. */
export type PositionChange = {
  readonly put?: StoredPosition
  readonly removeId?: string
  /** Change to the webhook of the position that is put; if left out, it stays as it is. */
  readonly endpoint?: PositionEndpoint | 'remove'
  /** Response to the request, and to its repeats. */
  readonly response: string
}

export type PositionRequest = OneRequest & {
  /**
   * Decides on the account's positions, oldest first, and on its webhooks. Its error changes
   * nothing and is thrown.
   */
  readonly decide: (
    stored: readonly StoredPosition[],
    endpoints: readonly WebhookEndpoint[],
  ) => PositionChange
}

/** Positions of accounts; every operation is one statement or one transaction. */
export type PositionStore = {
  /** The positions of an account, oldest first. */
  readonly listPositions: (accountId: string) => Promise<StoredPosition[]>
  /** Bodies of the positions of all accounts, last changed first, at most `limit`. */
  readonly newestPositions: (limit: number) => Promise<string[]>
  /** The positions of all accounts whose alerts are not off, by their ids. */
  readonly alertingPositions: () => Promise<AlertingPosition[]>
  /** Null when the account has no such position, even if another one does. */
  readonly findPosition: (accountId: string, id: string) => Promise<StoredPosition | null>
  /**
   * Changes the positions of an account, serialised over all processes, and returns the response.
   * Null when the repeat's key was used for another request in the last 24 hours, and this one is
   * valid in itself.
   */
  readonly changePositions: (request: PositionRequest) => Promise<ChangeResponse | null>
}

/** Accounts, with their positions. */
export type PositionAccounts = AccountStore & PositionStore
