import { join } from 'node:path'
import { writeAtomically } from './files.ts'
import { publishedFolder, publishedSessions, readManifest } from './manifest.ts'
import { PUBLISHED_DATASETS } from './published.ts'

/**
 * The statements that make every published dataset a view, over explicit file lists: a glob would
 * also match superseded versions.
 */
export function viewStatements(dataFolder: string): string[] {
  const manifests = publishedSessions(dataFolder).map(date => readManifest(dataFolder, date)!)
  return PUBLISHED_DATASETS.map(({ name, columns }) => {
    const files = manifests
      .map(manifest => manifest.datasets[name])
      .filter(entry => entry !== undefined)
      .map(entry => join(publishedFolder(dataFolder), entry.file))
    if (files.length === 0) {
      const empty = columns.map(column => `null::${column.type} as ${column.name}`).join(', ')
      return `create or replace view ${name} as select ${empty} where false;`
    }
    const list = files.map(file => `'${file.replaceAll("'", "''")}'`).join(',\n    ')
    return (
      `create or replace view ${name} as select * from read_parquet([\n    ${list}\n], ` +
      'hive_partitioning = false, union_by_name = true);'
    )
  })
}

/** Writes `published/views.sql`: `duckdb -init` of it gives the datasets by name. */
export function writeViews(dataFolder: string): void {
  const text = `${viewStatements(dataFolder).join('\n')}\n`
  writeAtomically(join(publishedFolder(dataFolder), 'views.sql'), text)
}
