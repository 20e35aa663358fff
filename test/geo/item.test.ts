// In which session and minute something was known, around the open, the close and the clocks.

import { expect, test } from 'vitest'
import { locateInSession } from '../../src/geo/item.ts'

test.each([
  // New York is four hours behind UTC in October
  ['2026-10-14T12:30:00Z', '2026-10-14', null, 'before the open'],
  ['2026-10-14T13:29:59Z', '2026-10-14', null, 'a second before it'],
  ['2026-10-14T13:30:00Z', '2026-10-14', '09:31', 'at the open: the first state knows it'],
  ['2026-10-14T13:30:59Z', '2026-10-14', '09:31', 'within the first minute'],
  ['2026-10-14T14:00:00Z', '2026-10-14', '10:01', 'at 10:00:00: not before 10:00:00'],
  ['2026-10-14T13:59:59Z', '2026-10-14', '10:00', 'a second before 10:00'],
  ['2026-10-14T19:58:59Z', '2026-10-14', '15:59', 'the last minute that can know it'],
  ['2026-10-14T19:59:00Z', '2026-10-14', null, 'after the last state'],
  ['2026-10-14T20:14:59Z', '2026-10-14', null, 'before 16:15 it is of the session'],
  ['2026-10-14T20:15:00Z', '2026-10-15', null, 'from the close on, of the next one'],
  ['2026-10-17T12:00:00Z', '2026-10-19', null, 'a Saturday'],
  // a half day: 27 November 2026, five hours behind
  ['2026-11-27T17:58:59Z', '2026-11-27', '12:59', 'the last minute of a half day'],
  ['2026-11-27T17:59:00Z', '2026-11-27', null, 'after it'],
  ['2026-11-27T18:15:00Z', '2026-11-30', null, 'after its close'],
  // Thanksgiving
  ['2026-11-26T15:00:00Z', '2026-11-27', null, 'a holiday'],
  // clocks change on 1 November and 14 March
  ['2026-11-02T14:30:00Z', '2026-11-02', '09:31', 'the open in winter'],
  ['2027-03-15T13:30:00Z', '2027-03-15', '09:31', 'the open in summer'],
])('%s is of %s at %s: %s', (known, session, minute, _why) => {
  expect(locateInSession(Date.parse(known))).toEqual({ session, minute })
})
