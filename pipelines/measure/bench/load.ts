/**
 * The load of the API's measurement, in a process of its own: takes one job over the channel,
 * answers what it saw, and ends.
 */

import { performance } from 'node:perf_hooks'
import { type Answered, type BenchConnection, openConnection } from './client.ts'

/** What to ask, and how hard. Every key is another account's; they are used in turn. */
export type LoadJob = {
  readonly port: number
  readonly path: string
  readonly keys: readonly string[]
  /** What a right answer weighs. */
  readonly bodyBytes: number
  readonly seconds: number
} & (
  | { readonly kind: 'closed'; readonly connections: number }
  | { readonly kind: 'open'; readonly requestsPerSecond: number }
)

/** What was answered; anything that is no 200 with the expected bytes counts as a failure. */
export type LoadResult = {
  readonly requests: number
  readonly failures: number
  readonly seconds: number
  /** Of the open load alone: milliseconds from each request's scheduled time to its last byte. */
  readonly latenciesMs: readonly number[]
}

/** From here on to the scheduled time the load spins: timers are a millisecond coarse. */
const SPIN_MS = 2
const START_MS = 50

const requestsOf = ({ path, keys }: LoadJob): Buffer[] =>
  keys.map(key =>
    Buffer.from(
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: br\r\n` +
        `Authorization: Bearer ${key}\r\n\r\n`,
    ),
  )

/** So many connections, each asking again as soon as it was answered. */
async function loadClosed(job: LoadJob & { kind: 'closed' }): Promise<LoadResult> {
  const requests = requestsOf(job)
  const startMs = performance.now()
  const endMs = startMs + job.seconds * 1000
  let answers = 0
  let failures = 0
  const askOn = async (index: number) => {
    const connection = openConnection(job.port)
    const request = requests[index % requests.length]!
    while (performance.now() < endMs) {
      if (isRight(await connection.ask(request), job)) answers++
      else failures++
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: job.connections }, (_, index) => askOn(index)))
  const seconds = (performance.now() - startMs) / 1000
  return { requests: answers, failures, seconds, latenciesMs: [] }
}

/**
 * A fixed schedule of arrivals, whether or not the answers keep up: a server that stalls is asked
 * all the same, and the wait of every request behind it counts.
 */
async function loadOpen(job: LoadJob & { kind: 'open' }): Promise<LoadResult> {
  const requests = requestsOf(job)
  const total = Math.round(job.requestsPerSecond * job.seconds)
  const idle: BenchConnection[] = []
  const latenciesMs: number[] = []
  let failures = 0
  const ask = async (index: number, dueMs: number) => {
    const connection = idle.pop() ?? openConnection(job.port)
    const answer = await connection.ask(requests[index % requests.length]!)
    if (isRight(answer, job)) latenciesMs.push(performance.now() - dueMs)
    else failures++
    idle.push(connection)
  }
  const startMs = performance.now() + START_MS
  const asked: Promise<void>[] = []
  for (let index = 0; index < total; index++) {
    const dueMs = startMs + (index * 1000) / job.requestsPerSecond
    await until(dueMs)
    asked.push(ask(index, dueMs))
  }
  await Promise.all(asked)
  for (const connection of idle) connection.close()
  const seconds = (performance.now() - startMs) / 1000
  return { requests: latenciesMs.length, failures, seconds, latenciesMs }
}

const isRight = (answer: Answered, job: LoadJob) =>
  answer.status === 200 && answer.bodyBytes === job.bodyBytes

function until(dueMs: number): Promise<void> {
  return new Promise(resolve => {
    const look = () => {
      const waitMs = dueMs - performance.now()
      if (waitMs <= 0) resolve()
      else if (waitMs > SPIN_MS) setTimeout(look, waitMs - SPIN_MS)
      else setImmediate(look)
    }
    look()
  })
}

if (import.meta.main) {
  process.once('message', async (job: LoadJob) => {
    const result = job.kind === 'closed' ? await loadClosed(job) : await loadOpen(job)
    process.send!(result, () => process.disconnect())
  })
}
