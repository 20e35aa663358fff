import type { Outbox } from '../accounts/outbox/outbox.ts'
import type { ContactChannel } from '../accounts/outbox/types.ts'
import { MAIL_TIMEOUT_MS } from './mailer.ts'
import type { Notices } from './notices.ts'
import { createOutcome, type NoticeOutcome } from './outcome.ts'
import { SLOT_WAIT_MAX_MS } from './pace.ts'
import { TELEGRAM_TIMEOUT_MS } from './telegram.ts'
import { eventWords } from './words.ts'

/** One try of a delivery to a contact, as the store begins it. */
export type ContactAttempt = {
  readonly eventId: string
  readonly contactId: string
  readonly address: string
  readonly body: Buffer
  readonly atMs: number
}

/** Longest a try can last: what is leased for less could be tried twice at once. */
export const LONGEST_ATTEMPT_MS: Readonly<Record<ContactChannel, number>> = {
  email: MAIL_TIMEOUT_MS,
  telegram: SLOT_WAIT_MAX_MS + TELEGRAM_TIMEOUT_MS,
}

/** Why a chat counts as unproven, as its account reads it. */
export const CHAT_SHUT = 'Telegram says that this chat takes no messages of the bot'

/**
 * What sends events to contacts, by channel; it never fails. A chat that shuts the bot out becomes
 * unproven: nothing more is tried there.
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
      // where that cannot be written, the next message finds the same
      if (isShut) await outbox.unproveContact(contactId, CHAT_SHUT).catch(() => {})
      return outcome
    },
  }
}
