// Two servers and two schedulers, as docs/operations.md starts them: real processes that share a
// PostgreSQL and a folder.

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importSimulated } from '../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../pipelines/simulate/options.ts'
import { runSimulate } from '../../pipelines/simulate/simulate.ts'
import { systemClock } from '../../src/core/clock.ts'
import { neighbourSession, wallTimeEt } from '../../src/core/market/calendar.ts'
import { newFolder } from '../support/import.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'

const dataFolder = newFolder()
// the schedule looks at the machine's clock, so the session has to be a recent one
const date = neighbourSession(wallTimeEt(systemClock.nowMs()).date, -1).date
/** The processes of the document's first block, each as the words behind `tapefold`. */
const documented = [
  ...readFileSync('docs/operations.md', 'utf8').matchAll(/^npm run tapefold -- (.+?) & /gm),
].map(match => match[1]!.split(' '))

let postgres: PostgresServer
let processes: Running[] = []

type Running = {
  readonly child: ChildProcess
  readonly text: () => string
  readonly ended: Promise<unknown>
}

function start(words: readonly string[]): Running {
  const env = { ...process.env, DATABASE_URL: postgres.url, TAPEFOLD_DATA: dataFolder }
  const child = spawn(process.execPath, ['src/cli/cli.ts', ...words], { env })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
  }
  const ended = new Promise(resolve => child.on('close', resolve))
  return { child, text: () => text, ended }
}

/** Output of a command until it ends. */
async function reported(...words: string[]): Promise<string> {
  const { text, ended } = start(words)
  expect(await ended, text()).toBe(0)
  return text()
}

/** Any free port instead of the documented one, or the one that it had before. */
const onPort = (words: readonly string[], port = '0') =>
  words.map((word, index) => (words[index - 1] === '--port' ? port : word))

async function findAddress({ child, text }: Running): Promise<string> {
  for (;;) {
    const url = /serves (http:\/\/[\d.:]+)/.exec(text())?.[1]
    if (url) return url
    expect(child.exitCode, text()).toBeNull()
    await sleep(20)
  }
}

const ledger = `/orders/api/day?day=${date}`

async function query(url: string, key: string, path = ledger) {
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
  const left = /r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]
  return {
    status: response.status,
    etag: response.headers.get('etag'),
    body: await response.text(),
    left: Number(left),
  }
}

const given = hasPostgres ? describe : describe.skip

given('replicas and schedulers that share a PostgreSQL and a folder', () => {
  let urls: [string, string]
  let key: string
  let keyId: string

  beforeAll(async () => {
    postgres = await startPostgres()
    const size = { prints: 400, contracts: 200, seed: 4, hasQuotes: false }
    const out = newFolder()
    await runSimulate({ ...DEFAULT_OPTIONS, ...size, date, out: `${out}/simulated` })
    await importSimulated(dataFolder, `${out}/simulated`, ['prints', 'spots'])
    processes = documented.map(words => start(onPort(words)))
    const replicas = processes.filter((_, index) => documented[index]![0] === 'serve')
    urls = (await Promise.all(replicas.map(findAddress))) as [string, string]
    const account = /acc_\w+/.exec(await reported('account', 'add', 'desk'))![0]
    key = /ordk_\w+/.exec(await reported('key', 'add', account))![0]
    keyId = /key_\w+/.exec(await reported('key', 'list', account))![0]
  })

  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGTERM')
    await Promise.all(processes.map(({ ended }) => ended))
    await postgres.stop()
    rmSync(dataFolder, { recursive: true, force: true })
  })

  test('the document starts two replicas, two schedulers and a worker', () => {
    const names = documented.map(([command]) => command)
    expect(names).toEqual(['serve', 'serve', 'schedule', 'schedule', 'work'])
    expect(new Set(urls).size).toBe(2)
  })

  test('one scheduler builds the session, and both replicas send the same bytes', async () => {
    const builds = () => processes.map(({ text }) => text().split(`${date}  built in`).length - 1)
    while (!builds().includes(1)) await sleep(100)
    // a replica looks at the folder every half second
    for (const url of urls)
      while ((await query(url, key)).body.includes('"asof":null')) await sleep(100)
    const responses = await Promise.all(urls.map(url => query(url, key)))
    expect(responses[0]).toMatchObject({ status: 200, etag: expect.any(String) })
    expect(responses[1]!.etag).toBe(responses[0]!.etag)
    expect(responses[1]!.body).toBe(responses[0]!.body)
    expect(JSON.parse(responses[0]!.body).orders.length).toBeGreaterThan(0)
    expect(builds().reduce((sum, count) => sum + count)).toBe(1)
  })

  test('calls of one account are counted once, whichever replica serves them', async () => {
    const { left } = await query(urls[0], key)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) => query(urls[n % 2]!, key)),
    )
    const expected = Array.from({ length: 20 }, (_, n) => left - 1 - n)
    expect(responses.map(response => response.left).sort((a, b) => b - a)).toEqual(expected)
  })

  test('a replica is killed and started again; the other one serves all the while', async () => {
    const before = await query(urls[1], key)
    const [first] = processes
    first!.child.kill('SIGKILL')
    await first!.ended
    await expect(query(urls[0], key)).rejects.toThrow()
    const between = await query(urls[1], key)
    expect(between).toEqual({ ...before, left: before.left - 1 })
    processes[0] = start(onPort(documented[0]!, new URL(urls[0]).port))
    expect(await findAddress(processes[0])).toBe(urls[0])
    expect(await query(urls[0], key)).toEqual({ ...before, left: before.left - 2 })
  })

  test('a revoked key is refused by both at their next call', async () => {
    for (const url of urls) expect((await query(url, key)).status).toBe(200)
    await reported('key', 'revoke', keyId)
    const statuses = await Promise.all(urls.map(async url => (await query(url, key)).status))
    expect(statuses).toEqual([401, 401])
  })
})
