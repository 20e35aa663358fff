/** Pages of a session in a browser: bytes, requests, paint times, responses to keys. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { chromium, type Page } from 'playwright-core'
import { sha256 } from '../../../src/core/disk/files.ts'
import { Refusal } from '../../../src/core/disk/refusal.ts'
import { neighbourSession } from '../../../src/core/market/calendar.ts'
import {
  formatEtag,
  publishedFolder,
  readManifest,
  writeManifest,
} from '../../../src/data/published/manifest.ts'
import { median } from './meter.ts'
import { withApi } from './processes.ts'
import type { Bench, Rows } from './section.ts'
import { buildSession } from './tape.ts'

const CHROMIUM = '/usr/bin/chromium'
/** Slowdown that simulates the processor of a phone. */
const SLOWDOWN = 4
const KEYS_PRESSED = 20
const VIEWPORT = { width: 1280, height: 900 }
/** Orders of the large ledger: three times those of a busy day. */
const LEDGER_ORDERS = 40_000
/** Pages of it to read, each only once, so none of them is cached. */
const LEDGER_PAGES = 20

/** Figures of one page: bytes as they are sent, compressed. */
type PageFigures = {
  readonly requests: number
  readonly html_bytes: number
  readonly css_bytes: number
  readonly script_bytes: number
  readonly data_bytes: number
  /** The largest thing of the first view, from the call on. */
  readonly painted_ms: number
  /** Layout shift after painting, as a share of the window. */
  readonly shift: number
  /** The slowest response of the scrubber to a key. */
  readonly key_ms?: number
}

/** Loads pages of a session with an empty cache, on a processor that is slowed down. */
export async function measureSite(bench: Bench): Promise<Rows> {
  const { tape } = await buildSession(bench)
  const { dataFolder, date } = tape
  if (!existsSync(CHROMIUM)) throw new Refusal(`the section site needs a browser at ${CHROMIUM}.`)
  bench.say('loading pages in a browser')
  const large = addLargeLedger(dataFolder, date)
  return withApi(dataFolder, {}, async api => {
    const ledger = await readLedgerPages(api.url, large)
    const session = `/sessions/${date}`
    const rows: Record<string, Rows[string]> = {}
    for (const [index, path] of ['/', session, `${session}/orders`].entries()) {
      const runs: PageFigures[] = []
      for (let round = 0; round < bench.rounds; round++) {
        const profile = join(dataFolder, `browser-${round}-${index}`)
        runs.push(await loadPage(api.url + path, profile, path === session))
      }
      const names = Object.keys(runs[0]!) as (keyof PageFigures)[]
      rows[path] = Object.fromEntries(
        names.map(name => [name, median(runs.map(run => run[name]!))]),
      )
    }
    return { ...rows, [LEDGER_ROW]: ledger }
  })
}

export const LEDGER_ROW = `a page of a ledger of ${LEDGER_ORDERS.toLocaleString('en-US')} orders`

async function loadPage(url: string, profile: string, isPlayed: boolean): Promise<PageFigures> {
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    viewport: VIEWPORT,
    timeout: 0,
  })
  try {
    const page = await browser.newPage()
    const devtools = await browser.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    const sent: Promise<{ readonly type: string; readonly bytes: number }>[] = []
    page.on('requestfinished', request => {
      const type = request.resourceType()
      sent.push(request.sizes().then(({ responseBodySize: bytes }) => ({ type, bytes })))
    })
    await page.goto(url, { waitUntil: 'networkidle' })
    const painted = (await page.evaluate(PAINTED)) as number
    const keyMs = isPlayed ? await pressKeys(page) : undefined
    await page.waitForLoadState('networkidle')
    const shift = (await page.evaluate(SHIFT)) as number
    const responses = await Promise.all(sent)
    const sumBytes = (...types: string[]) =>
      responses.filter(({ type }) => types.includes(type)).reduce((sum, one) => sum + one.bytes, 0)
    return {
      requests: responses.length,
      html_bytes: sumBytes('document'),
      css_bytes: sumBytes('stylesheet'),
      script_bytes: sumBytes('script'),
      data_bytes: sumBytes('fetch', 'xhr'),
      painted_ms: painted,
      shift,
      ...(keyMs !== undefined && { key_ms: keyMs }),
    }
  } finally {
    await browser.close()
  }
}

/** The longest time from a key to the next picture. */
async function pressKeys(page: Page): Promise<number> {
  await page.evaluate(WATCH_KEYS)
  await page.locator('#range').focus()
  await page.waitForLoadState('networkidle')
  for (let press = 0; press < KEYS_PRESSED; press++) await page.keyboard.press('ArrowLeft')
  return (await page.evaluate(SLOWEST_KEY)) as number
}

// run inside of the page
const entriesScript = (type: string, value: string) => `new Promise(done => {
  const watch = new PerformanceObserver(list => done(${value}))
  watch.observe({ type: '${type}', buffered: true })
  setTimeout(() => done(0), 500)
})`
const PAINTED = entriesScript('largest-contentful-paint', 'list.getEntries().at(-1).startTime')
const SHIFT = entriesScript(
  'layout-shift',
  'list.getEntries().reduce((sum, one) => sum + one.value, 0)',
)
const WATCH_KEYS = `{
  window.slowest = 0
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) window.slowest = Math.max(slowest, duration)
  }).observe({ type: 'event', durationThreshold: 16 })
}`
const SLOWEST_KEY = 'new Promise(done => setTimeout(() => done(slowest), 500))'

/** Publishes the ledger of the day before a session: its own orders, again and again. */
function addLargeLedger(dataFolder: string, date: string): string {
  const manifest = readManifest(dataFolder, date)!
  const folder = publishedFolder(dataFolder)
  const day = neighbourSession(date, -1).date
  const ledger = JSON.parse(readFileSync(join(folder, manifest.ledger.json!.file), 'utf8'))
  const orders = Array.from({ length: LEDGER_ORDERS }, (_, index) => {
    const order = ledger.orders[index % ledger.orders.length]
    return { ...order, oid: `${order.oid}${Math.floor(index / ledger.orders.length)}` }
  })
  const json = Buffer.from(JSON.stringify({ ...ledger, day, orders }))
  const brotli = brotliCompressSync(json, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  const publish = (name: string, data: Buffer) => {
    const hash = sha256(data)
    const file = `ledger/session=${day}/${hash.slice(0, 16)}.${name}`
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), data)
    return { file, bytes: data.byteLength, sha256: hash, etag: formatEtag(hash) }
  }
  const { archive: _, summary: __, ...rest } = manifest
  writeManifest(dataFolder, {
    ...rest,
    session_date: day,
    datasets: {},
    ledger: { json: publish('json', json), brotli: publish('brotli', brotli) },
  })
  return day
}

/** Reads pages of it, one after the other, each for the first time. */
async function readLedgerPages(url: string, day: string): Promise<Rows[string]> {
  const headers = { accept: 'text/html', 'accept-encoding': 'br' }
  const bytes: number[] = []
  const times: number[] = []
  for (let page = 0; page <= LEDGER_PAGES; page++) {
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
    html_bytes: Math.max(...bytes),
    first_ms: first!,
    page_ms: median(more),
    slowest_ms: Math.max(...more),
  }
}
