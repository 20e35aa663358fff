/** Feeds sessions one after the other in a separate process, and reports the cost of each look. */

import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { SessionDate } from '../../../src/core/market/calendar.ts'
import { silent } from '../../command/progress.ts'
import { openFeed } from '../../live/feed.ts'

/** One look of a feed: the arrivals up to then, and the last minute that is due. */
export type Arrival = {
  /** UTC milliseconds of the minute. */
  readonly untilMs: number
  /** Files that came since the last look; their names begin with their format. */
  readonly files: readonly string[]
}

export type FeedJob = {
  readonly dataFolder: string
  readonly date: SessionDate
  readonly arrivals: readonly Arrival[]
}

/** Cost of one look: importing the arrivals, and the minutes it published. */
export type FeedLook = {
  readonly untilMs: number
  readonly seconds: number
  /** Seconds until the last of them was published; later work delays nobody. */
  readonly publishedSeconds: number
  readonly stateSeconds: number
}

export type Fed = { readonly looks: readonly FeedLook[]; readonly residentMib: number }

async function feed({ dataFolder, date, arrivals }: FeedJob): Promise<Fed> {
  const spool = join(dataFolder, `spool-${date}`)
  mkdirSync(spool, { recursive: true })
  const looks: FeedLook[] = []
  let nowMs = 0
  let stateMs = 0
  let publishedMs = 0
  const step = async <T>(_: string, work: () => Promise<T>): Promise<T> => {
    const startMs = performance.now()
    const result = await work()
    publishedMs = performance.now()
    stateMs += publishedMs - startMs
    return result
  }
  const open = await openFeed({
    dataFolder,
    date,
    spool,
    rows: null,
    simulated: true,
    graceMs: 0,
    clock: { nowMs: () => nowMs },
    progress: { ...silent, step },
  })
  try {
    for (const { untilMs, files } of arrivals) {
      for (const file of files) {
        const name = file.split('/').at(-1)!
        if (existsSync(file)) renameSync(file, join(spool, name))
      }
      nowMs = untilMs
      stateMs = 0
      const startMs = performance.now()
      await open.look()
      const seconds = (performance.now() - startMs) / 1000
      const publishedSeconds = (publishedMs - startMs) / 1000
      looks.push({ untilMs, seconds, publishedSeconds, stateSeconds: stateMs / 1000 })
    }
  } finally {
    await open.close()
  }
  return { looks, residentMib: process.memoryUsage.rss() / 1024 ** 2 }
}

if (import.meta.main) {
  process.on('message', async (job: FeedJob) => process.send!(await feed(job)))
  // stops the feed when its bench was stopped
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
}
