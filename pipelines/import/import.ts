/** `tapefold import <format> <file...>`: from a vendor's file to the tape of a data folder. */

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError, userSentence } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { dateArgument } from '../../src/core/days.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import type { Database } from '../../src/core/engine/database.ts'
import { isDate } from '../../src/core/market/calendar.ts'
import { counted } from '../../src/core/text/counts.ts'
import { readLateDays, withTapeLock } from '../../src/data/published/lateData.ts'
import { delayBatch, type StoredBatch, storeBatch } from '../../src/data/tape/batches.ts'
import {
  readTapeManifest,
  type TapeBatch,
  writeTapeManifest,
} from '../../src/data/tape/manifest.ts'
import { commandProgress } from '../command/command.ts'
import type { Progress } from '../command/progress.ts'
import type { IMPORT } from '../command/rows.ts'
import { pushTape } from '../command/sharedStore.ts'
import { FORMATS, type ImportFormat, OPEN_CLOSE_FORMAT } from './formats.ts'
import { runGeoImport } from './geo.ts'
import { GEO_FORMATS } from './geoFormats.ts'
import { checkEach, withImportLock, writeTexts } from './held.ts'
import { DEALERS_DEFAULT, dealersArgument, sumPositions } from './openClose.ts'
import { type ImportReport, reportText } from './report.ts'
import { type FileLines, toFileLines } from './source.ts'
import { emptyStage, openStageDatabase, type Stage, type Staged, stageFile } from './stage.ts'

/** Memory limit of an import, before it spills to disk. */
const MEMORY_LIMIT = '2GB'

export type ImportRequest = {
  readonly dataFolder: string
  /** A name of the table of formats, such as 'cboe-trades'. */
  readonly format: string
  /** Paths as the user typed them; messages repeat them. */
  readonly files: readonly (string | FileLines)[]
  /** Roots to import; the format's own choice when absent. */
  readonly roots?: readonly string[]
  /** The one session to import; all when absent. */
  readonly day?: string
  /** Classes of traders that count as dealers in Open-Close files; market makers when absent. */
  readonly dealers?: readonly string[]
  /** True where rows come as they are made: broken rows are excluded, however many they are. */
  readonly isStream?: boolean
  /** Names of files whose newer versions these are: their rows leave the tape. */
  readonly replaced?: readonly string[]
  /** Names of files whose data their vendor calls degraded. */
  readonly degraded?: readonly string[]
  /** True when a simulator made the files. */
  readonly simulated?: boolean
  /** Prints the report, a line at a time. */
  readonly print?: (text: string) => void
  /** Called with the bytes of each piece of a text file that was read. */
  readonly onBytes?: (count: number) => void
  /** Called when the rows of a file are checked. */
  readonly onFile?: () => void
  /** How long another import is waited for, in ms; 0 by default. */
  readonly lockWaitMs?: number
}

/**
 * Imports files of one format. Everything is checked in a private database first: when any file is
 * refused (a Refusal with one sentence), the data folder is left as it was. Rows already on the
 * tape are not imported again, so the same or overlapping files change nothing.
 */
export async function runImport(request: ImportRequest): Promise<ImportReport> {
  checkRequest(request)
  const stageAndPublish = async (workFolder: string) => {
    const spill = join(workFolder, 'spill')
    const db = await openStageDatabase({ memoryLimit: MEMORY_LIMIT, temporaryFolder: spill })
    try {
      const publish = await stageRequest(db, workFolder, request)
      return await publish(db)
    } finally {
      db.close()
    }
  }
  return withImportLock(request.dataFolder, stageAndPublish, request.lockWaitMs)
}

/** Fails with a Refusal where a request is invalid. */
export function checkRequest(request: ImportRequest): ImportFormat {
  const { format: name, files, day = null } = request
  const format = FORMATS.find(entry => entry.name === name)
  if (!format) throw new Refusal(`${name} is not a format. ${formatNames()}`)
  if (files.length === 0) throw new Refusal(`Name at least one file of ${format.name}.`)
  if (day !== null && !isDate(day))
    throw new Refusal(`${day} is not a date; give one such as 2026-10-14.`)
  return format
}

/** Remaining work of an import, in any database of imports. */
export type Publish = (db: Database) => Promise<ImportReport>

/**
 * Checks the files of a request, with a work folder in `parent`; returns the function that publishes
 * them.
 */
export async function stageRequest(
  db: Database,
  parent: string,
  request: ImportRequest,
): Promise<Publish> {
  const { dataFolder, day = null } = request
  const format = checkRequest(request)
  const workFolder = mkdtempSync(join(parent, `${format.name}-`))
  const stage = emptyStage()
  const isSimulated = request.simulated ?? false
  const roots = request.roots ?? format.roots
  const isStream = request.isStream ?? false
  const dealers = request.dealers ?? DEALERS_DEFAULT
  const replaced = request.replaced ?? []
  const options = {
    dataFolder,
    format,
    day,
    dealers,
    degraded: request.degraded ?? [],
    isSimulated,
    isStream,
    replaced,
    roots,
    workFolder,
    onBytes: request.onBytes,
  }
  await checkEach(request.files, async file => {
    await stageFile(db, stage, toFileLines(file), options)
    request.onFile?.()
  })
  return async publisher => {
    const target = { dataFolder, format: format.name, replaced, day }
    const stored = await publishStage(publisher, stage, target)
    const sessions = stage.rows.flatMap(({ sessionDate }) => sessionDate ?? [])
    const report =
      format.name === OPEN_CLOSE_FORMAT
        ? {
            ...stored,
            notes: [
              ...stage.notes,
              ...(await sumPositions(publisher, { dataFolder, workFolder, sessions })),
            ],
          }
        : stored
    request.print?.(reportText(report))
    return report
  }
}

/**
 * Moves the batches into the tape, then replaces one manifest a session. A crash in between leaves
 * files that no manifest names; the import can simply be run again.
 */
async function publishStage(db: Database, stage: Stage, target: Target): Promise<ImportReport> {
  const { dataFolder, replaced, day } = target
  const keys = new Set(stage.batches.map(batch => batch.key))
  // a newer version may have no rows of a dataset at all
  if (replaced.length > 0 && day !== null) keys.add(day)
  // stored, but not yet named by a manifest
  const unnamed = new Set<string>()
  const store = async (batch: Staged) => {
    const placed = await storeBatch(dataFolder, batch)
    // a file left by a killed import may be named by a published session
    if (placed.isNew) unnamed.add(placed.file)
    return { batch, placed }
  }
  try {
    const placed: Placed[] = []
    for (const batch of stage.batches) placed.push(await store(batch))
    const rejectFiles = writeTexts(dataFolder, 'rejects', stage.rejects)
    const quarantineFiles = writeTexts(dataFolder, 'quarantine', stage.quarantine)
    for (const key of keys) {
      await withTapeLock(dataFolder, key, async () => {
        const entries: TapeBatch[] = []
        for (const each of placed.filter(({ batch }) => batch.key === key)) {
          const late = await delayed(db, dataFolder, each)
          entries.push(toBatchEntry(late === null ? each : await store(late)))
        }
        const manifest = readTapeManifest(dataFolder, key)
        const stays = ({ format, source }: TapeBatch) =>
          format !== target.format || !replaced.includes(source.file)
        const batches = [...manifest.batches.filter(stays), ...entries]
        writeTapeManifest(dataFolder, { ...manifest, batches })
      })
    }
    const { rows, notes, carriedCount } = stage
    if (carriedCount > 0)
      notes.push(`${counted(carriedCount, 'quote')} carried through minutes without a change.`)
    return { format: target.format, rows, rejectFiles, quarantineFiles, notes }
  } finally {
    // read from disk: a manifest may have been replaced though the last call for it failed
    for (const { key } of stage.batches) {
      for (const { file } of readTapeManifest(dataFolder, key).batches) unnamed.delete(file)
    }
    // after a full disk or the like: no manifest names them
    for (const file of unnamed) rmSync(join(dataFolder, 'tape', file), { force: true })
  }
}

type Target = {
  readonly dataFolder: string
  readonly format: string
  readonly replaced: readonly string[]
  readonly day: string | null
}

/**
 * Returns the batch as late data of a later minute, if one began since it was written; else null.
 */
async function delayed(
  db: Database,
  dataFolder: string,
  { batch, placed }: Placed,
): Promise<Staged | null> {
  const lateDays = readLateDays(dataFolder, batch.key)
  if (JSON.stringify(lateDays) === JSON.stringify(batch.lateDays)) return null
  const path = `${batch.path}.late`
  await delayBatch(db, { from: join(dataFolder, 'tape', placed.file), to: path, lateDays })
  return { ...batch, path, lateDays }
}

type Placed = { readonly batch: Staged; readonly placed: StoredBatch }

const toBatchEntry = ({ batch, placed }: Placed): TapeBatch => ({
  dataset: batch.dataset,
  file: placed.file,
  rows: batch.rows,
  sha256: placed.sha256,
  source: batch.source,
  format: batch.format,
  simulated: batch.simulated,
  counts: batch.counts,
  ...(batch.reach && { reach: batch.reach }),
  ...(batch.degraded && { degraded: true as const }),
})

const formatNames = () => `Formats: ${FORMATS.map(format => format.name).join(', ')}.`

/**
 * Runs an import while a meter shows how much of its files is read and checked. A file that is not
 * text is read whole by the engine, and counts when its rows are checked.
 */
function withMeter(
  progress: Progress,
  format: string,
  files: readonly string[],
  work: (counting: Required<Pick<ImportRequest, 'onBytes' | 'onFile'>>) => Promise<unknown>,
): Promise<unknown> {
  const sizes = files.map(file => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  const sumUntil = (count: number) => sizes.slice(0, count).reduce((sum, size) => sum + size, 0)
  const state = { what: `import ${format}`, unit: 'bytes', total: sumUntil(files.length) }
  return progress.meter(state, ({ update }) => {
    let done = 0
    let checkedCount = 0
    return work({
      onBytes: count => {
        done += count
        const isRead = done >= sumUntil(checkedCount + 1)
        update({ done, note: isRead ? 'checking the rows' : 'reading' })
      },
      onFile: () => {
        done = sumUntil(++checkedCount)
        update({ done, note: `${checkedCount} of ${counted(files.length, 'file')}` })
      },
    })
  })
}

/** Runs `tapefold import`. */
export const importCommand = (input: Input<typeof IMPORT>): Promise<void> =>
  importInput(input, commandProgress())

/** The same with the progress elsewhere. Fails with what the command says. */
export async function importInput(input: Input<typeof IMPORT>, progress: Progress): Promise<void> {
  const { words, data: dataFolder, simulated, roots, day, dealers } = input
  const [format, ...files] = words
  const isGeo = GEO_FORMATS.some(entry => entry.name === format)
  if (!isGeo && !FORMATS.some(entry => entry.name === format)) {
    throw new UsageError(`${format} is not a format; see "tapefold import --help".`)
  }
  const unfit = isGeo ? (['roots', 'day'] as const).find(name => input[name]) : undefined
  if (unfit) throw new UsageError(`--${unfit} is of sessions; ${format} is imported whole.`)
  if (dealers !== undefined && format !== OPEN_CLOSE_FORMAT)
    throw new UsageError(`--dealers is of ${OPEN_CLOSE_FORMAT}; ${format} has no classes.`)
  const request = { dataFolder, format, files, simulated, print: progress.say }
  const choices = {
    ...(roots === undefined ? {} : { roots: rootsArgument(roots) }),
    ...(day === undefined ? {} : { day: dateArgument(day, '--day') }),
    ...(dealers === undefined ? {} : { dealers: dealersArgument(dealers) }),
  }
  try {
    await withMeter(progress, format, files, counting =>
      isGeo
        ? runGeoImport({ ...request, onFile: counting.onFile })
        : runImport({ ...request, ...choices, ...counting }),
    )
    await pushTape(dataFolder, progress)
  } catch (error) {
    if (userSentence(error) !== null) throw error
    throw new Refusal(`The import failed: ${String((error as Error).message).split('\n')[0]}`)
  }
}

/** Parses the list of roots; an invalid root would silently import nothing. */
function rootsArgument(text: string): string[] {
  const roots = text.split(',')
  if (roots.every(root => /^[A-Z][A-Z0-9]{0,5}$/.test(root))) return roots
  throw new UsageError(`--roots is ${text}; give roots with commas between, such as SPX,SPXW.`)
}
