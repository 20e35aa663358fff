import { columns, type Dataset } from './datasets.ts'

/** Levels and probabilities of a session, judged by the course of the index after them. */
export const GRADE_DATASETS: readonly Dataset[] = [
  {
    name: 'level_grades',
    grain: 'session_date, minute_et, book_basis, kind, role, strike',
    meaning:
      'Walls as stated at each full hour, and strikes beside them: untouched, held or broken.',
    columns: columns(`
  session_date  date        ET trading day
  minute_et     varchar     state minute at which they were stated, HH:MM
  book_basis    varchar     'measured', 'vol' or 'oi'
  kind          varchar     'call_wall' or 'put_wall'
  role          varchar     'level', 'rank' (next in gamma), 'random' (of the others, those as far from the index)
  rank          integer?    1 for a level, 2 to 5 for the next; null for 'random'
  spot          double?     index of that minute, index points
  strike        double?     index points; null: no level was stated
  touched_at    timestamp?  UTC instant of the first minute that touched it; null: none did
  outcome       varchar?    'untouched', 'held' or 'broken'; null: not judged
  reason        varchar?    why outcome is null`),
  },
  {
    name: 'regime_grades',
    grain: 'session_date, minute_et, book_basis',
    meaning:
      'The stated probability of positive gamma at each half hour, and how calm the index then was.',
    columns: columns(`
  session_date  date        ET trading day
  minute_et     varchar     state minute at which it was stated, HH:MM
  book_basis    varchar     'measured' or 'vol'
  p_positive    double?     as in levels
  expected_variance_points double? variance of the next 30 minutes by the options, points squared
  realised_variance_points double? that of the index by the minute; null where a minute lacks it
  is_calm       boolean?    true when the index moved less than expected
  reason        varchar?    why it is not judged`),
  },
]
