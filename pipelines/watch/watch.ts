/** `tapefold watch`: finds alerts as minutes are published, and sends them. */

import { setTimeout as sleep } from 'node:timers/promises'
import { openMinutes } from '../../src/alerts/finding/readMinutes.ts'
import { isReplayRun, LIVE_RUN, makeReplayRun, type Run } from '../../src/alerts/finding/run.ts'
import { type Clock, parseReplay, replayClock, systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { stopRequest } from '../../src/core/stop.ts'
import { openCatalog } from '../../src/data/published/catalog.ts'
import { refuseReplay, replayCatalog } from '../../src/data/published/replay.ts'
import { openGeo } from '../../src/geo/ask.ts'
import { openRecordNotifier, type RecordNotifier } from '../../src/geo/notifier.ts'
import type { StoreFollower } from '../../src/platform/store/follow.ts'
import { openJudge } from '../../src/positions/marketValues.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { startFollower } from '../../src/server/following.ts'
import { accountsAddress, environmentConfig, runCommand } from '../command/command.ts'
import { openIdeaMonitor } from './ideaMonitor.ts'
import { openPositionsAt } from './positions.ts'
import { type Say, sayOn, sayOnce } from './say.ts'
import { openSending } from './sending.ts'
import { openWatcher, type Watcher } from './watcher.ts'

/** Interval of checks for a published minute. */
const TICK_MS = 500
/**
 * Pause between two minutes of a catch-up: meanwhile a call with a key, which retries every 25 ms
 * for 200 ms, can lock the account file to be counted.
 */
const PAUSE_MS = 40

const USAGE = `usage: tapefold watch [--once] [--clock WHEN] [--deliver] [--no-follow] [--data DIR]

Finds the alerts of all accounts in each minute as it is published, and sends them, until it is
stopped. "serve" keeps one running; any number may run: each minute is taken once. With TAPEFOLD_STORE
set, it pulls each minute and session into its folder, as "serve" does.

  --once        takes the minutes that its folder has by now, sends what is due, and ends
  --clock WHEN  tells a past session as if it ran, as serve does: DAY[THH:MM][xSPEED]. Its events
                are listed and not sent
  --deliver     sends the events of a replay, too
  --no-follow   reads its folder alone: another process pulls from the store, or none
  --began MS    when the clock of the replay began to run, in system milliseconds: it is shared
  --run ID      the name of the replay, to go on with one: replay_ and 12 letters or digits
  --json        writes lines of JSON, for a log
`

type Options = {
  readonly dataFolder: string
  readonly run: Run
  readonly beganMs: number
  readonly clock: Clock
  readonly say: Say
}

/** Opens a watcher on a data folder and its accounts. */
async function openOn({ dataFolder, run, beganMs, clock, say }: Options) {
  const log = { error: (fields: object, message: string) => say.error(message, fields) }
  const files = openCatalog({ dataFolder, nowMs: systemClock.nowMs, log })
  const catalog = clock.isReplay ? replayCatalog(files, clock.nowMs) : files
  const accounts = await openAccountStore(accountsAddress(dataFolder))
  const reader = await openMinutes({ dataFolder, reportDamage: catalog.reportDamage })
  const judge = openJudge(dataFolder)
  const positionsAt = openPositionsAt({ catalog, judge, nowMs: clock.nowMs, say })
  const times = { marketMs: clock.nowMs, systemMs: systemClock.nowMs }
  const watcher = openWatcher({
    catalog,
    reader,
    accounts,
    positionsAt,
    run,
    beganMs,
    say,
    ...times,
    pause: () => sleep(PAUSE_MS),
    ideaMonitor: openIdeaMonitor({ dataFolder, accounts, run, ...times }),
  })
  const records = openGeo(dataFolder)
  // new public records are reported as they come in, never in a replay
  const { nowMs } = systemClock
  const recordNotifier = run.isReplay ? null : openRecordNotifier({ geo: records, accounts, nowMs })
  // a replay does not send the pending events of others
  const sending = run.isDelivered
    ? openSending({ config: { ...environmentConfig(), dataFolder }, accounts, say })
    : null
  const close = async () => {
    await sending?.stop()
    await Promise.all([judge.close(), records.reader.close()])
    reader.close()
    await accounts.close()
  }
  return { watcher, recordNotifier: recordNotifier, sending, close }
}

/** Ticks until the process is stopped; failed work is attempted again at the next tick. */
async function runForever(
  {
    watcher,
    recordNotifier,
  }: { readonly watcher: Watcher; readonly recordNotifier: RecordNotifier | null },
  say: Say,
): Promise<void> {
  const stop = stopRequest()
  stop.addEventListener('abort', watcher.stop, { once: true })
  const once = sayOnce(say)
  while (!stop.aborted) {
    try {
      await watcher.tick()
      await recordNotifier?.tick()
      once.succeeded()
    } catch (error) {
      once.failed('take the next minute', error)
    }
    await sleep(TICK_MS, undefined, { signal: stop }).catch(() => {})
  }
}

/** Follows the store into the folder; null without a store. */
function follow(dataFolder: string, say: Say): Promise<StoreFollower | null> {
  const { failed, succeeded } = sayOnce(say)
  const log = { info: (fields: object, message: string) => say.info(message, fields) }
  const config = { ...environmentConfig(), dataFolder }
  return startFollower(config, { log, background: { failed, succeeded } })
}

type Replay = { readonly clock: Clock; readonly run: Run; readonly beganMs: number }

/** Parses the run from the options. Fails with UsageError or a Refusal. */
function parseRun(dataFolder: string, given: Given): Replay {
  const { clock: when, deliver = false, began, run } = given
  const nowMs = systemClock.nowMs()
  if (when === undefined) {
    const other = deliver ? 'deliver' : began !== undefined ? 'began' : run && 'run'
    if (other) throw new UsageError(`--${other} is of a replay; give it with --clock.`)
    const live = { id: LIVE_RUN, isReplay: false, isDelivered: true }
    return { clock: systemClock, run: live, beganMs: nowMs }
  }
  const replay = parseReplay(when)
  const beganMs = began === undefined ? nowMs : Number(began)
  if (!/^\d{1,15}$/.test(began ?? '0')) {
    throw new UsageError(`--began is ${began}; give system milliseconds, such as ${nowMs}.`)
  }
  if (run !== undefined && !isReplayRun(run)) {
    throw new UsageError(`--run is ${run}; give one such as ${makeReplayRun()}.`)
  }
  refuseReplay(dataFolder, replay.date)
  const startMs = replay.startMs + Math.floor((nowMs - beganMs) * replay.speed)
  const id = run ?? makeReplayRun()
  return {
    clock: replayClock({ ...replay, startMs }),
    run: { id, isReplay: true, isDelivered: deliver },
    beganMs,
  }
}

type Given = {
  readonly clock?: string | undefined
  readonly deliver?: boolean | undefined
  readonly began?: string | undefined
  readonly run?: string | undefined
}

if (import.meta.main) {
  runCommand(async () => {
    const { values } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      options: {
        data: { type: 'string', default: 'data' },
        clock: { type: 'string' },
        once: { type: 'boolean', default: false },
        deliver: { type: 'boolean' },
        'no-follow': { type: 'boolean', default: false },
        began: { type: 'string' },
        run: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
    const say = sayOn(process.stdout, systemClock, values.json)
    const replay = parseRun(values.data, values)
    const { run } = replay
    const isFollowing = !run.isReplay && !values.once && !values['no-follow']
    const follower = isFollowing ? await follow(values.data, say) : null
    try {
      const opened = await openOn({ dataFolder: values.data, say, ...replay })
      const { watcher, recordNotifier, sending, close } = opened
      sending?.start()
      if (values.once) {
        const taken = await watcher.tick()
        await recordNotifier?.tick()
        await sending?.drain()
        await close()
        say.info(`${taken} minutes were taken`)
        return
      }
      say.info('watching for alerts', { run: run.id })
      await runForever(opened, say)
      await close()
    } finally {
      await follower?.stop()
    }
  })
}
