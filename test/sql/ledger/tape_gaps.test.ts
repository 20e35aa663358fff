import { expect, test } from 'vitest'
import { findReport, openValidTape } from '../../support/tapeReport.ts'

/** A stretch without prints of the product, HH:MM ET to HH:MM ET (the end is not in it). */
const silence = (from: string, until: string) =>
  `delete from tape.prints where sequence in (
     select sequence from tape.prints
     join tape.minutes on date_trunc('minute', printed_at) = minute_at
     where minute_et >= '${from}' and minute_et < '${until}')`

test.each([
  // from, until, missing, longest gap, silent at the open, at the close, grade
  ['12:00', '12:01', 1, 1, 0, 0, 'good'],
  ['12:00', '12:04', 4, 4, 0, 0, 'good'],
  ['12:00', '12:05', 5, 5, 0, 0, 'doubtful'],
  ['12:00', '12:29', 29, 29, 0, 0, 'doubtful'],
  ['12:00', '12:30', 30, 30, 0, 0, 'bad'],
  ['09:30', '09:31', 1, 1, 1, 0, 'good'],
  ['09:30', '09:32', 2, 2, 2, 0, 'doubtful'],
  ['09:30', '10:00', 30, 30, 30, 0, 'bad'],
  ['16:10', '16:15', 5, 5, 0, 5, 'doubtful'],
  ['16:14', '16:15', 1, 1, 0, 1, 'good'],
  ['15:45', '16:15', 30, 30, 0, 30, 'bad'],
  ['15:31', '16:15', 44, 44, 0, 44, 'bad'],
])('no prints from %s until %s', async (from, until, missing, gap, open, close, grade) => {
  const db = await openValidTape()
  await db.run(silence(from, until))
  expect(await findReport(db)).toMatchObject({
    minutes_present: 405 - missing,
    minutes_missing: missing,
    minutes_missing_share: missing / 405,
    longest_gap_minutes: gap,
    minutes_silent_at_open: open,
    minutes_silent_at_close: close,
    grade,
  })
})

test('of several gaps the longest counts; prints of another product fill none', async () => {
  const db = await openValidTape()
  await db.run(silence('10:00', '10:03'))
  await db.run(silence('11:00', '11:07'))
  await db.run("update tape.prints set root = 'VIX' where sequence = 350") // 15:19
  await db.run(`insert into fold.print_fates
    select sequence, printed_at, 'other_symbol', null, size from tape.prints where sequence = 350`)
  expect(await findReport(db)).toMatchObject({ minutes_missing: 11, longest_gap_minutes: 7 })
})

test('a tape that ends at 15:31 is bad; one without its last hour is refused', async () => {
  const ended = await openValidTape()
  await ended.run(silence('15:31', '16:15'))
  const report = await findReport(ended)
  expect(report.last_printed_at).toBe('2026-10-14 19:30:30')
  expect(report.grade_reasons).toContain(
    'minutes_silent_at_close is 44, bad from 30: the tape ends before the session does',
  )
  const refusals = (db: typeof ended) =>
    db.rows("select measure from ledger.tape_findings where grade = 'refused' order by measure")
  expect(await refusals(ended)).toEqual([])

  const without = await openValidTape()
  await without.run(silence('15:15', '16:15'))
  expect(await findReport(without)).toMatchObject({ grade: 'bad' })
  expect(await refusals(without)).toEqual([{ measure: 'minutes_silent_at_close' }])
})

test('a half day has 225 minutes of its own', async () => {
  const db = await openValidTape('2026-11-27')
  expect(await findReport(db)).toMatchObject({
    minutes_expected: 225,
    minutes_present: 225,
    last_printed_at: '2026-11-27 18:14:30',
    grade: 'good',
  })
  await db.run(silence('12:45', '13:15'))
  expect(await findReport(db)).toMatchObject({ minutes_silent_at_close: 30, grade: 'bad' })
})
