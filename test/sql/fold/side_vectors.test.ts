import { expect, test } from 'vitest'
import type { Row } from '../../../src/core/engine/database.ts'
import { after, reuseFoldDb } from '../../support/fold.ts'
import { readVectors } from '../../support/shared.ts'

type Leg = {
  exp: string
  cp: string
  k: number
  ratio: number
  px: number
  bid: number
  ask: number
}
type Case = {
  name: string
  cond: string
  legs: Leg[]
  out: {
    candidates: { signs: number[]; kind: string; net: number; on_grid: boolean }[]
    chosen_by: string
    kind: string
    z: number | null
    sign: number
    lg: number[]
    snb: number
    sno: number
    reason: string
  }
}

/** The words of the vectors for our reasons. */
const REASONS: Record<string, string> = {
  cross: 'cross',
  late: 'late',
  outside: 'outside the synthetic quote',
  middle: 'at the middle',
}

const cases: Case[] = readVectors('side').cases

test.each(cases)('$name', async ({ cond, legs, out }) => {
  const db = await reuseFoldDb()
  await db.addPrints(
    legs.map((leg, index) => ({
      printed_at: after(index),
      expiry: leg.exp,
      option_type: leg.cp,
      strike: leg.k,
      size: 100 * leg.ratio,
      price: leg.px / 100,
      best_bid: leg.bid / 100,
      best_ask: leg.ask / 100,
      condition: cond,
    })),
  )
  await db.fold()
  const [order] = await db.all('fold.parent_orders')
  expect(order).toMatchObject({ structure: out.kind, sign: out.sign, size: 100 })
  expect(order!.z).toBeCloseTo(out.z!, 9)
  expect(REASONS[String(order!.side_reason)] ?? '').toBe(out.reason)
  const signs = (await db.all('fold.legs', 'leg_number')).map(leg => leg.customer_sign)
  expect(signs).toEqual(out.lg)
  expect(await db.all(legs.length === 1 ? 'fold.print_sides' : 'fold.package_sides')).toMatchObject(
    [{ bid_cents: out.snb, ask_cents: out.sno }],
  )
  if (legs.length === 1) return
  const [pattern] = await db.all('fold.order_patterns')
  expect(pattern!.chosen_by).toBe(out.chosen_by)
  const named = await db.rows(
    `select structure as kind, signs from fold.shape_patterns
     where structure <> 'custom' order by pattern`,
  )
  const byName = (a: Row, b: Row) => (String(a.kind) < String(b.kind) ? -1 : 1)
  expect(named.sort(byName)).toEqual(
    out.candidates.map(({ kind, signs }) => ({ kind, signs })).sort(byName),
  )
})
