// Pages of sessions in a real browser: they show the values of the archive and the ledger.

import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseProxies } from '../../src/platform/http/addresses.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { pageFaults, WINDOWS } from '../support/axe.ts'
import { inBrowser, withPage } from '../support/browser.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'
import { listFacts } from '../support/sessionPages.ts'

const DAY = '2026-10-15'
const PAGE = `/sessions/${DAY}`
/** In New York noon of the day after. */
const AFTER_MS = Date.parse('2026-10-16T16:00:00Z')

let built: BuiltSession
let api: TestApi
let oid: string
// biome-ignore lint/suspicious/noExplicitAny: responses of the archive and the ledger
type Json = any
let session: Json
let ledger: Json

beforeAll(async () => {
  built = await buildSmallSession(DAY)
  const proxies = parseProxies('127.0.0.1')!
  api = await startTestApi({ dataFolder: built.dataFolder, connections: { proxies } })
  api.clock.atMs = AFTER_MS
  session = (await api.call(`/api/session/${DAY}`, { key: null })).json
  ledger = (await api.call(`/orders/api/day?day=${DAY}`)).json
  oid = ledger.orders.find((order: Json) => order.prints > 1).oid
})
beforeEach(() => {
  api.clock.atMs = AFTER_MS
})
afterAll(async () => {
  await api.close()
  built.remove()
})

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(api.url + path, { headers: { accept: 'text/html', ...headers } })
  return { status: response.status, headers: response.headers, html: await response.text() }
}
const findText = (markup: string) => markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

type BrowserPage = Parameters<Parameters<typeof withPage>[2]>[0]

for (const { colorScheme, width } of WINDOWS) {
  inBrowser(
    `axe finds nothing in pages of sessions, ${colorScheme} and ${width} wide`,
    async () => {
      const paths = [
        '/',
        '/sessions',
        PAGE,
        `${PAGE}?t=11:14&book=vol`,
        `${PAGE}/tape`,
        `${PAGE}/orders`,
        `${PAGE}/orders?kind=vertical&sort=time`,
        `${PAGE}/orders/${oid}`,
        '/sessions/2026-10-16',
      ]
      const use = async (page: BrowserPage) => {
        const found: string[] = []
        for (const path of paths) {
          await page.goto(api.url + path)
          for (const summary of await page.locator('summary').all()) await summary.click()
          found.push(...(await pageFaults(page, path)))
        }
        expect(found).toEqual([])
      }
      await withPage(api.url, { width, height: 800 }, use, { colorScheme })
    },
  )
}

inBrowser(
  'without scripts: the chart, the tables, the minute, filters and paging work',
  async () => {
    const use = async (page: BrowserPage) => {
      await page.goto(`${api.url}/sessions`)
      await page.getByRole('link', { name: `Thu ${DAY}`, exact: true }).click()
      expect(await page.locator('#levels-picture').isVisible()).toBe(true)
      await page.locator('input[name=t]').fill('11:14')
      await page.getByRole('button', { name: 'Show' }).click()
      expect(page.url()).toBe(`${api.url}${PAGE}?t=11:14`.replace(':14', '%3A14'))
      const at = session.minutes.indexOf('11:14')
      expect(await page.locator('#now dd').allInnerTexts()).toEqual(listFacts(session, at))
      await page.getByRole('link', { name: 'flow of the day' }).click()
      expect(await page.locator('#now dd').allInnerTexts()).toEqual(listFacts(session, at, 'vol'))
      await page.getByRole('link', { name: 'All orders, to filter and sort' }).click()
      await page.getByLabel('Kind').selectOption('single')
      await page.getByLabel('Sort by').selectOption('premium')
      await page.getByRole('button', { name: 'Show' }).click()
      const wanted = ledger.orders
        .filter((order: Json) => order.kind === 'single')
        .toSorted((one: Json, other: Json) => (other.net ?? -1) - (one.net ?? -1))
      const shown = await page.locator('tbody tr td:first-child').allInnerTexts()
      expect(shown).toEqual(wanted.slice(0, 50).map((order: Json) => order.t))
      if (wanted.length > 50) {
        await page.getByRole('link', { name: 'next' }).click()
        const next = await page.locator('tbody tr td:first-child').allInnerTexts()
        expect(next).toEqual(wanted.slice(50, 100).map((order: Json) => order.t))
      }
    }
    await withPage(api.url, { width: 360, height: 800 }, use, { javaScriptEnabled: false })
  },
)

inBrowser('a first view is within its budget of bytes, requests and shifts', async () => {
  await withPage(api.url, { width: 1280, height: 900 }, async page => {
    const responses: { readonly type: string; readonly bytes: number }[] = []
    page.on('requestfinished', async request => {
      const { responseBodySize: bytes } = await request.sizes()
      responses.push({ type: request.resourceType(), bytes })
    })
    await page.goto(api.url + PAGE, { waitUntil: 'networkidle' })
    await page.locator('#range').focus()
    await page.keyboard.press('ArrowLeft')
    await page.waitForLoadState('networkidle')
    const listBytes = (...types: string[]) =>
      responses
        .filter(({ type }) => types.includes(type))
        .reduce((sum, { bytes }) => sum + bytes, 0)
    expect(responses.length).toBeLessThanOrEqual(8)
    expect(listBytes('document')).toBeLessThanOrEqual(45_000)
    expect(listBytes('stylesheet')).toBeLessThanOrEqual(8_000)
    expect(listBytes('script')).toBeLessThanOrEqual(35_000)
    expect(listBytes('fetch', 'xhr')).toBeLessThanOrEqual(65_000)
    const shift = await page.evaluate(`new Promise(done => new PerformanceObserver(list =>
      done(list.getEntries().reduce((sum, entry) => sum + entry.value, 0))
    ).observe({ type: 'layout-shift', buffered: true }) || setTimeout(() => done(0), 500))`)
    expect(shift).toBeLessThanOrEqual(0.02)
  })
})

test('twenty orders are those of the ledger, with their prints', async () => {
  const { orders } = ledger
  for (let index = 0; index < 20; index++) {
    const order = orders[Math.floor((index * orders.length) / 20)]
    const { status, html } = await get(`${PAGE}/orders/${order.oid}`)
    expect(status).toBe(200)
    const text = findText(html)
    expect(text).toContain(`Evidence: ${order.prints} print`)
    expect(text).toContain(`First print at ${order.t}`)
    const rows = html
      .split('id="prints-title"')[1]!
      .split('</section>')[0]!
      .match(/<tr><td>/g)
    expect(rows).toHaveLength(order.prints)
    if (order.size !== null) {
      expect(text).toContain(`${order.size.toLocaleString('en-US')} times`)
    }
    const legs = html
      .split('id="legs-title"')[1]!
      .split('</section>')[0]!
      .match(/<tr><td>/g)
    expect(legs).toHaveLength(order.lg.length)
  }
})

test('the CSV has the rows of the filter, in the columns of the Orders API', async () => {
  const all = await get(`${PAGE}/orders.csv`)
  const { body } = await api.call(`/orders/api/day?day=${DAY}`, { headers: { accept: 'text/csv' } })
  expect(all.html).toBe(body.toString('utf8'))
  const some = await get(`${PAGE}/orders.csv?side=sold&min_premium=0.1`)
  const wanted = ledger.orders.filter((one: Json) => one.lg[0][2] === -1 && one.net >= 0.1)
  const lines = some.html.trim().split('\r\n').slice(1)
  expect(lines.map(line => line.split(',')[0])).toEqual(wanted.map((one: Json) => one.oid))
  expect(some.headers.get('content-disposition')).toBe(`attachment; filename="orders-${DAY}.csv"`)
})

test('a page is cached by its tag, and another origin may not read it', async () => {
  const { headers } = await get(PAGE, { 'accept-encoding': 'br' })
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('access-control-allow-origin')).toBeNull()
  const again = await fetch(api.url + PAGE, {
    headers: { 'accept-encoding': 'br', 'if-none-match': headers.get('etag')! },
  })
  expect(again.status).toBe(304)
  const { body } = await api.call(PAGE, { key: null, headers: { 'accept-encoding': 'br' } })
  expect(brotliDecompressSync(body).toString('utf8')).toContain('<h1>SPX Thu 2026-10-15</h1>')
})

test.each([
  ['?t=99:99', 400, 't is &quot;99:99&quot;'],
  ['?t=09:00', 400, 'T is &quot;09:00&quot;; the session has'],
  ['?book=gex', 400, 'Book is &quot;gex&quot;'],
  ['/orders?sort=size', 400, 'Sort is &quot;size&quot;'],
  ['/orders?kind=%3Cb%3E', 400, 'Kind is &quot;&lt;b&gt;&quot;'],
  ['/orders?min_premium=-1', 400, 'Min_premium is &quot;-1&quot;'],
  ['/orders?page=9999', 404, 'There is no such page'],
  ['/orders/20261015-nothing', 404, 'has no such order'],
  ['/', 404, 'There is no such page'],
  ['/nothing', 404, 'There is no such page'],
])('%s is %i, in one sentence', async (path, status, sentence) => {
  const seen = await get(PAGE + path)
  expect(seen.status).toBe(status)
  expect(seen.html.toLowerCase()).toContain(sentence.toLowerCase())
})
