/** Takes what has come of a running session: files of a spool folder, rows of a pipe. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../src/core/disk/files.ts'
import { Busy, NoRows, Refusal } from '../../src/core/disk/refusal.ts'
import { detectContent } from '../../src/core/disk/text.ts'
import { withWorkFolder } from '../../src/core/disk/work.ts'
import type { SessionDate } from '../../src/core/market/calendar.ts'
import type { Progress } from '../command/progress.ts'
import { type ImportReport, listNotes } from '../import/report.ts'
import { type FileLines, toFileLines } from '../import/source.ts'
import { isSteady } from '../import/stage.ts'
import { type ImportWorkspace, openImportWorkspace } from '../import/workspace.ts'
import type { CollectedRows } from './collectRows.ts'
import { type FormattedFile, groupIntoRounds, hasFormat, spoolFiles } from './spool.ts'
import { type Copy, copyLines, type Reached } from './tail.ts'

export type ArrivalsOptions = {
  readonly dataFolder: string
  readonly date: SessionDate
  readonly simulated: boolean
  readonly progress: Progress
}

export type ArrivalTaker = {
  /** Takes the files that are new or have changed since they were taken. */
  readonly takeSpool: (spool: string) => Promise<void>
  readonly takeRows: (dataset: string, rows: CollectedRows) => Promise<void>
  /** Names of files and rows that were refused last time, or wait. */
  readonly untaken: () => readonly string[]
  /** Plans the next import: while idle. */
  readonly makeReady: () => Promise<void>
  readonly close: () => void
}

export const STANDARD_INPUT = 'standard input'

/** Something to import. */
type Arrival = { readonly format: string; readonly lines: FileLines; readonly isStream: boolean }

type Result = PromiseSettledResult<ImportReport>

/** Lines of a spool file as they are to be taken; `copy` is null where the file itself is. */
type Part = { readonly file: FormattedFile; readonly lines: FileLines; readonly copy: Copy | null }

/** Opens what takes the arrivals of a session; its import stays open between them. */
export function openArrivals(options: ArrivalsOptions): ArrivalTaker {
  const reporter = openReporter(options.progress)
  const imports = openImports(options)
  return {
    takeSpool: spoolTaker(options, imports, reporter),
    takeRows: rowTaker(options, imports, reporter),
    untaken: reporter.untaken,
    makeReady: imports.makeReady,
    close: imports.close,
  }
}

/** Imports arrivals in an open workspace; a tape that another process holds makes them wait. */
function openImports({ dataFolder, date, simulated }: ArrivalsOptions) {
  let space: ImportWorkspace | null = null
  return {
    takeAll: async (arrivals: readonly Arrival[]): Promise<readonly Result[]> => {
      space ??= await openImportWorkspace(dataFolder, date)
      const requests = arrivals.map(({ format, lines, isStream }) => {
        // a yield curve is of an earlier day than the sessions it serves
        const day = format.endsWith('rates') ? {} : { day: date }
        return { dataFolder, simulated, ...day, format, files: [lines], isStream }
      })
      try {
        return await space.take(requests)
      } catch (reason) {
        if (!(reason instanceof Busy)) throw reason
        return arrivals.map(() => ({ status: 'rejected', reason }))
      }
    },
    makeReady: async () => space?.makeReady(),
    close: () => space?.close(),
  }
}

type Imports = ReturnType<typeof openImports>

/** Reports the outcome of arrivals, and stores the names of those that are not taken. */
function openReporter(progress: Progress) {
  const untaken = new Set<string>()

  /** Reports a waiting arrival once, not at every look. */
  const wait = (name: string, why: string) => {
    if (!untaken.has(name)) progress.say(`${name} waits: ${why}`)
    untaken.add(name)
  }

  return {
    untaken: () => [...untaken],
    wait,
    waitForLine: (name: string) =>
      wait(name, 'its last line has no end yet, and may be half a line.'),
    /** Nothing of it is left to be taken. */
    clear: (name: string) => {
      untaken.delete(name)
    },
    /**
     * Reports the end of an import. False when it waits; a refused one is done until it changes.
     */
    isDone: (name: string, result: Result): boolean => {
      if (result.status === 'fulfilled') {
        const imported = result.value.rows.reduce((sum, row) => sum + row.imported, 0)
        const words = [`${name}: ${imported} new rows`, ...listNotes(result.value)]
        if (imported > 0 || words.length > 1) progress.say(words.join('; '))
        untaken.delete(name)
        return true
      }
      if (!(result.reason instanceof Refusal)) throw result.reason
      if (result.reason instanceof Busy) {
        wait(name, result.reason.message)
        return false
      }
      progress.say(`${name} is refused: ${result.reason.message}`)
      untaken.add(name)
      return true
    },
  }
}

type ArrivalReporter = ReturnType<typeof openReporter>

/** Takes the files of a spool folder that are new or have changed. */
function spoolTaker(
  { dataFolder, date, progress }: ArrivalsOptions,
  imports: Imports,
  reporter: ArrivalReporter,
) {
  const stamps = new Map<string, string>()
  const reached = new Map<string, Reached>()
  const listFiles = spoolWatch(progress)

  /** Records a taken file, or one without new lines. */
  const settle = ({ file, copy }: Part, result: Result | null) => {
    const { name, path, stamp } = file
    if (result && !reporter.isDone(name, result)) return
    stamps.set(path, stamp)
    if (copy?.reached && result?.status === 'fulfilled') reached.set(path, copy.reached)
    if (copy?.hasOpenLine) reporter.waitForLine(name)
    else if (!result) reporter.clear(name)
  }

  /** Takes files of distinct datasets; returns those that have to be read whole. */
  const takeParts = async (files: readonly FormattedFile[], folder: string) => {
    const found = await Promise.all(
      files.map((file, index) =>
        readPart(file, join(folder, `${index}.csv`), reached.get(file.path) ?? null, reporter),
      ),
    )
    const all = found.filter(part => part !== null)
    const parts = all.filter(({ copy }) => copy === null || copy.lines > 0)
    const results = await imports.takeAll(
      parts.map(({ file, lines }) => ({ format: file.format.name, lines, isStream: false })),
    )
    const again: FormattedFile[] = []
    for (const part of all) {
      const at = parts.indexOf(part)
      const result = at < 0 ? null : results[at]!
      const { file, copy } = part
      if (copy?.isRest && result && !isNewAlone(result)) {
        reached.delete(file.path)
        again.push(file)
        if (result.status === 'fulfilled') reporter.isDone(file.name, result)
      } else settle(part, result)
    }
    return again
  }

  return async (spool: string) => {
    const come = listFiles(spool).filter(({ path, stamp }) => stamps.get(path) !== stamp)
    for (const { path, name } of come.filter(one => !hasFormat(one) && !stamps.has(one.path))) {
      progress.say(
        `${name} is ignored: a file must be named after its format, such as prints-0931.csv`,
      )
      stamps.set(path, '')
    }
    const files = come.filter(hasFormat)
    if (files.length === 0) return
    await withWorkFolder(dataFolder, `spool-${date}`, async folder => {
      for (const round of groupIntoRounds(files)) {
        const again = await takeParts(round, folder)
        if (again.length > 0) await takeParts(again, folder)
      }
    })
  }
}

/** Lists the files of a spool folder; a disk that is briefly away comes again. */
function spoolWatch(progress: Progress) {
  let isAway = false
  return (spool: string) => {
    const hasFolder = existsSync(spool)
    if (!hasFolder && !isAway) progress.say(`${spool} does not exist yet: waiting for it`)
    isAway = !hasFolder
    return hasFolder ? spoolFiles(spool) : []
  }
}

/**
 * Reads the new part of a file that was read up to `before`. Null where the file has changed since
 * it was listed: the next look sees it.
 */
async function readPart(
  file: FormattedFile,
  target: string,
  before: Reached | null,
  reporter: ArrivalReporter,
): Promise<Part | null> {
  const { path, name } = file
  if (!isText(path)) return { file, lines: toFileLines(path), copy: null }
  try {
    // only the rest is read of self-contained rows, each a line below one header
    const copy = await copyLines(path, target, isSteady(file.format) ? before : null)
    return { file, lines: { path: target, label: path, leftOut: copy.leftOut }, copy }
  } catch (error) {
    if (error instanceof Busy) reporter.wait(name, error.message)
    else if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
}

/** Takes the rows of a pipe that have come. */
function rowTaker(
  { dataFolder, date }: ArrivalsOptions,
  imports: Imports,
  reporter: ArrivalReporter,
) {
  let isHeaderJudged = false
  return async (dataset: string, collected: CollectedRows) => {
    const lines = collected.lines()
    const name = STANDARD_INPUT
    // a header is judged before its first rows come: a wrong one is reported before the open
    if (lines.length > 1 || (lines.length === 1 && !isHeaderJudged)) {
      await withWorkFolder(dataFolder, `feed-${date}`, async folder => {
        const path = join(folder, `${dataset}.csv`)
        writeAtomically(path, `${lines.join('\n')}\n`)
        const own = { path, label: name, leftOut: collected.leftOut() }
        const [result] = await imports.takeAll([{ format: dataset, lines: own, isStream: true }])
        isHeaderJudged = isNoRows(result!) || reporter.isDone(name, result!)
        if (isHeaderJudged) collected.drop(lines.length - 1)
      })
    }
    if (collected.endsOpen()) reporter.waitForLine(name)
  }
}

/** True for a file of lines; the import reports any other kind, if it can be read at all. */
function isText(path: string): boolean {
  try {
    return detectContent(path, path) === 'text'
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/**
 * True when the rest of a file may be imported without the rows before it. A row that the tape has
 * already may be the second of two equal ones, the first of which is before the rest: only the
 * whole file shows how many there are.
 */
const isNewAlone = (result: Result): boolean =>
  result.status === 'rejected'
    ? result.reason instanceof Busy
    : result.value.rows.every(row => row.already_there === 0)

const isNoRows = (result: Result): boolean =>
  result.status === 'rejected' && result.reason instanceof NoRows
