/** Stored public records by week: Parquet files, and a manifest per week. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { sha256, storeByHash, writeAtomically } from '../../core/disk/files.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { columns } from '../dictionary/datasets.ts'
import { describeFault, parseJson, refuseNewerFormat } from '../dictionary/manifestText.ts'
import { readStamp } from '../published/damagedFile.ts'
import { isWeek, type Week } from './weeks.ts'

/** Columns of the files, in order. */
export const RECORD_COLUMNS = columns(`
  record       varchar        what its source calls it; unique within a source
  kind         varchar        event (reported conflict) or release (published statistics)
  record_date  date           day of the event, or of the release
  country      varchar        ISO 3166 code of two letters; PS and XK as they are used
  code         varchar        event: CAMEO root, 10 to 20; release: FRED's number, or a word
  label        varchar        what the code means, in a few words
  events       bigint?        events that the record counts; null for a release
  mentions     bigint?        how often news named them at first; null where nobody counted
  goldstein    decimal(9,4)?  their mean on Goldstein's scale, -10 to 10; null where it is not told
  url          varchar?       where it was reported, or is published; null where that is no address
  source       varchar        who says so: a row of data/reference/geo_sources.csv
  known_at     timestamp      from when the public knew it, UTC
`)

/** First and last instant at which a source's records of a batch became known. UTC milliseconds. */
export type KnownSpan = { readonly from: number; readonly to: number }

export type RecordBatch = {
  /** Relative to the folder `geo`. */
  readonly file: string
  readonly rows: number
  readonly sha256: string
  /** Its source file: the name without folders, and the hash of its bytes. */
  readonly source: { readonly file: string; readonly sha256: string }
  readonly format: string
  /** True when a simulator made it. */
  readonly simulated: boolean
  /** Time span in which its records became known, by source. */
  readonly known: Readonly<Record<string, KnownSpan>>
}

export type WeekManifest = {
  readonly format: 1
  readonly week: Week
  readonly batches: readonly RecordBatch[]
}

const Batch = z.looseObject({
  file: z.string(),
  rows: z.int(),
  sha256: z.string(),
  simulated: z.boolean(),
  known: z.record(z.string(), z.object({ from: z.number(), to: z.number() })),
})

/** Fields that a reader needs in a manifest's file. */
const WeekManifestFile = z.looseObject({
  format: z.literal(1),
  week: z.string(),
  batches: z.array(Batch),
})

/** Root folder of the public records. */
export const geoFolder = (dataFolder: string): string => join(dataFolder, 'geo')

const manifestsFolder = (dataFolder: string): string => join(geoFolder(dataFolder), 'manifests')

const manifestPath = (dataFolder: string, week: Week): string =>
  join(manifestsFolder(dataFolder), `${week}.json`)

/** Weeks that have records, oldest first. */
export function recordedWeeks(dataFolder: string): Week[] {
  const folder = manifestsFolder(dataFolder)
  if (!existsSync(folder)) return []
  const names = readdirSync(folder).filter(name => name.endsWith('.json'))
  return names
    .map(name => basename(name, '.json'))
    .filter(isWeek)
    .sort()
}

/** Cached manifests, by path: a busy week names hundreds of files. */
const manifests = new LRUCache<string, { readonly stamp: string; readonly manifest: WeekManifest }>(
  {
    max: 600,
  },
)

/** Reads a week's manifest; it has no batches when nothing was imported. Fails with a Refusal. */
export function readWeek(dataFolder: string, week: Week): WeekManifest {
  const path = manifestPath(dataFolder, week)
  if (!existsSync(path)) return { format: 1, week, batches: [] }
  const stamp = readStamp(path)
  const known = manifests.get(path)
  if (known?.stamp === stamp) return known.manifest
  const manifest = parseWeek(week, readFileSync(path, 'utf8'))
  manifests.set(path, { stamp, manifest })
  return manifest
}

function parseWeek(week: Week, text: string): WeekManifest {
  const name = `geo/manifests/${week}.json`
  refuseNewerFormat(name, text)
  const parsed = WeekManifestFile.safeParse(parseJson(text))
  if (parsed.success && parsed.data.week === week) return parsed.data as unknown as WeekManifest
  const what = parsed.success ? 'it is about another week' : describeFault(parsed.error)
  throw new Refusal(`${name} is damaged: ${what}; restore it, or remove it and import again.`)
}

/** Writes a manifest atomically: from then on its batches are read. */
export function writeWeek(dataFolder: string, manifest: WeekManifest): void {
  const path = manifestPath(dataFolder, manifest.week)
  writeAtomically(path, `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Version of a week's content: it changes when a batch is added. */
export const weekVersion = ({ week, batches }: WeekManifest): string =>
  sha256(`${week} ${batches.map(batch => batch.sha256).join(' ')}`).slice(0, 16)

/**
 * Moves a batch to its final path, named by the hash of its bytes: a file left there by a killed
 * import is identical.
 */
export async function storeRecords(
  dataFolder: string,
  { week, path }: { readonly week: Week; readonly path: string },
): Promise<{ readonly file: string; readonly sha256: string }> {
  const folder = join(geoFolder(dataFolder), `records/week=${week}`)
  const stored = await storeByHash(path, { folder, extension: 'parquet' })
  return { file: relative(geoFolder(dataFolder), stored.path), sha256: stored.sha256 }
}
