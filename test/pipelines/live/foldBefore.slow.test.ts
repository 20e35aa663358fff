import { expect, test } from 'vitest'
import { buildEditions, FOLD_TABLES } from '../../../pipelines/build/editions.ts'
import { buildFold } from '../../../pipelines/build/fold.ts'
import { addBefore, type Before, createEarlierTables } from '../../../pipelines/live/fold.ts'
import type { Database, Row } from '../../../src/core/engine/database.ts'
import { after, openFoldDb, printRows } from '../../support/fold.ts'
import { CALM, tapeOfParents } from '../../support/parentsTape.ts'

// Data known before late ones are folded in ranges wider than those that the orders make: the
// versions of the orders must be those of the narrow ranges, and where a range is wider, it must
// be found.

const LATE_SECONDS = 100
/** Four minutes of a tape, of which one print in two hundred becomes known late. */
const PRINTS = tapeOfParents({ ...CALM, parents: 700 })
const TAPE: readonly Row[] = printRows(PRINTS).map((row, index) => {
  const lateSeconds = index % 200 === 150 ? LATE_SECONDS : 0
  return { ...row, known_at: after(PRINTS[index]!.printedUs + lateSeconds * 1e6) }
})

/** A spread filled every half second for so long; a leg in the middle becomes known late. */
const longOrder = (seconds: number): readonly Row[] =>
  Array.from({ length: seconds * 4 }, (_, index) => {
    const [fill, leg] = [Math.floor(index / 2), index % 2]
    const printedUs = 400e6 + fill * 500_000 + leg * 20
    return {
      sequence: 100_000 + index,
      printed_at: after(printedUs),
      known_at: after(printedUs + (index === seconds * 2 ? LATE_SECONDS * 1e6 : 0)),
      strike: 6_000 + 50 * leg,
      size: 5,
      price: leg ? 5 : 9,
      condition: 'f',
      exchange: 'C',
    }
  })

/** Changes, and every version of every order. */
const versions = async (db: Pick<Database, 'rows'>) => ({
  revised: await db.rows('from fold.revised order by order_id, visible_at'),
  editions: await db.rows('from fold.editions order by edition_id'),
  legs: await db.rows('from fold.edition_legs order by edition_id, leg_number'),
})

async function listVersions(rows: readonly Row[]) {
  const db = await openFoldDb()
  await db.addPrints(rows)
  await db.fold()
  await buildEditions(db)
  const afterwards = await versions(db)
  const ranges = await db.all('fold.affected_ranges', 'range_number')
  // as a running session folds them
  const space = await db.openSeparate('space')
  for (const table of FOLD_TABLES) await space.viewFrom(table)
  await space.viewFrom('tape.prints', 'tape.window_prints')
  await space.viewFrom('fold.quote_trust', 'fold.window_trust')
  await createEarlierTables(space)
  let before: Before | null = null
  const addPrints = async () => {
    before = await addBefore(space)
    return before !== null
  }
  await buildFold(space, {}, { addPrints, judgeQuotes: async () => before?.addTrust() })
  let isTaken: boolean | null = null
  const takeBefore = async () => {
    isTaken = before && (await before.take())
    return isTaken === true
  }
  await buildEditions(space, {}, { isLateDataBuilt: true, takeBefore })
  const others = await versions(space)
  return { afterwards, beside: others, zones: ranges, isTaken }
}

test('what is folded with the prints is what is folded after them', async () => {
  const { afterwards, beside: others, zones: ranges, isTaken } = await listVersions(TAPE)
  expect(isTaken).toBe(true)
  expect(ranges.length).toBeGreaterThan(3)
  expect(afterwards.revised.length).toBeGreaterThan(10)
  expect(others).toEqual(afterwards)
})

test.each([
  [4, true],
  [40, false],
])('late data in an order of %s s: folded with the prints is %s', async (seconds, isWideEnough) => {
  const { afterwards, beside: others, isTaken } = await listVersions(longOrder(seconds))
  expect(isTaken).toBe(isWideEnough)
  expect(afterwards.revised.length).toBeGreaterThan(1)
  expect(others).toEqual(afterwards)
})

test('without late data nothing is folded with the prints', async () => {
  const rows = TAPE.map(row => ({ ...row, known_at: row.printed_at }))
  const { afterwards, beside: others, isTaken } = await listVersions(rows)
  expect(isTaken).toBe(null)
  expect(afterwards.revised).toEqual([])
  expect(others).toEqual(afterwards)
})
