/** Takes what has come of a running session: files of a spool folder, rows of a pipe. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../../src/disk/files.ts'
import { Busy, NoRows, Refusal } from '../../src/disk/refusal.ts'
import { contentOf } from '../../src/disk/text.ts'
import { withWorkFolder } from '../../src/disk/work.ts'
import type { SessionDate } from '../../src/market/calendar.ts'
import type { Progress } from '../command/progress.ts'
import { type ImportReport, notesOf } from '../import/report.ts'
import { type LinesOf, linesOf } from '../import/source.ts'
import { isSteady } from '../import/stage.ts'
import { type ImportDesk, openImportDesk } from '../import/workspace.ts'
import { type FormattedFile, hasFormat, roundsOf, spoolFiles } from './spool.ts'
import { type Copy, copyLines, type Reached } from './tail.ts'

export type TakingOptions = {
  readonly dataFolder: string
  readonly date: SessionDate
  readonly simulated: boolean
  readonly progress: Progress
}

export type Taking = {
  /** Takes the files that are new or have changed since they were taken. */
  readonly takeSpool: (spool: string) => Promise<void>
  readonly takeRows: (dataset: string, rows: CollectedRows) => Promise<void>
  /** Names of what was refused when it came last, or waits. */
  readonly untaken: () => readonly string[]
  /** Plans what comes next: while nobody waits. */
  readonly makeReady: () => Promise<void>
  readonly close: () => void
}

export const STANDARD_INPUT = 'standard input'

/** Something to import. */
type Arrival = { readonly format: string; readonly lines: LinesOf; readonly isStream: boolean }

type Result = PromiseSettledResult<ImportReport>

/** Lines of a spool file as they are to be taken; `copy` is null where the file itself is. */
type Part = { readonly file: FormattedFile; readonly lines: LinesOf; readonly copy: Copy | null }

export function openTaking({ dataFolder, date, simulated, progress }: TakingOptions): Taking {
  const stamps = new Map<string, string>()
  const reached = new Map<string, Reached>()
  const untaken = new Set<string>()
  let isAway = false
  let isHeaderJudged = false
  let imports: ImportDesk | null = null

  const importAll = async (arrivals: readonly Arrival[]): Promise<readonly Result[]> => {
    imports ??= await openImportDesk(dataFolder, date)
    const requests = arrivals.map(({ format, lines, isStream }) => {
      // a yield curve is of an earlier day than the sessions it serves
      const day = format.endsWith('rates') ? {} : { day: date }
      return { dataFolder, simulated, ...day, format, files: [lines], isStream }
    })
    try {
      return await imports.take(requests)
    } catch (reason) {
      if (!(reason instanceof Busy)) throw reason
      return arrivals.map(() => ({ status: 'rejected', reason }))
    }
  }

  /** Tells what became of it. False when it waits: who is refused is done with until it changes. */
  const isDone = (name: string, result: Result): boolean => {
    if (result.status === 'fulfilled') {
      const imported = result.value.rows.reduce((sum, row) => sum + row.imported, 0)
      const told = [`${name}: ${imported} new rows`, ...notesOf(result.value)]
      if (imported > 0 || told.length > 1) progress.say(told.join('; '))
      untaken.delete(name)
      return true
    }
    if (!(result.reason instanceof Refusal)) throw result.reason
    if (result.reason instanceof Busy) {
      wait(name, result.reason.message)
      return false
    }
    progress.say(`${name} is not taken: ${result.reason.message}`)
    untaken.add(name)
    return true
  }

  /** What waits says so once, not at every look. */
  const wait = (name: string, why: string) => {
    if (!untaken.has(name)) progress.say(`${name} waits: ${why}`)
    untaken.add(name)
  }

  const waitForLine = (name: string) =>
    wait(name, 'its last line has no end yet, and may be half a line.')

  /** Null where the file is not what it was when it was listed: the next look sees it. */
  const partOf = async (file: FormattedFile, target: string): Promise<Part | null> => {
    const { path, name } = file
    const whole = { file, lines: linesOf(path), copy: null }
    if (!isText(path)) return whole
    // rows that are known by themselves, each a line below one header
    const before = isSteady(file.format) ? (reached.get(path) ?? null) : null
    try {
      const copy = await copyLines(path, target, before)
      return { file, lines: { path: target, label: path, leftOut: copy.leftOut }, copy }
    } catch (error) {
      if (error instanceof Busy) wait(name, error.message)
      else if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return null
    }
  }

  /** The files of a spool folder; a disk that is away for a moment comes again. */
  const filesOf = (spool: string) => {
    const hasFolder = existsSync(spool)
    if (!hasFolder && !isAway) progress.say(`${spool} is not there: waiting for it`)
    isAway = !hasFolder
    return hasFolder ? spoolFiles(spool) : []
  }

  /** Notes what was taken, or that nothing new stands there. */
  const settle = ({ file, copy }: Part, result: Result | null) => {
    const { name, path, stamp } = file
    if (result && !isDone(name, result)) return
    stamps.set(path, stamp)
    if (copy?.reached && result?.status === 'fulfilled') reached.set(path, copy.reached)
    if (copy?.hasOpenLine) waitForLine(name)
    else if (!result) untaken.delete(name)
  }

  /** Takes files of datasets apart; answers those that have to be read whole. */
  const takeParts = async (files: readonly FormattedFile[], folder: string) => {
    const found = await Promise.all(
      files.map((file, index) => partOf(file, join(folder, `${index}.csv`))),
    )
    const all = found.filter(part => part !== null)
    const parts = all.filter(({ copy }) => copy === null || copy.lines > 0)
    const results = await importAll(
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
        if (result.status === 'fulfilled') isDone(file.name, result)
      } else settle(part, result)
    }
    return again
  }

  return {
    takeSpool: async spool => {
      const come = filesOf(spool).filter(({ path, stamp }) => stamps.get(path) !== stamp)
      for (const { path, name } of come.filter(one => !hasFormat(one) && !stamps.has(one.path))) {
        progress.say(`${name} is left alone: name a file after its format, such as prints-0931.csv`)
        stamps.set(path, '')
      }
      const files = come.filter(hasFormat)
      if (files.length === 0) return
      await withWorkFolder(dataFolder, `spool-${date}`, async folder => {
        for (const round of roundsOf(files)) {
          const again = await takeParts(round, folder)
          if (again.length > 0) await takeParts(again, folder)
        }
      })
    },
    takeRows: async (dataset, collected) => {
      const lines = collected.lines()
      const name = STANDARD_INPUT
      // a header is judged before its first rows come: a wrong one is told before the bell
      if (lines.length > 1 || (lines.length === 1 && !isHeaderJudged)) {
        await withWorkFolder(dataFolder, `feed-${date}`, async folder => {
          const path = join(folder, `${dataset}.csv`)
          writeAtomically(path, `${lines.join('\n')}\n`)
          const own = { path, label: name, leftOut: collected.leftOut() }
          const [result] = await importAll([{ format: dataset, lines: own, isStream: true }])
          isHeaderJudged = isNoRows(result!) || isDone(name, result!)
          if (isHeaderJudged) collected.drop(lines.length - 1)
        })
      }
      if (collected.endsOpen()) waitForLine(name)
    },
    untaken: () => [...untaken],
    makeReady: async () => imports?.makeReady(),
    close: () => imports?.close(),
  }
}

/** Whether it holds lines; what it is instead, if it can be read at all, its import says. */
function isText(path: string): boolean {
  try {
    return contentOf(path, path) === 'text'
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/**
 * Whether the rest of a file is what it is beside the rows before it too. A row that the tape has
 * already may be the second of two equal ones, of which the other stands before the rest: only the
 * whole file tells how many there are.
 */
const isNewAlone = (result: Result): boolean =>
  result.status === 'rejected'
    ? result.reason instanceof Busy
    : result.value.rows.every(row => row.already_there === 0)

const isNoRows = (result: Result): boolean =>
  result.status === 'rejected' && result.reason instanceof NoRows

export type CollectedRows = {
  /** The header, and the whole lines that have come and were not dropped. */
  readonly lines: () => readonly string[]
  /** Forgets the first lines after the header. */
  readonly drop: (count: number) => void
  /** How many were forgotten. */
  readonly leftOut: () => number
  /** True when what came has ended within a line. */
  readonly endsOpen: () => boolean
}

/** Lines as they come; half a line waits for its end. */
export function collectRows(input: NodeJS.ReadableStream): CollectedRows {
  let header: string | null = null
  let lines: string[] = []
  let dropped = 0
  let rest = ''
  let hasEnded = false
  input.setEncoding('utf8')
  input.on('end', () => {
    hasEnded = true
  })
  input.on('data', text => {
    const come = (rest + text).split('\n')
    rest = come.pop()!
    for (const line of come.map(one => one.replace(/\r$/, ''))) {
      if (line.trim() === '') continue
      if (header === null) header = line
      else lines.push(line)
    }
  })
  return {
    lines: () => (header === null ? [] : [header, ...lines]),
    drop: count => {
      lines = lines.slice(count)
      dropped += count
    },
    leftOut: () => dropped,
    endsOpen: () => hasEnded && rest.trim() !== '',
  }
}
