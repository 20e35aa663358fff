/** One response of a source as a file of the inbox: exactly once, whole, checked on the way in. */

import {
  createReadStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fsyncFile, publishFile, writeAtomically } from '../../src/core/disk/files.ts'
import { MINUTE_MS } from '../../src/core/market/calendar.ts'
import { grouped } from '../../src/core/text/counts.ts'
import { parseJson } from '../../src/data/dictionary/manifestText.ts'
import {
  type ResponseRecord,
  removeRecord,
  removeResponse,
  responsePath,
  writeResponse,
} from '../../src/data/fetched/responses.ts'
import { openBodyFile } from './bodyFile.ts'
import type { SourceClient, SourceResponse } from './client.ts'
import { type Inspected, openInspection, WrongContent } from './inspect.ts'
import {
  type DataSource,
  FetchProblem,
  type FileVersion,
  formatRequest,
  isRetried,
  type Part,
  partName,
  type SmallCall,
} from './source.ts'

export type TransferDeps = {
  readonly dataFolder: string
  readonly source: DataSource
  readonly client: SourceClient
  readonly nowMs: () => number
  /** Waits before another attempt, in ms. */
  readonly wait: (ms: number) => Promise<unknown>
  /** A number from 0 to 1, which spreads the attempts of many. */
  readonly random: () => number
  /** Called with the bytes of each piece that came, and its part. */
  readonly onBytes?: (count: number, part: Part) => void
  /** Version of the part as the source lists it. */
  readonly version?: FileVersion | undefined
}

/** Delays before the second attempt and later ones, in ms. */
export const ATTEMPT_DELAYS_MS = [1_000, 4_000, 15_000, 60_000]
/** Longest time a source may ask to wait; a longer one ends the command. */
export const RETRY_AFTER_MAX_MS = 5 * MINUTE_MS
const REFUSED = 'inbox/refused'

/**
 * Fetches a part that is not stored yet. What an attempt left is continued where the source sends
 * the rest of a file; otherwise it begins again. Fails with a FetchProblem when the attempts are
 * used up, or when another one cannot help.
 */
export async function fetchPart(part: Part, deps: TransferDeps): Promise<ResponseRecord> {
  let before = 0
  const attempt = () => {
    before = partialBytes(part, deps)
    return attemptPart(part, deps)
  }
  // a file of many gigabytes may break off often, and come further each time
  const isFurther = () => part.isRanged && partialBytes(part, deps) > before
  return retry(attempt, deps, isFurther)
}

type RetryDeps = Pick<TransferDeps, 'wait' | 'random'>

/** Sends small requests, such as those for lists and prices, as often as files are requested. */
export const retriedCall =
  (deps: RetryDeps & Pick<TransferDeps, 'client'>): SmallCall =>
  request =>
    retry(() => deps.client.call(request), deps)

/** Repeats what may succeed a little later, until the attempts without progress are used up. */
async function retry<T>(
  run: () => Promise<T>,
  deps: RetryDeps,
  isFurther = () => false,
): Promise<T> {
  for (let attempt = 0; ; ) {
    try {
      return await run()
    } catch (problem) {
      if (!(problem instanceof FetchProblem) || !isRetried(problem)) throw problem
      if (isFurther()) attempt = 0
      const delayMs = ATTEMPT_DELAYS_MS[attempt++]
      if (delayMs === undefined) throw problem
      const waitMs = problem.retryAfterMs ?? delayMs * (0.5 + deps.random())
      if (waitMs > RETRY_AFTER_MAX_MS) throw waitProblem(problem, waitMs)
      await deps.wait(waitMs)
    }
  }
}

/** The problem of a source that takes the request again only much later. */
function waitProblem({ kind, message }: FetchProblem, waitMs: number): FetchProblem {
  const minutes = Math.ceil(waitMs / MINUTE_MS)
  const days = Math.ceil(minutes / (24 * 60))
  const wait = `asks to wait ${days > 2 ? `${grouped(days)} days` : `${minutes} minutes`}`
  return new FetchProblem(kind, `${message.replace(/\.$/, '')} and ${wait}.`, waitMs)
}

/** Name of the file while it comes; a spool folder ignores it. */
const partialPath = (part: Part, { dataFolder, source }: TransferDeps): string =>
  `${responsePath(dataFolder, { ...part, source: source.name })}.part`

const partialBytes = (part: Part, deps: TransferDeps): number =>
  statSync(partialPath(part, deps), { throwIfNoEntry: false })?.size ?? 0

/** Version of the file whose first bytes are there; null where they cannot be continued. */
function readPartialVersion(part: Part, deps: TransferDeps): string | null {
  const path = `${partialPath(part, deps)}.json`
  if (!part.isRanged || !existsSync(path)) return null
  const stored = parseJson(readFileSync(path, 'utf8')) as { version?: unknown } | undefined
  return typeof stored?.version === 'string' ? stored.version : null
}

async function attemptPart(part: Part, deps: TransferDeps): Promise<ResponseRecord> {
  const { source, client } = deps
  const path = partialPath(part, deps)
  mkdirSync(dirname(path), { recursive: true })
  const version = readPartialVersion(part, deps)
  // from the last byte that is there: a range behind the end of a whole file is refused
  const offset = version === null ? 0 : Math.max(0, partialBytes(part, deps) - 1)
  const headers = {
    'accept-encoding': part.isRanged ? 'identity' : 'gzip, zstd',
    ...(offset > 0 && version !== null ? { range: `bytes=${offset}-`, 'if-range': version } : {}),
  }
  const controller = new AbortController()
  let response: SourceResponse
  try {
    response = await client.send(part.request, headers, controller.signal)
  } catch (error) {
    if (error instanceof FetchProblem && isRangeRefused(error)) {
      removePartial(path)
      throw new FetchProblem('unavailable', `${source.name} replaced ${partName(part)} meanwhile.`)
    }
    throw error
  }
  const isContinued = response.status === 206 && startsAt(response, offset) && offset > 0
  const etag = response.header('etag')
  try {
    const isWhole = source.remarks !== undefined && response.header('content-range') === null
    if (response.status === 206 && !isContinued && !isWhole) {
      const why = `sent only a part of what was requested for ${partName(part)}`
      throw new FetchProblem('wrong_content', `${source.name} ${why} (206); nothing was stored.`)
    }
    const inspected = await receive(part, deps, {
      path,
      response,
      offset: isContinued ? offset : 0,
    })
    const remarks = source.remarks?.(response).map(client.redact) ?? []
    return store(part, deps, { path, inspected, version: findVersion(part, deps, etag), remarks })
  } catch (error) {
    if (!(error instanceof WrongContent)) throw error
    const why = client.redact(error.message)
    storeRefused(part, deps, path, why)
    throw new FetchProblem(
      error.isCut ? 'unavailable' : 'wrong_content',
      `${source.name} sent a file for ${partName(part)} that ${why}; it lies in ` +
        `${REFUSED}, and nothing of it was imported.`,
    )
  } finally {
    controller.abort()
    if (!part.isRanged) removePartial(path)
  }
}

/** Version of what came; a file may be replaced between the list and its request. */
const findVersion = (part: Part, { version }: TransferDeps, etag: string | null) =>
  (part.isRanged ? (etag ?? version?.version) : (version?.version ?? etag)) ?? null

/** True for a range that no longer fits the file. */
const isRangeRefused = ({ kind, message }: FetchProblem): boolean =>
  kind === 'bad_request' && /\b416\b/.test(message)

const startsAt = (response: SourceResponse, offset: number): boolean =>
  response.header('content-range')?.startsWith(`bytes ${offset}-`) ?? false

type Receiving = {
  readonly path: string
  readonly response: SourceResponse
  /** Bytes of the file that are there already. */
  readonly offset: number
}

/** Writes the body behind the bytes that are there; all of them are checked. */
async function receive(part: Part, deps: TransferDeps, { path, response, offset }: Receiving) {
  const inspection = openInspection(part)
  if (offset > 0) {
    const stored = createReadStream(path, { end: offset - 1, highWaterMark: 1 << 20 })
    for await (const chunk of stored) await inspection.take(chunk as Buffer)
  }
  const output = openBodyFile(path, offset)
  try {
    if (offset === 0 && part.isRanged) {
      const version = response.header('etag')
      // without a version nothing says that the rest is of the same file
      if (version === null) rmSync(`${path}.json`, { force: true })
      else writeAtomically(`${path}.json`, JSON.stringify({ version }))
    }
    // stored as they come, packed or not: the inspection unpacks them
    for await (const chunk of response.body) {
      await inspection.take(chunk)
      await output.add(chunk)
      deps.onBytes?.(chunk.length, part)
    }
  } finally {
    await output.close()
  }
  return inspection.finish()
}

type Received = {
  readonly path: string
  readonly inspected: Inspected
  readonly version: string | null
  readonly remarks: string[]
}

/** Gives the file its name, then its record: a reader sees both or none. */
function store(part: Part, deps: TransferDeps, { path, inspected, version, remarks }: Received) {
  const { dataFolder, source } = deps
  if (inspected.rows === 0 && !part.mayBeEmpty) {
    removePartial(path)
    throw new FetchProblem('no_data', `${source.name} has no rows for ${partName(part)}.`)
  }
  const record = toRecord(part, deps, { ...inspected, version, remarks })
  // of an earlier version, or of a run that was killed between the two
  removeResponse(dataFolder, record)
  publishFile(path, responsePath(dataFolder, record))
  rmSync(`${path}.json`, { force: true })
  writeResponse(dataFolder, record)
  return record
}

/** Stores that a source has nothing for a part, so that it is not requested again. */
export function storeNothing(part: Part, deps: TransferDeps): ResponseRecord {
  const record = toRecord(part, deps, { bytes: 0, sha256: '', rows: 0, version: null })
  writeResponse(deps.dataFolder, record)
  return record
}

const toRecord = (
  part: Part,
  { source, nowMs, version }: TransferDeps,
  made: Inspected & Pick<ResponseRecord, 'version'> & Partial<Pick<ResponseRecord, 'remarks'>>,
): ResponseRecord => ({
  format: 1,
  source: source.name,
  day: part.day,
  file: part.file,
  request: formatRequest(part.request),
  fetched_at: new Date(nowMs()).toISOString(),
  remarks: [],
  ...made,
  imported_at: null,
  restated_as: null,
  is_degraded: version?.isDegraded ?? false,
  collected_at: null,
})

function removePartial(path: string): void {
  rmSync(path, { force: true })
  rmSync(`${path}.json`, { force: true })
}

/**
 * Moves a stored response that cannot be imported to the refused files, its record first: the next
 * fetch asks for it again. Returns the sentence about it.
 */
export function refuseStored(part: Part, deps: RefusalDeps, reason: string): string {
  const { dataFolder, source } = deps
  const key = { ...part, source: source.name }
  const path = responsePath(dataFolder, key)
  const why = reason.replaceAll(path, part.file).replace(/\.$/, '')
  removeRecord(dataFolder, key)
  storeRefused(part, deps, path, why)
  return (
    `${source.name} sent a file for ${partName(part)} that cannot be imported (${why}); it lies in ` +
    `${REFUSED}, and the next fetch asks for it again.`
  )
}

type RefusalDeps = Pick<TransferDeps, 'dataFolder' | 'source' | 'nowMs'>

/** Moves a wrong file to a place where a person may look at it. */
function storeRefused(part: Part, deps: RefusalDeps, path: string, why: string): void {
  const { dataFolder, source, nowMs } = deps
  const folder = join(dataFolder, REFUSED)
  mkdirSync(folder, { recursive: true })
  const name = `${source.name}-${part.day}-${part.file}`
  if (existsSync(path)) {
    fsyncFile(path)
    renameSync(path, join(folder, name))
  }
  rmSync(`${path}.json`, { force: true })
  const reason = {
    request: formatRequest(part.request),
    at: new Date(nowMs()).toISOString(),
    reason: why,
  }
  writeAtomically(join(folder, `${name}.json`), `${JSON.stringify(reason, null, 2)}\n`)
}
