/**
 * Tables of found events, their destinations, and every attempt to deliver them. In the subset that
 * SQLite and PostgreSQL share, like all tables of accounts.
 */
export type OutboxTables = {
  /** Progress of the watch of a day, and the state of its rules. */
  watch_runs: {
    /** `live`, or `replay_` and 12 characters of base 62. */
    run: string
    /** 'YYYY-MM-DD' */
    day: string
    /** The last minute taken, 'HH:MM'; null before the first. */
    minute: string | null
    /** JSON of the rules; null before the first. */
    states: string | null
    updated_at: number
  }
  /** Lines that have fired or were armed again, in each run; one without a row is armed. */
  alert_line_states: {
    run: string
    line_id: string
    account_id: string
    is_armed: number
    fired_at: number | null
    updated_at: number
  }
  /** Part of a body that all accounts share which get the same event. */
  findings: {
    /** Increases like the numbers of events. */
    id: number
    /** JSON without `id`. */
    body: string
    created_at: number
  }
  events: {
    /** Increases in the order in which events can be read. */
    seq: number
    id: string
    account_id: string
    type: string
    finding_id: number
    /** JSON of the account's own part of the body; null when it has none. */
    extra: string | null
    /** `alerts`, or the id of a position. */
    owner: string
    run: string
    day: string
    /** 'HH:MM'; null for an event of no minute, such as a test. */
    minute: string | null
    /** The instant at which its minute ended; null when it is never too late to send it. */
    minute_end_at: number | null
    /** 0 to 3: levels, lines, positions, orders. */
    priority: number
    /** Channels of the event, each followed by a comma; empty when it is only listed. */
    channels: string
    created_at: number
  }
  /** Webhook endpoints of the events of an owner. */
  hooks: {
    account_id: string
    /** `alerts`, or the id of a position. */
    owner: string
    url: string
    /** `on` or `off`. */
    state: string
    reason: string | null
    failed_in_a_row: number
    /** Start of its current state. */
    since_at: number
    /** New with every save: attempts begun before no longer count. */
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
    /** Reason why it counts as unproven again. */
    reason: string | null
    created_at: number
    /** SHA-256 of its id and the code sent there, hex; null when none is open. */
    code_hash: string | null
    code_made_at: number | null
    code_tries: number
  }
  /** Codes sent recently, to limit how many an address gets. */
  code_sends: {
    /** `contact` or `sign_in`. */
    purpose: string
    channel: string
    /** Lower case. */
    address: string
    /** Requesting account; null when nobody was signed in. */
    account_id: string | null
    sent_at: number
  }
  /** Delivery of an event to one destination. */
  deliveries: {
    id: number
    event_seq: number
    account_id: string
    owner: string
    /** `webhook`, `email` or `telegram`. */
    channel: string
    /** Null for a webhook, and when there was no proven contact. */
    contact_id: string | null
    type: string
    priority: number
    /** `waiting`, `trying`, `sent`, `failed` or `dropped`. */
    state: string
    reason: string | null
    /** Attempts that have ended. */
    tries: number
    /** Attempts that have begun, those with an unknown end included. */
    attempts: number
    /**
     * Waiting: next attempt; trying: end of the lease; afterwards: when it was sent, failed or
     * dropped.
     */
    due_at: number
    /** Process that attempts it. */
    holder: string | null
    /** A first attempt after this instant is too late; null when it never is. */
    late_at: number | null
    first_try_at: number | null
    /** True when its body has `put_support`; null before the first attempt. */
    has_put_support: number | null
    /** `save_id` of the endpoint when its last attempt began. */
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
    /** IP address that was dialled. */
    address: string | null
  }
  /** One row: the last numbers assigned. Only its lock holder adds events. */
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
