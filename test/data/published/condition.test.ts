// The state of a session's data on a day of the calendar, and the number of its edition.

import { expect, test } from 'vitest'
import { judgePublished, judgeUnpublished } from '../../../src/data/published/condition.ts'
import { nextEdition } from '../../../src/data/published/editions.ts'
import { PublishedManifest } from '../../../src/data/published/manifest.ts'

const GRACE_MS = 180 * 60_000

const manifestWith = (changes: object = {}): PublishedManifest =>
  PublishedManifest.parse({
    format: 1,
    session_date: '2026-10-15',
    symbol: 'SPX',
    simulated: false,
    revision: 'a',
    asof: '16:15:00',
    code_version: 'test',
    minutes: { expected: 405, present: 405, missing: [] },
    datasets: {},
    ledger: {},
    inputs: [],
    tape: { kept: 7 },
    tape_grade: { grade: 'good', reasons: [] },
    published_at: '2026-10-15T20:40:00Z',
    edition: 1,
    ...changes,
  })
const judge = (changes: object = {}) => judgePublished(manifestWith(changes), GRACE_MS)
const missing = (...minutes: string[]) => ({
  minutes: { expected: 405, present: 405 - minutes.length, missing: minutes },
})
const grade = (word: string) => ({ tape_grade: { grade: word, reasons: ['x'] } })

test.each([
  ['in time', {}, ['complete']],
  ['at the last second', { published_at: '2026-10-15T23:15:00Z' }, ['complete']],
  ['a second late', { published_at: '2026-10-15T23:15:01Z' }, ['late']],
  ['before the next is due', { published_at: '2026-10-16T23:15:00Z' }, ['late']],
  ['after the next was due', { published_at: '2026-10-16T23:15:01Z' }, ['backfilled']],
  // on Monday after a Friday, not on Saturday
  [
    'a Friday on Sunday',
    { session_date: '2026-10-16', published_at: '2026-10-18T12:00:00Z' },
    ['late'],
  ],
  ['a gap', missing('10:31'), ['partial']],
  ['a print set apart', { tape: { kept: 6, set_apart: 1 } }, ['partial']],
  ['a doubtful tape', grade('doubtful'), ['degraded']],
  ['a bad tape with gaps', { ...grade('bad'), ...missing('09:31') }, ['partial', 'degraded']],
  // when its first edition came, nobody recorded
  ['a second edition', { edition: 2, published_at: '2026-10-20T20:40:00Z' }, ['restated']],
  [
    'all at once',
    { edition: 3, ...grade('bad'), ...missing('09:31') },
    ['partial', 'degraded', 'restated'],
  ],
  [
    'a simulated one, years later',
    { simulated: true, published_at: '2029-01-01T00:00:00Z' },
    ['complete'],
  ],
])('a session of %s is %j: %j', (_, changes, conditions) => {
  const judged = judge(changes)
  expect(judged.conditions).toEqual(conditions)
  expect(judged.condition).toBe(conditions[0])
})

test.each([
  // the clocks of New York change on 2026-03-08 and 2026-11-01
  ['2026-03-06', '2026-03-07T00:15:00Z'],
  ['2026-03-09', '2026-03-09T23:15:00Z'],
  ['2026-10-30', '2026-10-30T23:15:00Z'],
  ['2026-11-02', '2026-11-03T00:15:00Z'],
  // a half day
  ['2026-11-27', '2026-11-27T21:15:00Z'],
])('the session of %s is due at %s', (day, due) => {
  const { due_at, due_reason } = judge({ session_date: day })
  expect([due_at, due_reason]).toEqual([due, null])
  expect(judgeUnpublished(day, 'missing', GRACE_MS).due_at).toBe(due)
})

test('what is not known is null, with a reason', () => {
  const older = { published_at: undefined, edition: undefined }
  expect(judge(older)).toMatchObject({
    condition: 'complete',
    published_at: null,
    edition: null,
    published_reason: 'not_recorded',
  })
  const ungraded = judge({ tape_grade: undefined })
  expect(ungraded).toMatchObject({ condition: null, condition_reason: 'not_graded' })
  expect(ungraded.conditions).toEqual([])
  expect(judge({ simulated: true })).toMatchObject({ due_at: null, due_reason: 'simulated' })
  expect(judgeUnpublished('2026-11-26', 'no_session', GRACE_MS)).toEqual({
    condition: null,
    conditions: [],
    condition_reason: 'no_session',
    published_at: null,
    edition: null,
    published_reason: 'no_session',
    due_at: null,
    due_reason: 'no_session',
  })
  expect(judgeUnpublished('2026-10-15', 'damaged', GRACE_MS)).toMatchObject({
    condition: 'damaged',
    published_reason: 'damaged',
    due_at: '2026-10-15T23:15:00Z',
  })
})

const AT_MS = Date.parse('2026-10-16T01:02:03.456Z')
const AT = '2026-10-16T01:02:03Z'

test.each([
  ['the first', { kind: 'none' as const }, { edition: 1, published_at: AT }],
  ['over a damaged manifest', { kind: 'unknown' as const }, { published_at: AT }],
  [
    'other content',
    { kind: 'known' as const, manifest: manifestWith({ revision: 'b', edition: 4 }) },
    { edition: 5, published_at: AT },
  ],
  [
    'the same content',
    { kind: 'known' as const, manifest: manifestWith({ edition: 4 }) },
    { edition: 4, published_at: '2026-10-15T20:40:00Z' },
  ],
  [
    'other content than that of older code',
    { kind: 'known' as const, manifest: manifestWith({ revision: 'b', edition: undefined }) },
    { published_at: AT },
  ],
])('an edition that is %s', (_, before, expected) => {
  expect(nextEdition(before, 'a', AT_MS)).toEqual(expected)
})
