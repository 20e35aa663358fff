import type { Outbox } from '../../src/accounts/outbox/outbox.ts'
import type { Owner } from '../../src/accounts/outbox/types.ts'
import type { JudgedPosition } from '../../src/alerts/finding/question.ts'

/**
 * Sees that events of positions find the addresses of these: a position that was saved since its
 * hook came into its state has a new one, which is on again.
 */
export async function putPositionHooks(
  outbox: Pick<Outbox, 'findHook' | 'saveHook'>,
  told: { readonly positions: readonly JudgedPosition[]; readonly atMs: number },
): Promise<void> {
  for (const { accountId, position, channel, url, sinceMs } of told.positions) {
    if (channel !== 'webhook' || url === null) continue
    const owner = position.id as Owner
    const hook = await outbox.findHook(accountId, owner)
    const isKnown = hook?.url === url && hook.sinceMs >= sinceMs
    if (!isKnown) await outbox.saveHook({ accountId, owner, url, atMs: told.atMs })
  }
}
