import type { ChangeResponse, OneRequest } from '../../accounts/repeats.ts'
import type {
  AttemptEnd,
  AttemptRequest,
  BegunAttempt,
  ClaimedDelivery,
  ClaimRequest,
  Contact,
  ContactChannel,
  ContactCode,
  DeliveryRecord,
  EndedAttempt,
  EventQuery,
  EventRecord,
  LineState,
  MinuteRequest,
  OutboxState,
  Owner,
  SingleEvent,
  WebhookEndpoint,
} from './types.ts'

/** A sign-in code of an account, to be sent to an address that it has proven. */
export type MailedCode = {
  readonly accountId: string
  readonly accountName: string
  readonly address: string
  readonly code: string
}

/** State of the outbox when an event is sent on demand. */
export type SendingState = {
  /** True when the event to send again exists; always true of a new one. */
  readonly isThere: boolean
  /** False of one that is only listed. */
  readonly isSent: boolean
  /** True when a delivery is already in progress. */
  readonly isUnderway: boolean
}

/**
 * Operations on events and their deliveries. Instants are system milliseconds. Every operation is
 * one statement or one transaction, so any number of processes may share them.
 */
export type Outbox = {
  /** Switches a webhook endpoint on, with no failures; null when there is no such account. */
  readonly saveEndpoint: (saved: {
    accountId: string
    owner: Owner
    url: string
    atMs: number
  }) => Promise<WebhookEndpoint | null>
  /** False when there is none. Waiting deliveries are dropped when they are due. */
  readonly removeEndpoint: (accountId: string, owner: Owner) => Promise<boolean>
  readonly findEndpoint: (accountId: string, owner: Owner) => Promise<WebhookEndpoint | null>
  readonly listEndpoints: (accountId: string) => Promise<WebhookEndpoint[]>
  /** Webhook endpoints of an owner, of all accounts in their order. */
  readonly listOwnerEndpoints: (owner: Owner) => Promise<WebhookEndpoint[]>
  /** Replaces the secret of an account; false when there is no such account. */
  readonly putSecret: (secret: {
    accountId: string
    sealed: string
    atMs: number
  }) => Promise<boolean>
  /** Gives an account its first secret; false when it has one already, or does not exist. */
  readonly addSecret: (secret: {
    accountId: string
    sealed: string
    atMs: number
  }) => Promise<boolean>
  readonly findSecret: (accountId: string) => Promise<{ sealed: string; madeAtMs: number } | null>
  /**
   * Adds a contact, or finds an existing one, and makes a code that proves it; an earlier code
   * ends. `no_account`; `full`: the maximum number of contacts; `soon`: the last code is not a
   * minute old; `often`: enough codes were made for the address, or by the account, in the last
   * hour or day.
   */
  readonly addContact: (contact: {
    accountId: string
    channel: ContactChannel
    address: string
    isForAlerts: boolean
    atMs: number
  }) => Promise<ContactCode | 'no_account' | 'full' | 'soon' | 'often'>
  /**
   * Uses up one attempt of a code, and the code if it is right. `over`: no code is open any more.
   */
  readonly proveContact: (proving: {
    accountId: string
    contactId: string
    code: string
    atMs: number
  }) => Promise<'proven' | 'wrong' | 'over'>
  /**
   * Makes sign-in codes of the accounts that have proven a mail address, each to be sent to it as
   * that account wrote it. None when no account has, or when enough were made for it.
   */
  readonly addMailedCodes: (query: { address: string; atMs: number }) => Promise<MailedCode[]>
  /** Oldest first. */
  readonly listContacts: (accountId: string) => Promise<Contact[]>
  readonly removeContact: (accountId: string, contactId: string) => Promise<boolean>
  readonly setContactAlerts: (
    accountId: string,
    contactId: string,
    isForAlerts: boolean,
  ) => Promise<boolean>
  /** Marks a contact as unproven, such as a chat that refuses messages. */
  readonly unproveContact: (contactId: string, reason: string) => Promise<boolean>
  /**
   * Stores a found minute, all of it or nothing. `done`: the last minute taken is not the one
   * before, or is this one, and nothing was decided or written.
   */
  readonly takeMinute: (request: MinuteRequest) => Promise<'taken' | 'done'>
  /** The last minute of a day that a run has taken, and the state of its rules. */
  readonly findRun: (
    run: string,
    day: string,
  ) => Promise<{ minute: string | null; states: string | null } | null>
  /** Lines of a run that have a state; all others are armed. */
  readonly listLineStates: (run: string) => Promise<LineState[]>
  /** False when an event with its id exists already, or no such account. */
  readonly queueEvent: (event: SingleEvent) => Promise<boolean>
  /**
   * Sends an event of an account again, under its id. Returns the number of deliveries, none while
   * one is in progress; null when the account has no such event.
   */
  readonly redeliver: (query: {
    accountId: string
    eventId: string
    atMs: number
  }) => Promise<number | null>
  /**
   * Queues a single event, or an existing one again, and stores the response for repeats with the
   * same key. `decide` receives the state that may prevent it, and its error changes nothing and is
   * thrown. Null when the key came with another request.
   */
  readonly sendOnce: (
    request: OneRequest & {
      readonly decide: (found: SendingState) => string
    } & (
        | { readonly event: SingleEvent }
        | { readonly again: { readonly eventId: string; readonly dueMs: number } }
      ),
  ) => Promise<ChangeResponse | null>
  /** Leases due deliveries, dealt round-robin over accounts; expired leases are due again. */
  readonly claim: (request: ClaimRequest) => Promise<ClaimedDelivery[]>
  /**
   * Brings forward deliveries whose wait or lease began later than now, before the clock was set
   * back: the length of each wait stays. Returns how many.
   */
  readonly moveDueTimes: (nowMs: number) => Promise<number>
  /** Decides for each claimed delivery if it is attempted, and stores the start of its attempt. */
  readonly beginAttempts: (request: AttemptRequest) => Promise<BegunAttempt[]>
  /** Stores the ends of attempts, in their order. */
  readonly endAttempts: (request: {
    nowMs: number
    ends: readonly AttemptEnd[]
  }) => Promise<EndedAttempt[]>
  /** Oldest first. */
  readonly listEvents: (query: EventQuery) => Promise<EventRecord[]>
  readonly findEvent: (query: {
    accountId: string
    eventId: string
    hasPutSupport: boolean
  }) => Promise<EventRecord | null>
  /** Newest first. */
  readonly listDeliveries: (query: {
    accountId: string
    eventId?: string | undefined
    /** Deliveries queued before the one with this id. */
    beforeId?: number | undefined
    /** Only those of public records; left out, all others. */
    isGeo?: boolean
    limit: number
  }) => Promise<DeliveryRecord[]>
  /** Deletes older events, in many small transactions; returns how many. */
  readonly deleteOlder: (beforeMs: number) => Promise<number>
  readonly outboxState: (query: { nowMs: number }) => Promise<OutboxState>
}
