import { numberWord } from '../core/text/counts.ts'
import type { WebhookEndpoint } from '../outbox/store/types.ts'
import { EMPTY, type Html, html } from '../platform/html/template.ts'
import { renderTime } from '../platform/html/time.ts'
import { EVENTS_UNTIL_OFF, FAILURES_UNTIL_OFF } from '../platform/webhooks/delivery.ts'

/** Markup of a webhook address on the account page, for every kind of delivery. */

export const endpointState = ({
  url,
  state,
  reason,
  failedInARow,
  sinceMs,
}: WebhookEndpoint): Html =>
  html`<p><span class="name mono">${url}</span></p>
${
  state === 'on'
    ? html`<p><strong>On</strong> since ${renderTime(sinceMs)}${
        failedInARow > 0 &&
        html`; the last ${failedInARow} events failed, ${numberWord(FAILURES_UNTIL_OFF)} switch it off`
      }.</p>`
    : html`<div class="note bad"><p><strong>Off</strong> since ${renderTime(sinceMs)}: ${
        reason ?? `${EVENTS_UNTIL_OFF} failed`
      }. Save the address again to switch it on. What came in between is not sent.</p></div>`
}`

/** A displayed secret; `isNew`: it was just made. */
export const shownSecret = (secret: string, isNew: boolean): Html =>
  html`<p><strong>This is the ${isNew && 'new '}secret of your webhooks. Copy it now.</strong></p>
<pre class="wrap" id="secret"><code>${secret}</code></pre>`

/** Notice after an address is saved; null: none. */
export const savedWords = (saved: {
  readonly warning: string | null
  readonly newSecret: string | null
}): Html | null => {
  const { warning, newSecret } = saved
  if (warning === null && newSecret === null) return null
  const warned = html`<p>The address is saved, but ${warning}: see that a test arrives.</p>`
  return html`${warning === null ? EMPTY : warned}
${newSecret !== null && shownSecret(newSecret, true)}`
}
