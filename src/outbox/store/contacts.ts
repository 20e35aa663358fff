import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { randomBase62 } from '../../accounts/apiKey.ts'
import type { AccountTables } from '../../accounts/schema.ts'
import { hashContactCode, makeContactCode } from '../../accounts/signInCode.ts'
import { CLOCK_SLACK_MS, CODE_MS } from '../../accounts/signIns.ts'
import type { OutboxTransaction } from './addDeliveries.ts'
import type { Outbox } from './outbox.ts'
import type { OutboxDatabase } from './queue.ts'
import { takeSend } from './sends.ts'
import type { Contact, ContactChannel } from './types.ts'

/** Contacts an account may have. */
export const CONTACTS_MAX = 10
/** Maximum attempts to type a code: of 50 bits, it cannot be guessed. */
export const CODE_ATTEMPTS_MAX = 5
/** Minimum interval between codes sent to one address. */
export const CODE_EVERY_MS = 60_000

/** Mail addresses and chats, which receive events once a code sent there was returned. */
export function contactOperations({ db, reader, isConcurrent }: OutboxDatabase) {
  const own = (accountId: string, contactId: string) => ({
    account_id: accountId,
    id: contactId,
  })
  return {
    addContact: ({ accountId, channel, address, isForAlerts, atMs }) =>
      db.transaction().execute(async trx => {
        const account = trx.selectFrom('accounts').select('id').where('id', '=', accountId)
        const locked = isConcurrent ? account.forNoKeyUpdate() : account
        if ((await locked.execute()).length === 0) return 'no_account'
        const existing = await trx
          .selectFrom('contacts')
          .selectAll()
          .where('account_id', '=', accountId)
          .execute()
        const known = existing.find(one => one.channel === channel && one.address === address)
        if (!known && existing.length >= CONTACTS_MAX) return 'full'
        const lastMs = known?.code_made_at ?? null
        // a later code was made before the clock was set back
        if (lastMs !== null && lastMs <= atMs && atMs - lastMs < CODE_EVERY_MS) return 'soon'
        const send = { purpose: 'contact', channel, address, accountId, atMs } as const
        if (!(await takeSend(trx, send, isConcurrent))) return 'often'
        const row = known ?? newContact({ accountId, channel, address, isForAlerts, atMs })
        if (!known) await trx.insertInto('contacts').values(row).execute()
        const code = makeContactCode()
        await trx
          .updateTable('contacts')
          .set({ code_hash: hashContactCode(row.id, code), code_made_at: atMs, code_tries: 0 })
          .where('id', '=', row.id)
          .execute()
        return { contact: toContact(row), code, endsAtMs: atMs + CODE_MS }
      }),
    proveContact: ({ accountId, contactId, code, atMs }) =>
      db.transaction().execute(async trx => {
        const hash = await countAttempt(trx, { accountId, contactId, atMs })
        if (hash === null) return 'over'
        if (!isCode(hash, contactId, code)) return 'wrong'
        await trx
          .updateTable('contacts')
          .set({ proven_at: atMs, reason: null, code_hash: null })
          .where('id', '=', contactId)
          .execute()
        return 'proven'
      }),
    listContacts: async accountId => {
      const all = reader.selectFrom('contacts').selectAll().where('account_id', '=', accountId)
      return (await all.orderBy('created_at').orderBy('id').execute()).map(toContact)
    },
    removeContact: async (accountId, contactId) => {
      const { account_id, id } = own(accountId, contactId)
      const one = db.deleteFrom('contacts').where('id', '=', id)
      return (await one.where('account_id', '=', account_id).returning('id').execute()).length === 1
    },
    setContactAlerts: async (accountId, contactId, isForAlerts) => {
      const changed = await db
        .updateTable('contacts')
        .set({ is_for_alerts: isForAlerts ? 1 : 0 })
        .where('id', '=', contactId)
        .where('account_id', '=', accountId)
        .returning('id')
        .execute()
      return changed.length === 1
    },
    unproveContact: async (contactId, reason) => {
      const changed = await db
        .updateTable('contacts')
        .set({ proven_at: null, reason })
        .where('id', '=', contactId)
        .where('proven_at', 'is not', null)
        .returning('id')
        .execute()
      return changed.length === 1
    },
  } satisfies Partial<Outbox>
}

type Trying = { readonly accountId: string; readonly contactId: string; readonly atMs: number }

/** Counts an attempt before the code is checked; null when none is left, or no code is open. */
async function countAttempt(
  trx: OutboxTransaction,
  { accountId, contactId, atMs }: Trying,
): Promise<string | null> {
  const used = await trx
    .updateTable('contacts')
    .set({ code_tries: sql<number>`code_tries + 1` })
    .where('id', '=', contactId)
    .where('account_id', '=', accountId)
    .where('code_made_at', '>', atMs - CODE_MS)
    // after the clock was set back a code would be valid for longer
    .where('code_made_at', '<=', atMs + CLOCK_SLACK_MS)
    .where('code_tries', '<', CODE_ATTEMPTS_MAX)
    .where('code_hash', 'is not', null)
    .returning('code_hash')
    .executeTakeFirst()
  return used?.code_hash ?? null
}

function isCode(hash: string, contactId: string, typed: string): boolean {
  const other = hashContactCode(contactId, typed)
  return other !== null && timingSafeEqual(Buffer.from(hash), Buffer.from(other))
}

type NewContact = {
  readonly accountId: string
  readonly channel: ContactChannel
  readonly address: string
  readonly isForAlerts: boolean
  readonly atMs: number
}

const newContact = (contact: NewContact): AccountTables['contacts'] => ({
  id: `con_${randomBase62(12)}`,
  account_id: contact.accountId,
  channel: contact.channel,
  address: contact.address,
  is_for_alerts: contact.isForAlerts ? 1 : 0,
  created_at: contact.atMs,
  proven_at: null,
  reason: null,
  code_hash: null,
  code_made_at: null,
  code_tries: 0,
})

const toContact = (row: AccountTables['contacts']): Contact => ({
  id: row.id,
  accountId: row.account_id,
  channel: row.channel as ContactChannel,
  address: row.address,
  isProven: row.proven_at !== null,
  reason: row.reason,
  isForAlerts: row.is_for_alerts === 1,
})
