import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type AccountStore, openAccountStore } from './accounts/store.ts'
import { createAlarm } from './alarm.ts'
import { createApp } from './app.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Log } from './http/request.ts'
import { createHttpServer } from './http/server.ts'
import { openJudge } from './positions/judge.ts'
import { type Catalog, openCatalog } from './store/catalog.ts'
import { openKnownLedgers } from './store/known.ts'
import { isJudgeable } from './store/markets.ts'
import { Refusal } from './store/refusal.ts'
import { replayCatalog } from './store/replay.ts'
import { judgeStatus } from './store/status.ts'

/** How long calls under way may take to end once the server was told to stop. */
const STOP_GRACE_MS = 5_000
const SWEEP_MS = 20
/** How often the age of the data is judged for the log. */
const ALARM_EVERY_MS = 15_000
const PUBLISH_GRACE_MS = 180 * 60_000
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
}

export type RunningServer = {
  /** Such as http://127.0.0.1:8080, without a slash at the end. */
  readonly url: string
  /** Days with a ledger by now, oldest first. */
  readonly sessions: Catalog['sessions']
  /** Takes no new calls, lets those under way end, then closes the stores. */
  readonly close: () => Promise<void>
}

/** Where the account database of a data folder lies. */
export const accountFileOf = (dataFolder: string): string => join(dataFolder, 'accounts.sqlite')

/** Opens the account database: of DATABASE_URL, else of a data folder. Fails with one sentence. */
export async function openAccounts({
  dataFolder,
  databaseUrl,
}: Pick<ServerOptions, 'dataFolder' | 'databaseUrl'>): Promise<AccountStore> {
  try {
    return await openAccountStore(databaseUrl ?? accountFileOf(dataFolder))
  } catch (error) {
    throw new Refusal(`${(error as Error).message}.`)
  }
}

/** Starts the API on a data folder. Fails with one sentence when it cannot have the address. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { dataFolder, host, port, clock, log } = options
  const accounts = await openAccounts(options)
  const { nowMs } = clock
  const catalog = openCatalogAt(options)
  const known = openKnownLedgers(dataFolder)
  const judge = openJudge(dataFolder)
  const { publishGraceMs = PUBLISH_GRACE_MS, isLive = false } = options
  const status = { catalog, nowMs, publishGraceMs, isLive }
  const elapsedMs = clock.isReplay ? systemClock.nowMs : nowMs
  const app = createApp({ ...status, known, accounts, judge, log, elapsedMs })
  const server = createHttpServer(app, log)
  try {
    await new Promise<void>((listening, failed) => {
      server.once('error', failed)
      server.listen(port, host, listening)
    })
  } catch (error) {
    await Promise.all([accounts.close(), known.close(), judge.close()])
    throw refusalOf(error as NodeJS.ErrnoException, options)
  }
  const address = server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address

  const warm = async () => {
    const found = catalog.sessions().slice(-WARMED_SESSIONS).map(catalog.find)
    const manifests = found.flatMap(one => one?.manifest ?? [])
    await judge.warm(manifests.filter(isJudgeable))
  }
  // in the background: nobody waits for it, and what fails is told by the first question
  const warming = options.isWarmed ? setImmediate(() => warm().catch(() => {})) : null

  const tellAlarm = createAlarm(log)
  const watch = setInterval(() => tellAlarm(judgeStatus(status)), ALARM_EVERY_MS)
  let closing: Promise<void> | null = null
  const close = async () => {
    clearInterval(watch)
    if (warming) clearImmediate(warming)
    const closed = new Promise<void>(done => server.close(() => done()))
    // a connection whose last call has just been answered would stay open, waiting for the next
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    const timer = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS)
    await closed
    clearTimeout(timer)
    clearInterval(sweep)
    await Promise.all([accounts.close(), known.close(), judge.close()])
  }
  return {
    url: `http://${name}:${address.port}`,
    sessions: catalog.sessions,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}

/** What is published, as of the clock. */
function openCatalogAt({ dataFolder, clock, log }: ServerOptions): Catalog {
  if (!clock.isReplay) return openCatalog({ dataFolder, nowMs: clock.nowMs, log })
  // files change in real time, also while a replay stands still
  const catalog = openCatalog({ dataFolder, nowMs: systemClock.nowMs, log })
  return replayCatalog(catalog, clock.nowMs)
}

function refusalOf(error: NodeJS.ErrnoException, { host, port }: ServerOptions): Error {
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
