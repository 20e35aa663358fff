import { expect, test } from 'vitest'
import { PUBLISHED_DATASETS } from '../../../src/data/dictionary/dictionary.ts'
import { openTestDb } from '../../support/db.ts'

test('an ended version whose legs stand in both tables has each leg once', async () => {
  const db = await openTestDb()
  for (const name of ['orders', 'revisions', 'legs', 'revision_legs']) {
    const { columns } = PUBLISHED_DATASETS.find(dataset => dataset.name === name)!
    const typed = columns.map(column => `${column.name} ${column.type}`).join(', ')
    await db.run(`create table ledger.${name} (${typed})`)
  }
  await db.fill(
    'ledger.orders',
    `
    order_id  revision_number  visible_at           is_in_ledger
    o1        1                2026-10-14 14:00:00  true
  `,
  )
  await db.fill(
    'ledger.revisions',
    `
    order_id  revision_number  visible_at           superseded_at        is_in_ledger
    o1        1                2026-10-14 14:00:00  2026-10-14 15:00:00  true
  `,
  )
  // the session went on under newer code, whose legs say more
  for (const [table, text] of [
    ['legs', '-'],
    ['revision_legs', '0.7'],
  ]) {
    await db.fill(
      `ledger.${table}`,
      `
      order_id  revision_number  leg_number  strike  option_type  customer_sign  side_probability
      o1        1                1           5950    P            1              ${text}
      o1        1                2           5970    P            -1             ${text}
    `,
    )
  }
  await db.build('views/ledger_versions', {}, 'ledger.versions')
  const known_before_ms = Date.parse('2026-10-14T14:30:00Z')
  const [order] = await db.query('views/known_orders', { known_before_ms })
  expect(order!.legs).toHaveLength(2)
})
