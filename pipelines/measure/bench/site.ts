/** Pages of a session in a browser: bytes, requests, paint times, responses to keys. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { Refusal } from '../../../src/core/disk/refusal.ts'
import { startApi, stop } from './http.ts'
import { addLargeLedger, type LedgerPages, readLedgerPages } from './largeLedger.ts'
import { median } from './stats.ts'

const CHROMIUM = '/usr/bin/chromium'
/** Slowdown that simulates the processor of a phone. */
const SLOWDOWN = 4
const KEYS_PRESSED = 20
const VIEWPORT = { width: 1280, height: 900 }

export type SiteOptions = {
  readonly dataFolder: string
  readonly date: string
  readonly rounds: number
}

/** Measures of one page: bytes as they are sent, compressed, and medians of the rounds. */
export type PageSpeed = {
  readonly page: string
  readonly requests: number
  readonly html_bytes: number
  readonly css_bytes: number
  readonly script_bytes: number
  readonly data_bytes: number
  /** The largest thing of the first view, from the call on. */
  readonly painted_ms: number
  /** Layout shift after painting, as a share of the window. */
  readonly shift: number
}

export type SiteSpeed = {
  readonly rounds: number
  readonly slowdown: number
  readonly pages: readonly PageSpeed[]
  /** The slowest response of the scrubber to a key. */
  readonly key_ms: number
  /** Absent in reports of older code. */
  readonly ledger?: LedgerPages
}

/** Loads pages of a session with an empty cache, on a processor that is slowed down. */
export async function measureSite({ dataFolder, date, rounds }: SiteOptions): Promise<SiteSpeed> {
  if (!existsSync(CHROMIUM)) throw new Refusal(`the section site needs a browser at ${CHROMIUM}.`)
  const large = addLargeLedger(dataFolder, date)
  const api = await startApi(dataFolder)
  try {
    const ledger = await readLedgerPages(api.url, large)
    const session = `/sessions/${date}`
    const paths = ['/', session, `${session}/orders`]
    const runs: (PageSpeed & { readonly keyMs: number | null })[] = []
    for (let round = 0; round < rounds; round++) {
      for (const path of paths) {
        const profile = join(dataFolder, `browser-${round}-${paths.indexOf(path)}`)
        runs.push(await loadPage(api.url, path, { profile, isPlayed: path === session }))
      }
    }
    const pages = paths.map(path => {
      const own = runs.filter(({ page }) => page === path)
      const middle = (name: Exclude<keyof PageSpeed, 'page'>) => median(own.map(run => run[name]))
      return {
        page: path,
        requests: middle('requests'),
        html_bytes: middle('html_bytes'),
        css_bytes: middle('css_bytes'),
        script_bytes: middle('script_bytes'),
        data_bytes: middle('data_bytes'),
        painted_ms: middle('painted_ms'),
        shift: middle('shift'),
      }
    })
    const keys = runs.flatMap(({ keyMs }) => keyMs ?? [])
    return { rounds, slowdown: SLOWDOWN, pages, key_ms: median(keys), ledger }
  } finally {
    await stop(api)
  }
}

type Visit = { readonly profile: string; readonly isPlayed: boolean }

async function loadPage(url: string, path: string, { profile, isPlayed }: Visit) {
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
    await page.goto(url + path, { waitUntil: 'networkidle' })
    const painted = (await page.evaluate(PAINTED)) as number
    const keyMs = isPlayed ? await pressKeys(page) : null
    await page.waitForLoadState('networkidle')
    const shift = (await page.evaluate(SHIFT)) as number
    const responses = await Promise.all(sent)
    const sumBytes = (...types: string[]) =>
      responses.filter(({ type }) => types.includes(type)).reduce((sum, one) => sum + one.bytes, 0)
    return {
      page: path,
      requests: responses.length,
      html_bytes: sumBytes('document'),
      css_bytes: sumBytes('stylesheet'),
      script_bytes: sumBytes('script'),
      data_bytes: sumBytes('fetch', 'xhr'),
      painted_ms: painted,
      shift,
      keyMs,
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
