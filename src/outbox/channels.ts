import type { BegunAttempt, Channel } from '../accounts/outbox/types.ts'
import type { AttemptOutcome } from '../webhooks/client.ts'

/** A try that has begun: what is sent, and where to. */
export type BegunSend = Extract<BegunAttempt, { kind: 'go' }>

export type ChannelOutcome = AttemptOutcome & {
  /** A retry before so many milliseconds is useless, as the receiver says. */
  readonly waitMs?: number
  /** The address that the contact has from now on. */
  readonly movedTo?: string
}

/** What a sender of its own may have under way. */
export type SendLimits = {
  /** Channels that it claims; all others are left to other senders. */
  readonly only: readonly Channel[]
  readonly slots?: number
  readonly accountSlots?: number
  /** Longer than any try. */
  readonly leaseMs?: number
}

/** How events go out by one channel. */
export type ChannelSender = {
  /** Sends once, and says how that ended. */
  readonly send: (begun: BegunSend) => Promise<ChannelOutcome>
  /** How long after the end of each failed try the next one begins; the last has no gap. */
  readonly gapsMs: readonly number[]
}

/** Channels that this server can send by. */
export type ChannelSenders = { readonly [Name in Channel]?: ChannelSender | undefined }

/** An outcome of what was never sent. */
export const unsent = (result: 'retry' | 'failed', error: string): AttemptOutcome => ({
  result,
  error,
  status: null,
  ms: 0,
  address: null,
})
