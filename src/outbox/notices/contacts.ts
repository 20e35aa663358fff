import { randomUUID } from 'node:crypto'
import { shown } from '../../platform/http/request.ts'
import type { Notices } from '../../platform/notices/notices.ts'
import { isChatId, isMailAddress } from '../../platform/notices/settings.ts'
import { CONTACTS_MAX } from '../store/contacts.ts'
import type { Outbox } from '../store/outbox.ts'
import type { Contact, ContactChannel } from '../store/types.ts'
import { contactCodeWords } from './words.ts'

export type ContactDeps = { readonly outbox: Outbox; readonly notices: Notices }

export type NewContact = {
  readonly accountId: string
  readonly channel: ContactChannel
  readonly address: string
  readonly isForAlerts: boolean
  readonly atMs: number
}

/** A contact to which a code was sent, or the reason for refusing it, in one sentence. */
export type AddedContact =
  | { readonly contact: Contact; readonly refused?: never }
  | { readonly refused: string; readonly contact?: never }

const REFUSALS = {
  no_account: 'This account is gone.',
  full: `This account has ${CONTACTS_MAX} contacts, which is the most; remove one first.`,
  soon: 'A code was sent there less than a minute ago; wait a minute.',
  often: 'Enough codes were sent of late; try again in an hour.',
} as const

/** Adds a contact, or finds an existing one, and sends it a verification code. */
export async function addContact(
  { outbox, notices }: ContactDeps,
  newContact: NewContact,
): Promise<AddedContact> {
  const { channel, atMs } = newContact
  const { mailer, telegram, siteUrl } = notices
  if (channel === 'email' ? !mailer : !telegram) return { refused: NOT_HERE[channel] }
  const address = normalizeAddress(channel, newContact.address)
  if (address === null) return { refused: addressFault(channel, newContact.address) }
  const added = await outbox.addContact({ ...newContact, address })
  if (typeof added === 'string') return { refused: REFUSALS[added] }
  const { contact, code } = added
  const words = contactCodeWords(code, siteUrl)
  const { result, movedTo } =
    channel === 'email'
      ? await mailer!.send({ ...words, to: address, id: randomUUID(), atMs })
      : await telegram!.send({ chat: address, text: words.text })
  if (result === 'sent') return { contact }
  if (movedTo !== undefined) return { refused: movedText(address, movedTo) }
  return { refused: channel === 'email' ? MAIL_FAILED : CHAT_FAILED }
}

const NOT_HERE: Readonly<Record<ContactChannel, string>> = {
  email: 'This server sends no mail: TAPEFOLD_SMTP_URL is not set.',
  telegram: 'This server sends no Telegram messages: TAPEFOLD_TELEGRAM_URL is not set.',
}

const MAIL_FAILED =
  'The mail server did not take the code for this address. Look whether the address is right, ' +
  'and send a new code in a minute.'
const CHAT_FAILED =
  'Telegram did not take the code for this chat. Open the bot in Telegram and press Start, look ' +
  'whether the number is right, and send a new code in a minute.'

const movedText = (chat: string, to: string) =>
  `The chat is ${shown(chat)}, a group that Telegram has given another number since; give ${to}.`

/** Normalises an address for storage; null when it is invalid. */
function normalizeAddress(channel: ContactChannel, text: string): string | null {
  const trimmed = text.trim()
  if (channel === 'telegram') return isChatId(trimmed) ? trimmed : null
  if (!isMailAddress(trimmed)) return null
  // the part before the @ belongs to its server, which may distinguish capitals
  const at = trimmed.indexOf('@')
  return trimmed.slice(0, at) + trimmed.slice(at).toLowerCase()
}

const addressFault = (channel: ContactChannel, text: string): string =>
  channel === 'email'
    ? `The address is ${shown(text)}; give one plain address, such as you@example.com.`
    : `The chat is ${shown(text)}; give the number of a chat, such as 123456789.`

/** Verifies a contact by its code; returns the error message, or null on success. */
export async function proveContact(
  { outbox }: Pick<ContactDeps, 'outbox'>,
  proof: { accountId: string; contactId: string; code: string; atMs: number },
): Promise<string | null> {
  const result = await outbox.proveContact(proof)
  if (result === 'proven') return null
  return result === 'wrong'
    ? 'This is not the code that was sent there; it can be typed five times.'
    : 'There is no code to type any more: it was used, is over 15 minutes old, or was typed ' +
        'wrongly five times. Send a new one.'
}
