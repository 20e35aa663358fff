import type { Database } from '../../src/core/engine/database.ts'

/** `fold.editions` of orders that no late data ever changed: each has its one current version. */
export async function viewEditions(db: Database): Promise<void> {
  await db.run(
    `create or replace table fold.revised as
     select
       order_id, visible_at, visible_at as superseded_at, 'cancel' as superseded_by,
       1::integer as revision_number, orders as folded,
       list_value(legs) as legs, []::struct("sequence" bigint, leg_number integer)[] as prints
     from fold.parent_orders as orders
     join fold.legs as legs using (order_id)
     limit 0`,
  )
  await db.view('fold/editions')
  await db.view('fold/edition_legs')
}
