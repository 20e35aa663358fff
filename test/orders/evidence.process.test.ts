// Evidence of an order next to its row of the ledger: as it is, and at any instant before.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { runQuery } from '../../src/data/published/analyst.ts'
import { readEvidence } from '../../src/orders/evidence.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'

let built: BuiltSession
beforeAll(async () => {
  built = await buildSmallSession()
})
afterAll(() => built.remove())

// biome-ignore lint/suspicious/noExplicitAny: the columns of any dataset
type Values = Record<string, any>
const listRows = async (sql: string) => (await runQuery(built.dataFolder, sql)).rows as Values[]
const findEvidence = (id: string, knownBeforeMs: number | null = null) =>
  readEvidence(built.dataFolder, built.manifest, { id, hasPrices: true, knownBeforeMs })
const listLegs = (legs: readonly Values[]) =>
  legs.map(({ root, expiry, strike, option_type: type, contracts, customer_sign: sign }) =>
    [root, String(expiry), strike, type, contracts, sign].join(' '),
  )

test('versions that ended are listed with their contracts, oldest first', async () => {
  const revisions = await listRows('from revisions order by order_id, revision_number')
  const ids = [...new Set(revisions.map(row => String(row.order_id)))]
  expect(ids.length).toBeGreaterThan(1)
  for (const id of ids) {
    const { revisions: reported, legs, prints } = await findEvidence(id)
    // one that came to its end has no version that stands
    const status = await listRows(`from orders where order_id = '${id}'`)
    const rows = revisions.filter(row => row.order_id === id)
    const ended = status.length === 0 ? rows.slice(0, -1) : rows
    expect(reported.map(one => one.revision_number)).toEqual(ended.map(row => row.revision_number))
    for (const [index, row] of ended.entries()) {
      const one = reported[index]!
      expect([one.structure, one.legs_text, one.contracts, one.sign, one.superseded_by]).toEqual([
        row.structure,
        row.legs_text,
        row.contracts,
        row.sign,
        row.superseded_by,
      ])
      const wanted = await listRows(
        `select *, expiry::varchar as expiry from revision_legs where order_id = '${id}'
         and revision_number = ${row.revision_number} order by leg_number`,
      )
      expect(listLegs(one.legs)).toEqual(listLegs(wanted))
    }
    const now = await listRows(
      `select *, expiry::varchar as expiry from legs where order_id = '${id}' order by leg_number`,
    )
    if (status.length > 0) expect(listLegs(legs)).toEqual(listLegs(now))
    expect(prints).toHaveLength(status[0]?.print_count ?? 0)
  }
})

test('at an instant nothing is returned that became known from then on', async () => {
  const versions = await listRows(
    `select order_id, revision_number, epoch_ms(visible_at) as from_ms, legs_text, contracts,
       epoch_ms(superseded_at) as to_ms, false as stands from revisions
     union all by name
     select order_id, revision_number, epoch_ms(visible_at) as from_ms, legs_text, contracts,
       null::bigint as to_ms, true as stands from orders
     where order_id in (select order_id from revisions)
     order by order_id, revision_number`,
  )
  const byOrder = Map.groupBy(versions, row => String(row.order_id))
  for (const [id, all] of byOrder) {
    const instants = all.flatMap(({ from_ms, to_ms }) =>
      [from_ms, to_ms].flatMap(ms => (ms === null ? [] : [Number(ms), Number(ms) + 1])),
    )
    for (const atMs of instants) {
      const known = all.filter(row => Number(row.from_ms) < atMs)
      const { legs, prints, revisions } = await findEvidence(id, atMs)
      expect(revisions.map(one => one.legs_text)).toEqual(
        known.slice(0, -1).map(row => row.legs_text),
      )
      const contracts = legs.reduce((sum, leg) => sum + leg.contracts, 0)
      expect(contracts).toBe(known.at(-1)?.contracts ?? 0)
      if (!known.at(-1)?.stands) expect(prints).toEqual([])
      for (const one of revisions) expect(one.superseded_by).toMatch(/^(cancel|late_print)$/)
    }
  }
})
