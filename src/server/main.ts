import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AreaDeps, openAreas } from '../accounts/area.ts'
import { type Clock, monotonicMs, systemClock } from '../core/clock.ts'
import { MINUTE_MS } from '../core/market/calendar.ts'
import { type Catalog, openCatalog } from '../data/published/catalog.ts'
import { catalogInSight } from '../data/published/inSight.ts'
import { replayCatalog } from '../data/published/replay.ts'
import type { ModelSettings } from '../platform/config.ts'
import {
  type ConnectionCounts,
  type ConnectionLimits,
  type Connections,
  connectionLimits,
  holdConnections,
  SWEEP_MS,
} from '../platform/http/connections.ts'
import type { PageLimit } from '../platform/http/pages.ts'
import type { Log } from '../platform/http/request.ts'
import { createHttpServer } from '../platform/http/server.ts'
import { NO_NOTICES, type NoticeSettings, openNotices } from '../platform/notices/notices.ts'
import { openRequestScheduler, type RequestScheduler } from '../platform/pool/requestScheduler.ts'
import type { HostResolver } from '../platform/webhooks/resolver.ts'
import { webhookTools } from '../platform/webhooks/tools.ts'
import { openAccounts, type ServerStore } from './accountStore.ts'
import { type AreaInUse, createApp } from './app.ts'
import { AREAS, type ServedArea } from './areas.ts'
import { type Background, createBackground, outliveErrors } from './background.ts'
import { CLOCK_LOOK_MS, type ClockWatch, watchClock } from './clockWatch.ts'
import { closeServer, formatUrl, listenAt, listenRefusal } from './listen.ts'
import { openLog } from './log.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { type MetricsServer, serveMetrics } from './metricsServer.ts'

const ALARM_EVERY_MS = 15_000
/** Time a call with a key waits for another process that has locked the account file. */
const LOCK_WAIT_MS = 200
const PUBLISH_GRACE_MS = 180 * MINUTE_MS
/** Interval at which a folder of thousands of sessions is looked at, for requests to come. */
const SESSIONS_LOOK_MS = 250

export type ServerOptions = {
  /** Served areas; all, except in tests. */
  readonly areas?: readonly ServedArea[]
  readonly dataFolder: string
  /** PostgreSQL database of the accounts; without it they are in a file of the data folder. */
  readonly databaseUrl?: string | null | undefined
  readonly host: string
  /** 0 takes any free port. */
  readonly port: number
  readonly clock: Clock
  readonly log: Log
  /** Grace period after its close for publishing a session's ledger. */
  readonly publishGraceMs?: number
  /** True when the minutes of an open session are expected. */
  readonly isLive?: boolean
  /** True when files derived from a vendor's tape may be redistributed. */
  readonly sharesPrints?: boolean
  /** Public address, such as https://tapefold.example; by default the address it listens on. */
  readonly publicUrl?: string | null
  /** True when browsers must use TLS for this server's subdomains too. */
  readonly coversSubdomains?: boolean
  /** Exceptions to the rules for webhook addresses, each `host:port`. */
  readonly webhookAllowed?: readonly string[]
  /** Key that encrypts the secrets of webhooks; by default it is in a file of the data folder. */
  readonly secretKey?: Buffer | null
  /** Resolver of host names; defaults to DNS. */
  readonly resolveHost?: HostResolver
  /** Issuer of OAuth tokens for it; none by default. */
  readonly oauthIssuer?: string | null
  /** Language model of LAB; none by default. */
  readonly model?: ModelSettings | null
  /** True to open the positions engine at the start, not at the first request. */
  readonly isWarmed?: boolean
  /** Interval of the checks of the data's age for the log. */
  readonly alarmEveryMs?: number
  /** Overrides of the default limits. */
  readonly connections?: Partial<ConnectionLimits>
  /** Limit per address for pages without a key. */
  readonly pageLimit?: PageLimit
  /** Time one view of the status is cached; 0 computes it for each request. */
  readonly judgedForMs?: number
  /** Metrics port on this machine; null for none. */
  readonly metricsPort?: number | null
  /** Settings for mail and Telegram messages; by default none are sent. */
  readonly notices?: NoticeSettings
}

export type RunningServer = {
  /** Such as http://127.0.0.1:8080, without a trailing slash. */
  readonly url: string
  /** True when no session is published yet; false when that cannot be determined. */
  readonly isEmpty: () => boolean
  readonly background: Background
  readonly log: Log
  readonly connections: () => ConnectionCounts
  /** Address of the metrics on this machine, if they are served. */
  readonly metricsUrl: string | null
  /** Refuses new calls, lets those in progress end, then closes the stores. */
  readonly close: () => Promise<void>
}

/** Starts the API on a data folder. Fails with one sentence when the address is not available. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { host, port, clock, log } = options
  const accounts = await openAccounts({ ...options, lockWaitMs: LOCK_WAIT_MS })
  const { nowMs } = clock
  const catalog = openCatalogAt(options)
  const background = createBackground({ log, nowMs })
  const clockWatch = watchClock({ wallMs: systemClock.nowMs, monotonicMs, log })
  const faults = () => [...background.faults(), ...clockWatch.faults()]
  const elapsedMs = clock.isReplay ? systemClock.nowMs : nowMs
  const scheduler = openRequestScheduler({ nowMs: elapsedMs })
  const { pageLimit, publicUrl = null, coversSubdomains = false } = options
  const limits = connectionLimits(options.connections)
  const connections = holdConnections(limits, log, coversSubdomains)
  const notices = openNotices(options.notices ?? NO_NOTICES, monotonicMs)
  const shared = { accounts, log, nowMs, elapsedMs, notices }
  const areas = openServedAreas({ ...shared, catalog, scheduler, faults }, options)
  const metrics = options.metricsPort == null ? null : createMetrics(areas, scheduler)
  const bounds = {
    pageLimit,
    publicUrl,
    coversSubdomains,
    callsOfAddress: connections.limits.ofAddress,
  }
  const app = createApp({ ...shared, ...bounds, areas, metrics })
  const server = createHttpServer(app, log, connections)
  metrics?.watch(server)
  const closeStores = async () => {
    notices.close()
    await Promise.all([accounts.close(), ...areas.map(one => one.open.close?.())])
  }
  // the catalog reports the files that cannot be read
  const lookForSessions = () => void catalogInSight(catalog)
  // all manifests are read before the first request, not by it
  lookForSessions()
  let metricsServer: MetricsServer | null = null
  try {
    if (metrics) metricsServer = await serveMetrics(metrics, { port: options.metricsPort!, log })
    await listenAt(server, host, port)
  } catch (error) {
    metricsServer?.close()
    await closeStores()
    throw listenRefusal(error as NodeJS.ErrnoException, options)
  }
  const work = { areas, background, server, connections, clockWatch, lookForSessions }
  const stopWork = startWork(work, options)
  let closing: Promise<unknown> | null = null
  const close = async () => {
    stopWork()
    metricsServer?.close()
    await closeServer(server)
    await closeStores()
  }
  return {
    url: formatUrl(server.address() as AddressInfo),
    isEmpty: () => {
      const seen = catalogInSight(catalog)
      return !seen.isBlind && seen.catalog.sessions().length === 0
    },
    background,
    log,
    connections: connections.count,
    metricsUrl: metricsServer?.url ?? null,
    close: async () => {
      closing ??= close()
      await closing
    },
  }
}

type Given = Pick<
  AreaDeps<RequestScheduler, ServerStore>,
  'accounts' | 'notices' | 'log' | 'nowMs' | 'elapsedMs' | 'catalog' | 'scheduler' | 'faults'
>

function openServedAreas(given: Given, options: ServerOptions): AreaInUse[] {
  const { dataFolder, judgedForMs, isWarmed = false, isLive = false } = options
  const { isReplay = false } = options.clock
  const { sharesPrints = false } = options
  const { publishGraceMs = PUBLISH_GRACE_MS, alarmEveryMs = ALARM_EVERY_MS } = options
  const statusOptions = { isWarmed, isLive, isReplay, sharesPrints, publishGraceMs, alarmEveryMs }
  const { areas = AREAS, publicUrl = null, oauthIssuer = null } = options
  const webhooks = webhookTools(options, options.resolveHost)
  const locations = { dataFolder, publicUrl, oauthIssuer, model: options.model ?? null }
  const deps = { ...given, ...statusOptions, ...locations, judgedForMs, webhooks }
  return openAreas(areas, deps).areas
}

const createMetrics = (areas: readonly AreaInUse[], scheduler: RequestScheduler): Metrics =>
  openMetrics(
    areas.flatMap(({ open }) => open.measure ?? []),
    scheduler.waiting,
  )

type Working = {
  readonly areas: readonly AreaInUse[]
  readonly server: Server
  readonly connections: Connections
  readonly background: Background
  readonly clockWatch: ClockWatch
  readonly lookForSessions: () => void
}

/** Starts the background work of a server; returns a function that stops it. */
function startWork(
  { areas, background, server, connections, clockWatch, lookForSessions }: Working,
  { isWarmed }: ServerOptions,
): () => void {
  const taking = 'take new connections'
  server.on('error', error => background.failed(taking, error))
  server.on('connection', () => background.succeeded(taking))
  const warm = () => Promise.all(areas.map(({ open }) => open.warm?.()))
  const warming = isWarmed
    ? setImmediate(() => background.run('read sessions ahead of any question', warm))
    : null
  const sweep = { name: 'look after its connections', everyMs: SWEEP_MS, run: connections.sweep }
  const look = { name: 'look at its clock', everyMs: CLOCK_LOOK_MS, run: clockWatch.look }
  const sessions = { name: 'look for sessions', everyMs: SESSIONS_LOOK_MS, run: lookForSessions }
  const works = [...areas.flatMap(({ open }) => open.work ?? []), sweep, look, sessions]
  const stops = works.map(({ name, everyMs, run }) => background.every(name, everyMs, run))
  return () => {
    background.stop()
    for (const stop of stops) stop()
    if (warming) clearImmediate(warming)
    for (const { open } of areas) open.stop?.()
  }
}

/**
 * Starts the API in a process of its own: logs to standard output, and survives uncaught errors.
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

/** Opens the catalog of published data, as of the clock. */
function openCatalogAt({ dataFolder, clock, log }: ServerOptions): Catalog {
  if (!clock.isReplay) return openCatalog({ dataFolder, nowMs: clock.nowMs, log, sharesTurn: true })
  // files change in real time, also while a replay stands still
  const catalog = openCatalog({ dataFolder, nowMs: systemClock.nowMs, log, sharesTurn: true })
  return replayCatalog(catalog, clock.nowMs)
}
