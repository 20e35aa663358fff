/** Events of accounts, their places and deliveries. Instants are milliseconds since the epoch. */

export type Channel = 'webhook' | 'email' | 'telegram'

/** The type of the event that tells all proven contacts of an account that a hook is off. */
export const WEBHOOK_OFF = 'webhook_off'

/** Types of events that show whether an address works, also one that is switched off. */
export const TEST_TYPES = ['test', 'geo.test']

/** Whose events they are: of the alert settings, of the Geo API, or of the position of an id. */
export type Owner = 'alerts' | typeof GEO_OWNER | `p_${string}`

/** Whose the webhook of new public records is. The alerts list none of its events. */
export const GEO_OWNER = 'geo'

export type WebhookEndpointState = 'on' | 'off'

/** Where the events of an owner are sent. */
export type WebhookEndpoint = {
  readonly accountId: string
  readonly owner: string
  readonly url: string
  readonly state: WebhookEndpointState
  /** Why it is off. */
  readonly reason: string | null
  readonly failedInARow: number
  /** When it came into its state, or was saved. */
  readonly sinceMs: number
}

/** An address of mail or a chat of Telegram. Events go there once it is proven. */
export type Contact = {
  readonly id: string
  readonly accountId: string
  readonly channel: ContactChannel
  readonly address: string
  readonly isProven: boolean
  /** Why it counts as unproven again. */
  readonly reason: string | null
  /** Whether the events of the alert settings go there, too. */
  readonly isForAlerts: boolean
}

export type ContactChannel = Exclude<Channel, 'webhook'>

/** A code to be sent to the contact; it exists nowhere else. */
export type ContactCode = {
  readonly contact: Contact
  readonly code: string
  readonly endsAtMs: number
}

/** What goes first of an account: levels, lines, positions, orders. */
export type Priority = 0 | 1 | 2 | 3

export type NewEvent = {
  /** `evt_` and 32 hex characters. One that is there already is left as it is. */
  readonly id: string
  readonly accountId: string
  readonly type: string
  /** JSON of the account's own keys of the body; null where there are none. */
  readonly extra: string | null
  readonly owner: Owner
  /** Its first try may begin until 300 s after it; null when it is never too late. */
  readonly minuteEndMs: number | null
  readonly priority: Priority
  /**
   * Where it goes; nowhere when it is only listed. Of the owner `alerts`: the hook, and the proven
   * contacts that want alerts, where there are such. Of a position: its hook, and every proven
   * contact; a channel that has none is logged as dropped.
   */
  readonly channels: readonly Channel[]
}

/** An event of a found minute. */
export type FoundEvent = NewEvent & {
  /** Its place in the findings of the minute. */
  readonly finding: number
}

/** What becomes of a line in its run. */
export type LineState = {
  readonly lineId: string
  readonly accountId: string
  readonly isArmed: boolean
  readonly firedAtMs: number | null
}

export type FoundMinute = {
  /** JSON of what the rules remember. */
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
  /** The minute that must have been taken last; null for the first of the day. */
  readonly before: string | null
  readonly atMs: number
  /**
   * Finds what the minute brings, on what the rules remembered. Its error changes nothing and is
   * thrown. It may read the store but writes nothing to it: the database waits for its answer.
   */
  readonly decide: (stored: {
    readonly states: string | null
  }) => Promise<FoundMinute> | FoundMinute
}

/** An event of its own, such as a test. */
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
  /** Who claims; no two processes have the same. */
  readonly holder: string
  readonly leaseMs: number
  readonly limit: number
  /** How many of an account may be tried at once. */
  readonly accountMax: number
  /** How many of each account are being tried here already. */
  readonly busy: readonly (readonly [accountId: string, inFlight: number])[]
  /** Only what goes out by these; left out, by any. */
  readonly channels?: readonly Channel[] | undefined
}

export type ClaimedDelivery = {
  readonly deliveryId: number
  readonly accountId: string
  readonly channel: Channel
  readonly owner: string
  readonly type: string
  /** Tries that have ended. */
  readonly endedAttempts: number
}

/**
 * Why a delivery was given up before it was tried. `no_secret`: nothing to sign it with.
 * `interrupted`: too many of its tries began and never ended.
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
      /** The number of this try, from 1; the end of the try names it. */
      readonly attempt: number
      /** Tries that have ended before this one: 0 to 2. */
      readonly endedAttempts: number
      readonly eventId: string
      readonly type: string
      readonly owner: string
      /** The same bytes at every try. */
      readonly body: Buffer
    } & (
      | { readonly channel: 'webhook'; readonly url: string; readonly sealedSecret: string }
      | {
          readonly channel: ContactChannel
          readonly contactId: string
          /** An address of mail, or the id of a chat. */
          readonly address: string
        }
    ))
  | { readonly kind: 'dropped'; readonly reason: DropReason }
  /** Its lease was over, and it is another's by now: it must not be sent from here. */
  | { readonly kind: 'lost' }
)

export type AttemptRequest = {
  readonly nowMs: number
  readonly holder: string
  /** The lease goes on from now for so long. */
  readonly leaseMs: number
  readonly deliveryIds: readonly number[]
  /** Whether bodies have `put_support` now; kept with a delivery whose first try this is. */
  readonly hasPutSupport: boolean
}

/** How a try ended: the outcome of the webhook client, or of what sends mail and messages. */
export type AttemptEnd = {
  readonly deliveryId: number
  readonly attempt: number
  readonly outcome: {
    /** `retry` after the third try is the same as `failed`. */
    readonly result: 'sent' | 'retry' | 'failed'
    readonly status: number | null
    readonly error: string | null
    readonly ms: number
    readonly address: string | null
    /** New address of the contact, as its receiver says. Costs no try. */
    readonly movedTo?: string
  }
  /** When a retry is due; null when there is none. */
  readonly dueAtMs: number | null
}

export type DeliveryState = 'waiting' | 'trying' | 'sent' | 'failed' | 'dropped'

export type EndedAttempt = {
  readonly deliveryId: number
  /** What it is now, whoever made it that. */
  readonly state: DeliveryState
  /** True for the one failure that switched the hook off. */
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
  /** When it is tried next; null unless it waits. */
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
  /** `unknown`: it began, and its end was never written. */
  readonly result: 'unknown' | 'sent' | 'retry' | 'failed'
  readonly ms: number | null
  readonly status: number | null
  readonly error: string | null
  readonly address: string | null
}

export type OutboxState = {
  readonly waiting: number
  readonly trying: number
  /** Since when the longest waiting one is due; null when none is. */
  readonly oldestDueMs: number | null
  readonly sentLastHour: number
  readonly failedLastHour: number
  /** How far each run has come on its newest day. */
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
  /** Left out, `live`. */
  readonly run?: string | undefined
  /** Whether the bodies have `put_support`. */
  readonly hasPutSupport: boolean
}
