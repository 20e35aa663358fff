import { isoTimeEt } from '../core/market/calendar.ts'
import type { WebhookEndpoint } from '../outbox/store/types.ts'
import type { AlertLine, ListEntry, OrderRule } from './kinds.ts'
import { LINES_MAX } from './lineFields.ts'
import { RULES_MAX } from './ruleFields.ts'
import { catalogue } from './schema.ts'
import type { SetAlerts, SetLine } from './stored.ts'

/** Alert settings in the format of the API. */

export type LineWire = AlertLine & {
  readonly armed: boolean
  readonly fired_at: string | null
}

/** The webhook endpoint of list, line and rule events; its address is never returned. */
export type WebhookWire = {
  readonly state: 'on' | 'off'
  readonly reason: string | null
  readonly failed_in_a_row: number
  readonly since: string
}

export type AlertsResponse = {
  readonly list: readonly ListEntry[]
  readonly lines: readonly LineWire[]
  readonly rules: readonly OrderRule[]
  readonly webhook: WebhookWire | null
  readonly max: { readonly lines: number; readonly rules: number }
  readonly catalogue: typeof catalogue
}

/** Response to a change. */
export type AlertsChanged = {
  readonly ok: true
  readonly id?: string
  readonly entry?: ListEntry
  readonly line?: LineWire
  readonly rule?: OrderRule
}

export const alertsWire = (
  { list, lines, rules }: SetAlerts,
  endpoint: WebhookEndpoint | null,
): AlertsResponse => ({
  list,
  lines: lines.map(lineWire),
  rules,
  webhook: endpoint && webhookWire(endpoint),
  max: { lines: LINES_MAX, rules: RULES_MAX },
  catalogue,
})

const webhookWire = ({ state, reason, failedInARow, sinceMs }: WebhookEndpoint): WebhookWire => ({
  state,
  reason,
  failed_in_a_row: failedInARow,
  since: isoTimeEt(sinceMs),
})

export function lineWire({ isArmed, firedAtMs, ...line }: SetLine): LineWire {
  const fired_at = firedAtMs === null ? null : isoTimeEt(firedAtMs)
  return { ...line, armed: isArmed, fired_at } as LineWire
}
