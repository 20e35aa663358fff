// `tapefold serve` with 1,024 descriptors, and two thousand clients that only hold connections.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectionsWithin, descriptorLimit } from '../../../src/platform/http/descriptors.ts'
import { type Client, openClient, readResponse, until } from '../../support/clients.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../../support/published.ts'

const CLIENTS = 2_000

test.each([
  // descriptors, connections: the rest is for files
  [1024, 768],
  [20_000, 10_000],
  [200, 100],
  [1, 1],
  [null, 10_000],
])('of %s descriptors %s may be connections', (limit, connections) => {
  expect(connectionsWithin(limit)).toBe(connections)
})

test('the system reports how many this process may have', () => {
  expect(descriptorLimit()).toBeGreaterThan(16)
})

let dataFolder: string
let child: ChildProcess | null = null
let port: number
let clients: Client[] = []

beforeEach(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-descriptors-'))
  await publishLedger(dataFolder, ledgerInput(VARIED_ORDERS))
})
afterEach(() => {
  for (const { socket } of clients) socket.destroy()
  child?.kill('SIGKILL')
  clients = []
  child = null
  rmSync(dataFolder, { recursive: true, force: true })
})

async function serve(settings: Readonly<Record<string, string>>): Promise<void> {
  const command = 'ulimit -n 1024; exec "$0" src/cli/cli.ts serve --port 0 --data "$1"'
  child = spawn('sh', ['-c', command, process.execPath, dataFolder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TAPEFOLD_LOG: 'silent', ...settings },
  })
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', chunk => {
    text += chunk
  })
  await until(() => text.includes('/docs'))
  port = Number(/127\.0\.0\.1:(\d+)/.exec(text)![1])
}

/** Files and sockets that the server has open, where the system reports them. */
const openFiles = () => readdirSync(`/proc/${child!.pid}/fd`).length

/** Its sockets alone: engines that open while the test runs have files of their own. */
function openSockets(): number {
  const folder = `/proc/${child!.pid}/fd`
  return readdirSync(folder).filter(name => findLink(join(folder, name)).startsWith('socket:'))
    .length
}

function findLink(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    // closed since it was listed
    return ''
  }
}

const HEAD = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: a\r\n'
/** Alternates: sends nothing, or half a head; or also requests much that it never reads. */
const SILENT_OR_HALF = [undefined, HEAD]
const OR_UNREAD = [...SILENT_OR_HALF, `${HEAD}\r\n`.repeat(3)]

type Crowd = {
  readonly addresses: number
  readonly words: readonly (string | undefined)[]
}

async function crowd({ addresses, words }: Crowd, good: () => Promise<void>): Promise<void> {
  for (let index = 0; index < CLIENTS; index += 50) {
    const wave = Array.from({ length: 50 }, (_, position) => {
      const number = index + position
      const from = `127.0.1.${1 + (number % addresses)}`
      const says = words[number % words.length]
      return openClient({ port, from, isDeaf: true, ...(says === undefined ? {} : { says }) })
    })
    clients.push(...(await Promise.all(wave)))
    if (index % 500 === 0) await good()
  }
}

/** Response to a good client of the crowd's first address at its first attempt. */
async function listStatus(path: string): Promise<number> {
  const says = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
  const client = await openClient({ port, says, from: '127.0.1.1' })
  await client.gone
  client.socket.destroy()
  return readResponse(client.heard()).status
}

test.each([
  // a connection without a request is dropped at once
  ['one address, silent or with half a head', { addresses: 1, words: SILENT_OR_HALF }, 1],
  ['twenty addresses, silent or with half a head', { addresses: 20, words: SILENT_OR_HALF }, 1],
  // an unread response is dropped after two seconds: until then a client may have to wait
  ['twenty addresses that read nothing', { addresses: 20, words: OR_UNREAD }, 100],
])('two thousand clients of %s take the server from nobody', async (_, many, attempts) => {
  await serve({
    TAPEFOLD_HEAD_SECONDS: '10',
    TAPEFOLD_REQUEST_SECONDS: '10',
    TAPEFOLD_ANSWER_SECONDS: '6',
  })
  const good = async (path = '/status.json', expected = 200) => {
    const heard: number[] = []
    await until(async () => heard.push(await listStatus(path)) === attempts || heard.at(-1) !== 503)
    expect(heard.at(-1)).toBe(expected)
  }
  await good('/docs')
  const before = openSockets()
  await crowd(many, good)
  for (const path of ['/', '/docs', '/openapi.json', '/docs/swagger-ui.css']) await good(path)
  await good('/orders/api/latest', 401)
  expect(openFiles()).toBeLessThan(1024 - 64)
  // the clients close nothing: the server does
  await until(() => openSockets() <= before + 2)
  expect([child!.exitCode, child!.signalCode]).toEqual([null, null])
  await good()
})
