import { hash } from 'node:crypto'
import { wallTimeEt } from '../../core/market/calendar.ts'
import {
  GEO_OWNER,
  type Owner,
  type SingleEvent,
  WEBHOOK_OFF,
  type WebhookEndpoint,
} from '../store/types.ts'
import { plainText } from './plainText.ts'

/** Its events belong to no watched run and are not listed with the alerts. */
const RUN = 'notices'

/**
 * Event that notifies the proven contacts of an account that a webhook endpoint was switched off.
 * The same endpoint going off at the same instant is the same event, sent once.
 */
export function webhookOffEvent(endpoint: Omit<WebhookEndpoint, 'state'>): SingleEvent {
  const { accountId, owner, sinceMs } = endpoint
  const subject = `${RUN}|${accountId}|${WEBHOOK_OFF}|${owner}|${sinceMs}`
  const { date: day, minute } = wallTimeEt(sinceMs)
  const body = { version: 1, type: WEBHOOK_OFF, day, minute, text: offText(endpoint) }
  return {
    id: `evt_${hash('sha256', subject).slice(0, 32)}`,
    accountId,
    type: WEBHOOK_OFF,
    extra: null,
    owner: owner as Owner,
    minuteEndMs: null,
    priority: 0,
    channels: ['email', 'telegram'],
    body: JSON.stringify(body),
    run: RUN,
    day,
    minute,
    atMs: sinceMs,
  }
}

const WHOSE: Readonly<Record<string, string>> = {
  alerts: 'of your alerts',
  [GEO_OWNER]: 'of your public records',
}

/** Shows the host only: a path can be the only secret that protects the receiver. */
function offText({ owner, url, reason, sinceMs }: Omit<WebhookEndpoint, 'state'>): string {
  const whose = WHOSE[owner] ?? `of the position ${owner}`
  const host = URL.canParse(url) ? ` to ${new URL(url).host}` : ''
  const { date, minute } = wallTimeEt(sinceMs)
  const why = reason === null ? '' : `: ${reason}`
  const how = 'Nothing more is sent there. Save its address again to switch it on'
  return plainText(`The webhook ${whose}${host} went off on ${date} at ${minute} ET${why}. ${how}.`)
}
