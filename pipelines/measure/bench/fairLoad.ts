/**
 * A load of several accounts, in a separate process: takes one job over the channel, sends back its
 * results, and ends.
 */

import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { openConnection } from './client.ts'

/** Requests of one connection, repeated from the first on. */
export type Asking = {
  /** Name that its results are grouped by. */
  readonly name: string
  /** Null sends no key. */
  readonly key: string | null
  readonly paths: readonly string[]
  /** Bodies that are sent in rotation with POST; without them, GET. */
  readonly bodies?: readonly string[]
  /** Interval of the requests; null sends the next one as soon as the response is complete. */
  readonly everyMs: number | null
}

export type FairJob = {
  readonly port: number
  readonly seconds: number
  readonly askings: readonly Asking[]
}

/** Results of the requests of a name; latencies in milliseconds, of those with status 200. */
export type Seen = {
  latenciesMs: number[]
  refused: number
  failed: number
}

const REFUSALS: readonly number[] = [429, 503]

type Sent = Pick<Asking, 'key'> & { readonly path: string; readonly body: string | undefined }

const buildRequest = ({ path, key, body }: Sent): Buffer =>
  Buffer.from(
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
      `Accept-Encoding: gzip\r\n${key === null ? '' : `Authorization: Bearer ${key}\r\n`}` +
      `${body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`}` +
      `\r\n${body ?? ''}`,
  )

async function sendRequests({ port, seconds }: FairJob, asking: Asking, seen: Seen): Promise<void> {
  const { key, paths, bodies, everyMs } = asking
  const startMs = performance.now() + (everyMs ?? 0) * Math.random()
  const endMs = startMs + seconds * 1000
  let connection = openConnection(port)
  for (let number = 0; performance.now() < endMs; number++) {
    const dueMs = everyMs === null ? performance.now() : startMs + number * everyMs
    const waitMs = dueMs - performance.now()
    if (waitMs > 0) await wait(waitMs)
    try {
      const [path, body] = [paths[number % paths.length]!, bodies?.[number % bodies.length]]
      const { status } = await connection.send(buildRequest({ path, key, body }))
      if (status === 200) seen.latenciesMs.push(performance.now() - dueMs)
      else if (REFUSALS.includes(status)) seen.refused += 1
      else seen.failed += 1
    } catch {
      // the server may close a connection with too many requests
      seen.failed += 1
      connection.close()
      await wait(50)
      connection = openConnection(port)
    }
  }
  connection.close()
}

async function load(job: FairJob): Promise<Record<string, Seen>> {
  const seen: Record<string, Seen> = {}
  for (const { name } of job.askings) seen[name] ??= { latenciesMs: [], refused: 0, failed: 0 }
  await Promise.all(job.askings.map(asking => sendRequests(job, asking, seen[asking.name]!)))
  return seen
}

if (import.meta.main) {
  process.once('message', async (job: FairJob) => {
    process.send!(await load(job), () => process.disconnect())
  })
}
