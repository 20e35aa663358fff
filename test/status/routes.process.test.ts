import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { instantMs } from '../../src/core/market/calendar.ts'
import { accountFilePath } from '../../src/server/accountStore.ts'
import { createAlarm } from '../../src/status/alarm.ts'
import { judgeStatus, type Status } from '../../src/status/judge.ts'
import { statusPage } from '../../src/status/page.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { inBrowser, withPage } from '../support/browser.ts'
import { findCatalog } from '../support/catalog.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS, writeManifest } from '../support/published.ts'

let api: TestApi

beforeEach(async () => {
  api = await startTestApi()
})
afterEach(() => api.close())

const query = (path: string, method = 'GET') => api.call(path, { key: null, method })
const publish = (day: string) => publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS, { day }))

/** A status in which every text contains markup. */
function hostileStatus(): Status {
  const sessions = { '2026-10-14': { asof: '16:14:58', missing: ['10:01'] } }
  const catalog = findCatalog(sessions, { problems: ['<script>alert("1")</script> & \'x\''] })
  const nowMs = () => instantMs('2026-10-14', '20:00')
  const status = judgeStatus({ catalog, nowMs, publishGraceMs: 60_000, isLive: false })
  const dataset = { dataset: '<img src=x onerror=alert(2)>', rows: 1, newest_at: '"', lag_s: 1 }
  return { ...status, datasets: [dataset], warnings: ['</ul><b>'] }
}

test('the page and its JSON need no key, and no account store', async () => {
  await publish('2026-10-13')
  const database = new DatabaseSync(accountFilePath(api.dataFolder))
  database.exec('alter table api_keys rename to away')
  expect((await api.call('/orders/api/latest')).status).toBe(503)
  const { status, json, headers } = await query('/status.json')
  expect(status).toBe(200)
  expect(json).toMatchObject({
    status: 'red',
    now_et: '2026-10-14 20:00:00',
    problems: ['the newest session is 2026-10-13; 2026-10-14 should be there'],
    newest: { day: '2026-10-13', last_minute: '16:14', gaps: [] },
  })
  expect(json).not.toHaveProperty('alarm')
  expect(headers.get('cache-control')).toBe('no-cache')
  const page = await query('/status')
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none';/)
  const html = page.body.toString()
  expect(html).toContain('2026-10-14 should be there')
  expect(html).toMatch(/<td>2026-10-14<\/td><td><span class="red">missing<\/span>/)
  expect(html).not.toContain('<script')
  expect((await query('/status', 'HEAD')).body.byteLength).toBe(0)
  expect((await query('/status', 'POST')).status).toBe(405)
  expect((await query('/status/')).status).toBe(404)
  database.close()
})

test('a damaged manifest, and a folder with nothing in it, are reported', async () => {
  expect((await query('/status.json')).json.problems).toEqual(['no session is published'])
  expect((await query('/status')).body.toString()).toContain('no session is published')
  await publish('2026-10-13')
  writeManifest(api.dataFolder, '2026-10-14', '<b>')
  api.clock.atMs += 1000
  const { json } = await query('/status.json')
  expect(json.problems[0]).toMatch(/^a file of 2026-10-14 is damaged and has to be repaired;/)
  expect(json.days[0]).toMatchObject({ day: '2026-10-14', state: 'damaged', severity: 'red' })
})

test('what comes from files is text on the page, never markup', () => {
  const html = statusPage(hostileStatus())
  expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;')
  expect(html).toContain('&lt;img src=x onerror=alert(2)&gt;')
  expect(html).toContain('&lt;/ul&gt;&lt;b&gt;')
  expect(html).not.toMatch(/<(script|img|b)\b/)
})

test('an alarm is logged when its problems change, not at every look', () => {
  const lines: string[] = []
  const write = (kind: string) => (fields: object, message: string) => {
    lines.push(`${kind} ${message} ${(fields as { problems?: string[] }).problems ?? ''}`.trim())
  }
  const report = createAlarm({ info: write('info'), error: write('error') })
  const look = (time: string, asof: string, problems: string[] = []) => {
    const catalog = findCatalog({ '2026-10-15': { asof } }, { problems })
    const nowMs = () => instantMs('2026-10-15', time)
    report(judgeStatus({ catalog, nowMs, publishGraceMs: 60_000, isLive: true }))
  }
  look('10:37', '10:36:00')
  expect(lines).toEqual([])
  for (const time of ['10:42', '10:43', '10:44']) look(time, '10:36:00')
  expect(lines).toEqual([
    'error data alarm the session of 2026-10-15 is open, and its data end at 10:36:00: 360 s ago',
  ])
  look('10:45', '10:36:00', ['x is damaged'])
  expect(lines[1]).toMatch(/^error data alarm x is damaged,the session of/)
  look('10:46', '10:45:30')
  look('10:47', '10:46:30')
  expect(lines.slice(2)).toEqual(['info data as expected again'])
  look('10:55', '10:46:30')
  expect(lines).toHaveLength(4)
})

inBrowser('a browser shows the page without a complaint, on a telephone too', async () => {
  await publish('2026-10-12')
  await publish('2026-10-14')
  await withPage(api.url, { width: 390, height: 800 }, async page => {
    await page.setContent(statusPage(hostileStatus()))
    expect(await page.locator('main li').first().innerText()).toBe(
      '<script>alert("1")</script> & \'x\'',
    )
    expect(await page.locator('script, img, b').count()).toBe(0)

    await page.goto(`${api.url}/status`)
    expect(await page.title()).toBe('Status: amber · Tapefold')
    expect(await page.locator('h1 .amber').innerText()).toBe('amber')
    // three days that are reported, and all before them
    expect(await page.locator('tbody tr').count()).toBe(4)
    expect(await page.getByText('2026-07-17 to 2026-10-09').count()).toBe(1)
    expect(await page.getByText('not published: 2026-10-13').count()).toBe(1)
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(390)
    // the colours come from the page's own styles
    const colour = 'getComputedStyle(document.querySelector("h1 .amber")).backgroundColor'
    expect(await page.evaluate(colour)).toBe('rgb(253, 236, 196)')
  })
})
