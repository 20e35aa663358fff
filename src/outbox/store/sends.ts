import { sql } from 'kysely'
import { CLOCK_SLACK_MS } from '../../accounts/signIns.ts'
import type { OutboxTransaction } from './addDeliveries.ts'
import type { ContactChannel } from './types.ts'

/** Purpose of a code: to prove a contact, or to sign in. */
export type CodePurpose = 'contact' | 'sign_in'

/** Maximum codes sent to one address for one purpose, whoever requests them. */
export const ADDRESS_HOUR_MAX = 3
export const ADDRESS_DAY_MAX = 8
/** Maximum codes that one account sends to its contacts in an hour. */
export const ACCOUNT_HOUR_MAX = 20

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type CodeSend = {
  readonly purpose: CodePurpose
  readonly channel: ContactChannel
  readonly address: string
  /** Null when nobody is signed in. */
  readonly accountId: string | null
  readonly atMs: number
}

/** Counts a code that is about to be sent; false, counting nothing, at the limit. */
export async function takeSend(
  trx: OutboxTransaction,
  { purpose, channel, address, accountId, atMs }: CodeSend,
  isConcurrent: boolean,
): Promise<boolean> {
  // concurrent counts wait here; SQLite has one writer anyway
  if (isConcurrent) await sql`lock table code_sends in share row exclusive mode`.execute(trx)
  await trx
    .deleteFrom('code_sends')
    // later ones were sent before the clock was set back
    .where(({ eb, or }) =>
      or([eb('sent_at', '<=', atMs - DAY_MS), eb('sent_at', '>', atMs + CLOCK_SLACK_MS)]),
    )
    .execute()
  const normalizedAddress = address.toLowerCase()
  const sent = await trx
    .selectFrom('code_sends')
    .select(['channel', 'address', 'account_id', 'sent_at'])
    .where('purpose', '=', purpose)
    .where(where =>
      where.or([
        where.and([where('channel', '=', channel), where('address', '=', normalizedAddress)]),
        where('account_id', '=', accountId),
      ]),
    )
    .execute()
  const isOfHour = (row: { sent_at: number }) => row.sent_at > atMs - HOUR_MS
  const there = sent.filter(row => row.channel === channel && row.address === normalizedAddress)
  const own = sent.filter(row => accountId !== null && row.account_id === accountId)
  if (there.length >= ADDRESS_DAY_MAX || there.filter(isOfHour).length >= ADDRESS_HOUR_MAX)
    return false
  if (own.filter(isOfHour).length >= ACCOUNT_HOUR_MAX) return false
  const row = { purpose, channel, address: normalizedAddress, account_id: accountId, sent_at: atMs }
  await trx.insertInto('code_sends').values(row).execute()
  return true
}
