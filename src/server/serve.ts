import type { CommandContext } from '../accounts/commandContext.ts'
import { makeReplayRun } from '../alerts/finding/run.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { UsageError } from '../core/command.ts'
import type { Input } from '../core/commandRow.ts'
import { runPipeline, startPipeline } from '../core/pipeline.ts'
import { stopSignal } from '../core/stop.ts'
import { openReplay } from '../data/published/replay.ts'
import { type Config, siteUrl } from '../platform/config.ts'
import type { SERVE } from './commandRows.ts'
import { startFollower } from './following.ts'
import { type RunningServer, startProcess } from './main.ts'
import { storeServed } from './served.ts'
import { superviseWatcher, type WatchChild } from './watchChild.ts'

/** Runs `tapefold serve` until it is stopped. */
export async function serveCommand(
  input: Input<typeof SERVE>,
  { config }: Pick<CommandContext, 'config'>,
): Promise<number> {
  const { roles, deliver, clock: when } = input
  if (deliver && when === undefined) {
    throw new UsageError('--deliver is of a replay; give it with --clock.')
  }
  if (deliver && !roles.includes('watch')) {
    throw new UsageError('--deliver needs the role watch; give --roles api,watch.')
  }
  if (!roles.includes('api')) {
    const replay = when === undefined ? [] : ['--clock', when]
    const watch = [...replay, ...(deliver ? ['--deliver'] : [])]
    return runPipeline(['watch', '--data', config.dataFolder, ...watch])
  }
  const stopped = stopSignal()
  const clock = when === undefined ? systemClock : openReplay(config.dataFolder, when)
  const address = { port: input.port ?? config.port, host: input.host ?? config.host }
  const notices = { ...config.notices, siteUrl: siteUrl({ ...config, ...address }) }
  const served = { ...config, ...address, notices, isWarmed: true }
  const beganMs = systemClock.nowMs()
  const server = await listen(served, clock)
  const { url, isEmpty, close } = server
  // a replay shows what the folder has
  const follower =
    when === undefined
      ? await startFollower(config, server).catch(async error => {
          await close()
          throw error
        })
      : null
  const replay = when === undefined ? null : { when: when, beganMs, deliver }
  const watcher = roles.includes('watch') ? startWatcher(config, server, replay) : null
  const replayed = when === undefined ? '' : `, replaying ${when}`
  process.stdout.write(`Tapefold serves ${url}${replayed}, with its documentation at ${url}/docs\n`)
  // a mistyped folder looks like an empty one
  if (when === undefined && isEmpty()) {
    const there = `no session is published in ${config.dataFolder} yet`
    process.stdout.write(`${there}; "tapefold build DAY" publishes one\n`)
  }
  await stopped
  await Promise.all([watcher?.stop(), follower?.stop(), close()])
  return 0
}

/** Replay of a server's clock, for a watcher that shares it. */
export type SharedReplay = {
  /** Value for `--clock`. */
  readonly when: string
  /** Start of its clock. System milliseconds. */
  readonly beganMs: number
  readonly deliver: boolean
}

/** Runs a watcher of the data folder next to a server, with its log and its clock. */
export function startWatcher(
  { dataFolder, databaseUrl }: Pick<Config, 'dataFolder' | 'databaseUrl'>,
  { log, background }: Pick<RunningServer, 'log' | 'background'>,
  replay: SharedReplay | null,
): WatchChild {
  // the server follows the store
  const args = ['--data', dataFolder, '--json', '--no-follow']
  if (replay) {
    const { when, beganMs, deliver } = replay
    args.push('--clock', when, '--began', String(beganMs), '--run', makeReplayRun())
    if (deliver) args.push('--deliver')
  }
  const start = () => startPipeline(['watch', ...args], databaseUrl)
  return superviseWatcher({ start, log, background })
}

/** Starts the API in this process, and stores its address for other processes of the folder. */
export async function listen(
  config: Config & { isWarmed?: boolean },
  clock: Clock = systemClock,
): Promise<RunningServer> {
  const server = await startProcess({ ...config, clock })
  const port = Number(new URL(server.url).port)
  const forget = storeServed(config.dataFolder, siteUrl({ ...config, port }))
  const close = async () => {
    forget()
    await server.close()
  }
  return { ...server, close }
}
