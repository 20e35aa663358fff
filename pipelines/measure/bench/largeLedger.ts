import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { sha256 } from '../../../src/core/disk/files.ts'
import { neighbourSession } from '../../../src/core/market/calendar.ts'
import {
  formatEtag,
  publishedFolder,
  readManifest,
  writeManifest,
} from '../../../src/data/published/manifest.ts'
import { median } from './stats.ts'

/** Orders of the ledger: three times those of a busy day. */
const ORDERS = 40_000
/** Pages to read, each only once, so none of them is cached. */
const PAGES_READ = 20
const BROTLI_QUALITY = 4

/** Pages of a ledger with that many orders, as they are sent. */
export type LedgerPages = {
  readonly orders: number
  /** The first page of all: the ledger is read. */
  readonly first_ms: number
  /** The median and the slowest of those after it. */
  readonly page_ms: number
  readonly slowest_ms: number
  readonly html_bytes: number
}

/** Publishes the ledger of the day before a session: its own orders, again and again. */
export function addLargeLedger(dataFolder: string, date: string): string {
  const manifest = readManifest(dataFolder, date)!
  const folder = publishedFolder(dataFolder)
  const day = neighbourSession(date, -1).date
  const ledger = JSON.parse(readFileSync(join(folder, manifest.ledger.json!.file), 'utf8'))
  const orders = Array.from({ length: ORDERS }, (_, index) => {
    const order = ledger.orders[index % ledger.orders.length]
    return { ...order, oid: `${order.oid}${Math.floor(index / ledger.orders.length)}` }
  })
  const json = Buffer.from(JSON.stringify({ ...ledger, day, orders }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  const forms = { json, brotli: brotliCompressSync(json, { params }) }
  const placed = Object.entries(forms).map(([name, data]) => {
    const hash = sha256(data)
    const file = `ledger/session=${day}/${hash.slice(0, 16)}.${name}`
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, data)
    return [name, { file, bytes: data.byteLength, sha256: hash, etag: formatEtag(hash) }] as const
  })
  const { archive: _, summary: __, ...rest } = manifest
  writeManifest(dataFolder, {
    ...rest,
    session_date: day,
    datasets: {},
    ledger: Object.fromEntries(placed),
  })
  return day
}

/** Reads pages of it, one after the other, each for the first time. */
export async function readLedgerPages(url: string, day: string): Promise<LedgerPages> {
  const headers = { accept: 'text/html', 'accept-encoding': 'br' }
  const bytes: number[] = []
  const times: number[] = []
  for (let page = 0; page <= PAGES_READ; page++) {
    const started = performance.now()
    const path = `/sessions/${day}/orders?sort=premium&page=${1 + page * 39}`
    const response = await fetch(url + path, { headers })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} is ${response.status}: ${text.slice(0, 200)}`)
    times.push(performance.now() - started)
    bytes.push(Number(response.headers.get('content-length')))
  }
  const [first, ...more] = times
  return {
    orders: ORDERS,
    first_ms: first!,
    page_ms: median(more),
    slowest_ms: Math.max(...more),
    html_bytes: Math.max(...bytes),
  }
}
