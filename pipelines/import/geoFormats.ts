import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { sha256 } from '../../src/core/disk/files.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { detectContent, readJson, writeLines } from '../../src/core/disk/text.ts'
import type { Database } from '../../src/core/engine/database.ts'
import type { RowLayout } from '../../src/core/engine/header.ts'
import { loadRows } from '../../src/core/engine/rows.ts'
import { instantMs, isDate } from '../../src/core/market/calendar.ts'
import { readZip } from './zip.ts'

/** A file of public records, as lines of text that the models of its format read. */
export type GeoSource = {
  /** The file as the user typed it. */
  readonly label: string
  /** File name without folders. */
  readonly name: string
  readonly sha256: string
  /** The lines. */
  readonly path: string
  /** Part of a list in the file, if it states one. */
  readonly page?: ListedPart
}

/** Entries of a list from one index to another, exclusive, and the total count. */
export type ListedPart = { readonly from: number; readonly to: number; readonly count: number }

/** True where pages of a list together hold all of it. */
export function isWhole(pages: readonly ListedPart[]): boolean {
  let reached = 0
  for (const { from, to } of pages.toSorted((a, b) => a.from - b.from)) {
    if (from <= reached) reached = Math.max(reached, to)
  }
  return pages.every(({ count }) => count <= reached)
}

export type GeoFormat = {
  readonly name: string
  /** One line for the usage text. */
  readonly meaning: string
  /** Makes a file readable. Fails with a Refusal. */
  readonly open: (file: string, workFolder: string) => Promise<GeoSource>
  /** The model that makes `import.candidates`. */
  readonly model: string
  /** Loads the model's inputs other than the reference tables. */
  readonly prepare?: (db: Database, source: GeoSource) => Promise<void>
}

/** Columns of Tapefold's own records. */
const ITEM_LAYOUT: RowLayout = {
  required: ['kind', 'date', 'country', 'code', 'source', 'known_at'],
  optional: ['record', 'label', 'events', 'mentions', 'goldstein', 'url'],
}

/** Formats of public records: reported events, by country and week. */
export const GEO_FORMATS: readonly GeoFormat[] = [
  {
    name: 'gdelt-events',
    meaning: 'GDELT 2.0 events, 61 columns: zip, gzip, zstd or text',
    open: openEvents,
    model: 'gdelt_events',
  },
  {
    name: 'fred-release-dates',
    meaning: "dates of US releases, the JSON of FRED's releases/dates",
    open: openReleases,
    model: 'fred_release_dates',
    prepare: loadOffsets,
  },
  {
    name: 'geo-items',
    meaning: "Tapefold's own public records, CSV",
    open: openText,
    model: 'geo_items',
    prepare: async (db, { label, path }) => {
      await loadRows(db, { label, path, columns: null }, ITEM_LAYOUT)
    },
  },
]

async function openText(file: string, workFolder: string): Promise<GeoSource> {
  const content = detectContent(file, file)
  if (content === 'zip') throw new Refusal(`${file} is a zip archive; unpack it.`)
  if (content === 'parquet') {
    throw new Refusal(`${file} is a Parquet file; this format reads text, plain, gzip or zstd.`)
  }
  const path = join(workFolder, 'rows.txt')
  const hash = await writeLines(file, file, content, path)
  return { label: file, name: basename(file), sha256: hash, path }
}

/** GDELT packs each quarter of an hour as a zip with one file. */
async function openEvents(file: string, workFolder: string): Promise<GeoSource> {
  if (detectContent(file, file) !== 'zip') return openText(file, workFolder)
  const { bytes, members } = readZip(file, file)
  const [member, ...others] = members
  if (!member || others.length > 0) {
    throw new Refusal(`${file} packs ${members.length} files; a zip of GDELT has one.`)
  }
  const packed = join(workFolder, 'member.txt')
  writeFileSync(packed, member.bytes)
  const { path } = await openText(packed, workFolder).catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(error.message.replaceAll(packed, `${member.name.slice(0, 80)} in ${file}`))
  })
  return { label: file, name: basename(file), sha256: sha256(bytes), path }
}

/** Maximum size of a list of dates: FRED sends 1,000 at a time. */
const JSON_MEBIBYTES_MAX = 64

const Count = z.int().nonnegative().optional().catch(undefined)
const ReleaseDates = z.looseObject({
  release_dates: z.array(z.unknown()),
  count: Count,
  offset: Count,
})

/** The entries of FRED's list, a line each. */
async function openReleases(file: string, workFolder: string): Promise<GeoSource> {
  const { value, sha256: hash } = await readJson(file, file, JSON_MEBIBYTES_MAX)
  const parsed = ReleaseDates.safeParse(value)
  if (!parsed.success) {
    throw new Refusal(
      `${file} has no list release_dates; save the JSON of FRED's releases/dates as it is.`,
    )
  }
  const entries = parsed.data.release_dates
  if (entries.length === 0) throw new Refusal(`${file} holds no rows.`)
  const path = join(workFolder, 'rows.txt')
  writeFileSync(path, entries.map(entry => `${JSON.stringify(entry)}\n`).join(''))
  const { count, offset: from = 0 } = parsed.data
  const source = { label: file, name: basename(file), sha256: hash, path }
  if (count === undefined) return source
  return { ...source, page: { from, to: from + entries.length, count } }
}

/** Makes `import.wall_offsets` for the days of a list: releases come at a time of New York. */
async function loadOffsets(db: Database, { path }: GeoSource): Promise<void> {
  const entries = readFileSync(path, 'utf8').trimEnd().split('\n')
  const days = entries.map(line => String((JSON.parse(line) as { date?: unknown } | null)?.date))
  const offsets = [...new Set(days)].filter(isDate).map(day => {
    return { day, offset_ms: Date.parse(`${day}T12:00:00Z`) - instantMs(day, '12:00') }
  })
  await db.build('import/wall_offsets', { days: JSON.stringify(offsets) })
}
