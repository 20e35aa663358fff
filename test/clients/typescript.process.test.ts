// The client in TypeScript on a real server: what it returns is what the server wrote.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, TapefoldError } from '../../clients/typescript/src/index.ts'
import { sha256 } from '../../src/core/disk/files.ts'
import { type ClientServer, startClientServer } from '../support/clientServer.ts'

const FOLDER = 'clients/typescript'
const DAY = '2026-10-15'

let server: ClientServer
let client: ReturnType<typeof createClient>
beforeAll(async () => {
  server = await startClientServer()
  const { environment: own } = server
  client = createClient({
    url: server.api.url,
    keys: {
      orders: own.TAPEFOLD_ORDERS_KEY!,
      live: own.TAPEFOLD_LIVE_KEY!,
      lab: own.TAPEFOLD_LAB_KEY!,
      dataset: own.TAPEFOLD_DATASET_KEY!,
    },
  })
})
afterAll(() => server.close())

const read = async (path: string, key: string | null = null) =>
  (await server.api.call(path, { key })).json
const keyOf = (product: string) => server.environment[`TAPEFOLD_${product}_KEY`]!

test('it verifies webhooks by the code of the server', () => {
  const own = readFileSync(`${FOLDER}/src/webhook.ts`, 'utf8')
  expect(own).toBe(readFileSync('src/platform/webhooks/verify.ts', 'utf8'))
})

test('sessions, ledgers, levels and strikes', async () => {
  expect(await client.sessions()).toEqual((await read('/api/days')).days)
  const ledger = await read(`/orders/api/day?day=${DAY}`, keyOf('ORDERS'))
  expect(await client.orders(DAY)).toEqual(ledger)
  expect(await client.orders()).toEqual(await read('/orders/api/latest', keyOf('ORDERS')))
  expect((await client.orders(DAY, '10:37')).orders.length).toBeLessThan(ledger.orders.length)
  const missing: string[] = []
  const options = { onMissing: (day: string) => void missing.push(day) }
  const sessions = await Array.fromAsync(client.levels('2026-01-01', DAY, options))
  expect(sessions).toEqual([await read(`/api/v1/history?sym=SPX&day=${DAY}`, keyOf('LIVE'))])
  // days with minutes alone are in no list
  expect(missing).toEqual([])
  const strikes = await read(`/api/session/${DAY}/strikes?time=11:00`)
  expect(await client.strikes(DAY, { time: '11:00' })).toEqual(strikes)
})

test.each([
  ['2026-10-1', '2026-10-9', 'from is "2026-10-1"; give a date written YYYY-MM-DD'],
  ['2026-10-01', '2026-10-9', 'to is "2026-10-9"; give a date written YYYY-MM-DD'],
  ['hello', 'world', 'from is "hello"'],
  ['2026-02-30', DAY, 'from is "2026-02-30"'],
  [DAY, '2026-10-01', 'from is 2026-10-15, which is after to, 2026-10-01'],
])('levels from %s to %s are refused, not chosen as text', async (from, to, message) => {
  const error = await Array.fromAsync(client.levels(from, to)).catch(reason => reason)
  expect(error).toBeInstanceOf(TapefoldError)
  expect([error.code, error.message]).toEqual(['bad_day', expect.stringContaining(message)])
})

test('a change of positions, events and a test of an idea', async () => {
  const position = { kind: 'put_spread', legs: { lp: 5930, sp: 5950 }, entry: '10:30' } as const
  await client.changePosition({ op: 'add', position } as never)
  const { positions } = await read('/api/positions', keyOf('ORDERS'))
  expect(positions).toHaveLength(1)
  expect(await Array.fromAsync(client.events())).toEqual([])
  const words = 'At 10:00 sell the 10-wide put spread 30 points below spot.'
  const { idea } = (await client.lab.chat(words)) as { idea: { id: string } }
  const result = (await client.lab.run(idea.id)) as { job: string }
  expect(result).toEqual(await read(`/api/lab/result?id=${idea.id}&kind=backtest`, keyOf('LAB')))
  const { trades } = await read(`/api/lab/trades?job=${result.job}`, keyOf('LAB'))
  expect(await Array.fromAsync(client.lab.trades(result.job))).toEqual(trades)
})

test('every operation is there with its types', async () => {
  const query = { sym: 'SPX', day: DAY, time: '11:00' }
  const { data } = await client.api.GET('/api/v1/levels', { params: { query } })
  expect(data!.symbols).toHaveLength(1)
  expect(data!.time).toBe('11:00')
})

test('a refusal is the sentence of the server, with its code', async () => {
  const error = await client.orders('2026-1-5').catch(reason => reason)
  expect(error).toBeInstanceOf(TapefoldError)
  expect([error.status, error.code]).toEqual([400, 'bad_day'])
  expect(error.message).toMatch(/^day is "2026-1-5"; give a date/)
  const bare = createClient({ url: server.api.url })
  await expect(bare.orders()).rejects.toThrow('this call needs a key of the product orders')
  expect(await bare.sessions()).toHaveLength(1)
})

test('an address that is none is refused at once, and a key in its place stays unsaid', () => {
  for (const url of ['127.0.0.1:8181', 'localhost:8181', 'ftp://127.0.0.1', '']) {
    const message = `url is ${JSON.stringify(url)}; give the address of a server with http://`
    expect(() => createClient({ url })).toThrow(message)
  }
  expect(() => createClient({ url: 'ordk_secret' })).toThrow(/^url is no address; give/)
  for (const url of ['https://u:canary@h', 'u:canary@h']) {
    expect(() => createClient({ url })).toThrow(
      /^url has a login in it; give the address alone, [^@]+$/,
    )
  }
})

test('files are downloaded, go on where they broke off, and have their hash', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-client-'))
  try {
    const files = await client.files()
    const entry = files.find(({ dataset, day }) => dataset === 'levels' && day === DAY)!
    const { path, isNew } = await client.download(entry, folder)
    const bytes = readFileSync(path)
    expect([isNew, sha256(bytes), bytes.length]).toEqual([true, entry.sha256, entry.bytes])
    expect((await client.download(entry, folder)).isNew).toBe(false)
    rmSync(path)
    writeFileSync(`${path}.partial`, bytes.subarray(0, 1_000))
    await client.download(entry, folder)
    expect(readFileSync(path).equals(bytes)).toBe(true)
    // a part that is not of this file is thrown away, not handed on
    rmSync(path)
    writeFileSync(`${path}.partial`, Buffer.alloc(1_000))
    await client.download(entry, folder)
    expect(readFileSync(path).equals(bytes)).toBe(true)
    const bare = createClient({ url: server.api.url })
    const [sample] = await bare.sampleFiles()
    await bare.download(sample!, folder, 'sample')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('what may pass is repeated after Retry-After, and a response is cached by its ETag', async () => {
  const calls: (string | undefined)[] = []
  const faulty = createServer((req, res) => {
    calls.push(req.headers['if-none-match'])
    if (calls.length === 1) return res.writeHead(503, { 'retry-after': '7' }).end('{}')
    if (calls.length === 4) {
      return res.writeHead(429, { 'retry-after': '30000' }).end('{"error":{"message":"spent"}}')
    }
    if (req.headers['if-none-match'] === '"a"') return res.writeHead(304, { etag: '"a"' }).end()
    res.writeHead(200, { etag: '"a"', 'content-type': 'application/json' }).end('{"days":[]}')
  })
  await new Promise<void>(done => faulty.listen(0, '127.0.0.1', done))
  try {
    const slept: number[] = []
    const sleep = async (ms: number) => void slept.push(ms)
    const { port } = faulty.address() as AddressInfo
    const own = createClient({ url: `http://127.0.0.1:${port}`, sleep })
    expect([await own.sessions(), await own.sessions()]).toEqual([[], []])
    expect([slept, calls]).toEqual([[7_000], [undefined, undefined, '"a"']])
    const error = await own.sessions().catch(reason => reason)
    expect([error.message, error.retryAfterS, calls.length]).toEqual(['spent', 30_000, 4])
  } finally {
    faulty.close()
  }
})
