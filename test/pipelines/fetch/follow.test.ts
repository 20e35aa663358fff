// A running session by a clock of the test: each minute's rows come once, whatever fails between.

import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CBOE_DELAYED } from '../../../pipelines/fetch/cboe-delayed/source.ts'
import { openClient, type SourceClient } from '../../../pipelines/fetch/client.ts'
import { type Follower, openFollower } from '../../../pipelines/fetch/follow.ts'
import { addressVariable, readSettings } from '../../../pipelines/fetch/settings.ts'
import type { DataSource } from '../../../pipelines/fetch/source.ts'
import { THETADATA } from '../../../pipelines/fetch/thetadata/source.ts'
import { findTradingSession, instantMs, MINUTE_MS } from '../../../src/core/market/calendar.ts'
import { readSourceState, responseFolder } from '../../../src/data/fetched/responses.ts'
import { DAY, smallChain } from '../../support/fetchPart.ts'
import { newFolder } from '../../support/import.ts'
import { startCboeDelayed } from '../../support/sources/cboeDelayed.ts'
import { droppedConnection, htmlPage, serverError } from '../../support/sources/faults.ts'
import type { Source as Server } from '../../support/sources/serve.ts'
import type { VendorRow } from '../../support/sources/tables.ts'
import { startThetadata, type ThetadataOptions } from '../../support/sources/thetadata.ts'

const SESSION = findTradingSession(DAY)!
const OPEN_MS = SESSION.opensAtMs
/** A minute is requested three seconds after its end. */
const AFTER_MS = 3_000
const MINUTES = 8

let dataFolder: string
let server: Server
let clients: SourceClient[]
let now: number
let said: string[]

beforeEach(() => {
  dataFolder = newFolder()
  clients = []
  said = []
  now = OPEN_MS
})
afterEach(async () => {
  for (const client of clients) await client.close()
  await server.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

/** Opens a follower, as a process that was started again does. */
function follow(source: DataSource): Follower {
  const settings = readSettings(source, dataFolder, { [addressVariable(source)]: server.url })
  const client = openClient({ source, settings, nowMs: () => now })
  clients.push(client)
  return openFollower(SESSION, source.follow!, {
    dataFolder,
    source,
    client,
    nowMs: () => now,
    wait: async () => {},
    random: () => 0.5,
    say: line => said.push(line),
  })
}

/** Puts the clock to when the minutes of a session, so many, can be requested. */
const putMinutes = (count: number) => {
  now = OPEN_MS + count * MINUTE_MS + AFTER_MS
}

const wall = (seconds: number): string => {
  const at = 9 * 3600 + 30 * 60 + seconds
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${DAY}T${two(at / 3600)}:${two((at / 60) % 60)}:${two(at % 60)}.000`
}

const every = (step: number) =>
  Array.from({ length: (MINUTES * 60) / step }, (_, index) => index * step)

const contract = (symbol: string): VendorRow => ({
  symbol,
  expiration: '2026-10-16',
  strike: '5800.000',
  right: 'CALL',
})
const BOOK: VendorRow = { bid: '1.00', ask: '1.20', bid_size: 1, ask_size: 1 }

const TRADES = every(20).map(seconds => ({
  ...contract('SPXW'),
  trade_timestamp: wall(seconds),
  quote_timestamp: wall(seconds),
  sequence: seconds,
  condition: 18,
  size: 1,
  exchange: 5,
  price: '1.10',
  ...BOOK,
}))
const QUOTES = ['SPX', 'SPXW'].flatMap(root =>
  every(60).map(seconds => ({ ...contract(root), timestamp: wall(seconds), ...BOOK })),
)
const INTEREST = ['SPX', 'SPXW'].map(root => ({
  ...contract(root),
  timestamp: `${DAY}T06:30:00.000`,
  open_interest: 7,
}))
const INDEX = every(5).map(seconds => ({
  symbol: 'SPX',
  timestamp: wall(seconds),
  price: '5800.25',
}))

async function startTerminal(options: ThetadataOptions = {}) {
  server = await startThetadata({
    today: DAY,
    clock: () => wall((now - OPEN_MS) / 1000),
    trades: new Map([[DAY, TRADES]]),
    quotes: new Map([[DAY, QUOTES]]),
    index: new Map([[DAY, INDEX]]),
    openInterest: new Map([[DAY, INTEREST]]),
    ...options,
  })
}

/** Text of a stored response, packed as it came. */
const readText = (path: string): string => gunzipSync(readFileSync(path)).toString('utf8')

const folder = (source: DataSource) => responseFolder(dataFolder, source.name, DAY)

/** Lines of all files of a kind in the spool, below their headers. */
const lines = (begin: string): string[] =>
  readdirSync(folder(THETADATA))
    .filter(name => name.startsWith(begin) && name.endsWith('.csv'))
    .flatMap(name =>
      readFileSync(join(folder(THETADATA), name), 'utf8')
        .trim()
        .split('\r\n')
        .slice(1),
    )

test('ThetaData without a plan for the index: it is requested once, and all else each minute', async () => {
  await startTerminal({ plans: { index: 'free' } })
  const follower = follow(THETADATA)
  for (const count of [2, 4]) {
    putMinutes(count)
    expect(await follower.step()).toBe(false)
  }
  expect(said).toEqual([
    expect.stringMatching(/does not have it \(471\); without it the index of a/),
  ])
  expect(server.requests.filter(({ path }) => path.includes('index')).length).toBe(1)
  expect(lines('thetadata-trade-quote').length).toBe(12)
})

/** Fails unless the spool has each row of so many minutes once. */
function expectMinutes(count: number) {
  const isIn = (at: unknown) => String(at) < wall(count * 60)
  expect(lines('thetadata-trade-quote').length).toBe(
    TRADES.filter(({ trade_timestamp }) => isIn(trade_timestamp)).length,
  )
  expect(lines('thetadata-quote').length).toBe(
    QUOTES.filter(({ timestamp }) => isIn(timestamp)).length,
  )
  expect(lines('thetadata-index-price').length).toBe(
    INDEX.filter(({ timestamp }) => isIn(timestamp)).length,
  )
  expect(lines('thetadata-open-interest').length).toBe(2)
  for (const begin of ['thetadata-trade-quote', 'thetadata-quote', 'thetadata-index-price'])
    expect(new Set(lines(begin)).size).toBe(lines(begin).length)
}

test('ThetaData: each minute is requested once it is over, and its rows come once', async () => {
  await startTerminal()
  const follower = follow(THETADATA)
  now = OPEN_MS + MINUTE_MS + AFTER_MS - 1
  expect(await follower.step()).toBe(false)
  expect(server.requests).toEqual([])
  for (let count = 1; count <= 5; count++) {
    putMinutes(count)
    expect(await follower.step()).toBe(false)
    expectMinutes(count)
    const asked = server.requests.length
    now += 20_000
    await follower.step()
    expect(server.requests.length).toBe(asked)
  }
  expect(said).toEqual([])
  expect(readSourceState(dataFolder, 'thetadata')).toMatchObject({ newest_day: DAY, problem: null })
})

test('ThetaData: a follower that is started again goes on where the earlier one ended', async () => {
  await startTerminal()
  putMinutes(2)
  await follow(THETADATA).step()
  putMinutes(6)
  const before = server.requests.length
  await follow(THETADATA).step()
  expectMinutes(6)
  const starts = server.requests.slice(before).map(({ query }) => query.start_time)
  expect(new Set(starts)).toEqual(new Set(['09:32:00.000']))
})

test.each([
  ['by the same follower', true],
  ['by another one', false],
])(
  'ThetaData: a window of which a part failed is requested again %s, not with a later end',
  async (_, isSame) => {
    await startTerminal()
    let follower = follow(THETADATA)
    putMinutes(1)
    await follower.step()
    server.addFault({ ...htmlPage(), match: /history\/quote\?symbol=SPXW/ })
    putMinutes(2)
    expect(await follower.step()).toBe(false)
    expect(said).toEqual([expect.stringMatching(/^thetadata sent a file for .* is a web page/)])
    expect(readSourceState(dataFolder, 'thetadata')!.problem).toBe(said[0])
    // not every second: what is wrong stays wrong for a while
    const asked = server.requests.length
    now += 5_000
    await follower.step()
    expect(server.requests.length).toBe(asked)
    if (!isSame) follower = follow(THETADATA)
    putMinutes(4)
    await follower.step()
    expectMinutes(2)
    await follower.step()
    expectMinutes(4)
    expect(readSourceState(dataFolder, 'thetadata')!.problem).toBeNull()
  },
)

test('ThetaData: a terminal that fails, or is not running, is reported and requested again', async () => {
  await startTerminal()
  const follower = follow(THETADATA)
  putMinutes(1)
  server.addFault({ ...droppedConnection(), times: 60 })
  expect(await follower.step()).toBe(false)
  expect(said).toEqual([expect.stringMatching(/^thetadata broke off its response/)])
  const { due_at, problem } = readSourceState(dataFolder, 'thetadata')!
  expect(problem).toBe(said[0])
  expect(Date.parse(due_at!)).toBe(now + 3 * MINUTE_MS)
  server.addFault({ ...serverError(571), times: 1 })
  for (let count = 2; count < 10 && readSourceState(dataFolder, 'thetadata')!.problem; count++) {
    putMinutes(count)
    await follower.step()
  }
  expect(readSourceState(dataFolder, 'thetadata')!.problem).toBeNull()
})

test('ThetaData: what no later request mends ends the follower', async () => {
  await startTerminal()
  const follower = follow(THETADATA)
  putMinutes(1)
  server.addFault({ status: 471, body: 'no', match: /trade_quote/, times: 9 })
  await expect(follower.step()).rejects.toThrow(/^thetadata does not permit this request/)
})

test('ThetaData: it ends three minutes after the close, with all rows', async () => {
  await startTerminal()
  const follower = follow(THETADATA)
  putMinutes(3)
  await follower.step()
  now = SESSION.closesAtMs + 3 * MINUTE_MS + AFTER_MS - 1
  expect(await follower.step()).toBe(false)
  now += 1
  expect(await follower.step()).toBe(true)
  expectMinutes(MINUTES)
  expect(readSourceState(dataFolder, 'thetadata')!.due_at).toBeNull()
  expect(await follow(THETADATA).step()).toBe(true)
})

test("Cboe's chain is fetched once a minute until the close is 18 minutes ago", async () => {
  const cboe = await startCboeDelayed({ chains: { _SPX: smallChain(`${DAY} 13:31:00`) } })
  server = cboe
  const files = () =>
    readdirSync(folder(CBOE_DELAYED)).filter(name => name.startsWith('cboe-chain'))
  let follower = follow(CBOE_DELAYED)
  for (let count = 1; count <= 3; count++) {
    putMinutes(15 + count)
    cboe.publish('_SPX', smallChain(`${DAY} 13:3${count}:00`))
    for (const _ of [1, 2]) expect(await follower.step()).toBe(false)
  }
  expect(files()).toEqual(['cboe-chain-0946.json', 'cboe-chain-0947.json', 'cboe-chain-0948.json'])
  expect(cboe.requests.length).toBe(3)
  const times = files().map(
    name => JSON.parse(readText(join(folder(CBOE_DELAYED), name))).timestamp,
  )
  expect(times).toEqual(['13:31:00', '13:32:00', '13:33:00'].map(at => `${DAY} ${at}`))

  follower = follow(CBOE_DELAYED)
  expect(await follower.step()).toBe(false)
  expect(cboe.requests.length).toBe(3)
  now = instantMs(DAY, '16:15') + 18 * MINUTE_MS + AFTER_MS - 1
  expect(await follower.step()).toBe(false)
  now += 1
  expect(await follower.step()).toBe(true)
  expect(readSourceState(dataFolder, 'cboe-delayed')).toMatchObject({ delay_s: 900, due_at: null })
})

test('ThetaData: an account without the running day is reported, and the day is followed on', async () => {
  server = await startThetadata({ today: DAY, openInterest: new Map([[DAY, INTEREST]]) })
  const follower = follow(THETADATA)
  for (const [count, text] of [
    [1, '09:30 to 09:31'],
    [2, '09:31 to 09:32'],
  ] as const) {
    putMinutes(count)
    expect(await follower.step()).toBe(false)
    expect(said[count - 1]).toBe(
      `thetadata has nothing of ${text} ET: the account may not have the running day.`,
    )
  }
  expect(readSourceState(dataFolder, 'thetadata')?.problem).toBe(said[1])
})
