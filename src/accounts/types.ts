import type { AlertSettings } from './alertTypes.ts'
import type { Scope } from './apiKey.ts'
import type { LabRunStore } from './labRunTypes.ts'
import type { LabStore } from './labTypes.ts'
import type { MonthStore } from './monthTypes.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { WebhookEndpoint } from './outbox/types.ts'
import type { AccountProduct, Plan, Product } from './products.ts'
import type { ChangeResponse, Repeat } from './repeats.ts'

/** What is kept of accounts, and what can be asked of their store. */

export type Account = {
  readonly id: string
  readonly name: string
  /** Milliseconds since the Unix epoch, like every instant here. */
  readonly createdAtMs: number
  /** All it holds, those that are over too, in the order of their names. */
  readonly products: readonly AccountProduct[]
}

/** What is kept of a key: never the key. */
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

/** What a request needs to know about the key it came with. */
export type KeyHolder = {
  readonly keyId: string
  readonly accountId: string
  readonly scope: Scope
  /** What its owner calls the key. */
  readonly name: string
  /** It may stand in an address, and opens nothing from a header. */
  readonly isForAddresses: boolean
  /** All that its account holds, in any order. */
  readonly products: readonly AccountProduct[]
}

/** A browser that is signed in to the account page. */
export type SignIn = {
  readonly id: string
  readonly accountId: string
  /** What it says of itself, such as "Firefox on Windows". */
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

/** Calls of one key from one place, to be counted. */
export type KeyUse = {
  readonly keyId: string
  readonly calls: number
  /** UTC minutes and hours since the Unix epoch. */
  readonly minute: number
  readonly hour: number
  /** Where they came from, as a hash. */
  readonly addressHash: string
}

/** How much a key was used, when a use was counted. */
export type KeyUsed = {
  /** Of the minute, from all places. */
  readonly calls: number
  /** Of the hour. */
  readonly addressCount: number
  /** False: as many places as there may be are others, and the calls are not counted. */
  readonly isAddressKnown: boolean
}

/** What was last counted of a key: of its newest minute and of its newest hour. */
export type KeyCount = {
  readonly name: string
  /** UTC minutes and hours since the Unix epoch. */
  readonly minute: number
  readonly calls: number
  readonly hour: number
  readonly addressCount: number
}

export type StoredPosition = {
  readonly id: string
  /** JSON. */
  readonly body: string
}

/** A position that may want to be told something, and when it was saved last. */
export type AlertingPosition = StoredPosition & {
  readonly accountId: string
  readonly updatedAtMs: number
}

/** Where the alerts of a position are sent, to be switched on. */
export type PositionEndpoint = {
  readonly url: string
  /** The secret of an account that has none; null where nothing can seal one. */
  readonly firstSecret: string | null
}

/** What becomes of the positions of an account: one is put (added, or replaced) or removed. */
export type PositionChange = {
  readonly put?: StoredPosition
  readonly removeId?: string
  /** What becomes of the webhook of the position that is put: left out, it stays as it is. */
  readonly endpoint?: PositionEndpoint | 'remove'
  /** What is answered to who asked for it, and to who asks again. */
  readonly response: string
}

export type PositionRequest = {
  readonly accountId: string
  readonly atMs: number
  /** Set when the client may ask the same again, and then wants the same answer. */
  readonly repeat: Repeat | null
  /**
   * Decides on what the account keeps, oldest first, and on its webhooks. Its error changes nothing
   * and is thrown.
   */
  readonly decide: (
    stored: readonly StoredPosition[],
    endpoints: readonly WebhookEndpoint[],
  ) => PositionChange
}

/**
 * Accounts, keys, daily counts and positions. Every operation is one statement or one transaction,
 * so any number of processes may share one database.
 */
export type AccountStore = {
  /** Makes an account that holds the product of a plan, without an end; null is no product. */
  readonly addAccount: (account: {
    name: string
    plan: Plan | null
    createdAtMs: number
  }) => Promise<Account>
  readonly listAccounts: () => Promise<Account[]>
  readonly findAccount: (accountId: string) => Promise<Account | null>
  /**
   * Puts an account on a plan of a product. One that it holds keeps its beginning, unless it was
   * over by then. False when there is no such account.
   */
  readonly putProduct: (
    accountId: string,
    product: Pick<AccountProduct, 'plan' | 'fromMs' | 'untilMs'>,
  ) => Promise<boolean>
  /** False when the account does not hold the product. */
  readonly removeProduct: (accountId: string, product: Product) => Promise<boolean>
  /** Makes a key and answers it once; null when there is no such account. */
  readonly addKey: (key: {
    accountId: string
    scope: Scope
    name: string
    createdAtMs: number
    /** Left out, it is one for headers. */
    isForAddresses?: boolean
  }) => Promise<{ apiKey: string; record: ApiKeyRecord } | null>
  /** All keys, revoked ones too, oldest first. */
  readonly listKeys: (accountId?: string) => Promise<ApiKeyRecord[]>
  /** False when there is no such key, of the account if one is given, or it was revoked before. */
  readonly revokeKey: (keyId: string, revokedAtMs: number, accountId?: string) => Promise<boolean>
  /** The holder of a key; null when the key is mistyped (not looked up), unknown or revoked. */
  readonly findHolder: (apiKey: string) => Promise<KeyHolder | null>
  /**
   * Adds to daily counts and answers the new ones, in the order given. On return they survive the
   * end of the process.
   */
  readonly countCalls: (batches: readonly CallBatch[]) => Promise<number[]>
  /**
   * Adds to the calls of each key's minute, and its place to those of its hour where there is room
   * for it: in one statement, so that any number of servers count as one. Each key stands there
   * once.
   */
  readonly useKeys: (uses: readonly KeyUse[]) => Promise<KeyUsed[]>
  /** What was counted of the working keys of an account that were used, by their names. */
  readonly keyCounts: (accountId: string) => Promise<KeyCount[]>
  /** Calls of an account that were counted on an ET day, by product. */
  readonly callsOn: (
    accountId: string,
    dayEt: string,
  ) => Promise<readonly Pick<CallBatch, 'product' | 'calls'>[]>
  readonly markKeysUsed: (keyIds: readonly string[], usedAtMs: number) => Promise<void>
  /** Makes a code that signs one browser in, once and soon; null when there is no such account. */
  readonly addSignInCode: (
    accountId: string,
    atMs: number,
  ) => Promise<{ readonly code: string; readonly endsAtMs: number } | null>
  /** Uses a code up; null when it is mistyped, unknown, used or over. Answers the secret once. */
  readonly signIn: (entering: {
    code: string
    browser: string
    atMs: number
  }) => Promise<{ readonly secret: string; readonly signIn: SignIn } | null>
  /** Whose browser has a secret; null when it is signed out, or was not used for too long. */
  readonly findSignIn: (secret: string, atMs: number) => Promise<SignIn | null>
  readonly markSignInSeen: (signInId: string, atMs: number) => Promise<void>
  /** Browsers of an account that are signed in, the last used first. */
  readonly listSignIns: (accountId: string, atMs: number) => Promise<SignIn[]>
  /** Signs out one browser of an account, or all of them; answers how many. */
  readonly endSignIns: (accountId: string, signInId?: string) => Promise<number>
  /** What an account keeps, oldest first. */
  readonly listPositions: (accountId: string) => Promise<StoredPosition[]>
  /** Bodies of the positions of all accounts, those changed last first, so many at most. */
  readonly newestPositions: (limit: number) => Promise<string[]>
  /** The positions of all accounts whose alerts are not off, by their ids. */
  readonly alertingPositions: () => Promise<AlertingPosition[]>
  /** Null when the account keeps no such position, whoever else does. */
  readonly findPosition: (accountId: string, id: string) => Promise<StoredPosition | null>
  /**
   * Changes what an account keeps, one change after the other over all processes, and returns the
   * answer. Null when the repeat's key was used for another request in the last 24 hours, which
   * would have been taken by itself.
   */
  readonly changePositions: (request: PositionRequest) => Promise<ChangeResponse | null>
  /** Watched minutes, found events, and their deliveries. */
  readonly outbox: Outbox
  /** Calls that are counted by the month. */
  readonly months: MonthStore
  /** Ideas, runs and credits of LAB. */
  readonly lab: LabStore & LabRunStore
  /** What accounts want to be told of. */
  readonly alerts: AlertSettings
  /** Fails when the database does not answer; says whether it answers, but takes no writes. */
  readonly check: () => Promise<{ readonly isLocked: boolean }>
  readonly close: () => Promise<void>
}

export type StoreOptions = {
  /** How long a write waits for another process that holds the database, before it fails. */
  readonly lockWaitMs?: number | undefined
}
