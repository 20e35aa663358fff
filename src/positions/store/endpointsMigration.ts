import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { z } from 'zod'
import { randomBase62 } from '../../accounts/apiKey.ts'
import type { OutboxTables } from '../../outbox/store/tables.ts'

type Tables = Pick<OutboxTables, 'hooks'> & {
  positions: { id: string; account_id: string; body: string; updated_at: number }
}

/** The part of a position's body with the destination of its alerts. */
const AlertingBody = z.object({
  alert: z.object({ channel: z.literal('webhook'), url: z.string() }),
})

/** Webhooks of positions saved before webhooks had their own table: all are on. */
export const POSITION_ENDPOINTS_MIGRATION: Migration = {
  up: async (db: Kysely<unknown>) => {
    const tables = db as Kysely<Tables>
    const rows = await tables
      .selectFrom('positions')
      .select(['id', 'account_id', 'body', 'updated_at'])
      .where('body', 'like', '%"webhook"%')
      .orderBy('id')
      .execute()
    for (const { id, account_id, body, updated_at } of rows) {
      const url = readUrl(body)
      if (url === null) continue
      const state = { state: 'on', reason: null, failed_in_a_row: 0, since_at: updated_at }
      await tables
        .insertInto('hooks')
        .values({ account_id, owner: id, url, ...state, save_id: randomBase62(12) })
        .onConflict(conflict => conflict.columns(['account_id', 'owner']).doNothing())
        .execute()
    }
  },
}

/** Null when the alerts go elsewhere, or the body cannot be read. */
function readUrl(body: string): string | null {
  try {
    return AlertingBody.parse(JSON.parse(body)).alert.url
  } catch {
    return null
  }
}
