/**
 * Measures checks and replays on a folder of simulated sessions, as `tapefold history` makes one:
 * latencies of checks of five positions at 100 requests a second, and the time of replays: the
 * first one of a server, which reads its sessions, those after it, which find them cached, and one
 * of another entry minute, which reads them again. Each round starts a server and, before it, the
 * yardstick in a separate process; the medians of all rounds count.
 */

import { fork } from 'node:child_process'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { readArguments } from '../../../src/core/command.ts'
import { publishedSessions } from '../../../src/data/published/manifest.ts'
import { runCommand } from '../../command/command.ts'
import { runLoad } from './load.ts'
import { median } from './meter.ts'
import { addKeys, authorize, receiveMessage, startApi, stop } from './processes.ts'
import type { ReplayYardstick } from './replayYardstick.ts'
import { formatRows } from './report.ts'
import type { Rows } from './section.ts'

const USAGE = `usage: the bench of tapefold positions:
  node pipelines/measure/bench/positions.ts --data DIR

Measures checks and replays on a folder that "tapefold history" made.
`
const MINUTES = ['10:30', '11:30', '13:00', '14:00', '15:30'] as const
const SECONDS = 4
const REQUESTS_PER_SECOND = 100
const CONNECTIONS = 10
/** Delay after a server's start, so that it is in the same state in every run. */
const SETTLE_MS = 2_000
/** Servers started, each measured on its first replay. */
const ROUNDS = 5
/**
 * Entry minutes of the five positions: the last differs from the others, and none is the one that a
 * server reads ahead.
 */
const ENTRIES = ['11:10', '11:10', '11:10', '11:10', '13:15'] as const

/** A server, and an account with five positions near the index. */
async function servePositions(dataFolder: string) {
  const api = await startApi(dataFolder, { TAPEFOLD_LOG: 'info' })
  await new Promise(settled => setTimeout(settled, SETTLE_MS))
  const account = { plan: 'orders_team', scope: 'orders', accounts: 1, keys: 1 } as const
  const [key] = await addKeys(dataFolder, account)
  const headers = authorize(key!)
  const send = async (path: string, body?: object) => {
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const startMs = performance.now()
    const response = await fetch(`${api.url}/api/positions${path}`, { headers, ...sent })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} is ${response.status}: ${text}`)
    return { content: JSON.parse(text), ms: performance.now() - startMs }
  }
  const add = async (legs: object, entry: string): Promise<string> => {
    const position = { kind: 'strangle', legs, entry }
    return (await send('', { op: 'add', position })).content.id
  }
  // the index follows from the distance of one strike
  const day = publishedSessions(dataFolder).at(-1)!
  const near = await add({ sp: 5, sc: 10 }, '10:30')
  const { content } = await send(`/check?day=${day}&t=10:30&id=${near}`)
  await send('', { op: 'remove', position: { id: near } })
  const spot = 5 * Math.round((content.checks[0].shorts[0].points + 5) / 5)
  const ids: string[] = []
  for (const [index, entry] of ENTRIES.entries()) {
    const width = 30 + 5 * index
    ids.push(await add({ sp: spot - width, sc: spot + width }, entry))
  }
  return { api, headers, send, ids, day }
}

async function measureChecks(dataFolder: string): Promise<Rows> {
  const { api, headers, send, day } = await servePositions(dataFolder)
  try {
    const rows: Record<string, Rows[string]> = {}
    for (const minute of MINUTES) {
      const query = `/check?day=${day}&t=${minute}`
      const { ms } = await send(query)
      const requests = [{ path: `/api/positions${query}`, headers }]
      const load = {
        name: 'checks',
        everyMs: (1000 * CONNECTIONS) / REQUESTS_PER_SECOND,
        connections: Array.from({ length: CONNECTIONS }, () => requests),
      }
      const { checks } = await runLoad({ url: api.url, seconds: SECONDS, loads: [load] })
      const { requests: count, failed, p50_ms, p99_ms } = checks!
      rows[`check of 5 at ${minute}`] = { first_ms: ms, p50_ms, p99_ms, requests: count, failed }
    }
    return rows
  } finally {
    await stop(api)
  }
}

async function measureReplays(dataFolder: string, count: number): Promise<Rows> {
  const rounds: Record<string, number>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const script = join(import.meta.dirname, 'replayYardstick.ts')
    const child = fork(script, [dataFolder, String(count), ENTRIES[0]])
    const { hashes, query } = await receiveMessage<ReplayYardstick>(child, 'the yardstick')
    const { api, send, ids } = await servePositions(dataFolder)
    try {
      const times: number[] = []
      // the first one reads data that no check has read
      for (const id of ids) times.push((await send(`/entries?id=${id}&replay=${count}`)).ms)
      rounds.push({
        'first replay': times[0]!,
        'the same minute again': median(times.slice(1, -1)),
        'another minute': times.at(-1)!,
        'yardstick: hashing its files': hashes,
        'yardstick: one query': query,
      })
    } finally {
      await stop(api)
    }
  }
  return Object.fromEntries(
    Object.keys(rounds[0]!).map(name => [
      `${count} sessions, ${name}`,
      { p50_ms: median(rounds.map(round => round[name]!)) },
    ]),
  )
}

if (import.meta.main) {
  runCommand(async () => {
    const { values } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      options: { data: { type: 'string', default: 'data/history' } },
    })
    const published = publishedSessions(values.data).length
    process.stdout.write(`${formatRows(await measureChecks(values.data))}\n`)
    for (const count of [60, 1000].filter(wanted => wanted <= published)) {
      process.stdout.write(`\n${formatRows(await measureReplays(values.data, count))}\n`)
    }
  })
}
