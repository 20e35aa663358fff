import type { ChangeResponse, OneRequest } from '../repeats.ts'
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

/** A code that signs in to an account, to be sent to an address that it has proven. */
export type MailedCode = {
  readonly accountId: string
  readonly accountName: string
  readonly address: string
  readonly code: string
}

/** What is there when an event is to be sent on demand. */
export type SendingState = {
  /** Of the event that is sent again; true of a new one. */
  readonly isThere: boolean
  /** False of one that is only listed. */
  readonly isSent: boolean
  /** Whether it is being delivered by now. */
  readonly isUnderway: boolean
}

/**
 * What can be asked of events and their deliveries. Instants are system milliseconds. Every
 * operation is one statement or one transaction, so any number of processes may share them.
 */
export type Outbox = {
  /** Puts a hook on, with no failures; null when there is no such account. */
  readonly saveEndpoint: (saved: {
    accountId: string
    owner: Owner
    url: string
    atMs: number
  }) => Promise<WebhookEndpoint | null>
  /** False when there is none. What waits for it is dropped when its turn comes. */
  readonly removeEndpoint: (accountId: string, owner: Owner) => Promise<boolean>
  readonly findEndpoint: (accountId: string, owner: Owner) => Promise<WebhookEndpoint | null>
  readonly listEndpoints: (accountId: string) => Promise<WebhookEndpoint[]>
  /** The hooks of an owner, of all accounts in their order. */
  readonly listOwnerEndpoints: (owner: Owner) => Promise<WebhookEndpoint[]>
  /** Replaces the secret of an account; false when there is no such account. */
  readonly putSecret: (secret: {
    accountId: string
    sealed: string
    atMs: number
  }) => Promise<boolean>
  /** Gives an account its first secret; false when it has one already, or is not there. */
  readonly addSecret: (secret: {
    accountId: string
    sealed: string
    atMs: number
  }) => Promise<boolean>
  readonly findSecret: (accountId: string) => Promise<{ sealed: string; madeAtMs: number } | null>
  /**
   * Adds a contact, or finds it again, and makes a code that proves it; a code made before ends.
   * `no_account`; `full`: as many as there may be; `soon`: the last code is not a minute old;
   * `often`: enough codes were made for the address, or by the account, in the last hour or day.
   */
  readonly addContact: (contact: {
    accountId: string
    channel: ContactChannel
    address: string
    isForAlerts: boolean
    atMs: number
  }) => Promise<ContactCode | 'no_account' | 'full' | 'soon' | 'often'>
  /** Uses a try of a code up, and the code if it is right. `over`: no code is open any more. */
  readonly proveContact: (proving: {
    accountId: string
    contactId: string
    code: string
    atMs: number
  }) => Promise<'proven' | 'wrong' | 'over'>
  /**
   * Makes codes that sign in to the accounts that have proven an address of mail, each to be sent
   * to it as that account wrote it. None where nobody has, or where enough were made for it.
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
  /** It must be proven again, such as a chat that refuses messages. */
  readonly unproveContact: (contactId: string, reason: string) => Promise<boolean>
  /**
   * Writes a found minute, all of it or nothing. `done`: it, or another than the minute before, was
   * the last one taken, and nothing was asked or written.
   */
  readonly takeMinute: (request: MinuteRequest) => Promise<'taken' | 'done'>
  /** The last minute of a day that a run has taken, and what its rules remember. */
  readonly findRun: (
    run: string,
    day: string,
  ) => Promise<{ minute: string | null; states: string | null } | null>
  /** Lines of a run that have a state; all others are armed. */
  readonly listLineStates: (run: string) => Promise<LineState[]>
  /** False when there is an event of its id already, or no such account. */
  readonly queueEvent: (event: SingleEvent) => Promise<boolean>
  /**
   * Sends an event of an account again, under its id. Answers how many deliveries were made, none
   * while one is under way; null when the account has no such event.
   */
  readonly redeliver: (query: {
    accountId: string
    eventId: string
    atMs: number
  }) => Promise<number | null>
  /**
   * Queues an event of its own, or one that is there again, and keeps the answer for who asks with
   * the same key again. `decide` is told what stands in the way, and its error changes nothing and
   * is thrown. Null when the key came with another request.
   */
  readonly sendOnce: (
    request: OneRequest & {
      readonly decide: (found: SendingState) => string
    } & (
        | { readonly event: SingleEvent }
        | { readonly again: { readonly eventId: string; readonly dueMs: number } }
      ),
  ) => Promise<ChangeResponse | null>
  /** Leases what is due, dealt round accounts; what was leased for too long is due again. */
  readonly claim: (request: ClaimRequest) => Promise<ClaimedDelivery[]>
  /**
   * Brings deliveries forward whose wait or lease was begun later than now, before the clock was
   * put back: each keeps the length of its wait. Answers how many.
   */
  readonly moveDueTimes: (nowMs: number) => Promise<number>
  /** Decides of each that was claimed whether it is tried, and writes that its try begins. */
  readonly beginAttempts: (request: AttemptRequest) => Promise<BegunAttempt[]>
  /** Writes how tries ended, in the order in which they did. */
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
    /** Those queued before the one of this id. */
    beforeId?: number | undefined
    /** Those of public records alone; left out, all others. */
    isGeo?: boolean
    limit: number
  }) => Promise<DeliveryRecord[]>
  /** Deletes what is older, in many small transactions; answers how many events. */
  readonly deleteOlder: (beforeMs: number) => Promise<number>
  readonly outboxState: (query: { nowMs: number }) => Promise<OutboxState>
}
