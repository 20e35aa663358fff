/** `tapefold feed`: takes files as they come, and publishes each minute as it ends. */

import { once } from 'node:events'
import { createReadStream, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, parseReplay, replayClock, systemClock } from '../src/clock.ts'
import { readArguments, UsageError } from '../src/command.ts'
import { isDate, type SessionDate, sessionOf, wallTimeEt } from '../src/market/calendar.ts'
import { allEnded } from '../src/store/beside.ts'
import { writeAtomically } from '../src/store/files.ts'
import { readLiveManifest } from '../src/store/liveState.ts'
import { Busy, Refusal } from '../src/store/refusal.ts'
import { readTapeManifest } from '../src/store/tape.ts'
import { withWorkFolder } from '../src/store/work.ts'
import { runCommand } from './command.ts'
import type { ImportReport } from './import/report.ts'
import { type ImportDesk, openImportDesk } from './importDesk.ts'
import { type MinuteJob, openMinuteJob, standingOf, withMinuteLock } from './minute.ts'
import { type Progress, progressOn } from './progress.ts'
import { type FormattedFile, hasFormat, roundsOf, spoolFiles } from './spool.ts'

const MINUTE_MS = 60_000
const LOOK_EVERY_MS = 1_000
/** Seconds after a minute's end in which its last rows may still come. */
const GRACE_S = 3

export type FeedOptions = {
  readonly dataFolder: string
  readonly date: SessionDate
  /** Folder whose files are taken; null for none. */
  readonly spool: string | null
  /** Canonical rows as CSV lines, the first one being the header; null for none. */
  readonly rows: { readonly dataset: string; readonly input: NodeJS.ReadableStream } | null
  readonly simulated: boolean
  readonly graceMs: number
  readonly clock: Clock
  /** Fails when another process runs the session's minutes by now. */
  readonly assertHeld?: () => void
  readonly progress: Progress
}

type TakenFile = Pick<FormattedFile, 'format' | 'path' | 'name'>

/** One session that is fed. */
export type Feed = {
  /** Takes what has come and publishes the states that are due; true when the session has ended. */
  readonly look: () => Promise<boolean>
  /** Names of what was refused when it came last, or waits until somebody else has imported. */
  readonly untaken: () => readonly string[]
  readonly close: () => Promise<void>
}

/** Opens a feed; whoever does holds the session's minute lock. */
export async function openFeed(options: FeedOptions): Promise<Feed> {
  const { dataFolder, date, clock, graceMs, assertHeld, progress } = options
  const stamps = new Map<string, string>()
  const untaken = new Set<string>()
  const rows = options.rows && collectRows(options.rows.input)
  let job: MinuteJob | null = null
  let imports: ImportDesk | null = null

  /** Tells of each whether it was taken, or refused; none is when somebody else imports. */
  const take = async (files: readonly TakenFile[]): Promise<readonly boolean[]> => {
    imports ??= await openImportDesk(dataFolder, date)
    const requests = files.map(({ format, path }) => {
      // a yield curve is of an earlier day than the sessions it serves
      const day = format.endsWith('rates') ? {} : { day: date }
      return { dataFolder, simulated: options.simulated, ...day, format, files: [path] }
    })
    try {
      const results = await imports.take(requests)
      return results.map((result, index) => isDone(files[index]!.name, result))
    } catch (error) {
      if (!(error instanceof Busy)) throw error
      return files.map(({ name }) => isDone(name, { status: 'rejected', reason: error }))
    }
  }

  /** False when it waits: a refused one is done with until it changes. */
  const isDone = (name: string, result: PromiseSettledResult<ImportReport>): boolean => {
    if (result.status === 'fulfilled') {
      const imported = result.value.rows.reduce((sum, row) => sum + row.imported, 0)
      if (imported > 0) progress.say(`${name}: ${imported} new rows`)
      untaken.delete(name)
      return true
    }
    if (!(result.reason instanceof Refusal)) throw result.reason
    const isWaiting = result.reason instanceof Busy
    // who waits says so once, not at every look
    if (!isWaiting || !untaken.has(name)) {
      progress.say(`${name} ${isWaiting ? 'waits' : 'is not taken'}: ${result.reason.message}`)
    }
    untaken.add(name)
    return !isWaiting
  }

  const takeSpool = async (spool: string) => {
    // a file that grows is read again: what the tape has already is not taken twice
    const come = spoolFiles(spool).filter(({ path, stamp }) => stamps.get(path) !== stamp)
    for (const { path, name } of come.filter(file => !hasFormat(file) && !stamps.has(file.path))) {
      progress.say(`${name} is left alone: name a file after its format, such as prints-0931.csv`)
      stamps.set(path, '')
    }
    for (const files of roundsOf(come.filter(hasFormat))) {
      const taken = await take(files)
      for (const { path, stamp } of files.filter((_, index) => taken[index])) {
        stamps.set(path, stamp)
      }
    }
  }

  const takeRows = async (dataset: string, collected: CollectedRows) => {
    const lines = collected.lines()
    if (lines.length < 2) return
    await withWorkFolder(dataFolder, `feed-${date}`, async folder => {
      const path = join(folder, `${dataset}.csv`)
      writeAtomically(path, `${lines.join('\n')}\n`)
      const [isTaken] = await take([{ format: dataset, path, name: 'standard input' }])
      if (isTaken) collected.drop(lines.length - 1)
    })
  }

  return {
    look: async () => {
      const dueMs = clock.nowMs() - graceMs
      const takeAll = async () => {
        if (options.spool !== null) await takeSpool(options.spool)
        if (rows) await takeRows(options.rows!.dataset, rows)
      }
      await allEnded([takeAll(), job?.prepare(dueMs)])
      if (readTapeManifest(dataFolder, date).batches.length === 0) return false
      job ??= await openMinuteJob({
        ...{ dataFolder, date, progress },
        ...(assertHeld && { assertHeld }),
      })
      const behindMs = dueMs - (job.stateMs() ?? job.session.opensAtMs)
      // who is behind catches up in steps of many minutes
      await job.advance(dueMs, behindMs >= 3 * MINUTE_MS)
      // while nobody waits
      await imports?.makeReady()
      return (job.stateMs() ?? 0) >= job.endsAtMs
    },
    untaken: () => [...untaken],
    close: async () => {
      await job?.close()
      imports?.close()
    },
  }
}

type CollectedRows = {
  /** The header, and the whole lines that have come and were not dropped. */
  readonly lines: () => readonly string[]
  /** Forgets the first lines after the header. */
  readonly drop: (count: number) => void
}

/** Lines as they come. */
function collectRows(input: NodeJS.ReadableStream): CollectedRows {
  let header: string | null = null
  let lines: string[] = []
  createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }).on('line', line => {
    if (line.trim() === '') return
    if (header === null) header = line
    else lines.push(line)
  })
  return {
    lines: () => (header === null ? [] : [header, ...lines]),
    drop: count => {
      lines = lines.slice(count)
    },
  }
}

const CANONICAL = ['prints', 'quotes', 'spots', 'open-interest', 'dealer-positions'] as const

const USAGE = `usage: tapefold feed [DAY] [--spool DIR] [--stdin DATASET] [--grace SECONDS]
                     [--clock WHEN] [--once] [--simulated] [--data DIR]

Takes what comes of a running session and publishes each minute as it ends, until the close.

  DAY                 the session; today's when not given
  --spool DIR         takes the files of a folder, and again when they grow; a name begins with its
                      format ("tapefold import --help"), as prints-0931.csv and quotes.csv do;
                      names that end in .tmp or .part are left alone; a name without a format is
                      told once
  --stdin DATASET     takes CSV lines with a header: ${CANONICAL.join(', ')}
  --grace SECONDS     how long after a minute's end its last rows may come (${GRACE_S}); what comes
                      later is news of the minute in which it comes
  --clock WHEN        a session of the past as if it were now: DAY[THH:MM][xSPEED]
  --once              takes what is there, publishes what is due, and ends: with 1 when a file
                      or row is not taken
`

function readOptions(argv: readonly string[]) {
  const { values, positionals } = readArguments([...argv], {
    usage: USAGE,
    allowPositionals: true,
    options: {
      data: { type: 'string', default: 'data' },
      spool: { type: 'string' },
      stdin: { type: 'string' },
      grace: { type: 'string', default: String(GRACE_S) },
      clock: { type: 'string' },
      once: { type: 'boolean', default: false },
      simulated: { type: 'boolean', default: false },
    },
  })
  const replay = values.clock === undefined ? null : parseReplay(values.clock)
  const clock = replay ? replayClock(replay) : systemClock
  const date = positionals[0] ?? replay?.date ?? wallTimeEt(clock.nowMs()).date
  if (positionals.length > 1 || !isDate(date)) {
    throw new UsageError(`feed takes one day, such as 2026-10-15, not ${positionals.join(' ')}.`)
  }
  if (!sessionOf(date)) {
    throw new UsageError(`${date} is not a trading day; give one, such as 2026-10-15.`)
  }
  const spool = values.spool ?? null
  if (spool !== null && !existsSync(spool)) {
    throw new UsageError(`--spool is ${spool}, which is no folder; give one that exists.`)
  }
  const { stdin } = values
  if (stdin !== undefined && !CANONICAL.some(name => name === stdin)) {
    throw new UsageError(`--stdin is ${stdin}; give one of ${CANONICAL.join(', ')}.`)
  }
  if (spool === null && stdin === undefined) {
    throw new UsageError('feed needs --spool DIR, --stdin DATASET or both.')
  }
  if (!/^\d{1,3}(\.\d+)?$/.test(values.grace)) {
    throw new UsageError(`--grace is ${values.grace}; give seconds, such as ${GRACE_S}.`)
  }
  return { ...values, clock, date, spool, graceMs: Number(values.grace) * 1000 }
}

if (import.meta.main) {
  runCommand(async () => {
    const { data: dataFolder, stdin, once: isOnce, ...options } = readOptions(process.argv.slice(2))
    const { date } = options
    const progress = progressOn(process.stdout, systemClock)
    const input = stdin === undefined ? null : createReadStream('', { fd: 0 })
    const rows = input && { dataset: stdin!, input }
    const ended = await withMinuteLock({ dataFolder, date }, async ({ assertHeld }) => {
      const feed = await openFeed({ ...options, dataFolder, rows, assertHeld, progress })
      try {
        for (;;) {
          if (isOnce && input) await once(input, 'close')
          const hasEnded = await feed.look()
          if (hasEnded || isOnce) return { hasEnded, untaken: feed.untaken() }
          await sleep(LOOK_EVERY_MS)
        }
      } finally {
        await feed.close()
        input?.destroy()
      }
    })
    const isEmpty = readTapeManifest(dataFolder, date).batches.length === 0
    const standing = standingOf(date, readLiveManifest(dataFolder, date))
    if (ended.hasEnded)
      progress.say(`the session of ${date} has ended: "tapefold build ${date}" finishes it`)
    else progress.say(isEmpty ? `nothing of ${date} has come yet` : standing)
    const untaken = ended.untaken.join(', ')
    if (isOnce && untaken !== '') throw new Refusal(`not taken, as said above: ${untaken}.`)
  })
}
