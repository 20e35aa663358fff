import type { JudgedPosition } from '../../src/alerts/finding/question.ts'
import type { Outbox } from '../../src/outbox/store/outbox.ts'
import type { Owner } from '../../src/outbox/store/types.ts'

/**
 * Saves the webhook endpoints of positions, so that their events can be addressed: a position that
 * was saved after its endpoint's last change of state gets a new one, which is on again.
 */
export async function savePositionEndpoints(
  outbox: Pick<Outbox, 'findEndpoint' | 'saveEndpoint'>,
  judged: { readonly positions: readonly JudgedPosition[]; readonly atMs: number },
): Promise<void> {
  for (const { accountId, position, channel, url, sinceMs } of judged.positions) {
    if (channel !== 'webhook' || url === null) continue
    const owner = position.id as Owner
    const endpoint = await outbox.findEndpoint(accountId, owner)
    const isKnown = endpoint?.url === url && endpoint.sinceMs >= sinceMs
    if (!isKnown) await outbox.saveEndpoint({ accountId, owner, url, atMs: judged.atMs })
  }
}
