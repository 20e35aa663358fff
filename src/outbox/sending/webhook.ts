import type { WebhookClient } from '../../platform/webhooks/client.ts'
import { RETRY_DELAYS_MS } from '../../platform/webhooks/delivery.ts'
import { type SecretBox, secretAbout } from '../../platform/webhooks/secretBox.ts'
import { geoHeaders, signedHeaders } from '../../platform/webhooks/sign.ts'
import { GEO_OWNER } from '../store/types.ts'
import { type ChannelSender, unsent } from './channels.ts'

/** Sends events to webhooks; each attempt is signed again with the account's current secret. */
export const webhookSender = ({
  client,
  box,
  nowMs,
}: {
  readonly client: Pick<WebhookClient, 'post'>
  readonly box: Pick<SecretBox, 'open'>
  readonly nowMs: () => number
}): ChannelSender => ({
  gapsMs: RETRY_DELAYS_MS,
  send: async begun => {
    if (begun.channel !== 'webhook') throw new Error(`${begun.channel} is not sent to a webhook`)
    const { accountId, owner, sealedSecret, url, type, eventId: id, body } = begun
    const secret = box.open(sealedSecret, secretAbout(accountId))
    // sealed with a key that this server does not have: a new secret must be made
    if (secret === null) return unsent('failed', 'secret')
    const signed = { type, id, body, secret, atMs: nowMs() }
    const headers =
      owner === GEO_OWNER
        ? geoHeaders(signed)
        : signedHeaders({ ...signed, isPosition: owner !== 'alerts' })
    return client.post({ url, headers, body })
  },
})
