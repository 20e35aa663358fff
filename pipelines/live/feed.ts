/** `tapefold feed`: takes files as they come, and publishes each minute as it ends. */

import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, parseReplay, replayClock, systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { tradingDayOrToday } from '../../src/core/days.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { MINUTE_MS, type SessionDate, wallTimeEt } from '../../src/core/market/calendar.ts'
import { readLiveManifest } from '../../src/data/published/liveManifest.ts'
import { readTapeManifest } from '../../src/data/tape/manifest.ts'
import { commandProgress, runCommand } from '../command/command.ts'
import type { Progress } from '../command/progress.ts'
import type { SharedStates } from '../command/sharedStates.ts'
import { openArrivals, STANDARD_INPUT } from './arrivals.ts'
import { collectRows } from './collectRows.ts'
import { formatLiveStatus, type MinuteJob, openMinuteJob, withMinuteLock } from './minute.ts'

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
  /** States of feeds on other machines; left out, there are none. */
  readonly states?: SharedStates | null
  readonly clock: Clock
  readonly progress: Progress
}

/** One session that is fed. */
export type Feed = {
  /** Takes what has come and publishes the states that are due; true when the session has ended. */
  readonly look: () => Promise<boolean>
  /** Names of files and rows that were refused last time, or wait. */
  readonly untaken: () => readonly string[]
  readonly close: () => Promise<void>
}

/** Opens a feed; the caller holds the session's minute lock. */
export async function openFeed(options: FeedOptions): Promise<Feed> {
  const { dataFolder, date, clock, graceMs, progress, states = null } = options
  const rows = options.rows && collectRows(options.rows.input)
  const arrivals = openArrivals(options)
  let job: MinuteJob | null = null

  return {
    look: async () => {
      const dueMs = clock.nowMs() - graceMs
      if (options.spool !== null) await arrivals.takeSpool(options.spool)
      if (rows) await arrivals.takeRows(options.rows!.dataset, rows)
      if (readTapeManifest(dataFolder, date).batches.length === 0) return false
      // after the rows have been taken: those that come later are late data to its states
      await states?.adopt(dueMs)
      job ??= await openMinuteJob({ dataFolder, date, progress, isFollowing: states !== null })
      const behindMs = dueMs - (job.stateMs() ?? job.session.opensAtMs)
      // a feed that is behind catches up in steps of many minutes
      await job.advance(dueMs, behindMs >= 3 * MINUTE_MS)
      // while idle
      await arrivals.makeReady()
      return (job.stateMs() ?? 0) >= job.endsAtMs
    },
    untaken: arrivals.untaken,
    close: async () => {
      await job?.close()
      arrivals.close()
    },
  }
}

const CANONICAL = ['prints', 'quotes', 'spots', 'futures', 'open-interest', 'dealer-positions']

const USAGE = `usage: tapefold feed [DAY] [--spool DIR] [--stdin DATASET] [--grace SECONDS]
                     [--clock WHEN] [--once] [--simulated] [--data DIR]

Takes the rows of a running session as they arrive, and publishes each minute as it ends, until the
close. With TAPEFOLD_STORE set, another feed of the session may run on another machine: the store has
each minute of the one that is first.

  DAY                 the session; today's when not given
  --spool DIR         imports the files of a folder as they arrive and grow. A file is named after
                      its format ("tapefold import --help"), such as prints-0931.csv; any other
                      is ignored and reported once. Names that end in .tmp, .part or .partial or
                      begin with a dot are ignored. Only complete lines are read
  --stdin DATASET     reads CSV lines with a header from standard input: ${CANONICAL.join(', ')}
  --grace SECONDS     how long after a minute's end its last rows may arrive (${GRACE_S}); a row
                      that arrives later counts from the minute in which it arrived
  --clock WHEN        replays a past session as if it were live: DAY[THH:MM][xSPEED]
  --once              imports what is there, publishes what is due, and ends; the exit code is 1
                      if a file or rows of standard input were refused
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
  if (positionals.length > 1) {
    throw new UsageError(`feed takes one day, such as 2026-10-15, not ${positionals.join(' ')}.`)
  }
  const today = replay?.date ?? wallTimeEt(clock.nowMs()).date
  const date = tradingDayOrToday(positionals[0], today)
  const spool = values.spool ?? null
  if (spool !== null && !statSync(spool, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--spool is ${spool}, which is not a folder; give one that exists.`)
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
    const progress = commandProgress()
    const input = stdin === undefined ? null : createReadStream('', { fd: 0 })
    const rows = input && { dataset: stdin!, input }
    const ended = await withMinuteLock({ dataFolder, date }, async states => {
      const feed = await openFeed({ ...options, dataFolder, rows, progress, states })
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
    const statusLine = formatLiveStatus(date, readLiveManifest(dataFolder, date))
    if (ended.hasEnded)
      progress.say(`the session of ${date} has ended: "tapefold build ${date}" finishes it`)
    else progress.say(isEmpty ? `no rows of ${date} have arrived yet` : statusLine)
    const untaken = ended.untaken.join(', ')
    // the rows of a pipe are nowhere else
    const isLost = isOnce || ended.untaken.includes(STANDARD_INPUT)
    if (isLost && untaken !== '') throw new Refusal(`refused, for the reasons above: ${untaken}.`)
  })
}
