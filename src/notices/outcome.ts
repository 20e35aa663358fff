import type { AttemptEnd } from '../accounts/outbox/types.ts'

/** What came of one try to send a mail or a message. */
export type NoticeOutcome = AttemptEnd['outcome'] & {
  /** A retry before so many milliseconds is useless; 0 where nothing is known of that. */
  readonly waitMs: number
}

/** An outcome of a try that got an answer with a status, or a word on why there was none. */
export function createOutcome(
  result: NoticeOutcome['result'],
  ms: number,
  more: Partial<NoticeOutcome> = {},
): NoticeOutcome {
  return { result, status: null, error: null, address: null, waitMs: 0, ms, ...more }
}
