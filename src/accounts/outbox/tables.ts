/**
 * The tables of what accounts are told: found events, where they go, and every try to bring them
 * there. In the subset that SQLite and PostgreSQL share, like all tables of accounts.
 */
export type OutboxTables = {
  /** How far the watch of a day has come, and what its rules remember. */
  watch_runs: {
    /** `live`, or `replay_` and 12 characters of base 62. */
    run: string
    /** 'YYYY-MM-DD' */
    day: string
    /** The last state that was taken, 'HH:MM'; null before the first. */
    minute: string | null
    /** JSON of the rules; null before the first. */
    states: string | null
    updated_at: number
  }
  /** Lines that have fired or were armed again, in each run; one that has no row is armed. */
  alert_line_states: {
    run: string
    line_id: string
    account_id: string
    is_armed: number
    fired_at: number | null
    updated_at: number
  }
  /** The part of a body that all accounts share which hear of the same thing. */
  findings: {
    /** Rises like the numbers of events. */
    id: number
    /** JSON without `id`. */
    body: string
    created_at: number
  }
  events: {
    /** Rises in the order in which events can be read. */
    seq: number
    id: string
    account_id: string
    type: string
    finding_id: number
    /** JSON of the account's own part of the body; null where it has none. */
    extra: string | null
    /** `alerts`, or the id of a position. */
    owner: string
    run: string
    day: string
    /** 'HH:MM'; null for an event of no minute, such as a test. */
    minute: string | null
    /** The instant at which its minute ended; null when it is never too late to tell it. */
    minute_end_at: number | null
    /** 0 to 3: levels, lines, positions, orders. */
    priority: number
    /** Channels it goes to, each with a comma behind it; empty when it is only listed. */
    channels: string
    created_at: number
  }
  /** Where the events of an owner are sent. */
  hooks: {
    account_id: string
    /** `alerts`, or the id of a position. */
    owner: string
    url: string
    /** `on` or `off`. */
    state: string
    reason: string | null
    failed_in_a_row: number
    /** When it came into its state. */
    since_at: number
    /** Made anew by every saving: what began before counts no more. */
    save_id: string
  }
  /** The signing secret of an account, encrypted. */
  secrets: {
    account_id: string
    sealed: string
    made_at: number
  }
  /** Addresses of mail and chats of Telegram. */
  contacts: {
    id: string
    account_id: string
    /** `email` or `telegram`. */
    channel: string
    address: string
    /** 1: events of the alert list go there, too. */
    is_for_alerts: number
    proven_at: number | null
    /** Why it counts as unproven again. */
    reason: string | null
    created_at: number
    /** SHA-256 of its id and the code sent there, hex; null when none is open. */
    code_hash: string | null
    code_made_at: number | null
    code_tries: number
  }
  /** Codes that were sent of late, so that nobody is sent too many. */
  code_sends: {
    /** `contact` or `sign_in`. */
    purpose: string
    channel: string
    /** In small letters. */
    address: string
    /** Who asked; null where nobody was signed in. */
    account_id: string | null
    sent_at: number
  }
  /** An event on its way to one place. */
  deliveries: {
    id: number
    event_seq: number
    account_id: string
    owner: string
    /** `webhook`, `email` or `telegram`. */
    channel: string
    /** Null for a webhook, and where there was no proven contact. */
    contact_id: string | null
    type: string
    priority: number
    /** `waiting`, `trying`, `sent`, `failed` or `dropped`. */
    state: string
    reason: string | null
    /** Tries that have ended. */
    tries: number
    /** Tries that have begun, those whose end nobody knows included. */
    attempts: number
    /**
     * While it waits, when it is tried next; while it is tried, when its lease is over; then, when
     * it was sent, failed or dropped.
     */
    due_at: number
    /** Who tries it. */
    holder: string | null
    /** A first try after this instant is too late; null when it never is. */
    late_at: number | null
    first_try_at: number | null
    /** Whether its body has `put_support`; null before the first try. */
    has_put_support: number | null
    /** `save_id` of the hook when its last try began. */
    save_id: string | null
    queued_at: number
  }
  attempts: {
    delivery_id: number
    /** From 1. */
    number: number
    began_at: number
    /** `unknown`, `sent`, `retry` or `failed`. */
    result: string
    ms: number | null
    status: number | null
    error: string | null
    /** The IP address that was dialled. */
    address: string | null
  }
  /** One row: the last numbers that were given. Who holds it is the only one to add events. */
  outbox_counters: {
    id: number
    event_seq: number
    finding_id: number
    delivery_id: number
  }
}

/** The tables, each after those that its rows refer to. */
export const OUTBOX_TABLES = [
  'watch_runs',
  'alert_line_states',
  'findings',
  'events',
  'hooks',
  'secrets',
  'contacts',
  'code_sends',
  'deliveries',
  'attempts',
  'outbox_counters',
] as const satisfies readonly (keyof OutboxTables)[]
