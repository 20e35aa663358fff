import { afterAll, beforeAll, expect, test } from 'vitest'
import { readConditions } from '../../support/conditionLetters.ts'
import { type FoldDb, openFoldDb } from '../../support/fold.ts'
import { faultsOfTape } from '../../support/foldedTape.ts'
import { findScore } from '../../support/otherScore.ts'
import { OTHER_STYLES } from '../../support/otherStyle.ts'
import { otherTape } from '../../support/otherTape.ts'

// Of orders of 50 contracts and more: what a fold has to achieve on tapes that it was not made
// for. `npm run other-tapes -- --traits` runs ten of each style end to end, and says which are
// missed. The aim of calm tapes is 0.99: a leg that trades at two prices and a pair of equal
// butterflies are torn, and without those two it is 0.997.
const AIMS = [
  { style: 'calm', minutes: 6, seeds: [1, 2], ari: 0.98 },
  { style: 'busy', minutes: 2, seeds: [1, 2], ari: 0.97 },
  { style: 'noisy', minutes: 3, seeds: [1, 2], ari: 0.96 },
] as const

let db: FoldDb

beforeAll(async () => {
  db = await openFoldDb()
})

afterAll(() => db.close())

test.each(AIMS)('no print of a $style tape is lost, and its orders are found', async aim => {
  const aris: number[] = []
  for (const seed of aim.seeds) {
    const { rows, truth } = otherTape({ ...aim, seed })
    const faults = await faultsOfTape(db, rows)
    expect(
      faults.map(({ words }) => words),
      `seed ${seed}`,
    ).toEqual([])
    const dispositions = await db.rows('from fold.print_fates')
    const { ari, largeOrders } = findScore(
      truth,
      dispositions,
      await db.rows('from fold.order_prints'),
    )
    expect(largeOrders).toBeGreaterThan(200)
    aris.push(ari)
  }
  const mean = aris.reduce((sum, ari) => sum + ari, 0) / aris.length
  expect(mean, aris.join(', ')).toBeGreaterThanOrEqual(aim.ari)
})

test.each(AIMS)('a $style tape is what its style says', ({ style }) => {
  const { rows, truth } = otherTape({ seed: 5, style, minutes: 4 })
  const legLetters = new Set(readConditions().multiLegLetters)
  const legs = truth.filter(({ letter }) => legLetters.has(letter))
  const perSecond = legs.length / 240
  const { legPrintsPerSecond } = OTHER_STYLES[style]
  expect(Math.abs(perSecond / legPrintsPerSecond - 1)).toBeLessThan(0.35)
  expect(new Set(legs.flatMap(({ traits }) => traits))).toEqual(
    new Set([
      'f',
      'g',
      'h',
      'i',
      'j',
      'l',
      'm',
      't',
      '2 legs',
      '3 legs',
      '4 legs',
      '5 legs',
      '6 legs',
      'several fills',
      'two letters',
      'off the grid',
      'split legs',
      'two prices of a leg',
      'several stamps',
      'long gaps',
      'keyed in leg by leg',
    ]),
  )
  const letters = new Set(truth.map(({ letter }) => letter))
  for (const letter of 'IaSBDA') expect(letters, letter).toContain(letter)
  expect(rows.every(row => Number(row.price) > 0 && Number(row.size) > 0)).toBe(true)
  expect(rows.map(row => row.sequence)).toEqual(truth.map(({ sequence }) => sequence))
})

test('the same seed makes the same tape, another seed another', () => {
  const tape = (seed: number) => otherTape({ seed, style: 'calm', minutes: 1 })
  expect(tape(3)).toEqual(tape(3))
  expect(tape(3).rows).not.toEqual(tape(4).rows)
})
