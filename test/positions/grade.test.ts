import { expect, test } from 'vitest'
import { studentP, studentT } from '../../src/core/market/student.ts'
import { computeGrade, type Graded } from '../../src/positions/lookback.ts'

const entries = (label: Graded['label'], held: readonly number[], from = 0): Graded[] =>
  held.map((one, index) => ({ session: `s${from + index}`, label, held: one === 1 }))

test('rates by label, the base rate, and a difference with its clustered error', () => {
  const { labels, base, difference } = computeGrade([
    ...entries('TRADE', [1, 1, 1, 0]),
    ...entries('SKIP', [1, 0, 0, 0], 4),
    ...entries('CAUTION', [1], 8),
  ])
  expect(labels.map(({ rate }) => rate)).toEqual([0.75, 1, 0.25])
  expect(base).toEqual({ entries: 9, held: 5, rate: 5 / 9 })
  // influences: three of 1/16 and one of 3/16 in each group; 8 sessions
  const variance = (8 / 7) * 2 * (3 / 256 + 9 / 256)
  expect(difference!.value).toBe(0.5)
  expect(difference!.error).toBeCloseTo(Math.sqrt(variance), 12)
  expect(difference!.t).toBeCloseTo(0.5 / Math.sqrt(variance), 12)
  expect(difference!.sessions).toBe(8)
})

test('entries of one session count as one cluster, not as many', () => {
  const apart = [...entries('TRADE', [1, 1, 0, 0]), ...entries('SKIP', [0, 0, 1, 1], 4)]
  const together = apart.map(entry => ({ ...entry, session: entry.held ? 'a' : 'b' }))
  const error = (rows: readonly Graded[]) => computeGrade(rows).difference!.error
  expect(error(together)).not.toBeCloseTo(error(apart), 3)
})

test('the sentence says so when the error covers zero, and when it does not', () => {
  const noisy = [...entries('TRADE', [1, 0, 1, 0]), ...entries('SKIP', [0, 1, 0, 1], 4)]
  expect(computeGrade(noisy).sentence).toContain('covers zero')
  const many = (held: number, of: number) =>
    Array.from({ length: of }, (_, index) => (index < held ? 1 : 0))
  const clear = [...entries('TRADE', many(38, 40)), ...entries('SKIP', many(15, 40), 40)]
  expect(computeGrade(clear).sentence).toMatch(/TRADE held more often than luck explains\.$/)
  expect(computeGrade(entries('TRADE', [1, 0])).sentence).toMatch(/^Nothing can be said/)
  const certain = [...entries('TRADE', [1, 1]), ...entries('SKIP', [0, 0], 2)]
  expect(computeGrade(certain)).toMatchObject({ difference: { error: 0, t: null, low: null } })
})

test.each([
  // p of t from tables of Student's distribution
  [12.706204736432095, 1, 0.05],
  [2.2281388519649385, 10, 0.05],
  [2.6259, 99, 0.01001],
  [1, 3, 0.3910022],
])('t %f with %i degrees has p %f', (t, degrees, p) => {
  expect(studentP(t, degrees)).toBeCloseTo(p, 5)
  expect(studentT(studentP(t, degrees), degrees)).toBeCloseTo(t, 6)
})
