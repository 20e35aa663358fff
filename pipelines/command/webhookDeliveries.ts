import type { AttemptWire, DeliveryWire } from '../../src/alerts/eventSchema.ts'
import { DELIVERIES_MAX, DELIVERIES_USUAL, readDeliveries } from '../../src/alerts/events.ts'
import { UsageError } from '../../src/core/command.ts'
import { onAccount } from './webhookAccount.ts'

/** Runs `tapefold webhook deliveries`. Fails with one sentence. */
export const runDeliveries = (args: readonly string[]): Promise<void> =>
  onAccount(
    args,
    {
      verb: 'deliveries',
      words: [],
      example: 'acc_4fQ8sK2mZx0T',
      options: {
        event: { type: 'string' },
        limit: { type: 'string', default: String(DELIVERIES_USUAL) },
        json: { type: 'boolean', default: false },
      },
    },
    async ({ accounts, accountId, nowMs }, { event = null, limit, json }) => {
      const query = { accountId, eventId: event, before: null, atMs: nowMs }
      const count = wholeOption('--limit', limit, DELIVERIES_MAX)
      const response = await readDeliveries(accounts, { ...query, limit: count })
      if (json) return `${JSON.stringify(response, null, 1)}\n`
      return response.deliveries.map(formatDelivery).join('') || 'no deliveries\n'
    },
  )

/** A count of an option. Fails with a UsageError. */
export function wholeOption(name: string, text: string, max: number): number {
  if (/^[1-9]\d{0,5}$/.test(text) && Number(text) <= max) return Number(text)
  throw new UsageError(`${name} is ${text}; give 1 to ${max}, such as 20.`)
}

function formatDelivery({
  event,
  type,
  channel,
  state,
  reason,
  queued_at,
  attempts,
}: DeliveryWire) {
  const why = reason === null ? '' : `: ${reason}`
  const attemptLines = attempts.map(one => `  ${formatAttempt(one)}\n`).join('')
  return `${queued_at}  ${event}  ${type}  ${channel}  ${state}${why}\n${attemptLines}`
}

const formatAttempt = ({
  number,
  started,
  result,
  ms,
  status,
  error,
  address,
}: AttemptWire): string => {
  const outcome = [status ?? error, ms === null ? null : `${ms} ms`, address]
  return `${number}  ${started}  ${result}  ${outcome.filter(part => part !== null).join('  ')}`
}
