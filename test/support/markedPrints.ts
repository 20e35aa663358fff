import type { Database } from '../../src/core/engine/database.ts'

/**
 * Everything that a fold says of prints and orders but for their numbers. `vendor_condition`, which
 * no model of the fold reads, marks each print.
 */
export async function readMarked(db: Database) {
  return {
    fates: await db.rows(FATES),
    orders: await db.rows(ORDERS),
    prints: await db.rows(PRINTS),
    legs: await db.rows(LEGS),
  }
}

const FATES = `
  select vendor_condition as mark, fate, letter
  from fold.print_fates inner join tape.prints using (sequence)
  order by mark`

const ORDERS = `
  select orders.* exclude (order_id, first_sequence), left(order_id, 22) as began,
    prints.vendor_condition as mark
  from fold.parent_orders as orders
  inner join tape.prints on prints.sequence = orders.first_sequence
  order by mark`

const PRINTS = `
  select prints.vendor_condition as mark, firsts.vendor_condition as first_mark, leg_number
  from fold.order_prints
  inner join fold.parent_orders as orders using (order_id)
  inner join tape.prints as prints on prints.sequence = order_prints.sequence
  inner join tape.prints as firsts on firsts.sequence = orders.first_sequence
  order by mark`

const LEGS = `
  select legs.* exclude (parent_id, order_id, first_sequence), prints.vendor_condition as mark
  from fold.legs inner join tape.prints on prints.sequence = legs.first_sequence
  order by mark, leg_number`
