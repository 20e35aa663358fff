import { type Sent, sendOnDemand } from '../../src/alerts/send.ts'
import { onAccount } from './webhookAccount.ts'

/** Runs `tapefold webhook test`. Fails with one sentence. */
export const runTest = (args: readonly string[]): Promise<void> =>
  onAccount(
    args,
    {
      verb: 'test',
      words: [],
      example: 'acc_4fQ8sK2mZx0T',
      options: { position: { type: 'string' } },
    },
    async ({ accounts, accountId, nowMs }, { position = null }) => {
      const at = { accountId, atMs: nowMs, dueMs: nowMs, repeat: null }
      const sent = await sendOnDemand(accounts, { ...at, send: { op: 'test', position } })
      const { id } = JSON.parse(sent!.response) as Sent
      return `${id} is queued; see "tapefold webhook deliveries ${accountId} --event ${id}"\n`
    },
  )
