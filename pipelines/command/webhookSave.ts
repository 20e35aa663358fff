import { saveWebhook } from '../../src/alerts/webhook.ts'
import { onAccount } from './webhookAccount.ts'

/** Runs `tapefold webhook save`. Fails with one sentence. */
export const runSave = (args: readonly string[]): Promise<void> =>
  onAccount(
    args,
    {
      verb: 'save',
      words: ['an address'],
      options: {},
      example: 'acc_4fQ8sK2mZx0T https://example.com/hook',
    },
    async ({ accounts, accountId, webhooks, rest, nowMs }) => {
      const request = { accountId, address: rest[0]!, atMs: nowMs }
      const { endpoint, warning, newSecret } = await saveWebhook({ accounts, webhooks }, request)
      if (warning !== null) {
        process.stderr.write(`tapefold: ${warning}; it is saved, but see that a test arrives.\n`)
      }
      return `${endpoint.url} is saved, and on\n${newSecret === null ? '' : secretText(newSecret)}`
    },
  )

/** A new secret, as it is printed once. */
export const secretText = (secret: string): string => `its secret is ${secret}\n`
