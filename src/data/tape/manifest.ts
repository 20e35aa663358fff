/**
 * The imported tape of a data folder: Parquet batches and, for each session, one manifest that
 * names them. A file no manifest names does not exist for a reader.
 */

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { writeAtomically } from '../../core/disk/files.ts'
import { parsedOnce } from '../../core/disk/parsed.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { isDate, type SessionDate } from '../../core/market/calendar.ts'
import {
  type Column,
  type Dataset,
  OPEN_CLOSE_DATASET,
  TAPE_DATASETS,
} from '../dictionary/datasets.ts'
import { describeFault, parseJson, refuseNewerValue } from '../dictionary/manifestText.ts'
import { meets, type RowRanges } from './window.ts'

export type TapeBatch = {
  readonly dataset: string
  /** Relative to the folder `tape`. */
  readonly file: string
  readonly rows: number
  readonly sha256: string
  /** The file it came from: its name without folders, and the hash of what was read of it. */
  readonly source: { readonly file: string; readonly sha256: string }
  readonly format: string
  /** True when a simulator made it: never real market data. */
  readonly simulated: boolean
  readonly counts: BatchCounts
  /** Ranges in which other batches may hold the same rows; absent in batches of old versions. */
  readonly reach?: RowRanges
  /** Present where the vendor calls the data of the file degraded. */
  readonly degraded?: true
}

/** Outcome of the rows of one source file that belong to the session. */
export type BatchCounts = {
  readonly read: number
  readonly imported: number
  readonly already_there: number
  readonly rejected: number
  readonly skipped: number
  /** Unknown condition ids and the number of rows of each. */
  readonly quarantined: Readonly<Record<string, number>>
}

export type TapeManifest = {
  readonly format: 1
  /** A trading day; 'rates', as a curve belongs to no session; or that of Open-Close flows. */
  readonly session_date: string
  readonly batches: readonly TapeBatch[]
}

export type TapeInput = {
  readonly dataset: string
  readonly file: string
  readonly sha256: string
  readonly rows: number
}

/** The manifest that lists the yield curves. */
export const RATES = 'rates'

/** The dataset of the flows of Open-Close files, which no build reads. */
export const OPEN_CLOSE = OPEN_CLOSE_DATASET.name

const OPEN_CLOSE_KEY = `${OPEN_CLOSE}-`

/**
 * The manifest that lists rows of a dataset and session: 'rates' for curves, one apart from the
 * session's own for Open-Close flows, since they are no input of its build.
 */
export function tapeKey(dataset: string, sessionDate: SessionDate): string {
  if (dataset === RATES) return RATES
  return dataset === OPEN_CLOSE ? `${OPEN_CLOSE_KEY}${sessionDate}` : sessionDate
}

/** The session whose rows a manifest lists; null for the yield curves. */
export const keySession = (key: string): SessionDate | null =>
  key === RATES ? null : key.replace(OPEN_CLOSE_KEY, '')

/** The folder of a dataset's batches of a manifest, relative to `tape`. */
export function batchFolder(dataset: string, key: string): string {
  if (dataset === RATES) return RATES
  // a folder of a session holds only what its own manifest names
  return dataset === OPEN_CLOSE ? `${dataset}/${keySession(key)}` : `${dataset}/session=${key}`
}

/**
 * Datasets that no ledger rests on, each with the one published dataset that is made of it: when
 * it arrives later, only that one is rebuilt.
 */
export const LATER_DATASETS = { futures: 'basis', settlements: 'settlements' } as const
export type LaterDataset = keyof typeof LATER_DATASETS

export const isLater = (dataset: string): dataset is LaterDataset => dataset in LATER_DATASETS

/** Fields of a tape manifest's file that readers rely on. */
const TapeManifestFile = z.looseObject({
  format: z.literal(1),
  session_date: z.string(),
  batches: z.array(
    z.looseObject({
      dataset: z.string(),
      file: z.string(),
      rows: z.int(),
      sha256: z.string(),
      simulated: z.boolean(),
    }),
  ),
})

/**
 * Columns of a tape file of prints besides the dictionary's: the vendor's own number, also where
 * `sequence` had to differ, so that the same print is recognised.
 */
const VENDOR_SEQUENCE: Column = {
  name: 'vendor_sequence',
  type: 'bigint',
  isNullable: true,
  meaning: "the vendor's own sequence; null where it gives none",
}

/** The entry of a tape dataset in the dictionary. */
export function tapeDataset(name: string): Dataset {
  const dataset = [...TAPE_DATASETS, OPEN_CLOSE_DATASET].find(entry => entry.name === name)
  if (!dataset) throw new Error(`there is no tape dataset ${name}`)
  return dataset
}

/** The columns of a dataset's tape files. */
export const tapeColumns = (name: string): readonly Column[] =>
  name === 'prints' ? [...tapeDataset(name).columns, VENDOR_SEQUENCE] : tapeDataset(name).columns

/** Every session with an imported tape, oldest first. */
export function tapeSessions(dataFolder: string): SessionDate[] {
  const folder = join(dataFolder, 'tape/manifests')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => name.slice(0, -'.json'.length))
    .filter(isDate)
    .sort()
}

/** Every session with Open-Close flows, oldest first. */
export function flowSessions(dataFolder: string): SessionDate[] {
  const folder = join(dataFolder, 'tape/manifests')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(name => name.startsWith(OPEN_CLOSE_KEY) && name.endsWith('.json'))
    .map(name => name.slice(OPEN_CLOSE_KEY.length, -'.json'.length))
    .filter(isDate)
    .sort()
}

/** Path of the tape manifest of a session, or of the rates. */
export const tapeManifestPath = (dataFolder: string, key: string): string =>
  join(dataFolder, 'tape/manifests', `${key}.json`)

/** The manifest of a session, or of the rates; without batches when nothing was imported. */
export function readTapeManifest(dataFolder: string, key: string): TapeManifest {
  const path = tapeManifestPath(dataFolder, key)
  if (!existsSync(path)) return { format: 1, session_date: key, batches: [] }
  const text = readFileSync(path, 'utf8')
  return parseTapeManifest(text, path)
}

const parseTapeManifest = parsedOnce((text, path): TapeManifest => {
  const key = basename(path, '.json')
  const value = parseJson(text)
  refuseNewerValue(`tape/manifests/${key}.json`, value)
  const parsed = TapeManifestFile.safeParse(value)
  if (parsed.success && parsed.data.session_date === key)
    return parsed.data as unknown as TapeManifest
  const what = parsed.success ? 'it is about another session' : describeFault(parsed.error)
  throw new Refusal(
    `tape/manifests/${key}.json is damaged: ${what}; restore it, or remove it and import again.`,
  )
})

/** Writes a manifest: its batches are read from then on. */
export function writeTapeManifest(dataFolder: string, manifest: TapeManifest): void {
  const path = tapeManifestPath(dataFolder, manifest.session_date)
  writeAtomically(path, `${JSON.stringify(manifest, null, 2)}\n`)
}

/**
 * The files of one dataset that the manifest of a session names, as full paths: all, or those that
 * may hold rows within given ranges; without those made of the files of `replaced`.
 */
export function tapeFiles(
  dataFolder: string,
  dataset: string,
  key: string,
  ranges?: RowRanges,
  replaced: readonly string[] = [],
): string[] {
  return readTapeManifest(dataFolder, dataset === RATES ? RATES : key)
    .batches.filter(batch => batch.dataset === dataset && meets(ranges, batch.reach))
    .filter(batch => !replaced.includes(batch.source?.file))
    .map(batch => join(dataFolder, 'tape', batch.file))
}

/** Inputs of a build of the session, for its manifest: files relative to the data folder. */
export function tapeInputs(dataFolder: string, sessionDate: SessionDate): TapeInput[] {
  const keys = [sessionDate, RATES]
  return keys
    .flatMap(key => readTapeManifest(dataFolder, key).batches)
    .map(({ dataset, file, sha256, rows }) => ({ dataset, file: `tape/${file}`, sha256, rows }))
}

/** True when any batch of the session is simulated. */
export const isSimulated = (dataFolder: string, sessionDate: SessionDate): boolean =>
  readTapeManifest(dataFolder, sessionDate).batches.some(batch => batch.simulated)

/**
 * Takes a session off the tape when all of it is simulated, so that another simulation of the day
 * can be imported; a session with real batches is refused.
 */
export function dropSimulatedTape(dataFolder: string, sessionDate: SessionDate): void {
  const { batches } = readTapeManifest(dataFolder, sessionDate)
  if (batches.some(batch => !batch.simulated)) {
    throw new Refusal(`the tape of ${sessionDate} is real; give another folder with --data.`)
  }
  rmSync(tapeManifestPath(dataFolder, sessionDate), { force: true })
  // from here on nothing names the files
  for (const { file } of batches) rmSync(join(dataFolder, 'tape', file), { force: true })
}
