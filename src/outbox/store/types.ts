import type { NoticeOutcome } from '../../platform/notices/outcome.ts'

/**
 * Events of accounts, their destinations and deliveries. Instants are milliseconds since the epoch.
 */

export type Channel = 'webhook' | 'email' | 'telegram'

/** Type of the event that notifies all proven contacts of an account that an endpoint is off. */
export const WEBHOOK_OFF = 'webhook_off'

/** Types of events that test an address, even one that is switched off. */
export const TEST_TYPES = ['test', 'geo.test']

/** Owner of events: the alert settings, the Geo API, or the position of an id. */
export type Owner = 'alerts' | typeof GEO_OWNER | `p_${string}`

/** Owner of the webhook of new public records. The alerts list none of its events. */
export const GEO_OWNER = 'geo'

export type WebhookEndpointState = 'on' | 'off'

/** Webhook endpoint of the events of an owner. */
export type WebhookEndpoint = {
  readonly accountId: string
  readonly owner: string
  readonly url: string
  readonly state: WebhookEndpointState
  /** Reason why it is off. */
  readonly reason: string | null
  readonly failedInARow: number
  /** Start of its current state, or the last save. */
  readonly sinceMs: number
}

/** A mail address or a Telegram chat. Events go there once it is proven. */
export type Contact = {
  readonly id: string
  readonly accountId: string
  readonly channel: ContactChannel
  readonly address: string
  readonly isProven: boolean
  /** Reason why it counts as unproven again. */
  readonly reason: string | null
  /** True when the events of the alert settings go there, too. */
  readonly isForAlerts: boolean
}

export type ContactChannel = Exclude<Channel, 'webhook'>

/** A code to be sent to the contact; it exists nowhere else. */
export type ContactCode = {
  readonly contact: Contact
  readonly code: string
  readonly endsAtMs: number
}

/** Priority within an account: levels, lines, positions, orders. */
export type Priority = 0 | 1 | 2 | 3

export type NewEvent = {
  /** `evt_` and 32 hex characters. An existing one stays as it is. */
  readonly id: string
  readonly accountId: string
  readonly type: string
  /** JSON of the account's own keys of the body; null when there are none. */
  readonly extra: string | null
  readonly owner: Owner
  /** Its first attempt may begin until 300 s later; null when it is never too late. */
  readonly minuteEndMs: number | null
  readonly priority: Priority
  /**
   * Channels of the event; empty when it is only listed. For the owner `alerts`: the endpoint, and
   * the proven contacts that want alerts, if any. For a position: its endpoint, and every proven
   * contact; a channel without any is logged as dropped.
   */
  readonly channels: readonly Channel[]
}

/** An event of a found minute. */
export type FoundEvent = NewEvent & {
  /** Index into the findings of the minute. */
  readonly finding: number
}

/** State of a line in its run. */
export type LineState = {
  readonly lineId: string
  readonly accountId: string
  readonly isArmed: boolean
  readonly firedAtMs: number | null
}

export type FoundMinute = {
  /** JSON of the rules' state. */
  readonly states: string
  /** Bodies without `id`, as JSON. */
  readonly findings: readonly { readonly body: string }[]
  readonly events: readonly FoundEvent[]
  readonly lineChanges: readonly LineState[]
}

export type MinuteRequest = {
  readonly run: string
  /** 'YYYY-MM-DD' */
  readonly day: string
  /** 'HH:MM' */
  readonly minute: string
  /** The minute that must be the last one taken; null for the first of the day. */
  readonly before: string | null
  readonly atMs: number
  /**
   * Evaluates the minute on the stored state of the rules. Its error changes nothing and is thrown.
   * It may read the store but not write to it: the database waits for its result.
   */
  readonly decide: (stored: {
    readonly states: string | null
  }) => Promise<FoundMinute> | FoundMinute
}

/** A single event, such as a test. */
export type SingleEvent = NewEvent & {
  /** JSON without `id`. */
  readonly body: string
  readonly run: string
  readonly day: string
  readonly minute: string | null
  readonly atMs: number
}

export type ClaimRequest = {
  readonly nowMs: number
  /** Claiming process; unique among all processes. */
  readonly holder: string
  readonly leaseMs: number
  readonly limit: number
  /** Maximum concurrent attempts of an account. */
  readonly accountMax: number
  /** Attempts of each account already in progress here. */
  readonly busy: readonly (readonly [accountId: string, inFlight: number])[]
  /** Only these channels; left out, all. */
  readonly channels?: readonly Channel[] | undefined
}

export type ClaimedDelivery = {
  readonly deliveryId: number
  readonly accountId: string
  readonly channel: Channel
  readonly owner: string
  readonly type: string
  /** Attempts that have ended. */
  readonly endedAttempts: number
}

/**
 * Reason why a delivery was given up before an attempt. `no_secret`: nothing to sign it with.
 * `interrupted`: too many of its attempts began and never ended.
 */
export type DropReason =
  | 'rate'
  | 'off'
  | 'late'
  | 'removed'
  | 'no_contact'
  | 'no_secret'
  | 'interrupted'

export type BegunAttempt = {
  readonly deliveryId: number
  readonly accountId: string
} & (
  | ({
      readonly kind: 'go'
      /** Number of this attempt, from 1; the end of the attempt refers to it. */
      readonly attempt: number
      /** Attempts that have ended before this one: 0 to 2. */
      readonly endedAttempts: number
      readonly eventId: string
      readonly type: string
      readonly owner: string
      /** The same bytes at every attempt. */
      readonly body: Buffer
    } & (
      | { readonly channel: 'webhook'; readonly url: string; readonly sealedSecret: string }
      | {
          readonly channel: ContactChannel
          readonly contactId: string
          /** A mail address, or the id of a chat. */
          readonly address: string
        }
    ))
  | { readonly kind: 'dropped'; readonly reason: DropReason }
  /** Its lease expired, and another process holds it: it must not be sent from here. */
  | { readonly kind: 'lost' }
)

export type AttemptRequest = {
  readonly nowMs: number
  readonly holder: string
  /** New length of the lease, from now. */
  readonly leaseMs: number
  readonly deliveryIds: readonly number[]
  /** True when bodies have `put_support` now; stored with a delivery at its first attempt. */
  readonly hasPutSupport: boolean
}

/** End of an attempt: the outcome of the webhook client, or of the sender of mail and messages. */
export type AttemptEnd = {
  readonly deliveryId: number
  readonly attempt: number
  /** `retry` after the last attempt is the same as `failed`; `movedTo` costs no attempt. */
  readonly outcome: Omit<NoticeOutcome, 'waitMs'>
  /** Due time of a retry; null when there is none. */
  readonly dueAtMs: number | null
}

export type DeliveryState = 'waiting' | 'trying' | 'sent' | 'failed' | 'dropped'

export type EndedAttempt = {
  readonly deliveryId: number
  /** Current state, whoever set it. */
  readonly state: DeliveryState
  /** True for the one failure that switched the endpoint off. */
  readonly isSwitchedOff: boolean
}

/** An event as it is listed. */
export type EventRecord = {
  readonly seq: number
  readonly id: string
  readonly type: string
  readonly owner: string
  readonly run: string
  readonly day: string
  readonly minute: string | null
  /** The JSON that is sent. */
  readonly body: string
  readonly createdAtMs: number
}

export type DeliveryRecord = {
  readonly id: number
  readonly eventId: string
  readonly type: string
  readonly owner: string
  readonly channel: Channel
  readonly contactId: string | null
  readonly state: DeliveryState
  readonly reason: string | null
  readonly endedAttempts: number
  /** Next attempt; null unless it waits. */
  readonly dueAtMs: number | null
  readonly firstAttemptAtMs: number | null
  readonly queuedAtMs: number
  readonly endedAtMs: number | null
  /** Oldest first. */
  readonly attempts: readonly AttemptRecord[]
}

export type AttemptRecord = {
  readonly number: number
  readonly beganAtMs: number
  /** `unknown`: it began, and its end was never stored. */
  readonly result: 'unknown' | 'sent' | 'retry' | 'failed'
  readonly ms: number | null
  readonly status: number | null
  readonly error: string | null
  readonly address: string | null
}

export type OutboxState = {
  readonly waiting: number
  readonly trying: number
  /** Due time of the longest-waiting one; null when none is due. */
  readonly oldestDueMs: number | null
  readonly sentLastHour: number
  readonly failedLastHour: number
  /** Progress of each run on its newest day. */
  readonly watched: readonly {
    readonly run: string
    readonly day: string
    readonly minute: string | null
  }[]
}

export type EventQuery = {
  readonly accountId: string
  /** 0 for the first. */
  readonly afterSeq: number
  readonly limit: number
  readonly day?: string | undefined
  readonly type?: string | undefined
  /** Default: `live`. */
  readonly run?: string | undefined
  /** True when the bodies have `put_support`. */
  readonly hasPutSupport: boolean
}
