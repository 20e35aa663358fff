/** What an import does with its batches: which rows are new, and where their files go. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { publishFile, sha256File } from '../disk/files.ts'
import type { Database } from '../engine/database.ts'
import type { SessionDate } from '../market/calendar.ts'
import type { Dataset } from '../published/datasets.ts'
import { RATES, tapeColumns } from './manifest.ts'
import type { News } from './news.ts'

/**
 * Makes `import.verdicts` for a dataset whose grain is a key: a row of `import.judged` whose key
 * is in `import.existing`, or earlier in the file, is 'known' when all else is equal, and a
 * 'conflict' otherwise. The first one imported stands.
 */
export async function judgeKeys(db: Database, dataset: Dataset): Promise<void> {
  const keys = dataset.grain.split(', ')
  // who knew a row when is told by the first import of it
  const values = dataset.columns
    .map(column => column.name)
    .filter(name => !keys.includes(name) && name !== 'known_at')
  const same = (other: string) => {
    const equal = values.map(name => `sound.${name} is not distinct from ${other}.${name}`)
    return `case when ${equal.join(' and ')} then 'known' else 'conflict' end`
  }
  const key = keys.join(', ')
  const isNullable = (name: string) =>
    dataset.columns.some(column => column.name === name && column.isNullable)
  const keyed = (other: string) =>
    keys
      .map(
        name => `sound.${name} ${isNullable(name) ? 'is not distinct from' : '='} ${other}.${name}`,
      )
      .join(' and ')
  await db.refill(
    'import.verdicts',
    `with sound as (
       select rowid as row_id, * from import.judged where reason is null and skip_reason is null
     ),
     repeated as (
       select ${key}, min(row_id) as first_row_id from sound group by ${key} having count(*) > 1
     ),
     firsts as (select sound.* from sound semi join repeated on row_id = first_row_id)
     select
       sound.row_id,
       case when existing.${keys[0]} is not null then ${same('existing')} else ${same('firsts')} end
         as verdict
     from sound
     left join import.existing as existing on ${keyed('existing')}
     left join firsts on ${keyed('firsts')}
     where existing.${keys[0]} is not null or firsts.row_id < sound.row_id`,
  )
}

/** The later of what a row says and of what is news: of null and an instant, the instant. */
const KNOWN_AT = 'greatest(known_at, news.from_at) as known_at'

const NEWS = `(
  select unnest.date as session_date, make_timestamp(unnest."fromMs" * 1000) as from_at
  from unnest(from_json($news, '[{"date": "date", "fromMs": "bigint"}]'))
) as news`

/**
 * Writes `import.accepted` of one session to a Parquet file that nobody reads yet. Nothing in it
 * was known before the news of its day: states of the session up to then are published.
 */
export async function writeBatchFile(
  db: Database,
  dataset: string,
  sessionDate: SessionDate | null,
  path: string,
  news: readonly News[],
): Promise<void> {
  const names = tapeColumns(dataset).map(({ name }) => (name === 'known_at' ? KNOWN_AT : name))
  const order = dataset === 'prints' ? 'printed_at, sequence' : 'row_id'
  await db.run(
    `copy (
       select ${names.join(', ')} from import.accepted left join ${NEWS} using (session_date)
       where $session::date is null or session_date = $session::date
       order by ${order}
     ) to $path (format parquet, compression zstd)`,
    { session: sessionDate, path, news: JSON.stringify(news) },
  )
}

export type PlacedBatch = {
  /** Relative to the folder `tape`. */
  readonly file: string
  readonly sha256: string
  /** False when an import that was killed had placed the same bytes. */
  readonly isNew: boolean
}

/** Moves a batch into the tape under a name that no other bytes have, and hashes it. */
export async function placeBatch(
  dataFolder: string,
  { dataset, key, name, path }: BatchPlace,
): Promise<PlacedBatch> {
  const folder = dataset === RATES ? RATES : `${dataset}/session=${key}`
  const sha256 = await sha256File(path)
  for (let count = 1; ; count++) {
    const file = `${folder}/${name}${count === 1 ? '' : `-${count}`}.parquet`
    const target = join(dataFolder, 'tape', file)
    if (!existsSync(target)) {
      publishFile(path, target)
      return { file, sha256, isNew: true }
    }
    if ((await sha256File(target)) === sha256) return { file, sha256, isNew: false }
  }
}

export type BatchPlace = {
  readonly dataset: string
  /** A session, or 'rates'. */
  readonly key: string
  /** First part of its file name. */
  readonly name: string
  /** Where it lies as yet. */
  readonly path: string
}

/** Writes the rows of a batch file to another one, none known before the news of its day. */
export async function delayBatch(
  db: Database,
  { from, to, news }: { readonly from: string; readonly to: string; news: readonly News[] },
): Promise<void> {
  await db.run(
    `copy (
       select batch.* exclude (file_row_number) replace (${KNOWN_AT})
       from read_parquet($from, file_row_number = true) as batch
       left join ${NEWS} using (session_date)
       order by file_row_number
     ) to $path (format parquet, compression zstd)`,
    { from, path: to, news: JSON.stringify(news) },
  )
}
