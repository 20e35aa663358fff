import { monotonicMs } from '../core/clock.ts'
import { CommandError } from '../core/disk/refusal.ts'
import { addContact, proveContact } from '../outbox/notices/contacts.ts'
import type { Contact, ContactChannel } from '../outbox/store/types.ts'
import { openNotices } from '../platform/notices/notices.ts'
import { type CommandContext, type CommandWork, withAccount } from './commandContext.ts'
import type { ACCOUNT } from './commandRows.ts'
import { CODE_MS } from './signIns.ts'
import type { AccountStore } from './types.ts'

type Run<Name extends string> = CommandWork<typeof ACCOUNT, Name>

const CHANNELS: readonly string[] = ['email', 'telegram'] satisfies ContactChannel[]

/** Runs `tapefold account contact add`. */
export const accountContactAddCommand: Run<'account contact add'> = (input, context) => {
  const [accountId, channel, address] = input.words
  const { print } = context
  return withAccount(context, accountId, async ({ outbox }) => {
    if (!CHANNELS.includes(channel)) {
      throw new CommandError(`the contact is "${channel}"; give email or telegram`, 1)
    }
    const isForAlerts = !input['no-alerts']
    const contact = { accountId, channel: channel as ContactChannel, address, isForAlerts }
    const siteUrl = await context.findSiteUrl()
    const notices = openNotices({ ...context.config.notices, siteUrl }, monotonicMs)
    try {
      const added = await addContact({ outbox, notices }, { ...contact, atMs: context.nowMs() })
      if (added.refused !== undefined) throw sentence(added.refused)
      print(contactLine(added.contact))
      print(`A code was sent there. It works once, for ${CODE_MS / 60_000} minutes:`)
      print(`tapefold account contact prove ${accountId} ${added.contact.id} CODE`)
    } finally {
      notices.close()
    }
  })
}

/** Runs `tapefold account contact prove`. */
export const accountContactProveCommand: Run<'account contact prove'> = (
  { words: [accountId, contactId, code] },
  context,
) =>
  onContact(context, { accountId, contactId }, async (accounts, contact) => {
    const proving = { accountId, contactId: contact.id, code, atMs: context.nowMs() }
    const refused = await proveContact(accounts, proving)
    if (refused !== null) throw sentence(refused)
    context.print(contactLine({ ...contact, isProven: true, reason: null }))
  })

/** Runs `tapefold account contact list`. */
export const accountContactListCommand: Run<'account product list'> = ({ words: [id] }, context) =>
  withAccount(context, id, async ({ outbox }) => {
    for (const contact of await outbox.listContacts(id)) context.print(contactLine(contact))
  })

/** Runs `tapefold account contact alerts`. */
export const accountContactAlertsCommand: Run<'account contact alerts'> = (
  { words: [accountId, contactId, to] },
  context,
) => {
  if (to !== 'on' && to !== 'off') throw new CommandError(`alerts are "${to}"; give on or off`, 1)
  return onContact(context, { accountId, contactId }, async ({ outbox }, contact) => {
    const isForAlerts = to === 'on'
    await outbox.setContactAlerts(accountId, contact.id, isForAlerts)
    context.print(contactLine({ ...contact, isForAlerts }))
  })
}

/** Runs `tapefold account contact remove`. */
export const accountContactRemoveCommand: Run<'account contact remove'> = (
  { words: [accountId, contactId] },
  context,
) =>
  onContact(context, { accountId, contactId }, async ({ outbox }, { id }) => {
    await outbox.removeContact(accountId, id)
    context.print(`${id} is removed`)
  })

/** Runs a work on a contact of an account. Fails with a CommandError where there is none. */
const onContact = (
  context: CommandContext,
  { accountId, contactId }: { readonly accountId: string; readonly contactId: string },
  work: (accounts: AccountStore, contact: Contact) => Promise<void>,
): Promise<void> =>
  withAccount(context, accountId, async accounts => {
    const contacts = await accounts.outbox.listContacts(accountId)
    const contact = contacts.find(({ id }) => id === contactId)
    if (contact) return work(accounts, contact)
    const where = `\`account contact list ${accountId}\` shows ids such as con_4fQ…`
    throw new CommandError(`${accountId} has no contact ${contactId}; ${where}`, 1)
  })

/** Converts a sentence of the page to the style of commands. */
const sentence = (text: string) =>
  new CommandError(text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, ''), 1)

function contactLine({ id, channel, address, isProven, reason, isForAlerts }: Contact): string {
  const state = isProven ? 'proven' : `not proven${reason === null ? '' : ` (${reason})`}`
  return `${id}  ${channel.padEnd(8)}  ${address}  ${state}  alerts ${isForAlerts ? 'on' : 'off'}`
}
