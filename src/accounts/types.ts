import type { Outbox } from '../outbox/store/outbox.ts'
import type { Scope } from './apiKey.ts'
import type { MonthStore } from './monthTypes.ts'
import type { AccountProduct, Plan, Product } from './products.ts'

/** Stored data of accounts, and the queries of their store. */

export type Account = {
  readonly id: string
  readonly name: string
  /** Milliseconds since the Unix epoch, like every instant here. */
  readonly createdAtMs: number
  /** All its products, expired ones too, in the order of their names. */
  readonly products: readonly AccountProduct[]
}

/** Stored data of a key: never the key. */
export type ApiKeyRecord = {
  readonly id: string
  readonly accountId: string
  readonly scope: Scope
  readonly name: string
  readonly prefix: string
  readonly lastFour: string
  readonly createdAtMs: number
  /** To the minute; null when the key was never used. */
  readonly lastUsedAtMs: number | null
  readonly revokedAtMs: number | null
  readonly isForAddresses: boolean
}

/** Data that a request needs about its key. */
export type KeyHolder = {
  readonly keyId: string
  readonly accountId: string
  readonly scope: Scope
  /** Name that the owner gave the key. */
  readonly name: string
  /** True when it may be part of a URL; it opens nothing from a header. */
  readonly isForAddresses: boolean
  /** All products of its account, in any order. */
  readonly products: readonly AccountProduct[]
}

/** A browser that is signed in to the account page. */
export type SignIn = {
  readonly id: string
  readonly accountId: string
  /** Short description of the browser, such as "Firefox on Windows". */
  readonly browser: string
  readonly createdAtMs: number
  /** To the minute. */
  readonly lastSeenAtMs: number
}

export type CallBatch = {
  readonly accountId: string
  readonly product: Product
  readonly dayEt: string
  readonly calls: number
}

/** Calls of one key from one client address, to be counted. */
export type KeyUse = {
  readonly keyId: string
  readonly calls: number
  /** UTC minutes and hours since the Unix epoch. */
  readonly minute: number
  readonly hour: number
  /** Client address, as a hash. */
  readonly addressHash: string
}

/** Usage of a key after a use was counted. */
export type KeyUsed = {
  /** Calls of the minute, from all client addresses. */
  readonly calls: number
  /** Client addresses of the hour. */
  readonly addressCount: number
  /**
   * False: the key already has the maximum number of other client addresses, and the calls are not
   * counted.
   */
  readonly isAddressKnown: boolean
}

/** Last counts of a key: of its newest minute and of its newest hour. */
export type KeyCount = {
  readonly name: string
  /** UTC minutes and hours since the Unix epoch. */
  readonly minute: number
  readonly calls: number
  readonly hour: number
  readonly addressCount: number
}

/**
 * Accounts, keys and daily counts. Every operation is one statement or one transaction,
 * so any number of processes may share one database.
 */
export type AccountStore = {
  /** Makes an account that holds the product of a plan, without an end; null: no product. */
  readonly addAccount: (account: {
    name: string
    plan: Plan | null
    createdAtMs: number
  }) => Promise<Account>
  readonly listAccounts: () => Promise<Account[]>
  readonly findAccount: (accountId: string) => Promise<Account | null>
  /**
   * Puts an account on a plan of a product. A product already held keeps its start, unless it had
   * expired. False when there is no such account.
   */
  readonly putProduct: (
    accountId: string,
    product: Pick<AccountProduct, 'plan' | 'fromMs' | 'untilMs'>,
  ) => Promise<boolean>
  /** False when the account does not hold the product. */
  readonly removeProduct: (accountId: string, product: Product) => Promise<boolean>
  /** Makes a key and returns it once; null when there is no such account. */
  readonly addKey: (key: {
    accountId: string
    scope: Scope
    name: string
    createdAtMs: number
    /** Default: a key for headers. */
    isForAddresses?: boolean
  }) => Promise<{ apiKey: string; record: ApiKeyRecord } | null>
  /** All keys, revoked ones too, oldest first. */
  readonly listKeys: (accountId?: string) => Promise<ApiKeyRecord[]>
  /** False when there is no such key, of the account if one is given, or it was revoked before. */
  readonly revokeKey: (keyId: string, revokedAtMs: number, accountId?: string) => Promise<boolean>
  /**
   * Returns the holder of a key; null when the key is mistyped (not looked up), unknown or revoked.
   */
  readonly findHolder: (apiKey: string) => Promise<KeyHolder | null>
  /**
   * Adds to daily counts and returns the new ones, in the order given. On return they survive the
   * end of the process.
   */
  readonly countCalls: (batches: readonly CallBatch[]) => Promise<number[]>
  /**
   * Adds to the calls of each key's minute, and its client address to those of its hour if there is
   * capacity: in one statement, so that any number of servers count as one. Each key appears once.
   */
  readonly useKeys: (uses: readonly KeyUse[]) => Promise<KeyUsed[]>
  /** Last counts of the working keys of an account that were used, by their names. */
  readonly keyCounts: (accountId: string) => Promise<KeyCount[]>
  /** Counted calls of an account on an ET day, by product. */
  readonly callsOn: (
    accountId: string,
    dayEt: string,
  ) => Promise<readonly Pick<CallBatch, 'product' | 'calls'>[]>
  readonly markKeysUsed: (keyIds: readonly string[], usedAtMs: number) => Promise<void>
  /**
   * Makes a short-lived code that signs one browser in, once; null when there is no such account.
   */
  readonly addSignInCode: (
    accountId: string,
    atMs: number,
  ) => Promise<{ readonly code: string; readonly endsAtMs: number } | null>
  /**
   * Uses a code up; null when it is mistyped, unknown, used or expired. Returns the secret once.
   */
  readonly signIn: (entering: {
    code: string
    browser: string
    atMs: number
  }) => Promise<{ readonly secret: string; readonly signIn: SignIn } | null>
  /** Finds the sign-in of a secret; null when it is signed out, or was unused for too long. */
  readonly findSignIn: (secret: string, atMs: number) => Promise<SignIn | null>
  readonly markSignInSeen: (signInId: string, atMs: number) => Promise<void>
  /** Browsers signed in to an account, the last used first. */
  readonly listSignIns: (accountId: string, atMs: number) => Promise<SignIn[]>
  /** Signs out one browser of an account, or all of them; returns how many. */
  readonly endSignIns: (accountId: string, signInId?: string) => Promise<number>
  /** Watched minutes, found events, and their deliveries. */
  readonly outbox: Outbox
  /** Calls counted per month. */
  readonly months: MonthStore
  /** Fails when the database does not respond; `isLocked` when it responds but takes no writes. */
  readonly check: () => Promise<{ readonly isLocked: boolean }>
  readonly close: () => Promise<void>
}

export type StoreOptions = {
  /** Maximum wait of a write for another process that holds the database, before it fails. */
  readonly lockWaitMs?: number | undefined
}
