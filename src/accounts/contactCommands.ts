import { CommandError } from '../core/disk/refusal.ts'
import { addContact, proveContact } from '../outbox/notices/contacts.ts'
import type { Contact, ContactChannel } from '../outbox/store/types.ts'
import { ACCOUNT_USAGE, type CommandDeps, noAccount, parseArgs, usageError } from './arguments.ts'
import { CODE_MS } from './signIns.ts'

const CHANNELS: readonly string[] = ['email', 'telegram'] satisfies ContactChannel[]

/** `account contact add|prove|list|alerts|remove`. Fails with a CommandError. */
export async function runContactCommand(args: readonly string[], deps: CommandDeps) {
  const { words, flags } = parseArgs(args, [], ACCOUNT_USAGE, ['no-alerts'])
  const [verb = '', accountId, ...rest] = words
  const run = COMMANDS[verb]
  const isWhole = run !== undefined && accountId !== undefined && rest.length === run.words
  if (!isWhole || (flags.size > 0 && verb !== 'add')) throw usageError(ACCOUNT_USAGE)
  if (!(await deps.accounts.findAccount(accountId))) throw noAccount(accountId)
  await run.does({ ...deps, accountId, isForAlerts: !flags.has('no-alerts') }, rest)
}

type ContactCommandDeps = CommandDeps & {
  readonly accountId: string
  readonly isForAlerts: boolean
}

type Command = {
  /** Number of words after the account. */
  readonly words: number
  readonly does: (deps: ContactCommandDeps, words: readonly string[]) => Promise<void>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  add: { words: 2, does: add },
  prove: { words: 2, does: prove },
  list: { words: 0, does: list },
  alerts: { words: 2, does: switchAlerts },
  remove: { words: 1, does: remove },
}

async function add(deps: ContactCommandDeps, [channel, address]: readonly string[]) {
  const { accounts, notices, accountId, isForAlerts, nowMs, print } = deps
  if (!CHANNELS.includes(channel!)) {
    throw new CommandError(`the contact is "${channel}"; give email or telegram`, 1)
  }
  const newContact = {
    accountId,
    channel: channel as ContactChannel,
    address: address!,
    isForAlerts,
  }
  const added = await addContact(
    { outbox: accounts.outbox, notices },
    { ...newContact, atMs: nowMs() },
  )
  if (added.refused !== undefined) throw sentence(added.refused)
  print(contactLine(added.contact))
  print(`A code was sent there. It works once, for ${CODE_MS / 60_000} minutes:`)
  print(`tapefold account contact prove ${accountId} ${added.contact.id} CODE`)
}

async function prove(deps: ContactCommandDeps, [contactId, code]: readonly string[]) {
  const { accounts, accountId, nowMs, print } = deps
  const contact = await findContact(deps, contactId!)
  const proving = { accountId, contactId: contact.id, code: code!, atMs: nowMs() }
  const refused = await proveContact(accounts, proving)
  if (refused !== null) throw sentence(refused)
  print(contactLine({ ...contact, isProven: true, reason: null }))
}

async function list({ accounts, accountId, print }: ContactCommandDeps) {
  for (const contact of await accounts.outbox.listContacts(accountId)) print(contactLine(contact))
}

async function switchAlerts(deps: ContactCommandDeps, [contactId, to]: readonly string[]) {
  if (to !== 'on' && to !== 'off') {
    throw new CommandError(`alerts are "${to}"; give on or off`, 1)
  }
  const contact = await findContact(deps, contactId!)
  const isForAlerts = to === 'on'
  await deps.accounts.outbox.setContactAlerts(deps.accountId, contact.id, isForAlerts)
  deps.print(contactLine({ ...contact, isForAlerts }))
}

async function remove(deps: ContactCommandDeps, [contactId]: readonly string[]) {
  const contact = await findContact(deps, contactId!)
  await deps.accounts.outbox.removeContact(deps.accountId, contact.id)
  deps.print(`${contact.id} is removed`)
}

async function findContact({ accounts, accountId }: ContactCommandDeps, id: string) {
  const contacts = await accounts.outbox.listContacts(accountId)
  const found = contacts.find(contact => contact.id === id)
  if (found) return found
  const where = `\`account contact list ${accountId}\` shows ids such as con_4fQ…`
  throw new CommandError(`${accountId} has no contact ${id}; ${where}`, 1)
}

/** Converts a sentence of the page to the style of commands. */
const sentence = (text: string) =>
  new CommandError(text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, ''), 1)

function contactLine({ id, channel, address, isProven, reason, isForAlerts }: Contact): string {
  const state = isProven ? 'proven' : `not proven${reason === null ? '' : ` (${reason})`}`
  return `${id}  ${channel.padEnd(8)}  ${address}  ${state}  alerts ${isForAlerts ? 'on' : 'off'}`
}
