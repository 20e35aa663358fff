import { expect, test } from 'vitest'
import { openTestDb, type TestDb } from '../../support/db.ts'
import { readVectors } from '../../support/shared.ts'

type Leg = { exp: string; cp: string; k: number; q: number }
type Named = { kind: string; flags: string[]; unit: number; canonical: object[] }
type Case = Named & { legs: Leg[]; kind_when_all_signs_flip: string }

/** Names leg sets with the macros alone; equal contracts are netted first. */
async function nameAll(db: TestDb, cases: readonly (readonly Leg[])[]): Promise<Named[]> {
  const legs = cases.flatMap((set, id) => set.map(leg => ({ id, ...leg })))
  await db.run(
    `create or replace temp table netted as
     select
       id as package_id, exp as expiry, k as strike, cp as option_type, sum(q) as quantity,
       abs(sum(q))::bigint as contracts, 0::bigint as cash_cents,
       contract_number_of(dense_rank() over (order by exp), k, cp) as contract_number
     from (select unnest(from_json($legs, '[{"id":"integer","exp":"varchar","cp":"varchar",
       "k":"double","q":"bigint"}]'), recursive := true))
     group by id, exp, k, cp having sum(q) <> 0`,
    { legs: JSON.stringify(legs) },
  )
  await db.run(`create or replace temp table shapes as from package_shapes('netted')`)
  await db.run(`create or replace temp table patterns as from shape_patterns('shapes', true)`)
  const rows = await db.rows(
    `with legs as (
       select package_id, sign(first(quantity order by contract_number)) as direction,
         list(sign(quantity)::integer order by contract_number) as signs,
         list({exp: expiry, k: strike, cp: option_type, quantity: quantity}
           order by contract_number) as canonical
       from netted group by package_id)
     select package_id, direction, canonical, unit, structure, structure_when_sold,
       is_hedged_with_combo
     from legs join shapes using (package_id)
     join patterns on patterns.shape = shapes.shape
       and patterns.signs = [(direction * x)::integer for x in legs.signs]
     order by package_id`,
  )
  return cases.map((_, id) => {
    const row = rows.find(entry => entry.package_id === id)
    if (!row) return { kind: 'flat', flags: [], unit: 0, canonical: [] }
    const unit = Number(row.unit)
    return {
      kind: String(row.direction === 1 ? row.structure : row.structure_when_sold),
      flags: row.is_hedged_with_combo ? ['hedged_with_combo'] : [],
      unit,
      canonical: (row.canonical as { exp: string; k: number; cp: string; quantity: number }[]).map(
        ({ exp, k, cp, quantity }) => ({ exp, k, cp, ratio: Number(quantity) / unit }),
      ),
    }
  })
}

const cases: Case[] = readVectors('structures').cases

test('every leg set of the vectors has its kind, flags, unit and canonical legs', async () => {
  const db = await openTestDb()
  const named = await nameAll(
    db,
    cases.map(entry => entry.legs),
  )
  for (const [id, { kind, flags, unit, canonical }] of cases.entries()) {
    expect(named[id], JSON.stringify(cases[id])).toEqual({ kind, flags, unit, canonical })
  }
})

test('names survive a shuffle and a scale; a flip changes two names only', async () => {
  const db = await openTestDb()
  const flipped = await nameAll(
    db,
    cases.map(entry => entry.legs.map(leg => ({ ...leg, q: -leg.q }))),
  )
  expect(flipped.map(entry => entry.kind)).toEqual(
    cases.map(entry => entry.kind_when_all_signs_flip),
  )
  const scaled = await nameAll(
    db,
    cases.map(entry => entry.legs.toReversed().map(leg => ({ ...leg, q: 7 * leg.q }))),
  )
  for (const [id, entry] of cases.entries()) {
    expect(scaled[id]).toMatchObject({ kind: entry.kind, unit: 7 * entry.unit })
    expect(scaled[id]!.canonical).toEqual(entry.canonical)
  }
})

/** One leg set for each heading of structure_sign_patterns.json. */
const SHAPES: Record<string, string> = {
  '2 legs same type same expiry': '14P5900 14P5950',
  'call+put same strike': '14C6000 14P6000',
  'put low, call high': '14P5900 14C6100',
  'same type two expiries same strike': '14C6000 16C6000',
  '3 strikes 1:2:1': '14P5900 14P5950x2 14P6000',
  '3 strikes 1:1:1': '14P5900 14P5950 14P6000',
  '2P+2C distinct': '14P5900 14P5950 14C6050 14C6070',
  '2P+2C two strikes': '14C5900 14P5900 14C6100 14P6100',
  '4 calls equal widths': '14C5900 14C5950 14C6100 14C6150',
}

test('every unsigned shape has exactly the possible names of the vectors', async () => {
  const db = await openTestDb()
  const wanted: Record<string, Record<string, string[]>> = readVectors('structure_sign_patterns')
  for (const [shape, names] of Object.entries(wanted)) {
    const legs = SHAPES[shape]!.split(' ').map(text => {
      const [, day, cp, strike, ratio] = /^(\d\d)([CP])(\d+)(?:x(\d))?$/.exec(text)!
      return { exp: `2026-10-${day}`, cp: cp!, k: Number(strike), q: Number(ratio ?? 1) }
    })
    await nameAll(db, [legs])
    const patterns = await db.rows('select * from patterns')
    const found: Record<string, string[]> = {}
    for (const { signs, structure, is_hedged_with_combo } of patterns) {
      const name = `${structure}${is_hedged_with_combo ? '+hedged_with_combo' : ''}`
      found[name] ??= []
      found[name].push((signs as number[]).map(sign => (sign > 0 ? '+' : '-')).join(''))
    }
    for (const name of Object.keys(names)) {
      expect(found[name]?.sort(), `${shape}: ${name}`).toEqual(names[name]!.toSorted())
    }
    expect(Object.keys(found).sort()).toEqual(Object.keys(names).sort())
  }
})

test('sixteen legs do not explode: one pattern, custom', async () => {
  const db = await openTestDb()
  const legs = Array.from({ length: 16 }, (_, i) => ({
    exp: '2026-10-14',
    cp: 'C',
    k: 6000 + 5 * i,
    q: i % 2 ? 1 : -1,
  }))
  await nameAll(db, [legs])
  expect(await db.rows('select structure, len(signs) as legs from patterns')).toEqual([
    { structure: 'custom', legs: 16 },
  ])
})
