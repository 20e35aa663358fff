/**
 * A session as it runs, on simulated tapes that come file by file: the cost of a minute at the start
 * and at the end of the day, the catch-up after a burst, and the memory of a feed over several
 * sessions.
 */

import { fork } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { instantMs, MINUTE_MS, wallTimeEt } from '../../../src/core/market/calendar.ts'
import { ownPipelineEnvironment } from '../../command/command.ts'
import { importSimulated } from '../../simulate/importSimulated.ts'
import { BEFORE_OPEN, type Burst, cutArrivals, simulateSession } from './arrivals.ts'
import type { Fed, FeedJob, FeedLook } from './feedChild.ts'
import { percentile, readPeakMib } from './meter.ts'
import { receiveMessage } from './processes.ts'
import type { Bench, Rows } from './section.ts'
import { sessionsFrom } from './tape.ts'

const DATE = '2026-10-15'
/** Minutes measured at the start and at the end of the day. */
const MINUTES = 20
/**
 * Minutes left out at each start: a new feed has little that late data may change, and after
 * catching up with hours its engine still prepares the plans that later minutes use.
 */
const SETTLING = 4
/** Ten times the prints for five minutes. */
const BURST = { at: '11:00', minutes: 5, factor: 10 }
/** Sessions fed one after the other, and looks at each, one a minute from its open on. */
const MEMORY = { from: '2026-10-12', sessions: 5, looks: 20 }

type Size = Pick<Bench, 'folder' | 'prints' | 'contracts' | 'say'>

export const [EARLY, LATE] = ['a minute at the start of the day', 'a minute at its end'] as const
export const BURST_END = 'the last minute of a burst of ten times the prints'

export async function measureLive(bench: Size): Promise<Rows> {
  return {
    ...(await measureDay(bench)),
    ...(await measureBurst(bench)),
    ...(await measureMemory(bench)),
  }
}

/** Minutes one by one from an ET minute on. */
function minutesFrom(first: string, count: number): string[] {
  const firstMs = instantMs(DATE, first)
  return Array.from({ length: count }, (_, at) => wallTimeEt(firstMs + at * MINUTE_MS).minute)
}

/** Starts a feed in a separate process, which gets one session after the other. */
function startFeed() {
  // as the command starts it
  const child = fork(join(import.meta.dirname, 'feedChild.ts'), { env: ownPipelineEnvironment() })
  return {
    feed: (job: FeedJob): Promise<Fed> => {
      child.send(job)
      return receiveMessage(child, 'the measured feed')
    },
    peakMib: () => readPeakMib(child.pid!)!,
    stop: () => child.kill('SIGKILL'),
  }
}

/** Feeds one session cut at these minutes, in a new folder. */
async function feedOnce(
  { prints, contracts, ...bench }: Size,
  name: string,
  minutes: readonly string[],
  burst?: Burst,
) {
  bench.say(`feeding a session: ${name}`)
  const folder = join(bench.folder, name)
  const dataFolder = join(folder, 'data')
  mkdirSync(dataFolder, { recursive: true })
  const simulated = await simulateSession({ folder, date: DATE, prints, contracts })
  const parts = { simulated, date: DATE, folder: join(folder, 'parts') }
  const arrivals = await cutArrivals(parts, minutes, burst)
  await importSimulated(dataFolder, simulated, BEFORE_OPEN)
  const { feed, peakMib, stop } = startFeed()
  try {
    const { looks } = await feed({ dataFolder, date: DATE, arrivals })
    return { looks, peakMib: peakMib() }
  } finally {
    stop()
  }
}

/** Measures minutes at the start and at the end of a day; all between them comes at once. */
export async function measureDay(bench: Size, measured = MINUTES): Promise<Rows> {
  const minutes = SETTLING + measured
  // the first look opens the feed, and the one before the late minutes catches up with the day
  const cuts = [
    '09:31',
    ...minutesFrom('09:32', minutes),
    '15:45',
    ...minutesFrom('15:46', minutes),
  ]
  const { looks, peakMib } = await feedOnce(bench, 'day', cuts)
  const [starting, ending] = [looks.slice(1, 1 + minutes), looks.slice(2 + minutes)]
  return {
    'a minute after the feed began': listSeconds(starting.slice(0, SETTLING)),
    [EARLY]: listSeconds(starting.slice(SETTLING)),
    'a minute after catching up': listSeconds(ending.slice(0, SETTLING)),
    [LATE]: listSeconds(ending.slice(SETTLING)),
    '6 hours caught up with at once': { done_p50_s: looks[1 + minutes]!.seconds },
    'the whole feed': { peak_mib: peakMib },
  }
}

function listSeconds(looks: readonly FeedLook[]): Rows[string] {
  const of = (name: 'seconds' | 'publishedSeconds' | 'stateSeconds', share: number) =>
    percentile(
      looks.map(look => look[name]),
      share,
    )
  return {
    minutes: looks.length,
    published_p50_s: of('publishedSeconds', 0.5),
    published_p99_s: of('publishedSeconds', 0.99),
    state_p50_s: of('stateSeconds', 0.5),
    done_p50_s: of('seconds', 0.5),
  }
}

/** When the last minute of a burst is published, after its end. */
async function measureBurst(bench: Size): Promise<Rows> {
  const { at, minutes, factor } = BURST
  const spanMs = minutes * factor * MINUTE_MS
  const burst = { fromMs: instantMs(DATE, at), spanMs, factor }
  const { looks } = await feedOnce(bench, 'burst', minutesFrom(at, minutes + 3), burst)
  // each minute is taken when it has ended and the one before it is done
  let doneMs = 0
  const waits = looks.slice(1).map(({ untilMs, seconds }) => {
    doneMs = Math.max(doneMs, untilMs) + seconds * 1000
    return (doneMs - untilMs) / 1000
  })
  return { [BURST_END]: { done_p50_s: waits[minutes - 1]! } }
}

/** Feeds sessions one after the other in one process, and measures its memory after each. */
async function measureMemory({ folder, prints, contracts, say }: Size): Promise<Rows> {
  const dataFolder = join(folder, 'memory')
  mkdirSync(dataFolder, { recursive: true })
  const { feed, peakMib, stop } = startFeed()
  try {
    const rows: Record<string, Rows[string]> = {}
    for (const [index, date] of sessionsFrom(MEMORY.from, MEMORY.sessions).entries()) {
      say(`feeding ${date} for its memory`)
      const size = { folder: dataFolder, date, prints, contracts }
      const simulated = await simulateSession({ ...size, seed: index + 1 })
      await importSimulated(dataFolder, simulated, BEFORE_OPEN)
      const parts = { simulated, date, folder: join(dataFolder, `parts-${date}`) }
      const cuts = [...minutesFrom('09:31', MEMORY.looks), '12:00', '14:00', '16:00', '16:18']
      const { residentMib } = await feed({
        dataFolder,
        date,
        arrivals: await cutArrivals(parts, cuts),
      })
      rows[`memory after session ${index + 1}`] = {
        resident_mib: residentMib,
        peak_mib: peakMib(),
      }
    }
    return rows
  } finally {
    stop()
  }
}
