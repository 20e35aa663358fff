import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { openAccountStore } from './accounts/store.ts'
import type { AccountStore, StoreOptions } from './accounts/types.ts'
import { createApp } from './app.ts'
import { type Background, createBackground, outliveErrors } from './background.ts'
import { type Clock, systemClock } from './clock.ts'
import { Refusal } from './disk/refusal.ts'
import { openDesk } from './fair/desk.ts'
import {
  type ConnectionCounts,
  type ConnectionLimits,
  type Connections,
  connectionLimits,
  holdConnections,
  SWEEP_MS,
} from './http/connections.ts'
import type { Log } from './http/request.ts'
import { createHttpServer } from './http/server.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { type MetricsServer, serveMetrics } from './metricsServer.ts'
import { openEarlierLedgers } from './orders/earlier.ts'
import type { PageLimit } from './pages.ts'
import { type AheadDeps, openAhead } from './positions/ahead.ts'
import { openJudge } from './positions/marketValues.ts'
import { type Catalog, openCatalog } from './published/catalog.ts'
import { catalogInSight } from './published/inSight.ts'
import { isJudgeable } from './published/positionTables.ts'
import { replayCatalog } from './published/replay.ts'
import { createAlarm } from './status/alarm.ts'
import { openState, type ServiceState } from './status/state.ts'

/** How long calls under way may take to end once the server was told to stop. */
const STOP_GRACE_MS = 5_000
const STOP_SWEEP_MS = 20
const ALARM_EVERY_MS = 15_000
/** How long a call with a key waits for another process that holds the account file. */
const LOCK_WAIT_MS = 200
const PUBLISH_GRACE_MS = 180 * 60_000
/** How often a server that is warmed looks for a new minute. */
const AHEAD_EVERY_MS = 1_000
/** Newest sessions that are read ahead of any question: their hashes need no second look. */
const WARMED_SESSIONS = 60

export type ServerOptions = {
  readonly dataFolder: string
  /** PostgreSQL that has the accounts; without it they lie in a file of the data folder. */
  readonly databaseUrl?: string | null | undefined
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly clock: Clock
  readonly log: Log
  /** How long after its close a session's ledger may be published. */
  readonly publishGraceMs?: number
  /** Whether the minutes of an open session are expected. */
  readonly isLive?: boolean
  /** Whether what judges positions is opened once it serves, not at the first question. */
  readonly isWarmed?: boolean
  /** How often the age of the data is judged for the log. */
  readonly alarmEveryMs?: number
  /** Limits that are not the usual ones. */
  readonly connections?: Partial<ConnectionLimits>
  /** What an address may ask of the pages that need no key. */
  readonly pageLimit?: PageLimit
  /** How long one view of the state is told; 0 judges it for each who asks. */
  readonly judgedForMs?: number
  /** Port of this machine that has the metrics; null is none. */
  readonly metricsPort?: number | null
}

export type RunningServer = {
  /** Such as http://127.0.0.1:8080, without a slash at the end. */
  readonly url: string
  /** Whether no session is published yet; false where that cannot be seen. */
  readonly isEmpty: () => boolean
  readonly background: Background
  readonly connections: () => ConnectionCounts
  /** Where this machine finds the metrics, if they are told. */
  readonly metricsUrl: string | null
  /** Takes no new calls, lets those under way end, then closes the stores. */
  readonly close: () => Promise<void>
}

/** Where the account database of a data folder lies. */
export const accountFileOf = (dataFolder: string): string => join(dataFolder, 'accounts.sqlite')

/** Opens the account database: of DATABASE_URL, else of a data folder. Fails with one sentence. */
export async function openAccounts({
  dataFolder,
  databaseUrl,
  lockWaitMs,
}: Pick<ServerOptions, 'dataFolder' | 'databaseUrl'> & StoreOptions): Promise<AccountStore> {
  try {
    return await openAccountStore(databaseUrl ?? accountFileOf(dataFolder), { lockWaitMs })
  } catch (error) {
    throw new Refusal(`${(error as Error).message}.`)
  }
}

/** Starts the API on a data folder. Fails with one sentence when it cannot have the address. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { dataFolder, host, port, clock, log } = options
  const accounts = await openAccounts({ ...options, lockWaitMs: LOCK_WAIT_MS })
  const { nowMs } = clock
  const catalog = openCatalogAt(options)
  const { publishGraceMs = PUBLISH_GRACE_MS, isLive = false } = options
  const background = createBackground({ log, nowMs })
  const { judgedForMs, pageLimit } = options
  const elapsedMs = clock.isReplay ? systemClock.nowMs : nowMs
  const desk = openDesk({ nowMs: elapsedMs })
  const earlier = openEarlierLedgers(dataFolder, desk)
  const judge = openJudge(dataFolder, desk)
  const connections = holdConnections(connectionLimits(options.connections), log)
  const callsOfAddress = connections.limits.ofAddress
  const shared = { catalog, nowMs, accounts, log, elapsedMs }
  const { faults } = background
  const state = openState({ ...shared, publishGraceMs, isLive, judgedForMs, faults })
  const metrics = options.metricsPort == null ? null : openMetrics(state, desk.waiting)
  const own = { earlier, judge, state, pageLimit, background, callsOfAddress, metrics }
  const server = createHttpServer(createApp({ ...shared, ...own }), log, connections)
  metrics?.watch(server)
  let told: MetricsServer | null = null
  try {
    if (metrics) told = await serveMetrics(metrics, { port: options.metricsPort!, log })
    await listenAt(server, host, port)
  } catch (error) {
    told?.close()
    await Promise.all([accounts.close(), earlier.close(), judge.close()])
    throw refusalOf(error as NodeJS.ErrnoException, options)
  }
  const stopWork = startWork({ ...shared, ...own, server, connections }, options)
  let closing: Promise<void> | null = null
  const close = async () => {
    stopWork()
    told?.close()
    await closeServer(server)
    await Promise.all([accounts.close(), earlier.close(), judge.close()])
  }
  return {
    url: urlOf(server.address() as AddressInfo),
    isEmpty: () => {
      const seen = catalogInSight(catalog)
      return !seen.isBlind && seen.catalog.sessions().length === 0
    },
    background,
    connections: connections.count,
    metricsUrl: told?.url ?? null,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** Lets the calls under way end, for so long at most. */
async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>(done => server.close(() => done()))
  // a connection whose last call has just been answered would stay open, waiting for the next
  const sweep = setInterval(() => server.closeIdleConnections(), STOP_SWEEP_MS)
  const timer = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS)
  await closed
  clearTimeout(timer)
  clearInterval(sweep)
}

type Working = AheadDeps & {
  readonly server: Server
  readonly connections: Connections
  readonly background: Background
  readonly state: ServiceState
  readonly log: Log
}

/** Starts what a server does beside its calls; answers what ends it. */
function startWork(deps: Working, options: ServerOptions): () => void {
  const { background, server, catalog, judge, connections, state } = deps
  const taking = 'take new connections'
  server.on('error', error => background.failed(taking, error))
  server.on('connection', () => background.succeeded(taking))
  const warm = async () => {
    const found = catalog.sessions().slice(-WARMED_SESSIONS).map(catalog.find)
    const manifests = found.flatMap(one => one?.manifest ?? [])
    await judge.warm(manifests.filter(isJudgeable))
  }
  const warming = options.isWarmed
    ? setImmediate(() => background.run('read sessions ahead of any question', warm))
    : null

  const ahead = openAhead(deps)

  const tellAlarm = createAlarm(deps.log)
  const stops = [
    background.every('judge the age of the data', options.alarmEveryMs ?? ALARM_EVERY_MS, () =>
      tellAlarm(state.status()),
    ),
    background.every('look after its connections', SWEEP_MS, connections.sweep),
  ]
  if (options.isWarmed) {
    stops.push(background.every('judge a new minute ahead', AHEAD_EVERY_MS, ahead.look))
  }
  return () => {
    for (const stop of stops) stop()
    if (warming) clearImmediate(warming)
    ahead.stop()
  }
}

/**
 * Starts the API in a process that does nothing else: its log goes to the standard output, and an
 * error that nothing caught does not end it.
 */
export async function startProcess({
  logSeverity,
  ...options
}: Omit<ServerOptions, 'log'> & { readonly logSeverity: string }): Promise<RunningServer> {
  const { log, watchedBy } = openLog(logSeverity)
  const server = await startServer({ ...options, log })
  watchedBy(server.background)
  outliveErrors(server.background)
  return server
}

/** Resolves once a server listens. */
export const listenAt = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((listening, failed) => {
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      listening()
    })
  })

const urlOf = ({ family, address, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`

/** What is published, as of the clock. */
function openCatalogAt({ dataFolder, clock, log }: ServerOptions): Catalog {
  if (!clock.isReplay) return openCatalog({ dataFolder, nowMs: clock.nowMs, log })
  // files change in real time, also while a replay stands still
  const catalog = openCatalog({ dataFolder, nowMs: systemClock.nowMs, log })
  return replayCatalog(catalog, clock.nowMs)
}

/** An error of listening in one sentence, where it is one of the address. */
export function refusalOf(
  error: NodeJS.ErrnoException,
  { host, port }: Pick<ServerOptions, 'host' | 'port'>,
): Error {
  const { code = '' } = error
  if (code === 'EADDRINUSE') {
    const other = port < 65_535 ? port + 1 : 8080
    return new Refusal(`port ${port} of ${host} is taken; give another, such as --port ${other}.`)
  }
  if (code === 'EACCES') {
    return new Refusal(`port ${port} needs a right this user has not; give one such as 8080.`)
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code)) {
    return new Refusal(`${host} is no address of this machine; give one such as 127.0.0.1.`)
  }
  return error
}

/** Resolves with the name of the first signal that asks the process to stop. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise(stop => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(signal))
  })
}
