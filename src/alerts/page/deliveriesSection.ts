import {
  type AccountRequest,
  type AccountSection,
  accountForm,
} from '../../accounts/accountPage.ts'
import { refusing } from '../../accounts/formRefusal.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html } from '../../platform/html/template.ts'
import { EVENTS_PER_MINUTE_MAX } from '../../platform/webhooks/delivery.ts'
import type { AttemptWire, DeliveryWire } from '../eventSchema.ts'
import { readDeliveries } from '../events.ts'
import { DELIVERIES_USUAL } from '../limits.ts'
import { sendOnDemand } from '../send.ts'
import { toWords } from './fieldInput.ts'
import { type AlertSectionDeps, isNotified } from './sectionDeps.ts'

/** The newest deliveries of an account with every attempt; each can be sent again. */
export const deliveriesSection = (deps: AlertSectionDeps): AccountSection => ({
  name: 'deliveries',
  title: 'Deliveries',
  draw: async request => {
    const { deliveries } = await readDeliveries(deps.accounts, {
      accountId: request.account.id,
      eventId: null,
      before: null,
      limit: DELIVERIES_USUAL,
      atMs: request.atMs,
    })
    if (deliveries.length > 0) return deliveryTable(request, deliveries)
    return isNotified(request) ? html`<p>Nothing was sent in the last 30 days.</p>` : null
  },
  forms: {
    again: sent =>
      refusing(async () => {
        const id = sent.fields.get('id') ?? ''
        const at = { accountId: sent.account.id, atMs: deps.nowMs(), dueMs: sent.atMs }
        const send = { op: 'redeliver', id } as const
        await sendOnDemand(deps.accounts, { ...at, repeat: null, send })
        return {
          notice: html`<p><span class="mono">${id}</span> is on its way again. Load the page
again to see how it went.</p>`,
        }
      }),
  },
})

/** Reasons why a delivery was not attempted, in words. */
const REASONS: Readonly<Record<string, string>> = {
  rate: `over ${EVENTS_PER_MINUTE_MAX} in a minute`,
  off: 'the webhook is off',
  late: 'over 5 minutes late',
  removed: 'its address is gone',
  no_contact: 'no proven contact',
  no_secret: 'no secret',
  interrupted: 'interrupted three times',
}

const deliveryTable = (request: AccountRequest, deliveries: readonly DeliveryWire[]): Html =>
  renderTable({
    caption: `The newest ${DELIVERIES_USUAL} deliveries; times in New York`,
    isCaptionHidden: false,
    columns: [
      'queued',
      'event',
      'to',
      'state',
      'tries',
      { head: html`<span class="hidden">send again</span>` },
    ],
    rows: deliveries.map(one => [
      html`<time datetime="${one.queued_at}">${timeText(one.queued_at)}</time>`,
      html`${toWords(one.type)}${
        one.position !== null && html`<br><span class="mono small">${one.position}</span>`
      }`,
      one.channel,
      html`${one.state}${one.reason !== null && html`: ${REASONS[one.reason] ?? one.reason}`}`,
      one.attempts.length > 0 && renderAttempts(one),
      one.ended_at !== null && againForm(request, one),
    ]),
  })

const timeText = (time: string): string => time.slice(0, 19).replace('T', ' ')

const renderAttempts = ({ attempts, event }: DeliveryWire): Html =>
  html`<details><summary>${attempts.length} <span class="hidden">of ${event}</span></summary>
<ol class="attempts">${attempts.map(one => html`<li>${attemptText(one)}</li>`)}</ol>
<p class="mono small">${event}</p></details>`

function attemptText({ started, result, ms, status, error, address }: AttemptWire): string {
  const outcome = status === null ? (error ?? 'no end is known').replaceAll('_', ' ') : `${status}`
  const took = ms === null ? '' : `, ${ms} ms`
  const at = address === null ? '' : `, ${address}`
  return `${timeText(started).slice(11)} ${result}: ${outcome}${took}${at}`
}

const againForm = (request: AccountRequest, { event, type }: DeliveryWire): Html =>
  accountForm(
    request,
    'deliveries/again',
    html`<input type="hidden" name="id" value="${event}">
<button class="plain small">Send again<span class="hidden"> ${type} ${event}</span></button>`,
  )
