import { numberWord, sentenceNumber } from '../../core/text/counts.ts'

/** Rules of deliveries (contract). */

/**
 * Maximum events of an account that are first sent in any rolling minute: one that goes by webhook
 * and by mail counts once.
 */
export const EVENTS_PER_MINUTE_MAX = 30

/** Time limit of a whole attempt; a 2xx must have started by then. */
export const ATTEMPT_TIMEOUT_MS = 3_000

/** Delays before an event is sent to a webhook again: attempts are one more. */
export const RETRY_DELAYS_MS: readonly number[] = [1_000, 4_000]

/** Failed events in a row that switch a webhook endpoint off. */
export const FAILURES_UNTIL_OFF = 10

const delays = RETRY_DELAYS_MS.map(delayMs => {
  const seconds = delayMs / 1000
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
})

/** "ten events in a row". */
export const EVENTS_UNTIL_OFF = `${numberWord(FAILURES_UNTIL_OFF)} events in a row`

/** Rules for a receiver, for the OpenAPI file. */
export const DELIVERY_RULES = `Answer any 2xx within ${ATTEMPT_TIMEOUT_MS / 1000} seconds. No answer, a 429 or a 5xx is tried again after
${delays.join(' and after ')}; any other answer is final. Every try has the same id and body. ${sentenceNumber(FAILURES_UNTIL_OFF)}
events in a row that fail switch the webhook off.`
