/** `tapefold feed`: takes files as they come, and publishes each minute as it ends. */

import { once } from 'node:events'
import { createReadStream, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, parseReplay, replayClock, systemClock } from '../../src/core/clock.ts'
import { UsageError } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { tradingDayOrToday } from '../../src/core/days.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { MINUTE_MS, type SessionDate, wallTimeEt } from '../../src/core/market/calendar.ts'
import { readLiveManifest } from '../../src/data/published/liveManifest.ts'
import { readTapeManifest } from '../../src/data/tape/manifest.ts'
import { commandProgress } from '../command/command.ts'
import type { Progress } from '../command/progress.ts'
import type { FEED } from '../command/rows.ts'
import type { SharedStates } from '../command/sharedStates.ts'
import { openArrivals, STANDARD_INPUT } from './arrivals.ts'
import { collectRows } from './collectRows.ts'
import { formatLiveStatus, type MinuteJob, openMinuteJob, withMinuteLock } from './minute.ts'

const LOOK_EVERY_MS = 1_000

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

/** Parses the options of `tapefold feed` that depend on each other or on the disk. */
function readOptions({ words, clock: when, ...input }: Input<typeof FEED>) {
  const spool = input.spool ?? null
  const replay = when === undefined ? null : parseReplay(when)
  const clock = replay ? replayClock(replay) : systemClock
  const today = replay?.date ?? wallTimeEt(clock.nowMs()).date
  const date = tradingDayOrToday(words[0], today)
  if (spool !== null && !statSync(spool, { throwIfNoEntry: false })?.isDirectory()) {
    throw new UsageError(`--spool is ${spool}, which is not a folder; give one that exists.`)
  }
  if (spool === null && input.stdin === undefined) {
    throw new UsageError('feed needs --spool DIR, --stdin DATASET or both.')
  }
  return { ...input, clock, date, spool, graceMs: input.grace * 1000 }
}

/** Runs `tapefold feed`. Fails with a Refusal where rows or files were refused. */
export async function feedCommand(input: Input<typeof FEED>): Promise<void> {
  const { data: dataFolder, stdin, once: isOnce, ...options } = readOptions(input)
  const { date } = options
  const progress = commandProgress()
  const stream = stdin === undefined ? null : createReadStream('', { fd: 0 })
  const rows = stream && { dataset: stdin!, input: stream }
  const ended = await withMinuteLock({ dataFolder, date }, async states => {
    const feed = await openFeed({ ...options, dataFolder, rows, progress, states })
    try {
      for (;;) {
        if (isOnce && stream) await once(stream, 'close')
        const hasEnded = await feed.look()
        if (hasEnded || isOnce) return { hasEnded, untaken: feed.untaken() }
        await sleep(LOOK_EVERY_MS)
      }
    } finally {
      await feed.close()
      stream?.destroy()
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
}
