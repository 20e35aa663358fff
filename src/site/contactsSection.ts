import {
  type AccountForm,
  type AccountRequest,
  type AccountSection,
  accountForm,
} from '../accounts/accountPage.ts'
import { refuseWhileUnavailable } from '../accounts/auth.ts'
import { addContact, proveContact } from '../outbox/notices/contacts.ts'
import type { Contact, ContactChannel } from '../outbox/store/types.ts'
import { renderTable } from '../platform/html/table.ts'
import { type Html, html } from '../platform/html/template.ts'
import { ApiError } from '../platform/http/error.ts'
import { listChannels } from '../platform/notices/notices.ts'
import type { AccountDeps } from './accountDeps.ts'

/** Mail addresses and Telegram chats of an account: add, verify, use for alerts, remove. */
export const contactsSection = (deps: AccountDeps): AccountSection => ({
  name: 'contacts',
  title: 'Contacts',
  draw: async request => {
    const contacts = await deps.accounts.outbox.listContacts(request.account.id)
    const channels = listChannels(deps.notices)
    if (contacts.length === 0 && channels.length === 0) return null
    return html`<p>Alerts, and what your positions have to tell, also go to mail addresses and
Telegram chats. A contact gets nothing before it is proven by a code that was sent there.</p>
${contacts.length === 0 ? html`<p>There is no contact yet.</p>` : contactTable(request, contacts)}
${contacts.filter(({ isProven }) => !isProven).map(contact => proveForms(request, contact))}
${channels.length > 0 && addForm(request, channels)}`
  },
  forms: {
    add: sent => add(deps, sent),
    send: async sent => {
      const { channel, address, isForAlerts } = await ownContact(deps, sent)
      return await send(deps, sent, { channel, address, isForAlerts })
    },
    prove: async sent => {
      const { id: contactId } = await ownContact(deps, sent)
      const proving = { accountId: sent.account.id, contactId, atMs: sent.atMs }
      const code = sent.fields.get('code') ?? ''
      const prove = () => proveContact(deps.accounts, { ...proving, code })
      const refused = await refuseWhileUnavailable(prove)
      return refused === null ? null : { refused }
    },
    alerts: async sent => {
      const { id } = await ownContact(deps, sent)
      const isOn = sent.fields.get('to') === 'on'
      const { outbox } = deps.accounts
      await refuseWhileUnavailable(() => outbox.setContactAlerts(sent.account.id, id, isOn))
      return null
    },
    remove: async sent => {
      const { id } = await ownContact(deps, sent)
      await refuseWhileUnavailable(() => deps.accounts.outbox.removeContact(sent.account.id, id))
      return null
    },
  },
})

/** Returns the contact of a form; one of another account is as unknown as a missing one. */
async function ownContact(deps: AccountDeps, { account, fields }: AccountForm): Promise<Contact> {
  const contacts = await refuseWhileUnavailable(() => deps.accounts.outbox.listContacts(account.id))
  const found = contacts.find(({ id }) => id === fields.get('id'))
  if (found) return found
  throw new ApiError('not_found', { message: 'this account has no such contact.' })
}

async function add(deps: AccountDeps, sent: AccountForm) {
  const { fields } = sent
  const channel = (['email', 'telegram'] as const).find(one => one === fields.get('channel'))
  if (!channel) return { refused: 'Choose mail or Telegram.' }
  const address = fields.get('address') ?? ''
  return await send(deps, sent, { channel, address, isForAlerts: fields.get('alerts') === 'on' })
}

type Wanted = Pick<Contact, 'channel' | 'address' | 'isForAlerts'>

async function send({ accounts, notices }: AccountDeps, sent: AccountForm, wanted: Wanted) {
  const { account, atMs } = sent
  const request = { ...wanted, accountId: account.id, atMs }
  const { outbox } = accounts
  const added = await refuseWhileUnavailable(() => addContact({ outbox, notices }, request))
  if (added.refused !== undefined) return { refused: added.refused }
  return {
    notice: html`<p>A code is on its way to ${added.contact.address}. Type it below within 15 minutes;
it works once.</p>`,
  }
}

const KINDS: Readonly<Record<ContactChannel, string>> = { email: 'mail', telegram: 'Telegram' }

const contactTable = (request: AccountRequest, contacts: readonly Contact[]): Html =>
  renderTable({
    caption: 'Contacts, and what they get',
    columns: [
      'kind',
      'address',
      'proven',
      'alerts',
      { head: html`<span class="hidden">remove</span>` },
    ],
    rows: contacts.map(contact => [
      KINDS[contact.channel],
      html`<span class="name">${contact.address}</span>`,
      provenText(contact),
      alertsForm(request, contact),
      removeForm(request, contact),
    ]),
  })

const idField = ({ id }: Contact): Html => html`<input type="hidden" name="id" value="${id}">`

const provenText = ({ isProven, reason }: Contact): string => {
  if (isProven) return 'yes'
  return reason === null ? 'not yet' : `no more: ${reason}`
}

const proveForms = (request: AccountRequest, contact: Contact): Html =>
  html`<h3>Prove ${contact.address}</h3>
${accountForm(
  request,
  'contacts/prove',
  html`${idField(contact)}<div class="fields">
<label class="field"><span>Code sent to ${contact.address}</span>
<input class="code" name="code" required maxlength="40" autocomplete="one-time-code"
autocapitalize="characters" spellcheck="false"></label>
<button>Prove</button>
</div>`,
)}
${accountForm(
  request,
  'contacts/send',
  html`${idField(contact)}<button class="plain small">Send a new code<span class="hidden">
to ${contact.address}</span></button>`,
)}`

const alertsForm = (request: AccountRequest, contact: Contact): Html => {
  const { isForAlerts, address } = contact
  const [now, next, verb] = isForAlerts ? ['on', 'off', 'Turn off'] : ['off', 'on', 'Turn on']
  return accountForm(
    request,
    'contacts/alerts',
    html`${idField(contact)}<input type="hidden" name="to" value="${next}">
${now} <button class="plain small">${verb}<span class="hidden"> alerts to
${address}</span></button>`,
  )
}

const removeForm = (request: AccountRequest, contact: Contact): Html =>
  accountForm(
    request,
    'contacts/remove',
    html`${idField(contact)}<button class="plain small">Remove<span class="hidden">
${contact.address}</span></button>`,
  )

const addForm = (request: AccountRequest, channels: readonly ContactChannel[]): Html =>
  html`<h3>Add a contact</h3>
${accountForm(
  request,
  'contacts/add',
  html`<div class="fields">
<label class="field"><span>Kind</span>
<select name="channel">${channels.map(
    channel => html`<option value="${channel}">${KINDS[channel]}</option>`,
  )}</select></label>
<label class="field"><span>${addressLabel(channels)}</span>
<input name="address" required maxlength="254" autocomplete="off" autocapitalize="none"
spellcheck="false"></label>
<label class="field"><span>Alerts</span>
<select name="alerts"><option>on</option><option>off</option></select></label>
<button>Send a code</button>
</div>`,
)}
${
  channels.includes('telegram') &&
  html`<p class="quiet small">Telegram: open the bot of this service and press Start, so that it may
write to you. A bot such as @userinfobot tells you the number of your chat.</p>\n`
}${
  channels.includes('email') &&
  html`<p class="quiet small">Whoever reads the mail of a proven address can have a code sent there
that signs in to this account.</p>`
}`

const addressLabel = (channels: readonly ContactChannel[]): string =>
  channels
    .map(channel => (channel === 'email' ? 'mail address' : 'number of a chat'))
    .join(' or ')
    .replace(/^./, first => first.toUpperCase())
