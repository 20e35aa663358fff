import { Refusal } from '../core/disk/refusal.ts'
import type { WebhookEndpoint } from '../outbox/store/types.ts'
import { webhookFault } from '../platform/webhooks/address.ts'
import { judgeAtSave } from '../platform/webhooks/resolver.ts'
import { makeSecret, secretAbout } from '../platform/webhooks/secretBox.ts'
import type { WebhookTools } from '../platform/webhooks/tools.ts'
import { refuseAddress } from './completePosition.ts'
import type { PositionInput } from './parseChange.ts'
import type { Position } from './schema.ts'
import type { PositionChange } from './store/types.ts'

/** Webhook endpoint of a position: stored separately, so that it can be switched off. */

/**
 * Resolves the address that an input names, as each connection will. Fails with `invalid` when it
 * has no address in the DNS, or no public one.
 */
export async function judgeNamed(
  { alert }: PositionInput,
  { rules, resolve }: Pick<WebhookTools, 'rules' | 'resolve'>,
): Promise<void> {
  // a fault of the address itself is reported in order, with the rest of the position
  if (alert?.url == null || webhookFault(alert.url, rules) !== null) return
  const { fault } = await judgeAtSave(alert.url, { rules, resolve })
  refuseAddress(alert.url, fault)
}

/** Makes a sealed secret for an account that may have none; null when the server has no key. */
export function sealedSecret(webhooks: WebhookTools, accountId: string): string | null {
  try {
    return webhooks.box().seal(makeSecret(), secretAbout(accountId))
  } catch (error) {
    // the position is stored anyway; its deliveries are logged as without a secret
    if (error instanceof Refusal) return null
    throw error
  }
}

/**
 * Decides the change of a saved position's webhook endpoint: switched on when its address is sent
 * again or there was none; removed with the channel.
 */
export function decideEndpointChange(
  { id, alert }: Position,
  sent: PositionInput,
  { endpoints, firstSecret }: { endpoints: readonly WebhookEndpoint[]; firstSecret: string | null },
): PositionChange['endpoint'] {
  const endpoint = findEndpoint(id, endpoints)
  if (alert.channel !== 'webhook' || alert.url === null) return endpoint ? 'remove' : undefined
  const isNamed = sent.alert?.url != null || sent.alert?.channel != null
  if (!isNamed && endpoint?.url === alert.url) return undefined
  return { url: alert.url, firstSecret }
}

const findEndpoint = (
  id: string,
  endpoints: readonly WebhookEndpoint[],
): WebhookEndpoint | undefined => endpoints.find(({ owner }) => owner === id)

/** Returns a position with the state of its webhook endpoint, for a response. */
export function withEndpointState(
  position: Position,
  endpoints: readonly WebhookEndpoint[],
): Position {
  const { channel, url, before } = position.alert
  const state = channel === 'webhook' ? findEndpoint(position.id, endpoints)?.state : undefined
  return { ...position, alert: { channel, url, before, ...(state && { state }) } }
}
