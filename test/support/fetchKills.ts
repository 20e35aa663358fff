// The real command `fetch` against a test server, killed anywhere and run again.

import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { instantMs } from '../../src/core/market/calendar.ts'
import { type Ended, runScript, type Trouble } from './commands.ts'
import { readFolder } from './fetch.ts'
import { massiveRows } from './fetchPart.ts'
import { newFolder, tapeRows } from './import.ts'
import {
  gzipRows,
  MASSIVE_COLUMNS,
  MASSIVE_KEYS,
  type MassiveSource,
  massiveTradesKey,
  startMassive,
} from './sources/massive.ts'
import type { Source as Server, SourceRequest } from './sources/serve.ts'
import type { VendorRow } from './sources/tables.ts'
import { startThetadata } from './sources/thetadata.ts'

/** A session that is past by any clock. */
export const KILL_DAY = '2024-11-04'
const EXPIRY = '2024-11-05'

const at = (minutes: number) =>
  `${KILL_DAY}T${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}:00.000`

const from = (first: number, last: number, step: number) =>
  Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step)

const contract = (symbol: string, strike: number): VendorRow => ({
  symbol,
  expiration: EXPIRY,
  strike: `${strike}.000`,
  right: 'CALL',
})

const BOOK: VendorRow = {
  bid_size: 10,
  bid_exchange: 5,
  bid: '10.00',
  bid_condition: 50,
  ask_size: 12,
  ask_exchange: 5,
  ask: '10.40',
  ask_condition: 50,
}

const trade = (minute: number): VendorRow => ({
  ...contract('SPXW', 5700 + (minute % 10) * 5),
  trade_timestamp: at(minute),
  quote_timestamp: at(minute - 1),
  sequence: minute,
  ext_condition1: 255,
  ext_condition2: 255,
  ext_condition3: 255,
  ext_condition4: 255,
  condition: 18,
  size: 1 + (minute % 7),
  exchange: 5,
  price: '10.20',
  ...BOOK,
})

const ROOTS = ['SPX', 'SPXW']

/** A terminal with one small session. */
export const startSmallTerminal = () =>
  startThetadata({
    trades: new Map([[KILL_DAY, from(570, 955, 5).map(trade)]]),
    quotes: new Map([
      [
        KILL_DAY,
        ROOTS.flatMap(root =>
          from(570, 975, 15).map(minute => ({
            ...contract(root, 5700),
            timestamp: at(minute),
            ...BOOK,
          })),
        ),
      ],
    ]),
    openInterest: new Map([
      [
        KILL_DAY,
        ROOTS.flatMap(root =>
          from(5600, 5800, 5).map(strike => ({
            ...contract(root, strike),
            timestamp: `${KILL_DAY}T06:30:00.000`,
            open_interest: strike,
          })),
        ),
      ],
    ]),
    index: new Map([
      [
        KILL_DAY,
        from(570, 960, 10).map(minute => ({
          symbol: 'SPX',
          timestamp: at(minute),
          price: (5700 + minute / 100).toFixed(2),
        })),
      ],
    ]),
  })

/** The gzip of a file of trades; its size chooses a version. */
export const massiveFile = async (size: number, count = 4000) => ({
  content: await gzipRows(MASSIVE_COLUMNS.trades, massiveRows(KILL_DAY, count, size)),
  modifiedMs: instantMs(KILL_DAY, '23:00') + size * 3_600_000,
})

/** Massive's endpoint with one file of trades. */
export const startSmallMassive = async () =>
  startMassive({
    nowMs: systemClock.nowMs,
    files: { [massiveTradesKey(KILL_DAY)]: await massiveFile(1) },
  })

export type Killed = { readonly server: Server; readonly source: 'massive' | 'thetadata' }

/** Runs `fetch` as a process of its own. */
export function runFetchProcess(
  { server, source }: Killed,
  dataFolder: string,
  trouble: Trouble = {},
  args: readonly string[] = [],
): Promise<Ended> {
  const env = {
    TAPEFOLD_MASSIVE_URL: server.url,
    TAPEFOLD_THETADATA_URL: server.url,
    MASSIVE_ACCESS_KEY_ID: MASSIVE_KEYS.accessKey,
    MASSIVE_SECRET_ACCESS_KEY: MASSIVE_KEYS.secretKey,
  }
  return runScript('fetch', [source, KILL_DAY, ...args], dataFolder, { ...trouble, env })
}

/** Responses and tape of a fetch, without times of its run and names that a killed write left. */
export type FetchedState = {
  readonly responses: Readonly<Record<string, unknown>>
  readonly tape: string
  readonly batches: readonly string[]
}

/** A record of a response, without the times of its run. */
const readRecord = (text: string) => ({ ...JSON.parse(text), fetched_at: '', imported_at: '' })

export async function readState(dataFolder: string): Promise<FetchedState> {
  const responses = Object.fromEntries(
    Object.entries(readFolder(join(dataFolder, 'inbox')))
      .filter(([path]) => !path.endsWith('.tmp') && !path.endsWith('state.json'))
      .map(([path, text]) => [path, path.endsWith('.json') ? readRecord(text) : text]),
  )
  const rows = await tapeRows(
    dataFolder,
    KILL_DAY,
    `select 'prints' as dataset, p::varchar as line from (select * exclude (sequence) from tape.prints) p
    union all select 'quotes', q::varchar from tape.quotes q
    union all select 'open_interest', o::varchar from tape.open_interest o
    union all select 'spots', s::varchar from tape.spots s order by all`,
  )
  const manifest = JSON.parse(
    readFileSync(join(dataFolder, 'tape/manifests', `${KILL_DAY}.json`), 'utf8'),
  ) as { batches: { dataset: string; rows: number; source: { file: string } }[] }
  return {
    responses,
    tape: JSON.stringify(rows),
    batches: manifest.batches
      .filter(({ rows: count }) => count > 0)
      .map(({ dataset, rows: count, source }) => `${dataset} ${source.file} ${count}`)
      .sort(),
  }
}

/** State after one run that nobody disturbs, and the number of its calls to the disk. */
export async function runUndisturbed(killed: Killed) {
  const dataFolder = newFolder()
  const { code, error, calls } = await runFetchProcess(killed, dataFolder, { fault: null })
  expect([code, error]).toEqual([0, ''])
  const state = await readState(dataFolder)
  rmSync(dataFolder, { recursive: true })
  return { state, calls }
}

/** Kills a fetch at a call to the disk, runs it again, and compares. */
export async function killAtCall(killed: Killed, call: number, whole: FetchedState): Promise<void> {
  const dataFolder = newFolder()
  const { signal } = await runFetchProcess(killed, dataFolder, {
    fault: { at: call, kind: 'kill' },
  })
  // a later run may need fewer calls than the counted one
  expect([null, 'SIGKILL']).toContain(signal)
  await expectSame(killed, dataFolder, whole, `killed at call ${call}`)
}

async function expectSame(
  killed: Killed,
  dataFolder: string,
  whole: FetchedState,
  when: string,
): Promise<void> {
  const again = await runFetchProcess(killed, dataFolder)
  expect([when, again.code, again.error]).toEqual([when, 0, ''])
  expect([when, await readState(dataFolder)]).toEqual([when, whole])
  rmSync(dataFolder, { recursive: true })
}

/**
 * Kills a fetch of a replaced file at a call to the disk: the tape then has the old rows or the new
 * ones, and the next run with `--restated` ends with the new ones.
 */
export async function killRestatedAtCall(server: MassiveSource, call: number): Promise<void> {
  const killed: Killed = { server, source: 'massive' }
  const dataFolder = newFolder()
  const files = [await massiveFile(1), await massiveFile(2, 3900)]
  const states: FetchedState[] = []
  for (const file of [...files].reverse()) {
    server.publish(massiveTradesKey(KILL_DAY), file)
    states.unshift((await runUndisturbed(killed)).state)
  }
  expect((await runFetchProcess(killed, dataFolder)).code).toBe(0)
  const [old, other] = states.map(({ tape }) => tape)
  server.publish(massiveTradesKey(KILL_DAY), files[1]!)
  try {
    const fault = { at: call, kind: 'kill' } as const
    await runFetchProcess(killed, dataFolder, { fault }, ['--restated'])
    expect([old, other]).toContain((await readState(dataFolder)).tape)
    const { code, error } = await runFetchProcess(killed, dataFolder, {}, ['--restated'])
    expect([call, code, error]).toEqual([call, 0, ''])
    expect([call, await readState(dataFolder)]).toEqual([call, states[1]])
  } finally {
    server.publish(massiveTradesKey(KILL_DAY), files[0]!)
    rmSync(dataFolder, { recursive: true })
  }
}

/** Requests for the file of trades. */
export const fileRequests = ({ requests }: Server) =>
  requests.filter(({ path }) => path.endsWith(`${KILL_DAY}.csv.gz`))

export const partialFile = (dataFolder: string) =>
  join(dataFolder, `inbox/massive/${KILL_DAY}/massive-trades-${KILL_DAY}.csv.gz.part`)

const LOOK_MS = 20
/** Looks after which a stalled process is killed though it has written nothing. */
const LOOKS_MAX = 200

type ByteKill = {
  /** Bytes of the body that come. */
  readonly bytes: number
  readonly match: RegExp
  /** File whose first bytes are waited for. */
  readonly written?: string
}

/** A request as the patterns of faults see it. */
const toLine = ({ method, path, query }: SourceRequest): string =>
  `${method} ${path}?${new URLSearchParams(query)}`

/** Kills a fetch once so many bytes of a body have come. */
export async function killAtByte(
  { server, source }: Killed,
  dataFolder: string,
  { bytes, match, written }: ByteKill,
): Promise<void> {
  server.addFault({ match, stallAfter: bytes })
  const before = server.requests.length
  const isStalled = () =>
    server.requests
      .slice(before)
      .some(request => request.bytes === bytes && match.test(toLine(request)))
  const isWritten = () => written === undefined || (sizeOf(written) ?? 0) > 0
  await runFetchProcess({ server, source }, dataFolder, {
    onStart: child => {
      let looks = 0
      const look = setInterval(() => {
        if (isStalled() && (isWritten() || ++looks > LOOKS_MAX)) child.kill('SIGKILL')
      }, LOOK_MS)
      child.on('close', () => clearInterval(look))
    },
  })
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size

/** Kills a fetch of Massive at a byte and runs it again: the rest comes by its range. */
export async function killMassiveAtByte(
  killed: Killed,
  bytes: number,
  whole: FetchedState,
): Promise<void> {
  const dataFolder = newFolder()
  // some are killed before anything is written
  const written = bytes % 3 === 0 ? {} : { written: partialFile(dataFolder) }
  await killAtByte(killed, dataFolder, { bytes, match: /^GET .*\.csv\.gz/, ...written })
  const size = sizeOf(partialFile(dataFolder)) ?? 0
  const before = fileRequests(killed.server).length
  await expectSame(killed, dataFolder, whole, `killed at byte ${bytes}`)
  const [request, ...others] = fileRequests(killed.server).slice(before)
  expect(others).toEqual([])
  if (size > 1) {
    expect(request).toMatchObject({ status: 206, headers: { range: `bytes=${size - 1}-` } })
    expect(request!.headers['if-range']).toMatch(/^"[0-9a-f]{32}"$/)
  } else expect(request!.status).toBe(200)
}

/** Kills a fetch of ThetaData within the body of some request, and runs it again. */
export async function killTerminalAtByte(
  killed: Killed,
  { bytes, match }: ByteKill,
  whole: FetchedState,
): Promise<void> {
  const dataFolder = newFolder()
  await killAtByte(killed, dataFolder, { bytes, match })
  await expectSame(killed, dataFolder, whole, `killed at byte ${bytes} of ${match}`)
}
