import type { OutboxTransaction } from './addDeliveries.ts'

/** Why a contact counts as unproven, as its account reads it. */
const movedReason = (to: string) =>
  `Telegram says that this group is the chat ${to} now, which is another contact of this account`

/**
 * Gives a contact the address that its receiver has now. Where the account has proven that address
 * as another contact, which gets the same events, this one counts as unproven instead: false.
 */
export async function moveContact(
  trx: OutboxTransaction,
  contactId: string,
  to: string,
): Promise<boolean> {
  const own = trx.selectFrom('contacts').selectAll().where('id', '=', contactId)
  const contact = await own.executeTakeFirst()
  if (!contact) return false
  if (contact.address === to) return true
  const { account_id: accountId, channel } = contact
  const other = await trx
    .selectFrom('contacts')
    .select(['id', 'proven_at'])
    .where('account_id', '=', accountId)
    .where('channel', '=', channel)
    .where('address', '=', to)
    .executeTakeFirst()
  const change = trx.updateTable('contacts').where('id', '=', contactId)
  if (other && other.proven_at !== null) {
    await change.set({ proven_at: null, reason: movedReason(to) }).execute()
    return false
  }
  // nobody has typed its code: what is proven takes the address over
  if (other) await trx.deleteFrom('contacts').where('id', '=', other.id).execute()
  await change.set({ address: to }).execute()
  return true
}
