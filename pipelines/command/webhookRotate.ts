import { rotateSecret } from '../../src/alerts/webhook.ts'
import { onAccount } from './webhookAccount.ts'
import { secretText } from './webhookSave.ts'

/** Runs `tapefold webhook rotate`. Fails with one sentence. */
export const runRotate = (args: readonly string[]): Promise<void> =>
  onAccount(
    args,
    { verb: 'rotate', words: [], options: {}, example: 'acc_4fQ8sK2mZx0T' },
    async ({ accounts, accountId, webhooks, nowMs }) =>
      secretText(await rotateSecret({ accounts, webhooks }, { accountId, atMs: nowMs })),
  )
