import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatList } from '../../../src/core/engine/paths.ts'
import { findSettlement, listRoots } from '../../../src/core/engine/roots.ts'
import { openTestDb } from '../../support/db.ts'

const LINES = readFileSync('data/reference/roots.csv', 'utf8').trimEnd().split('\n')
const CELLS = LINES.slice(1).map(line => line.split(','))

test('the table of roots has a row a root, and at most four roots a symbol', () => {
  expect(LINES[0]).toBe('symbol,root,settlement,from,until')
  expect(new Set(CELLS.map(([, root]) => root)).size).toBe(CELLS.length)
  for (const [symbol, root, settlement, from, until] of CELLS) {
    expect(root).toMatch(/^[A-Z][A-Z0-9]{0,5}$/)
    expect(settlement).toMatch(/^[AP]M$/)
    for (const date of [from, until]) expect(date).toMatch(/^(\d{4}-\d\d-\d\d)?$/)
    if (from && until) expect(until > from).toBe(true)
    // a contract's number has two bits for its root
    expect(listRoots(symbol!).length).toBeLessThanOrEqual(4)
  }
})

test('SQL and TypeScript tell of every root what the table does', async () => {
  const db = await openTestDb()
  const reported = await db.rows(
    `select root, symbol_of(root) as symbol, root_number_of(root) as number
     from (select unnest($roots::varchar[]) as root)`,
    { roots: formatList(CELLS.map(([, root]) => root!)) },
  )
  expect(reported).toEqual(
    CELLS.map(([symbol, root]) => ({
      root,
      symbol,
      number: CELLS.filter(cells => cells[0] === symbol).findIndex(cells => cells[1] === root),
    })),
  )
  for (const [, root, settlement] of CELLS) expect(findSettlement(root!)).toBe(settlement)
})

test('a root that is not in the table is its own symbol, settled in the evening', async () => {
  const db = await openTestDb()
  expect(
    await db.rows("select symbol_of('SPY') as symbol, root_number_of('SPY') as number"),
  ).toEqual([{ symbol: 'SPY', number: 0 }])
  expect(findSettlement('SPY')).toBe('PM')
})

test('SPXPM, SPXQ, SPXW and SPX are of one symbol, as RUT and RUTW are', () => {
  expect(listRoots('SPX').toSorted()).toEqual(['SPX', 'SPXPM', 'SPXQ', 'SPXW'])
  expect(listRoots('RUT')).toContain('RUTW')
  expect(listRoots('VIX')).toEqual(['VIX', 'VIXW'])
  const of = (settlement: string) =>
    ['SPX', 'SPXW', 'SPXPM', 'SPXQ', 'VIX', 'VIXW', 'RUT', 'RUTW', 'NDX', 'NDXP', 'XSP'].filter(
      root => findSettlement(root) === settlement,
    )
  expect(of('AM')).toEqual(['SPX', 'VIX', 'VIXW', 'RUT', 'NDX'])
})
