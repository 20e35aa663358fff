import { removeWebhook } from '../../src/alerts/webhook.ts'
import { onAccount } from './webhookAccount.ts'

/** Runs `tapefold webhook remove`. Fails with one sentence. */
export const runRemove = (args: readonly string[]): Promise<void> =>
  onAccount(
    args,
    { verb: 'remove', words: [], options: {}, example: 'acc_4fQ8sK2mZx0T' },
    async ({ accounts, accountId }) => {
      await removeWebhook({ accounts }, accountId)
      return 'the webhook of the alerts is removed\n'
    },
  )
