/**
 * Files that the stages of a backfill hand on, in the folder `stages` of a data folder: what a
 * session's prints changed, and what it takes from the session before. They are named by their
 * content, and pointers name them; all of them can be made again from the tape.
 */

import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { publishFile, sha256File, writeAtomically } from '../../src/core/disk/files.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import type { Database } from '../../src/core/engine/database.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import type { Carried } from '../../src/data/published/carried.ts'
import { DatasetFile } from '../../src/data/published/manifest.ts'
import { writeDatasets } from '../../src/data/published/publish.ts'
import type { TapeInput } from '../../src/data/tape/manifest.ts'

export type StageFile = z.infer<typeof DatasetFile>

const Input = z.object({
  dataset: z.string(),
  file: z.string(),
  rows: z.int(),
  sha256: z.string(),
})

/** `stages/folded/YYYY-MM-DD.json`: the changes of a session's positions, and its last index. */
const Folded = z.object({
  session_date: z.string(),
  symbol: z.string(),
  code_version: z.string(),
  /** Files of the tape that they are made of. */
  inputs: z.array(Input),
  position_changes: DatasetFile,
  closing_index: DatasetFile,
  /** Expiries of the contracts of its tape, so that the second stage needs no prints and quotes. */
  expiries: z.array(z.object({ root: z.string(), expiry: z.string(), known_at: z.string() })),
})
export type Folded = z.infer<typeof Folded>

/** `stages/carried/YYYY-MM-DD.json`: what a session takes from the one before. */
const CarriedPointer = z.object({
  session_date: z.string(),
  /** Null where there is no session before, or its changes are not known. */
  carried: z
    .object({ symbol: z.string(), positions: Input.nullable(), index: Input.nullable() })
    .nullable(),
})

/** Folder of the stages' files. */
export const stagesFolder = (dataFolder: string): string => join(dataFolder, 'stages')

/** Path of what the first stage has made of a session, or of what the second carries into it. */
export const stagePath = (
  dataFolder: string,
  stage: 'folded' | 'carried',
  date: SessionDate,
): string => join(stagesFolder(dataFolder), stage, `${date}.json`)

/** Returns the changes of a session's positions that the first stage has made; null: none yet. */
export const readFolded = (dataFolder: string, date: SessionDate): Folded | null =>
  readPointer(stagePath(dataFolder, 'folded', date), Folded)

export function writeFolded(dataFolder: string, folded: Folded): void {
  const path = stagePath(dataFolder, 'folded', folded.session_date)
  writeAtomically(path, `${JSON.stringify(folded, null, 1)}\n`)
}

/**
 * Returns what the second stage carries into a session: null for nothing, undefined where it has
 * not run, so that the published session before it counts.
 */
export function readStageCarried(
  dataFolder: string,
  date: SessionDate,
): Carried | null | undefined {
  const pointer = readPointer(stagePath(dataFolder, 'carried', date), CarriedPointer)
  if (pointer === null) return undefined
  return pointer.carried && { ...pointer.carried, folder: stagesFolder(dataFolder) }
}

/** Names what is carried into a session; undefined: what the session before it has published. */
export function writeStageCarried(
  dataFolder: string,
  date: SessionDate,
  carried: Omit<Carried, 'folder'> | null | undefined,
): void {
  const path = stagePath(dataFolder, 'carried', date)
  if (carried === undefined) rmSync(path, { force: true })
  else writeAtomically(path, `${JSON.stringify({ session_date: date, carried }, null, 1)}\n`)
}

/** Removes what the stages hold: all of it, or the positions that they carry alone. */
export function removeStages(dataFolder: string, stage: 'carried' | '' = ''): void {
  rmSync(join(stagesFolder(dataFolder), stage), { recursive: true, force: true })
}

/** A pointer that cannot be read names nothing: its stage makes it again. */
function readPointer<T>(path: string, schema: z.ZodType<T>): T | null {
  if (!existsSync(path)) return null
  try {
    return schema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

/**
 * Writes datasets of the `ledger` schema as a publish would, so that equal rows have equal bytes,
 * each under a name made of its content.
 */
export function writeStageFiles(
  db: Database,
  dataFolder: string,
  date: SessionDate,
  names: readonly string[],
): Promise<Record<string, StageFile>> {
  const wanted = PUBLISHED_DATASETS.filter(({ name }) => names.includes(name))
  return withWorkFolder(dataFolder, `stage-${date}`, work =>
    writeDatasets(
      db,
      work,
      async ({ name }, path, rows) => {
        const sha256 = await sha256File(path)
        const file = `${name}/session=${date}/${sha256.slice(0, 16)}.parquet`
        const { size: bytes } = statSync(path)
        const target = join(stagesFolder(dataFolder), file)
        if (!existsSync(target)) publishFile(path, target)
        return { file, bytes, rows, sha256 }
      },
      wanted,
    ),
  )
}

/** Returns the entry of a stage's file among the inputs of a build. */
export const stageInput = (dataset: string, { file, rows, sha256 }: StageFile): TapeInput => ({
  dataset,
  file,
  rows,
  sha256,
})
