import { expect, test } from 'vitest'
import type { AccuracyReport } from '../../../pipelines/measure/accuracyReport.ts'
import { confidenceTable, namesVerdict } from '../../../pipelines/measure/accuracyText.ts'

const findReport = (...tapes: object[]) => ({ tapes }) as unknown as AccuracyReport
const named = (right_share: number | null, told_share: number | null) => ({
  names: { right_share, told_share },
})

test('names that are right often enough are reported as such, others are not', () => {
  expect(namesVerdict(findReport(named(0.995, 1), named(0.996, 1)))).toBe(
    'Of these names 0.9950 to 0.9960 are the true ones.',
  )
  const verdict = namesVerdict(findReport(named(0.9949, 0.999), named(0.996, 0.999)))
  expect(verdict).toMatch(
    /^Of these names 0\.9949 to 0\.9960 are the true ones\. The aim is 0\.995; it is not/,
  )
  expect(verdict).toMatch(/ In 0\.9990 the true name is among the names that fit\s/)
})

test('where no package was named nothing is reported of names', () => {
  expect(namesVerdict(findReport(named(null, null)))).toBeNull()
  expect(namesVerdict(findReport())).toBeNull()
})

test('the surest packages come first, and a tape without such ones has a dash', () => {
  const row = (decile: number, packages: number, exact_share: number) => ({
    decile,
    packages,
    exact_share,
    stated_share: 0.5,
  })
  const { head, lines } = confidenceTable(
    findReport(
      { tape: 'calm', confidence: [row(8, 10, 0.9), row(9, 20, 1)] },
      { tape: 'busy', confidence: [row(9, 30, 0.98)] },
    ),
  )
  expect(head).toEqual(['confidence', 'calm: packages', 'exact', 'busy: packages', 'exact'])
  expect(lines).toEqual([
    ['0.9 to 1', '20', '1.0000', '30', '0.9800'],
    ['0.8 to 0.9', '10', '0.9000', '-', '-'],
  ])
})
