/**
 * Checks and replays on simulated sessions, as `tapefold history` makes them: latencies of checks of
 * five positions at 100 requests a second, and the time of replays: the first one of a server, which
 * reads its sessions, those after it, which find them cached, and one of another entry minute, which
 * reads them again. Each round starts a server and, before it, the yardstick in a separate process.
 */

import { fork } from 'node:child_process'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { publishedSessions } from '../../../src/data/published/manifest.ts'
import { silent } from '../../command/progress.ts'
import { runHistory } from '../../simulate/minuteSessions.ts'
import { runLoad } from './load.ts'
import { median } from './meter.ts'
import { addKeys, authorize, receiveMessage, type Server, withApi } from './processes.ts'
import type { ReplayYardstick } from './replayYardstick.ts'
import type { Bench, Rows } from './section.ts'

/** Sessions that are replayed, the most last. */
const REPLAYED = [60, 1_000] as const
const UNTIL = '2026-10-15'
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

export async function measurePositions(
  { folder, say }: Pick<Bench, 'folder' | 'say'>,
  replayed: readonly number[] = REPLAYED,
): Promise<Rows> {
  const dataFolder = join(folder, 'history')
  const sessionCount = replayed.at(-1)!
  say(`simulating ${sessionCount} sessions without prints`)
  const history = { until: UNTIL, seed: 1, labels: 'informative' } as const
  await runHistory({ dataFolder, sessionCount, ...history, progress: silent })
  say('checking and replaying positions')
  let rows = await withApi(dataFolder, {}, api => measureChecks(api, dataFolder))
  for (const count of replayed) rows = { ...rows, ...(await measureReplays(dataFolder, count)) }
  return rows
}

/** An account with five positions near the index, at a server that has settled. */
async function addPositions(api: Server, dataFolder: string) {
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
  return { headers, send, ids, day }
}

async function measureChecks(api: Server, dataFolder: string): Promise<Rows> {
  const { headers, send, day } = await addPositions(api, dataFolder)
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
    rows[`check of 5 at ${minute}`] = { p50_ms, p99_ms, first_ms: ms, requests: count, failed }
  }
  return rows
}

/** Medians of new servers. */
async function measureReplays(dataFolder: string, count: number): Promise<Rows> {
  const rounds: Record<string, number>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const script = join(import.meta.dirname, 'replayYardstick.ts')
    const child = fork(script, [dataFolder, String(count), ENTRIES[0]])
    const { hashes, query } = await receiveMessage<ReplayYardstick>(child, 'the yardstick')
    const times = await withApi(dataFolder, {}, async api => {
      const { send, ids } = await addPositions(api, dataFolder)
      const each: number[] = []
      // the first one reads data that no check has read
      for (const id of ids) each.push((await send(`/entries?id=${id}&replay=${count}`)).ms)
      return each
    })
    rounds.push({
      'first replay': times[0]!,
      'the same minute again': median(times.slice(1, -1)),
      'another minute': times.at(-1)!,
      'yardstick: hashing its files': hashes,
      'yardstick: one query': query,
    })
  }
  return Object.fromEntries(
    Object.keys(rounds[0]!).map(name => [
      `${count} sessions, ${name}`,
      { p50_ms: median(rounds.map(round => round[name]!)) },
    ]),
  )
}
