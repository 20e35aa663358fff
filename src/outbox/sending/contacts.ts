import { listChannels, type Notices } from '../../platform/notices/notices.ts'
import { contactSenders } from '../notices/senders.ts'
import type { Outbox } from '../store/outbox.ts'
import type { Channel, ContactChannel } from '../store/types.ts'
import type { ChannelSender, SendLimits } from './channels.ts'
import { openSender, type Sender, type SenderDeps } from './sender.ts'

/** Attempts start at 0, 5 and 30 s. */
const GAPS_MS = [5_000, 25_000]

/**
 * Limits that a mail server and a bot tolerate. Few attempts start at once: other deliveries wait
 * in the database, where they use up no attempt.
 */
const LIMITS: Readonly<Record<ContactChannel, SendLimits>> = {
  email: { only: ['email'], slots: 4, accountSlots: 2, leaseMs: 30_000 },
  telegram: { only: ['telegram'], slots: 25, accountSlots: 1, leaseMs: 30_000 },
}

export type AllSendersDeps = Omit<SenderDeps, 'outbox' | 'channels' | 'limits'> & {
  readonly outbox: SenderDeps['outbox'] & Pick<Outbox, 'unproveContact'>
  readonly webhook: ChannelSender
  readonly notices: Notices
}

/**
 * Opens a sender of webhooks, and a separate one for mail and for Telegram where they are
 * configured: none waits for another. A delivery for a channel that is not configured fails with
 * that reason.
 */
export function openSenders({ webhook, notices, ...deps }: AllSendersDeps): Sender {
  const contact = contactSenders(notices, deps.outbox)
  const own = listChannels(notices)
  const others = (['webhook', 'email', 'telegram'] as const).filter(
    channel => !(own as readonly Channel[]).includes(channel),
  )
  const senders = [
    openSender({ ...deps, channels: { webhook }, limits: { only: others } }),
    ...own.map(channel =>
      openSender({
        ...deps,
        holder: `${deps.holder} ${channel}`,
        limits: LIMITS[channel],
        channels: { [channel]: contactSender(contact[channel], deps) },
      }),
    ),
  ]
  return {
    start: () => {
      for (const sender of senders) sender.start()
    },
    stop: async () => {
      await Promise.all(senders.map(sender => sender.stop()))
    },
  }
}

type ContactSend = ReturnType<typeof contactSenders>[ContactChannel]

const contactSender = (
  send: ContactSend,
  { nowMs, log }: Pick<AllSendersDeps, 'nowMs' | 'log'>,
): ChannelSender => ({
  gapsMs: GAPS_MS,
  send: async begun => {
    if (begun.channel === 'webhook') throw new Error('a webhook is not sent to a contact')
    const { channel, eventId, contactId, address, body } = begun
    const outcome = await send({ eventId, contactId, address, body, atMs: nowMs() })
    const { result, status, error, movedTo } = outcome
    const refused = { channel, contactId, eventId, status, error }
    if (movedTo !== undefined) log.info(refused, 'a contact has moved; it is followed')
    else if (result === 'failed') log.error(refused, 'a contact does not take a message')
    return outcome
  },
})
