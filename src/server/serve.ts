import { makeReplayRun } from '../alerts/finding/run.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { readArguments, UsageError } from '../core/command.ts'
import { runPipeline, startPipeline } from '../core/pipeline.ts'
import { stopSignal } from '../core/stop.ts'
import { openReplay } from '../data/published/replay.ts'
import { type Config, isPort, siteUrl } from '../platform/config.ts'
import { startFollower } from './following.ts'
import { type RunningServer, startProcess } from './main.ts'
import { storeServed } from './served.ts'
import { superviseWatcher, type WatchChild } from './watchChild.ts'

const SERVE_USAGE = `usage: tapefold serve [--port N] [--host ADDRESS] [--roles LIST]
                      [--clock WHEN] [--deliver] [--data DIR]

Serves the Orders API, its documentation (/docs) and its state (/status) until Ctrl-C, and finds and
sends alerts beside it, in a process of its own.

  --port N         0 to 65535; 0 takes any free port (TAPEFOLD_PORT, else 8080)
  --host ADDRESS   127.0.0.1 for this machine only, 0.0.0.0 for every network (TAPEFOLD_HOST)
  --clock WHEN     replays a published session as if live: DAY[THH:MM][xSPEED], from an ET minute
                   (09:30) at 0 to 3600 times real time (1), such as 2026-10-15T09:30x60
  --roles LIST     what it does: api, watch (finding and sending alerts), or both (api,watch)
  --deliver        sends the alerts of a replay, too; without it they are only listed
`

/** `tapefold serve`: runs the API until it is stopped. */
export async function runServe(config: Config, args: readonly string[]): Promise<number> {
  const { values } = readArguments(args, {
    usage: SERVE_USAGE,
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      clock: { type: 'string' },
      roles: { type: 'string', default: 'api,watch' },
      deliver: { type: 'boolean' },
    },
  })
  const roles = parseRoles(values.roles)
  const { deliver = false } = values
  if (deliver && values.clock === undefined) {
    throw new UsageError('--deliver is of a replay; give it with --clock.')
  }
  if (deliver && !roles.includes('watch')) {
    throw new UsageError('--deliver needs the role watch; give --roles api,watch.')
  }
  if (!roles.includes('api')) {
    const replay = values.clock === undefined ? [] : ['--clock', values.clock]
    const watch = [...replay, ...(deliver ? ['--deliver'] : [])]
    return runPipeline(WATCH, ['--data', config.dataFolder, ...watch])
  }
  const stopped = stopSignal()
  const port = readPort(values.port, config)
  // an empty address is every network
  if (values.host === '') throw new UsageError('--host is empty; give an address: 127.0.0.1.')
  const clock =
    values.clock === undefined ? systemClock : openReplay(config.dataFolder, values.clock)
  const address = { port, host: values.host ?? config.host }
  const notices = { ...config.notices, siteUrl: siteUrl({ ...config, ...address }) }
  const served = { ...config, ...address, notices, isWarmed: true }
  const beganMs = systemClock.nowMs()
  const server = await listen(served, clock)
  const { url, isEmpty, close } = server
  // a replay shows what the folder has
  const follower =
    values.clock === undefined
      ? await startFollower(config, server).catch(async error => {
          await close()
          throw error
        })
      : null
  const replay = values.clock === undefined ? null : { when: values.clock, beganMs, deliver }
  const watcher = roles.includes('watch') ? startWatcher(config, server, replay) : null
  const replayed = values.clock === undefined ? '' : `, replaying ${values.clock}`
  process.stdout.write(`Tapefold serves ${url}${replayed}, with its documentation at ${url}/docs\n`)
  // a mistyped folder looks like an empty one
  if (values.clock === undefined && isEmpty()) {
    const there = `no session is published in ${config.dataFolder} yet`
    process.stdout.write(`${there}; "tapefold build DAY" publishes one\n`)
  }
  await stopped
  await Promise.all([watcher?.stop(), follower?.stop(), close()])
  return 0
}

const WATCH = 'watch/watch.ts'
const ROLES = ['api', 'watch'] as const

/** Parses the roles of a server. Fails with UsageError. */
function parseRoles(text: string): readonly string[] {
  const roles = text.split(',')
  const isKnown = roles.every(role => ROLES.some(known => known === role))
  if (isKnown && new Set(roles).size === roles.length) return roles
  throw new UsageError(`--roles is ${text}; give api, watch, or both: api,watch.`)
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
  const start = () => startPipeline(WATCH, args, databaseUrl)
  return superviseWatcher({ start, log, background })
}

/** Port of `--port`, else of the configuration. Fails with UsageError. */
export function readPort(text: string | undefined, config: Config): number {
  if (text === undefined) return config.port
  if (isPort(text)) return Number(text)
  throw new UsageError(`--port is ${text}; give a port from 0 to 65535, such as 8080.`)
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
