import type { OutboxTransaction } from './addDeliveries.ts'

/** Reason that an account reads when its contact counts as unproven. */
const movedReason = (to: string) =>
  `Telegram says that this group is the chat ${to} now, which is another contact of this account`

/**
 * Updates a contact to its receiver's new address. False when the account has proven that address
 * as another contact, which gets the same events: then this one becomes unproven.
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
  // its code was never typed: the moved contact takes the address over
  if (other) await trx.deleteFrom('contacts').where('id', '=', other.id).execute()
  await change.set({ address: to }).execute()
  return true
}
