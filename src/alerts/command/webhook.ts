import {
  type CommandContext,
  type CommandWork,
  withAccount,
} from '../../accounts/commandContext.ts'
import type { AccountStore } from '../../accounts/types.ts'
import { isoTimeEt } from '../../core/market/calendar.ts'
import { type WebhookTools, webhookTools } from '../../platform/webhooks/tools.ts'
import type { AttemptWire, DeliveryWire } from '../eventSchema.ts'
import { readDeliveries } from '../events.ts'
import { type Sent, sendOnDemand } from '../send.ts'
import { readSecret, removeWebhook, rotateSecret, saveWebhook } from '../webhook.ts'
import type { WEBHOOK } from './rows.ts'

type Run<Name extends string> = CommandWork<typeof WEBHOOK, Name>

/** Commands on the webhook of an account. */

export type OnAccount = {
  readonly accounts: AccountStore
  readonly accountId: string
  readonly webhooks: WebhookTools
  readonly atMs: number
}

/** Runs a work on an account, and prints its text. */
export const onAccount = (
  context: CommandContext,
  accountId: string,
  work: (on: OnAccount) => Promise<string>,
): Promise<void> =>
  withAccount(context, accountId, async accounts => {
    const on = { accounts, accountId, atMs: context.nowMs() }
    process.stdout.write(await work({ ...on, webhooks: webhookTools(context.config) }))
  })

/** A new secret, as it is printed once. */
const secretText = (secret: string): string => `its secret is ${secret}\n`

/** Runs `tapefold webhook save`. */
export const webhookSaveCommand: Run<'webhook save'> = ({ words }, context) =>
  onAccount(context, words[0], async ({ accounts, webhooks, ...on }) => {
    const request = { ...on, address: words[1] }
    const { endpoint, warning, newSecret } = await saveWebhook({ accounts, webhooks }, request)
    if (warning !== null) {
      process.stderr.write(`tapefold: ${warning}; it is saved, but see that a test arrives.\n`)
    }
    return `${endpoint.url} is saved, and on\n${newSecret === null ? '' : secretText(newSecret)}`
  })

/** Runs `tapefold webhook show`. */
export const webhookShowCommand: Run<'webhook show'> = ({ words, secret }, context) =>
  onAccount(context, words[0], async ({ accounts, accountId, webhooks }) => {
    const endpoints = await accounts.outbox.listEndpoints(accountId)
    const lines = endpoints.map(({ owner, url, state, reason, failedInARow, sinceMs }) => {
      const why = reason === null ? '' : `: ${reason}`
      const failed = `${failedInARow} failed in a row`
      return `${owner}  ${url}  ${state}${why} since ${isoTimeEt(sinceMs)}, ${failed}\n`
    })
    if (lines.length === 0) lines.push('there is no webhook\n')
    if (secret) lines.push(secretText(await readSecret({ accounts, webhooks }, accountId)))
    return lines.join('')
  })

/** Runs `tapefold webhook rotate`. */
export const webhookRotateCommand: Run<'webhook rotate'> = ({ words }, context) =>
  onAccount(context, words[0], async ({ accounts, webhooks, ...on }) =>
    secretText(await rotateSecret({ accounts, webhooks }, on)),
  )

/** Runs `tapefold webhook remove`. */
export const webhookRemoveCommand: Run<'webhook rotate'> = ({ words }, context) =>
  onAccount(context, words[0], async ({ accounts, accountId }) => {
    await removeWebhook({ accounts }, accountId)
    return 'the webhook of the alerts is removed\n'
  })

/** Runs `tapefold webhook test`. */
export const webhookTestCommand: Run<'webhook test'> = ({ words, position }, context) =>
  onAccount(context, words[0], async ({ accounts, accountId, atMs }) => {
    const at = { accountId, atMs, dueMs: atMs, repeat: null }
    const sent = await sendOnDemand(accounts, {
      ...at,
      send: { op: 'test', position: position ?? null },
    })
    const { id } = JSON.parse(sent!.response) as Sent
    return `${id} is queued; see "tapefold webhook deliveries ${accountId} --event ${id}"\n`
  })

/** Runs `tapefold webhook deliveries`. */
export const webhookDeliveriesCommand: Run<'webhook deliveries'> = (
  { words, event, limit, json },
  context,
) =>
  onAccount(context, words[0], async ({ accounts, ...on }) => {
    const query = { ...on, eventId: event ?? null, before: null, limit }
    const response = await readDeliveries(accounts, query)
    if (json) return `${JSON.stringify(response, null, 1)}\n`
    return response.deliveries.map(formatDelivery).join('') || 'no deliveries\n'
  })

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
