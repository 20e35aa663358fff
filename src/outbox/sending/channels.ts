import type { NoticeOutcome } from '../../platform/notices/outcome.ts'
import type { AttemptOutcome } from '../../platform/webhooks/client.ts'
import type { BegunAttempt, Channel } from '../store/types.ts'

/** Started attempt: the content to send and its destination. */
export type BegunSend = Extract<BegunAttempt, { kind: 'go' }>

/** That of a webhook has no delay of its own before a retry. */
export type ChannelOutcome = AttemptOutcome & Partial<NoticeOutcome>

/** Limits of a sender that serves its own channels. */
export type SendLimits = {
  /** Channels that it claims; all others are left to other senders. */
  readonly only: readonly Channel[]
  readonly slots?: number
  readonly accountSlots?: number
  /** Longer than any attempt. */
  readonly leaseMs?: number
}

/** Sends events by one channel. */
export type ChannelSender = {
  /** Sends once and returns the outcome. */
  readonly send: (begun: BegunSend) => Promise<ChannelOutcome>
  /** Delays between the end of each failed attempt and the next one; the last attempt has none. */
  readonly gapsMs: readonly number[]
}

/** Channels that this server can send by. */
export type ChannelSenders = { readonly [Name in Channel]?: ChannelSender | undefined }

/** Returns the outcome of a delivery that was never sent. */
export const unsent = (result: 'retry' | 'failed', error: string): AttemptOutcome => ({
  result,
  error,
  status: null,
  ms: 0,
  address: null,
})
