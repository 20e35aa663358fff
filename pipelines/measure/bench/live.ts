/**
 * Measures a session as it runs, on simulated tapes that come file by file: the cost of a minute at
 * the start and at the end of the day, the catch-up after a burst, and the memory of a feed over
 * several sessions.
 */

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments, UsageError } from '../../../src/core/command.ts'
import { Refusal } from '../../../src/core/disk/refusal.ts'
import { withWorkFolder } from '../../../src/core/disk/work.ts'
import { instantMs, MINUTE_MS, wallTimeEt } from '../../../src/core/market/calendar.ts'
import { ownPipelineEnvironment, runCommand } from '../../command/command.ts'
import { type Burst, cutArrivals, simulateSession, takeEarly } from './arrivals.ts'
import type { Arrival, Fed, FeedJob, StateLook } from './feedChild.ts'
import { readPeakMib } from './meter.ts'
import { percentile } from './stats.ts'
import { sessionsFrom } from './tape.ts'

const DATE = '2026-10-15'
const FIRST_SESSION = '2026-10-12'
const SECTIONS = ['day', 'burst', 'memory'] as const
type Section = (typeof SECTIONS)[number]

type Options = {
  readonly prints: number
  readonly contracts: number
  /** Minutes measured at the start and at the end of the day. */
  readonly minutes: number
  readonly sessions: number
  readonly dataFolder: string
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** Minutes one by one from an ET minute on. */
function minutesFrom(first: string, count: number): string[] {
  const firstMs = instantMs(DATE, first)
  return Array.from({ length: count }, (_, at) => wallTimeEt(firstMs + at * MINUTE_MS).minute)
}

/** Starts a feed in a separate process, which gets one session after the other. */
function startFeed() {
  // as the command starts it
  const env = ownPipelineEnvironment()
  const child: ChildProcess = fork(join(import.meta.dirname, 'feedChild.ts'), { env })
  const failed = once(child, 'exit').then(([code]) => {
    throw new Refusal(`the measured feed ended with ${code}.`)
  })
  failed.catch(() => {})
  return {
    feed: async (job: FeedJob): Promise<Fed> => {
      child.send(job)
      const [fed] = await Promise.race([once(child, 'message'), failed])
      return fed as Fed
    },
    peakMib: () => readPeakMib(child.pid!)!,
    stop: () => child.kill('SIGKILL'),
  }
}

const secondsPercentile = (looks: readonly StateLook[], share: number) =>
  percentile(
    looks.map(look => look.seconds),
    share,
  )

const publishedAfter = (looks: readonly StateLook[], share: number) =>
  percentile(
    looks.map(look => look.publishedSeconds),
    share,
  )

const shown = (seconds: number) => `${seconds.toFixed(2)} s`

async function feedOnce(folder: string, simulated: string, arrivals: readonly Arrival[]) {
  const dataFolder = join(folder, 'data')
  mkdirSync(dataFolder, { recursive: true })
  await takeEarly(dataFolder, simulated)
  const feed = startFeed()
  try {
    const fed = await feed.feed({ dataFolder, date: DATE, arrivals })
    return { ...fed, peakMib: feed.peakMib() }
  } finally {
    feed.stop()
  }
}

/**
 * Minutes left out at each start: a new feed has little that late data may change, and after
 * catching up with hours its engine still prepares the plans that later minutes use.
 */
const SETTLING = 4

/** Measures minutes at the start and at the end of a day; all between them comes at once. */
async function measureDay(options: Options, folder: string): Promise<void> {
  const { prints, contracts } = options
  const minutes = SETTLING + options.minutes
  const simulated = await simulateSession({ folder, date: DATE, prints, contracts })
  const [early, late] = [minutesFrom('09:32', minutes), minutesFrom('15:46', minutes)]
  // the first look opens the feed, and the one before the late minutes catches up with the day
  const cuts = ['09:31', ...early, '15:45', ...late]
  const parts = { simulated, date: DATE, folder: join(folder, 'parts') }
  const fed = await feedOnce(folder, simulated, await cutArrivals(parts, cuts))
  const [starting, ending] = [fed.looks.slice(1, 1 + minutes), fed.looks.slice(2 + minutes)]
  const [start, end] = [starting.slice(SETTLING), ending.slice(SETTLING)]
  for (const [name, looks] of [
    ['a minute after the feed began', starting.slice(0, SETTLING)],
    ['a minute at the start of the day', start],
    ['a minute after catching up', ending.slice(0, SETTLING)],
    ['a minute at the end of the day', end],
  ] as const) {
    const states = percentile(
      looks.map(look => look.stateSeconds),
      0.5,
    )
    print(
      `${name}: published after p50 ${shown(publishedAfter(looks, 0.5))}, ` +
        `p99 ${shown(publishedAfter(looks, 0.99))} (${shown(states)} of it its state; ` +
        `${looks.length} minutes); done after p50 ${shown(secondsPercentile(looks, 0.5))}`,
    )
  }
  const ratio = publishedAfter(end, 0.5) / publishedAfter(start, 0.5)
  const all = [...start, ...end]
  print(`a minute, published after p99 ${shown(publishedAfter(all, 0.99))} (at most 0.7 s)`)
  print(`end of the day over its start: ${ratio.toFixed(2)} x (at most 1.5 x)`)
  print(`6 hours caught up with at once: ${shown(fed.looks[1 + minutes]!.seconds)}`)
  print(`peak memory of the feed: ${fed.peakMib.toFixed(0)} MiB`)
}

const BURST_MINUTES = 5
const BURST_FACTOR = 10
const BURST_AT = '11:00'

/** Ten times the prints for five minutes: when the last of them is published. */
async function measureBurst(options: Options, folder: string): Promise<void> {
  const { prints, contracts } = options
  const simulated = await simulateSession({ folder, date: DATE, prints, contracts })
  const fromMs = instantMs(DATE, BURST_AT)
  const spanMs = BURST_MINUTES * BURST_FACTOR * MINUTE_MS
  const burst: Burst = { fromMs, spanMs, factor: BURST_FACTOR }
  const minutes = minutesFrom(BURST_AT, BURST_MINUTES + 3)
  const parts = { simulated, date: DATE, folder: join(folder, 'parts') }
  const { looks } = await feedOnce(folder, simulated, await cutArrivals(parts, minutes, burst))
  // each minute is taken when it has ended and the one before it is done
  let doneMs = 0
  const waits = looks.slice(1).map(({ untilMs, seconds }) => {
    doneMs = Math.max(doneMs, untilMs) + seconds * 1000
    return (doneMs - untilMs) / 1000
  })
  const costs = looks.slice(1).map(({ seconds }) => seconds.toFixed(2))
  print(`${BURST_FACTOR} x the prints for ${BURST_MINUTES} minutes: ${costs.join(', ')} s a minute`)
  print(
    `the last minute of the burst is published ${shown(waits[BURST_MINUTES - 1]!)} after its end ` +
      `(at most 60 s), the longest wait is ${shown(Math.max(...waits))}`,
  )
}

/** Looks at a session, one a minute from its open on, while its memory is measured. */
const MEMORY_LOOKS = 20

/** Feeds sessions one after the other in one process, and measures its memory after each. */
async function measureMemory(options: Options, folder: string): Promise<void> {
  const { prints, contracts, sessions } = options
  const dataFolder = join(folder, 'data')
  mkdirSync(dataFolder, { recursive: true })
  const feed = startFeed()
  try {
    const held: number[] = []
    for (const [index, date] of sessionsFrom(FIRST_SESSION, sessions).entries()) {
      const simulated = await simulateSession({ folder, date, prints, contracts, seed: index + 1 })
      await takeEarly(dataFolder, simulated)
      const parts = { simulated, date, folder: join(folder, `parts-${date}`) }
      const cuts = [...minutesFrom('09:31', MEMORY_LOOKS), '12:00', '14:00', '16:00', '16:18']
      const fed = await feed.feed({ dataFolder, date, arrivals: await cutArrivals(parts, cuts) })
      held.push(fed.residentMib)
      print(
        `session ${index + 1}, ${date}: ${fed.residentMib.toFixed(0)} MiB held, ` +
          `${feed.peakMib().toFixed(0)} MiB at most so far`,
      )
    }
    const growth = held.at(-1)! / held[Math.min(1, held.length - 1)]!
    print(`held after the last session over the second: ${growth.toFixed(2)} x`)
  } finally {
    feed.stop()
  }
}

const MEASURES: Readonly<Record<Section, (options: Options, folder: string) => Promise<void>>> = {
  day: measureDay,
  burst: measureBurst,
  memory: measureMemory,
}

const USAGE = `usage: the bench of tapefold feed:
  node pipelines/measure/bench/live.ts [section ...] ...

Feeds simulated sessions file by file, as they would have arrived, and prints what it cost.
Without a section: ${SECTIONS.join(', ')}.

  day             a minute's cost at the start and at the end of the day
  burst           ten times the prints for five minutes
  memory          sessions fed one after the other in one process

  --prints N      about how many prints a session has (1000000)
  --contracts N   about how many contracts are listed (20000)
  --minutes N     minutes measured at the start and at the end of the day (20)
  --sessions N    sessions fed for the memory (5)
  --data DIR      where to put its work folder
`

if (import.meta.main) {
  runCommand(async () => {
    const { values, positionals } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      allowPositionals: true,
      options: {
        data: { type: 'string', default: 'data' },
        prints: { type: 'string', default: '1000000' },
        contracts: { type: 'string', default: '20000' },
        minutes: { type: 'string', default: '20' },
        sessions: { type: 'string', default: '5' },
      },
    })
    const unknown = positionals.find(name => !(SECTIONS as readonly string[]).includes(name))
    if (unknown !== undefined) {
      throw new UsageError(`${unknown} is not a section; the sections are ${SECTIONS.join(', ')}.`)
    }
    const wanted = positionals.length === 0 ? SECTIONS : (positionals as Section[])
    const options: Options = {
      dataFolder: values.data,
      prints: wholeNumber('--prints', values.prints, 400, 8_000_000),
      contracts: wholeNumber('--contracts', values.contracts, 200, 40_000),
      minutes: wholeNumber('--minutes', values.minutes, 1, 25),
      sessions: wholeNumber('--sessions', values.sessions, 1, 20),
    }
    for (const section of wanted) {
      await withWorkFolder(options.dataFolder, 'bench', folder =>
        MEASURES[section](options, folder),
      )
    }
  })
}

function wholeNumber(name: string, text: string, low: number, high: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= low && value <= high) return value
  throw new UsageError(`${name} is ${text}; give a whole number from ${low} to ${high}.`)
}
