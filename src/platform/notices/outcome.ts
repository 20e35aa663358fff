import type { AttemptOutcome } from '../webhooks/client.ts'

/** Outcome of one attempt to send a mail or a message. */
export type NoticeOutcome = AttemptOutcome & {
  /** New address of the contact, as its receiver reports. */
  readonly movedTo?: string
  /** Minimum delay before a retry, in milliseconds; 0 when unknown. */
  readonly waitMs: number
}

/**
 * Returns the outcome of an attempt with a response status, or with the reason why there was none.
 */
export function createOutcome(
  result: NoticeOutcome['result'],
  ms: number,
  more: Partial<NoticeOutcome> = {},
): NoticeOutcome {
  return { result, status: null, error: null, address: null, waitMs: 0, ms, ...more }
}
