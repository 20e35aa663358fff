import { SLOT_WAIT_MAX_MS } from '../../platform/notices/chatThrottle.ts'
import { MAIL_TIMEOUT_MS } from '../../platform/notices/mailer.ts'
import type { Notices } from '../../platform/notices/notices.ts'
import { createOutcome, type NoticeOutcome } from '../../platform/notices/outcome.ts'
import { TELEGRAM_TIMEOUT_MS } from '../../platform/notices/telegram.ts'
import type { Outbox } from '../store/outbox.ts'
import type { ContactChannel } from '../store/types.ts'
import { eventWords } from './words.ts'

/** One attempt of a delivery to a contact, as the store starts it. */
export type ContactAttempt = {
  readonly eventId: string
  readonly contactId: string
  readonly address: string
  readonly body: Buffer
  readonly atMs: number
}

/** Maximum duration of an attempt: a shorter lease could allow two attempts at once. */
export const LONGEST_ATTEMPT_MS: Readonly<Record<ContactChannel, number>> = {
  email: MAIL_TIMEOUT_MS,
  telegram: SLOT_WAIT_MAX_MS + TELEGRAM_TIMEOUT_MS,
}

/** Reason that an account reads when its chat counts as unproven. */
export const CHAT_SHUT = 'Telegram says that this chat takes no messages of the bot'

/**
 * Sends events to contacts, by channel; never fails. A chat that blocks the bot becomes unproven:
 * nothing more is sent there.
 */
export function contactSenders(
  { mailer, telegram, siteUrl }: Notices,
  outbox: Pick<Outbox, 'unproveContact'>,
): Readonly<Record<ContactChannel, (attempt: ContactAttempt) => Promise<NoticeOutcome>>> {
  const notHere = createOutcome('failed', 0, { error: 'not_set_up' })
  return {
    email: async ({ address: to, body, eventId, contactId, atMs }) => {
      if (!mailer) return notHere
      return await mailer.send({
        ...eventWords(body, siteUrl),
        to,
        atMs,
        id: `${eventId}.${contactId}`,
      })
    },
    telegram: async ({ address: chat, body, contactId }) => {
      if (!telegram) return notHere
      const { isShut, ...outcome } = await telegram.send({
        chat,
        text: eventWords(body, siteUrl).text,
      })
      // if that cannot be stored, the next message meets the same refusal
      if (isShut) await outbox.unproveContact(contactId, CHAT_SHUT).catch(() => {})
      return outcome
    },
  }
}
