import { type Column, modelColumns } from '../data/dictionary/datasets.ts'
import { PUBLISHED_DATASETS } from '../data/dictionary/dictionary.ts'

/** Datasets of a session that levels are read from, with the query for each. */
export const READ_DATASETS = {
  levels: 'views/level_minutes',
  profiles: 'views/level_curves',
  strikes: 'views/level_ladders',
  basis: 'views/level_bases',
  expiry_levels: 'views/expiry_level_minutes',
  exposures: 'views/exposure_cells',
  flow: 'views/flow_minutes',
} as const

export type ReadDataset = keyof typeof READ_DATASETS

/** Columns that are read; a file may have others, and one of older code may lack some. */
export const listColumns = (name: ReadDataset): readonly Column[] =>
  modelColumns(PUBLISHED_DATASETS.find(dataset => dataset.name === name)!.columns)
