import { columns, type Dataset } from './datasets.ts'

/** Name of the dataset that the publisher writes itself: no build makes it. */
export const RESTATEMENTS = 'restatements'

/** Changes of published data, from edition to edition. */
export const EDITION_DATASETS: readonly Dataset[] = [
  {
    name: RESTATEMENTS,
    grain: 'session_date, restated_at, dataset, column_name',
    meaning:
      'What changed in each edition of the session but the first, and why: rows of each dataset that differ from the edition before, and of each column.',
    columns: columns(`
  session_date  date        ET trading day
  restated_at   timestamp   UTC instant at which the later edition was published
  edition_from  integer?    number of the edition that was replaced; null: not recorded
  edition_to    integer?    number of the one that replaced it; null: not recorded
  revision_from varchar?    revision of the edition that was replaced; null: its manifest was damaged
  revision_to   varchar     revision of the one that replaced it
  dataset       varchar     dataset that changed; 'ledger': a rendered form alone; 'manifest': it was damaged
  column_name   varchar?    column of which the row counts; null: rows as a whole
  rows_added    bigint?     rows whose key is only in the later edition; null for a column
  rows_removed  bigint?     rows whose key is only in the earlier one; null for a column
  rows_changed  bigint?     rows of both with another value in the column, or in any
  null_reason   varchar?    why the counts are null: 'file_damaged', 'key_repeats', 'not_rows'
  reason        varchar     'added' or 'removed' (the dataset), else what differs: 'inputs', 'code', 'premium_floor', joined by +; 'unknown': none of them
  changed_inputs varchar?   datasets of the input that differ, comma between; null: none
  errata        varchar?    days of errata between the two publications, comma between; null: none, or the code is the same`),
  },
]
