import { readSecret } from '../../src/alerts/webhook.ts'
import { isoTimeEt } from '../../src/core/market/calendar.ts'
import { onAccount } from './webhookAccount.ts'
import { secretText } from './webhookSave.ts'

/** Runs `tapefold webhook show`. Fails with one sentence. */
export const runShow = (args: readonly string[]): Promise<void> =>
  onAccount(
    args,
    {
      verb: 'show',
      words: [],
      example: 'acc_4fQ8sK2mZx0T',
      options: { secret: { type: 'boolean', default: false } },
    },
    async ({ accounts, accountId, webhooks }, { secret }) => {
      const endpoints = await accounts.outbox.listEndpoints(accountId)
      const lines = endpoints.map(({ owner, url, state, reason, failedInARow, sinceMs }) => {
        const why = reason === null ? '' : `: ${reason}`
        const failed = `${failedInARow} failed in a row`
        return `${owner}  ${url}  ${state}${why} since ${isoTimeEt(sinceMs)}, ${failed}\n`
      })
      if (lines.length === 0) lines.push('there is no webhook\n')
      if (secret) lines.push(secretText(await readSecret({ accounts, webhooks }, accountId)))
      return lines.join('')
    },
  )
