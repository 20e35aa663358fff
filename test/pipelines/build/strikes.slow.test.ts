// Published strikes and levels against a second program: test/support/secondBook.ts.

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { type Database, openDatabase, type Row } from '../../../src/core/engine/database.ts'
import { filePaths } from '../../../src/core/engine/paths.ts'
import { PUBLISHED_DATASETS } from '../../../src/data/dictionary/dictionary.ts'
import { type PublishedManifest, publishedFolder } from '../../../src/data/published/manifest.ts'
import { writeDatasets } from '../../../src/data/published/publish.ts'
import { tapeFiles } from '../../../src/data/tape/manifest.ts'
import { addLateData } from '../../support/lateData.ts'
import { randomNumbers, shuffled } from '../../support/random.ts'
import * as second from '../../support/secondBook.ts'

const DATE = '2026-10-15'
const MINUTES = 20
const root = mkdtempSync(join(tmpdir(), 'tapefold-strikes-'))
const dataFolder = join(root, 'data')
let manifest: PublishedManifest
let db: Database

beforeAll(async () => {
  const size = { prints: 6_000, contracts: 1_000, seed: 31 }
  const simulated = join(root, 'simulated')
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  await addLateData(join(simulated, 'prints.parquet'))
  await importSimulated(dataFolder, simulated)
  const files = [join(simulated, 'dealer_positions.parquet')]
  await runImport({ dataFolder, format: 'dealer-positions', files, simulated: true })
  manifest = await buildDay({ dataFolder, date: DATE, progress: silent })
  db = await openDatabase()
})

afterAll(() => {
  db.close()
  rmSync(root, { recursive: true, force: true })
})

const findFile = (name: string) => join(publishedFolder(dataFolder), manifest.datasets[name]!.file)

/** Rows of a published dataset, such as 'levels where book_basis = ...'. */
async function listRows<Read = Row>(name: string, rest = ''): Promise<Read[]> {
  return (await db.rows(`from read_parquet($file) ${rest}`, { file: findFile(name) })) as Read[]
}

/** The contracts of an order in one of its versions, with the instants between which it stood. */
type Leg = second.Held & { readonly visible: string; readonly superseded: string }

async function signedLegs(): Promise<Leg[]> {
  const read = async (orders: string, legs: string, superseded: string) => {
    const [orderRows, legRows] = [await listRows(orders), await listRows(legs)]
    const key = (row: Row) => `${row.order_id} ${row.revision_number}`
    const byKey = new Map(orderRows.map(row => [key(row), row]))
    return legRows.map(leg => {
      const order = byKey.get(key(leg))!
      return {
        ...findContract(leg),
        // dealers hold the other side of the customer's, as often as it was read right
        quantity: -Number(leg.customer_sign) * expectedContracts(order, Number(leg.contracts)),
        visible: String(order.visible_at),
        superseded: superseded === '' ? '9999' : String(order[superseded]),
      }
    })
  }
  const status = await read('orders', 'legs', '')
  return [...status, ...(await read('revisions', 'revision_legs', 'superseded_at'))].filter(
    leg => leg.quantity !== 0,
  )
}

/** Contracts of an order that count on average: 2p - 1 of them where its side is right with p. */
function expectedContracts(order: Row, contracts: number): number {
  const usual = Number(order.leg_count) === 1 ? 0.75 : 0.81
  const bought = order.side_probability === null ? null : Number(order.side_probability)
  const stated = bought === null || order.sign === 0 ? usual : bought
  const right = order.sign === -1 && bought !== null ? 1 - stated : stated
  return Math.round(1e4 * contracts * (2 * right - 1)) / 1e4
}

/** The convention: dealers long every call of open interest and short every put. */
async function conventionOf(): Promise<second.Held[]> {
  const rows = await db.rows('from read_parquet($files::varchar[])', {
    files: filePaths(tapeFiles(dataFolder, 'open_interest', DATE)),
  })
  return rows.map(row => ({
    ...findContract(row),
    quantity: (row.option_type === 'C' ? 1 : -1) * Number(row.open_interest),
  }))
}

const findContract = (row: Row) => ({
  root: String(row.root),
  expiry: String(row.expiry),
  strike: Number(row.strike),
  option_type: String(row.option_type),
})

async function quotesAt(minuteAt: string): Promise<second.Quoted[]> {
  const rows = await db.rows(
    `from read_parquet($files::varchar[])
     where minute_at = $at::timestamp and known_at < minute_at and quoted_at < minute_at
       and quoted_at >= minute_at - interval 60 seconds`,
    { files: filePaths(tapeFiles(dataFolder, 'quotes', DATE)), at: minuteAt },
  )
  return rows.map(row => ({
    ...findContract(row),
    best_bid: row.best_bid as number | null,
    best_ask: row.best_ask as number | null,
  }))
}

async function termsAt(minute: string): Promise<second.Term[]> {
  const rows = await listRows('forwards', `where minute_et = '${minute}'`)
  return rows
    .filter(row => row.forward !== null && Number(row.seconds_left) > 0)
    .map(row => ({
      root: String(row.root),
      expiry: String(row.expiry),
      years: Number(row.seconds_left) / (365 * 86_400),
      forward: Number(row.forward),
      discount: Number(row.discount),
    }))
}

/** 20 minutes of the session, the first and last ones of it among them. */
function pickMinutes(): { minute: string; minuteAt: string }[] {
  const all = Array.from({ length: 389 }, (_, index) => 9 * 60 + 31 + index)
  const picked = [...shuffled(all, randomNumbers(31)).slice(0, MINUTES - 2), 571, 959]
  const two = (value: number) => String(value).padStart(2, '0')
  return picked.map(of => ({
    minute: `${two(Math.floor(of / 60))}:${two(of % 60)}`,
    minuteAt: `${DATE} ${two(Math.floor(of / 60) + 4)}:${two(of % 60)}:00`,
  }))
}

/** Of numbers that cancel, what is left may be as small as chance has it. */
const near = (found: unknown, wanted: number, gross: number, what: string) =>
  expect(
    Math.abs(Number(found) - wanted) / Math.max(Math.abs(wanted), 1e-4 * gross),
    what,
  ).toBeLessThan(1e-6)

test('a second program finds the same net gamma, strikes, walls and flips', async () => {
  const legs = await signedLegs()
  const inventory = (await listRows('inventory')).map(row => ({
    ...findContract(row),
    quantity: Number(row.quantity),
    source: row.source,
  }))
  const convention = await conventionOf()
  expect(inventory.some(({ source }) => source === 'measured')).toBe(true)
  const seen = { net: 0, flips: 0, strikes: 0 }
  for (const { minute, minuteAt } of pickMinutes()) {
    const price = second.pricing(await termsAt(minute), await quotesAt(minuteAt))
    const flow = legs.filter(
      ({ visible, superseded }) => visible < minuteAt && superseded >= minuteAt,
    )
    const books = { measured: [...inventory, ...flow], vol: flow, oi: convention }
    const levels = await listRows('levels', `where minute_et = '${minute}'`)
    const strikes = await listRows('strikes', `where minute_et = '${minute}'`)
    expect(levels).toHaveLength(3)
    for (const level of levels) {
      const basis = level.book_basis as keyof typeof books
      const what = `${minute} ${basis}`
      const spot = Number(level.spot)
      const priced = books[basis].map(price)
      // what has no price is left out of the sums, and too much of it leaves no levels
      const book = priced.filter(held => held !== null)
      const reported = strikes.filter(row => row.book_basis === basis)
      if (level.net_gamma_musd_per_point === null) {
        expect([what, level.reason]).toEqual([what, expect.stringMatching(/no_forward|empty_book/)])
        continue
      }
      const ladder = second.findLadder(book, spot)
      const gross = [...ladder.values()].reduce(
        (most, { call, put }) => most + Math.abs(call) + Math.abs(put),
        0,
      )
      near(level.net_gamma_musd_per_point, second.findNet(ladder), gross, `${what} net`)
      const walls = second.listWalls(ladder)
      expect([what, level.call_wall, level.put_wall]).toEqual([what, walls.call, walls.put])
      const flip = second.findFlip(book, spot)
      // a flip that may be anywhere is not named
      const isOpen = level.reason === 'no_bound'
      expect([what, level.flip === null]).toEqual([what, flip === null || isOpen])
      if (flip !== null && !isOpen) {
        expect(Math.abs(Number(level.flip) - flip), `${what} flip`).toBeLessThan(0.05)
        seen.flips++
      }
      for (const row of reported) {
        const own = ladder.get(Number(row.strike)) ?? { call: 0, put: 0 }
        near(row.call_musd, own.call, gross, `${what} ${row.strike} calls`)
        near(row.put_musd, own.put, gross, `${what} ${row.strike} puts`)
        expect(Math.abs(Number(row.strike) - spot)).toBeLessThanOrEqual(300)
      }
      const named = new Set(reported.map(row => Number(row.strike)))
      expect(named.size).toBe(reported.length)
      const missing = [...ladder].filter(
        ([strike, { call, put }]) =>
          Math.abs(strike - spot) <= 300 && (call !== 0 || put !== 0) && !named.has(strike),
      )
      expect([what, missing]).toEqual([what, []])
      seen.net++
      seen.strikes += reported.length
    }
  }
  expect(seen.net).toBeGreaterThan(50)
  expect(seen.flips).toBeGreaterThan(20)
  expect(seen.strikes).toBeGreaterThan(2_000)
})

test('the walls within 300 points are the highest bars of the ladder', async () => {
  const [row] = await db.rows(
    `with bars as (
       select minute_et, book_basis,
         max(abs(call_musd)) as most_call, max(abs(put_musd)) as most_put
       from read_parquet($strikes) group by all
     )
     select
       count(calls.strike) as call_walls,
       count(puts.strike) as put_walls,
       count(*) filter (abs(calls.call_musd) < most_call or abs(puts.put_musd) < most_put) as lower
     from read_parquet($levels) as levels
     inner join bars using (minute_et, book_basis)
     left join read_parquet($strikes) as calls
       on calls.minute_et = levels.minute_et and calls.book_basis = levels.book_basis
       and calls.strike = levels.call_wall
     left join read_parquet($strikes) as puts
       on puts.minute_et = levels.minute_et and puts.book_basis = levels.book_basis
       and puts.strike = levels.put_wall`,
    { levels: findFile('levels'), strikes: findFile('strikes') },
  )
  expect(Number(row!.lower)).toBe(0)
  expect(Number(row!.call_walls)).toBeGreaterThan(1_000)
  expect(Number(row!.put_walls)).toBeGreaterThan(1_000)
})

test('95 strikes, 3 more than the demo has, take at most 1.9 MB a session', async () => {
  const folder = mkdtempSync(join(root, 'size-'))
  const other = await openDatabase()
  // amounts without any pattern that a file could be the smaller for
  await other.run(
    `create table ledger.strikes as
     select
       date '${DATE}' as session_date,
       strftime(timestamp '${DATE} 09:31:00' + to_minutes(minute), '%H:%M') as minute_et,
       book_basis,
       5600 + 5.0::double * place as strike,
       ln(hash(minute, book_basis, place, 'call') / 1e19) as call_musd,
       ln(hash(minute, book_basis, place, 'put') / 1e19) as put_musd
     from range(405) as minutes(minute)
     cross join unnest(['measured', 'oi', 'vol']) as books(book_basis)
     cross join range(95) as places(place)
     order by all`,
  )
  const wanted = PUBLISHED_DATASETS.filter(({ name }) => name === 'strikes')
  const take = async (_: unknown, path: string) => statSync(path).size
  const { strikes } = await writeDatasets(other, folder, take, wanted)
  other.close()
  expect(strikes).toBeLessThan(1_900_000)
  // and what a build has of fewer strikes takes no more of each
  const { bytes, rows } = manifest.datasets.strikes!
  expect(bytes / rows).toBeLessThan(17)
})
