/** `tapefold watch`: finds alerts as minutes are published, and sends them. */

import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandContext } from '../../src/accounts/commandContext.ts'
import type { AccountStore } from '../../src/accounts/types.ts'
import { openMinutes } from '../../src/alerts/finding/readMinutes.ts'
import { isReplayRun, LIVE_RUN, makeReplayRun, type Run } from '../../src/alerts/finding/run.ts'
import {
  type Clock,
  monotonicMs,
  parseReplay,
  replayClock,
  systemClock,
} from '../../src/core/clock.ts'
import { UsageError } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { stopRequest } from '../../src/core/stop.ts'
import { openCatalog } from '../../src/data/published/catalog.ts'
import { refuseReplay, replayCatalog } from '../../src/data/published/replay.ts'
import { openGeo } from '../../src/geo/ask.ts'
import { openRecordNotifier, type RecordNotifier } from '../../src/geo/notifier.ts'
import { openSenders } from '../../src/outbox/sending/contacts.ts'
import { systemTimers } from '../../src/outbox/sending/timers.ts'
import { webhookSender } from '../../src/outbox/sending/webhook.ts'
import type { Config } from '../../src/platform/config.ts'
import { openNotices } from '../../src/platform/notices/notices.ts'
import type { StoreFollower } from '../../src/platform/store/follow.ts'
import { openWebhookClient } from '../../src/platform/webhooks/client.ts'
import { openSecretBox, type SecretBox } from '../../src/platform/webhooks/secretBox.ts'
import { listOwnHosts } from '../../src/platform/webhooks/tools.ts'
import { openJudge } from '../../src/positions/marketValues.ts'
import type { ServerStore } from '../../src/server/accountStore.ts'
import { startFollower } from '../../src/server/following.ts'
import { findSiteUrl } from '../../src/server/served.ts'
import { openIdeaMonitor } from './ideaMonitor.ts'
import { openPositionsAt } from './positions.ts'
import type { WATCH } from './row.ts'
import { type Say, sayOn, sayOnce } from './say.ts'
import { openWatcher, type Watcher } from './watcher.ts'

/** Interval at which `drain` checks whether all is sent, and its maximum duration. */
const DRAIN_LOOK_MS = 100
const DRAIN_MAX_MS = 60_000

type EventSendingDeps = {
  readonly config: Config
  readonly accounts: Pick<AccountStore, 'outbox'>
  readonly say: Say
}

/** Sends events of all accounts as they are found, concurrently with the watcher. */
type EventSending = {
  readonly start: () => void
  /** Resolves once no event is pending, retries included, or after a minute. */
  readonly drain: () => Promise<void>
  /** Stops after the requests in progress. */
  readonly stop: () => Promise<void>
}

/**
 * Opens the sender of this process. Without a key for the secrets of webhooks, it logs that, and
 * pending events wait for a process that has one.
 */
function openSending({ config, accounts, say }: EventSendingDeps): EventSending {
  const box = openBox(config, say)
  if (!box) return { start: () => {}, drain: async () => {}, stop: async () => {} }
  const { outbox } = accounts
  const { nowMs } = systemClock
  const notices = openNotices({ ...config.notices, siteUrl: findSiteUrl(config) }, monotonicMs)
  const client = openWebhookClient({
    elapsedMs: monotonicMs,
    allowed: config.webhookAllowed,
    ownHosts: listOwnHosts(config),
  })
  const sender = openSenders({
    outbox,
    notices,
    webhook: webhookSender({ client, box, nowMs }),
    holder: `${hostname()} ${randomUUID()}`,
    nowMs,
    timers: systemTimers,
    log: {
      info: (fields, message) => say.info(message, fields),
      error: (fields, message) => say.error(message, fields),
    },
  })
  return {
    start: sender.start,
    drain: async () => {
      const endMs = monotonicMs() + DRAIN_MAX_MS
      while (monotonicMs() < endMs) {
        const { waiting, trying } = await outbox.outboxState({ nowMs: nowMs() })
        if (waiting + trying === 0) return
        await sleep(DRAIN_LOOK_MS)
      }
    },
    stop: async () => {
      await sender.stop()
      notices.close()
      await client.close()
    },
  }
}

function openBox(config: Config, say: Say): SecretBox | null {
  try {
    return openSecretBox(config)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    say.error('webhooks are not sent', { reason: error.message })
    return null
  }
}

/** Interval of checks for a published minute. */
const TICK_MS = 500
/**
 * Pause between two minutes of a catch-up: meanwhile a call with a key, which retries every 25 ms
 * for 200 ms, can lock the account file to be counted.
 */
const PAUSE_MS = 40

type Options = {
  readonly dataFolder: string
  readonly run: Run
  readonly beganMs: number
  readonly clock: Clock
  readonly say: Say
}

/** Opens a watcher on a data folder and its accounts. */
async function openOn(
  { dataFolder, run, beganMs, clock, say }: Options,
  { config, openAccounts }: CommandContext<ServerStore>,
) {
  const log = { error: (fields: object, message: string) => say.error(message, fields) }
  const files = openCatalog({ dataFolder, nowMs: systemClock.nowMs, log })
  const catalog = clock.isReplay ? replayCatalog(files, clock.nowMs) : files
  const accounts = await openAccounts()
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
  const sending = run.isDelivered ? openSending({ config, accounts, say }) : null
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
function follow(config: Config, say: Say): Promise<StoreFollower | null> {
  const { failed, succeeded } = sayOnce(say)
  const log = { info: (fields: object, message: string) => say.info(message, fields) }
  return startFollower(config, { log, background: { failed, succeeded } })
}

type Replay = { readonly clock: Clock; readonly run: Run; readonly beganMs: number }

/** Parses the run from the options. Fails with UsageError or a Refusal. */
function parseRun({ data, clock: when, deliver, began, run }: Input<typeof WATCH>): Replay {
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
  refuseReplay(data, replay.date)
  const startMs = replay.startMs + Math.floor((nowMs - beganMs) * replay.speed)
  const id = run ?? makeReplayRun()
  return {
    clock: replayClock({ ...replay, startMs }),
    run: { id, isReplay: true, isDelivered: deliver },
    beganMs,
  }
}

/** Runs `tapefold watch`. */
export async function watchCommand(
  input: Input<typeof WATCH>,
  context: CommandContext<ServerStore>,
): Promise<void> {
  const { data: dataFolder, once: isOnce } = input
  const say = sayOn(process.stdout, systemClock, input.json)
  const replay = parseRun(input)
  const { run } = replay
  const isFollowing = !run.isReplay && !isOnce && !input['no-follow']
  const follower = isFollowing ? await follow(context.config, say) : null
  try {
    const opened = await openOn({ dataFolder, say, ...replay }, context)
    const { watcher, recordNotifier, sending, close } = opened
    sending?.start()
    if (isOnce) {
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
}
