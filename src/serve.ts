import { type Clock, systemClock } from './clock.ts'
import { readArguments, UsageError } from './command.ts'
import { type Config, isPort } from './config.ts'
import { type RunningServer, startProcess, stopSignal } from './main.ts'
import { openReplay } from './published/replay.ts'

const SERVE_USAGE = `usage: tapefold serve [--port N] [--host ADDRESS] [--clock WHEN] [--data DIR]

Serves the Orders API, its documentation (/docs) and its state (/health) until Ctrl-C.

  --port N         0 to 65535; 0 takes any free port (TAPEFOLD_PORT, else 8080)
  --host ADDRESS   127.0.0.1 for this machine only, 0.0.0.0 for every network (TAPEFOLD_HOST)
  --clock WHEN     replays a published session as if live: DAY[THH:MM][xSPEED], from an ET minute
                   (09:30) at 0 to 3600 times real time (1), such as 2026-10-15T09:30x60
`

/** `tapefold serve`: the API until it is told to stop. */
export async function runServe(config: Config, args: readonly string[]): Promise<number> {
  const { values } = readArguments(args, {
    usage: SERVE_USAGE,
    options: { port: { type: 'string' }, host: { type: 'string' }, clock: { type: 'string' } },
  })
  const port = portOf(values.port, config)
  // an empty address is every network
  if (values.host === '') throw new UsageError('--host is empty; give an address: 127.0.0.1.')
  const clock =
    values.clock === undefined ? systemClock : openReplay(config.dataFolder, values.clock)
  const address = { port, host: values.host ?? config.host }
  const { url, isEmpty, close } = await listen({ ...config, ...address, isWarmed: true }, clock)
  const stopped = stopSignal()
  const replayed = values.clock === undefined ? '' : `, replaying ${values.clock}`
  process.stdout.write(`Tapefold serves ${url}${replayed}, with its documentation at ${url}/docs\n`)
  // a folder typed by mistake looks like one that has nothing yet
  if (values.clock === undefined && isEmpty()) {
    const there = `no session is published in ${config.dataFolder} yet`
    process.stdout.write(`${there}; "tapefold build DAY" publishes one\n`)
  }
  await stopped
  await close()
  return 0
}

/** The port of `--port`, else of the configuration. Fails with UsageError. */
export function portOf(text: string | undefined, config: Config): number {
  if (text === undefined) return config.port
  if (isPort(text)) return Number(text)
  throw new UsageError(`--port is ${text}; give a port from 0 to 65535, such as 8080.`)
}

/** Starts the API in this process. */
export const listen = (
  config: Config & { isWarmed?: boolean },
  clock: Clock = systemClock,
): Promise<RunningServer> => startProcess({ ...config, clock })
