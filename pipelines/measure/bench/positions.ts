/**
 * Measures checks and replays on a folder of simulated sessions, as `tapefold history` makes one:
 * prints latencies of checks of five positions at 100 requests a second, and the time of replays:
 * the first one of a server, which reads its sessions, those after it, which find them cached, and
 * one of another entry minute, which reads them again. Each round starts a server and, before it,
 * the yardstick in a separate process; the medians of all rounds count.
 */

import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { readArguments } from '../../../src/core/command.ts'
import { publishedSessions } from '../../../src/data/published/manifest.ts'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { runCommand } from '../../command/command.ts'
import type { LoadJob, LoadResult } from './load.ts'
import type { ReplayYardstick } from './replayYardstick.ts'
import { median, percentile } from './stats.ts'

const USAGE = `usage: the bench of tapefold positions:
  node pipelines/measure/bench/positions.ts --data DIR

Measures checks and replays on a folder that "tapefold history" made.
`
const SECONDS = 20
const REQUESTS_PER_SECOND = 100
/** Delay after a server's start, so that it is in the same state in every run. */
const SETTLE_MS = 2_000
/** Servers started, each measured on its first replay. */
const ROUNDS = 5

/** Starts a server on the folder, in a separate process; returns its address. */
async function serve(dataFolder: string) {
  const cli = join(import.meta.dirname, '../../../src/server/cli.ts')
  const server = spawn(process.execPath, [cli, 'serve', '--port', '0', '--data', dataFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...PLAIN_ENVIRONMENT, TAPEFOLD_LOG: 'warn' },
  })
  for await (const chunk of server.stdout) {
    const url = /serves (http:\S+),/.exec(String(chunk))?.[1]
    if (url) return { url, stop: () => server.kill('SIGTERM') }
  }
  throw new Error('the server ended before it served')
}

/**
 * Entry minutes of the five positions: the last differs from the others, and none is the one that a
 * server reads ahead.
 */
const ENTRIES = ['11:10', '11:10', '11:10', '11:10', '13:15'] as const
const PLAIN_ENVIRONMENT = { PATH: '/usr/bin:/bin', TZ: 'UTC' }

/** Adds an account with five positions near the index; returns its key. */
async function addPositions(dataFolder: string, url: string) {
  const accounts = await openAccountStore(join(dataFolder, 'accounts.sqlite'))
  const { id } = await accounts.addAccount({ name: 'bench', plan: 'orders_team', createdAtMs: 0 })
  const key = { accountId: id, scope: 'orders', name: 'bench', createdAtMs: 0 } as const
  const { apiKey } = (await accounts.addKey(key))!
  await accounts.close()
  const headers = { authorization: `Bearer ${apiKey}` }
  const send = async (path: string, body?: object) => {
    const sent = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const startMs = performance.now()
    const response = await fetch(`${url}/api/positions${path}`, { headers, ...sent })
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`)
    return { text, ms: performance.now() - startMs }
  }
  const day = publishedSessions(dataFolder).at(-1)!
  const spot = await guessSpot(send, day)
  const ids: string[] = []
  for (const [index, entry] of ENTRIES.entries()) {
    const width = 30 + 5 * index
    const position = { kind: 'strangle', legs: { sp: spot - width, sc: spot + width }, entry }
    ids.push(JSON.parse((await send('', { op: 'add', position })).text).id)
  }
  return { apiKey, ask: send, ids, day }
}

type SendRequest = (path: string, body?: object) => Promise<{ text: string; ms: number }>

/** Infers the index level from the distance of one strike. */
async function guessSpot(send: SendRequest, day: string): Promise<number> {
  const legs = { sp: 5, sc: 10 }
  const add = { op: 'add', position: { kind: 'strangle', legs, entry: '10:30' } }
  const { id } = JSON.parse((await send('', add)).text)
  const { checks } = JSON.parse((await send(`/check?day=${day}&t=10:30&id=${id}`)).text)
  await send('', { op: 'remove', position: { id } })
  return 5 * Math.round((checks[0].shorts[0].points + 5) / 5)
}

async function load(job: LoadJob): Promise<LoadResult> {
  const child = fork(join(import.meta.dirname, 'load.ts'))
  child.send(job)
  const [result] = await once(child, 'message')
  return result as LoadResult
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

async function measureChecks(dataFolder: string): Promise<void> {
  const { url, stop } = await serve(dataFolder)
  try {
    const { apiKey, ask: send, day } = await addPositions(dataFolder, url)
    const port = Number(new URL(url).port)
    const minutes = ['10:30', '11:30', '13:00', '14:00', '15:30']
    for (const t of minutes) {
      const { text, ms } = await send(`/check?day=${day}&t=${t}`)
      const bodyBytes = Buffer.byteLength(text)
      const path = `/api/positions/check?day=${day}&t=${t}`
      const rate = { kind: 'open', requestsPerSecond: REQUESTS_PER_SECOND } as const
      const shared = { port, path, keys: [apiKey], bodyBytes, seconds: SECONDS / minutes.length }
      const { latenciesMs, failures } = await load({ ...shared, ...rate })
      const [p50, p99] = [0.5, 0.99].map(share => percentile(latenciesMs, share).toFixed(2))
      const counts = `${latenciesMs.length} answers, ${failures} failures`
      print(`check of 5 at ${t}: first ${ms.toFixed(1)} ms; p50 ${p50}, p99 ${p99} ms (${counts})`)
    }
  } finally {
    stop()
  }
}

type Round = {
  readonly hashes: number
  readonly query: number
  readonly first: number
  readonly again: number
  readonly other: number
}

async function measureReplays(dataFolder: string, count: number): Promise<void> {
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { hashes, query } = await yardstick(dataFolder, count)
    const plain = { hashes: hashes.seconds * 1000, query: query.seconds * 1000 }
    rounds.push({ ...plain, ...(await timeReplays(dataFolder, count)) })
  }
  const middle = (name: keyof Round) => median(rounds.map(round => round[name]))
  const shown = (name: keyof Round) => `${middle(name).toFixed(0)} ms`
  const firsts = rounds.map(({ first }) => first.toFixed(0)).join(', ')
  print(`replay of ${count} sessions, medians of ${ROUNDS} servers:`)
  print(`  first ${shown('first')} (${firsts}), again ${shown('again')}`)
  print(`  another minute ${shown('other')}`)
  print(`  yardstick: hashes of its files ${shown('hashes')}, one minute of them ${shown('query')}`)
  const share = (ms: number, of: number) => `${(ms / of).toFixed(2)} x`
  const plain = middle('hashes') + middle('query')
  print(
    `  first over both ${share(middle('first'), plain)}, ` +
      `another minute over one minute ${share(middle('other'), middle('query'))}`,
  )
}

/** Times replays of a new server: the first one reads data that no check has read. */
async function timeReplays(dataFolder: string, count: number) {
  const { url, stop } = await serve(dataFolder)
  try {
    await new Promise(settled => setTimeout(settled, SETTLE_MS))
    const { ask: send, ids } = await addPositions(dataFolder, url)
    const times: number[] = []
    for (const id of ids) times.push((await send(`/entries?id=${id}&replay=${count}`)).ms)
    return { first: times[0]!, again: median(times.slice(1, -1)), other: times.at(-1)! }
  } finally {
    stop()
  }
}

/** Measures reading the files of a replay without judging anything. */
async function yardstick(dataFolder: string, count: number): Promise<ReplayYardstick> {
  const path = join(import.meta.dirname, 'replayYardstick.ts')
  const child = fork(path, [dataFolder, String(count), ENTRIES[0]])
  const [result] = await once(child, 'message')
  return result as ReplayYardstick
}

async function measure(dataFolder: string): Promise<void> {
  await measureChecks(dataFolder)
  const published = publishedSessions(dataFolder).length
  for (const count of [60, 1000].filter(wanted => wanted <= published)) {
    await measureReplays(dataFolder, count)
  }
}

if (import.meta.main) {
  runCommand(async () => {
    const { values } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      options: { data: { type: 'string', default: 'data/history' } },
    })
    await measure(values.data)
  })
}
