import { type Column, columns } from '../published/datasets.ts'
import { PUBLISHED_DATASETS } from '../published/dictionary.ts'

/** Datasets of a session that levels are answered from, and the query that reads each. */
export const READ_DATASETS = {
  levels: 'views/level_minutes',
  profiles: 'views/level_curves',
  strikes: 'views/level_ladders',
  basis: 'views/level_bases',
} as const

export type ReadDataset = keyof typeof READ_DATASETS

/** Columns that are read; a file may have others, and one of older code may lack some. */
export function columnsOf(name: ReadDataset): readonly Column[] {
  if (name === 'basis') return BASIS_COLUMNS
  return PUBLISHED_DATASETS.find(dataset => dataset.name === name)!.columns
}

const BASIS_COLUMNS = columns(`
  minute_et     varchar     state minute, HH:MM
  contract      varchar     dated future, such as ESZ6
  basis         double?     what it stood above the index in the minute before, index points
  reason        varchar?    why basis is null
  volume        double?     contracts of it traded in that minute; null where nobody says`)
