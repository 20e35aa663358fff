import { expect, test } from 'vitest'
import { partDays } from '../../src/status/beforeData.ts'
import type { DayStatus } from '../../src/status/schema.ts'

const LETTERS: Readonly<Record<string, DayStatus['state']>> = {
  p: 'published',
  m: 'missing',
  d: 'damaged',
  h: 'holiday',
  n: 'not_kept',
}

test.each([
  ['pmphnnhnh', 'pmph', 'nnhnh'],
  ['ph', 'ph', ''],
  ['pnhdn', 'pnhd', 'n'],
  ['nn', '', 'nn'],
  ['', '', ''],
])(
  'of the days %j, newest first, %j are reported and %j are before any data',
  (days, reported, before) => {
    const rows = [...days].map((letter, ago) => ({
      day: `2026-10-${30 - ago}`,
      state: LETTERS[letter]!,
      severity: 'green' as const,
      grade: null,
      simulated: null,
      asof: null,
      last_minute: null,
      lag_s: null,
      gaps: [],
    }))
    const parts = partDays(rows)
    expect([parts.listed.length, parts.before.length]).toEqual([reported.length, before.length])
    expect([...parts.listed, ...parts.before]).toEqual(rows)
  },
)
