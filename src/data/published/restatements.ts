/**
 * The dataset `restatements`: what changed from one edition of a session to the next, and why. The
 * publisher compares the files that are about to be replaced with the new rows.
 */

import { join } from 'node:path'
import { damagedFiles } from '../../core/disk/files.ts'
import type { Database } from '../../core/engine/database.ts'
import { filePath } from '../../core/engine/paths.ts'
import { columnTypes, type Dataset, modelColumns } from '../dictionary/datasets.ts'
import { BUILT_DATASETS, PUBLISHED_DATASETS } from '../dictionary/dictionary.ts'
import { RESTATEMENTS } from '../dictionary/editionDatasets.ts'
import type { Edition, EditionBefore } from './editions.ts'
import { ERRATA } from './errata.ts'
import { type PublishedManifest, publishedFolder } from './manifest.ts'
import { viewsOver } from './views.ts'

const DATASET = PUBLISHED_DATASETS.find(({ name }) => name === RESTATEMENTS)!
/** Its columns but those that the publisher adds. */
const MODELLED = modelColumns(DATASET.columns)
const TABLE = `ledger.${RESTATEMENTS}`
/** View of the rows that are replaced. */
const EARLIER = 'earlier_edition'

/** Parts of the manifest that is about to be published, that a restatement is about. */
export type Later = Pick<
  PublishedManifest,
  'session_date' | 'revision' | 'datasets' | 'inputs' | 'code_version' | 'min_premium_usd'
> &
  Edition

type Counts = {
  readonly rows_added: number | null
  readonly rows_removed: number | null
  readonly rows_changed: number | null
  readonly null_reason: 'file_damaged' | 'key_repeats' | 'not_rows' | null
}

type Change = Counts & {
  readonly dataset: string
  readonly column_name: string | null
  readonly reason: string
}

/**
 * Makes `ledger.restatements`: what the edition before had, and what the later one changes. The
 * datasets of the later one are in the schema `ledger`.
 */
export async function fillRestatements(
  db: Database,
  dataFolder: string,
  before: EditionBefore,
  later: Later,
): Promise<void> {
  await db.run(`create or replace table ${TABLE} (${columnTypes(MODELLED)})`)
  if (before.kind === 'none') return
  if (before.kind === 'unknown') {
    const change = { ...wholeChange('manifest', 'file_damaged'), reason: 'unknown' }
    return writeChanges(db, [change], { earlier: null, later })
  }
  const earlier = before.manifest
  const isHistoryRead = await copyHistory(db, dataFolder, earlier)
  if (earlier.revision === later.revision) return
  const changes = await listChanges(db, dataFolder, earlier, later)
  const reason = findReason(earlier, later)
  const lost = isHistoryRead ? [] : [wholeChange(RESTATEMENTS, 'file_damaged')]
  const all = [...lost, ...changes].map(change => ({ reason, ...change }))
  await writeChanges(db, all, { earlier, later })
}

const wholeChange = (dataset: string, null_reason: Counts['null_reason']) => ({
  dataset,
  column_name: null,
  rows_added: null,
  rows_removed: null,
  rows_changed: null,
  null_reason,
})

/** Copies the restatements of the edition before; false when its file is damaged. */
async function copyHistory(
  db: Database,
  dataFolder: string,
  earlier: PublishedManifest,
): Promise<boolean> {
  const entry = earlier.datasets[RESTATEMENTS]
  if (entry === undefined) return true
  const folder = publishedFolder(dataFolder)
  if ((await damagedFiles(folder, [entry])).length > 0) return false
  await openEarlier(db, DATASET, join(folder, entry.file))
  await db.run(
    `insert into ${TABLE} by name select ${MODELLED.map(({ name }) => name).join(', ')} from ${EARLIER}`,
  )
  return true
}

/** Makes a view of the rows of a file, with nulls in columns that it lacks. */
async function openEarlier(db: Database, dataset: Dataset, path: string): Promise<void> {
  for (const statement of viewsOver([{ ...dataset, name: EARLIER }], () => [filePath(path)])) {
    await db.run(statement)
  }
}

type Found = Omit<Change, 'reason'> & { readonly reason?: string }

/** Lists what differs, dataset by dataset; a rendered form alone when no dataset does. */
async function listChanges(
  db: Database,
  dataFolder: string,
  earlier: PublishedManifest,
  later: Later,
): Promise<readonly Found[]> {
  const changes: Found[] = []
  for (const dataset of BUILT_DATASETS) {
    const [was, is] = [earlier.datasets[dataset.name], later.datasets[dataset.name]]
    if (was?.sha256 === is?.sha256) continue
    const whole = { dataset: dataset.name, column_name: null, rows_changed: 0, null_reason: null }
    if (!was) changes.push({ ...whole, rows_added: is!.rows, rows_removed: 0, reason: 'added' })
    else if (!is)
      changes.push({ ...whole, rows_added: 0, rows_removed: was.rows, reason: 'removed' })
    else changes.push(...(await compareRows(db, dataFolder, dataset, was)))
  }
  return changes.length > 0 ? changes : [wholeChange('ledger', 'not_rows')]
}

/** Compares the rows of a dataset with those of the file that they replace, by key. */
async function compareRows(
  db: Database,
  dataFolder: string,
  dataset: Dataset,
  was: PublishedManifest['datasets'][string],
): Promise<readonly Found[]> {
  const { name, columns, grain } = dataset
  const folder = publishedFolder(dataFolder)
  if ((await damagedFiles(folder, [was])).length > 0) return [wholeChange(name, 'file_damaged')]
  await openEarlier(db, dataset, join(folder, was.file))
  const keys = grain.split(', ')
  const others = modelColumns(columns).filter(column => !keys.includes(column.name))
  const isOther = others.map(
    column => `later.${column.name} is distinct from earlier.${column.name}`,
  )
  const [found] = await db.rows(`
    select
      count(*) filter (later.is_there and earlier.is_there) as both_count,
      count(*) filter (earlier.is_there is null) as added_count,
      count(*) filter (later.is_there is null) as removed_count,
      count(*) filter (later.is_there and earlier.is_there and (${['false', ...isOther].join(' or ')}))
        as changed_count,
      (select count(*) from ledger.${name}) as later_count
      ${isOther.map((differs, index) => `, count(*) filter (later.is_there and earlier.is_there and ${differs}) as c${index}`).join('')}
    from (select *, true as is_there from ledger.${name}) as later
      full join (select *, true as is_there from ${EARLIER}) as earlier
        on ${keys.map(key => `later.${key} is not distinct from earlier.${key}`).join(' and ')}`)
  const count = (column: string) => Number(found![column])
  const isUnique =
    count('both_count') + count('added_count') === count('later_count') &&
    count('both_count') + count('removed_count') === was.rows
  if (!isUnique) return [wholeChange(name, 'key_repeats')]
  const whole = {
    dataset: name,
    column_name: null,
    rows_added: count('added_count'),
    rows_removed: count('removed_count'),
    rows_changed: count('changed_count'),
    null_reason: null,
  }
  const byColumn = others.flatMap((column, index) => {
    const changed = count(`c${index}`)
    if (changed === 0) return []
    const rows = { rows_added: null, rows_removed: null, rows_changed: changed }
    return [{ dataset: name, column_name: column.name, ...rows, null_reason: null }]
  })
  return [whole, ...byColumn]
}

/** Names what differs between the sources of two editions. */
function findReason(earlier: PublishedManifest, later: Later): string {
  const causes = [
    listChangedInputs(earlier, later).length > 0 ? 'inputs' : null,
    earlier.code_version !== later.code_version ? 'code' : null,
    earlier.min_premium_usd !== later.min_premium_usd ? 'premium_floor' : null,
  ].filter(cause => cause !== null)
  return causes.length === 0 ? 'unknown' : causes.join('+')
}

/** Lists the datasets of the input whose files differ. */
function listChangedInputs(earlier: PublishedManifest, later: Later): string[] {
  const hashes = ({ inputs }: Pick<PublishedManifest, 'inputs'>) =>
    new Set(inputs.map(({ dataset, sha256 }) => `${dataset} ${sha256}`))
  const changed = hashes(earlier).symmetricDifference(hashes(later))
  return [...new Set([...changed].map(text => text.split(' ')[0]!))].sort()
}

/** Lists the days of errata between two publications, when code is a part of what differs. */
function listErrata(earlier: PublishedManifest, later: Later): string[] {
  const { published_at: from, code_version } = earlier
  if (!from || code_version === later.code_version) return []
  const [first, last] = [from.slice(0, 10), later.published_at!.slice(0, 10)]
  const days = ERRATA.map(({ date }) => date).filter(date => first <= date && date <= last)
  return [...new Set(days)].sort()
}

/** Adds changes to `ledger.restatements`. */
async function writeChanges(
  db: Database,
  changes: readonly Change[],
  { earlier, later }: { readonly earlier: PublishedManifest | null; readonly later: Later },
): Promise<void> {
  const join = (words: readonly string[]) => (words.length === 0 ? null : words.join(','))
  const shared = {
    session_date: later.session_date,
    restated_at: later.published_at!.replace('T', ' ').replace('Z', ''),
    edition_from: earlier?.edition ?? null,
    edition_to: later.edition ?? null,
    revision_from: earlier?.revision ?? null,
    revision_to: later.revision,
    changed_inputs: earlier && join(listChangedInputs(earlier, later)),
    errata: earlier && join(listErrata(earlier, later)),
  }
  const values = MODELLED.map(({ name, type }) => `$${name}::${type}`).join(', ')
  for (const change of changes) {
    await db.run(`insert into ${TABLE} values (${values})`, { ...shared, ...change })
  }
}
