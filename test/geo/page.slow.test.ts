// Releases on the page of a session, in a real browser, and the webhook on the account page.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { axeFindings, doubledIds, findOverflow } from '../support/axe.ts'
import { inBrowser, withPage } from '../support/browser.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'
import { importText } from '../support/geo.ts'
import { signedIn } from '../support/visitor.ts'

const DAY = '2026-10-15'
/** In New York noon of the day after. */
const AFTER_MS = Date.parse('2026-10-16T16:00:00Z')
const HEAD = 'kind,date,country,code,source,known_at,label,url\n'
const MARKUP = '<img src=x onerror=document.title=1>'

let built: BuiltSession
let api: TestApi
beforeAll(async () => {
  built = await buildSmallSession(DAY)
  api = await startTestApi({ dataFolder: built.dataFolder })
  const dates = [
    { release_id: 180, date: DAY },
    { release_id: 97, date: DAY },
    // of the sessions before and after
    { release_id: 10, date: '2026-10-14' },
    { release_id: 13, date: '2026-10-16' },
  ]
  const simulated = { simulated: true }
  await importText(
    built.dataFolder,
    'fred-release-dates',
    JSON.stringify({ release_dates: dates }),
    simulated,
  )
  await importText(
    built.dataFolder,
    'geo-items',
    `${HEAD}release,${DAY},US,FOMC,desk,${DAY}T18:00:00Z,${MARKUP},\n` +
      `release,${DAY},US,SECRET,acled,${DAY}T17:00:00Z,not shared,\n` +
      // the evening before, after the close
      'release,2026-10-14,US,BEIGE,desk,2026-10-14T22:00:00Z,beige book,\n',
    simulated,
  )
})
afterAll(async () => {
  await api.close()
  built.remove()
})

const PAGE = `/sessions/${DAY}`

const listTexts = async () => {
  const html = await (await fetch(api.url + PAGE, { headers: { accept: 'text/html' } })).text()
  const section = /<section class="releases"[\s\S]*?<\/section>/.exec(html)?.[0] ?? ''
  const rows = [...section.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, row]) =>
    row!
      .replace(/<[^>]+>/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  return { html, section, rows }
}

test('the releases of the session are listed with their time; some are in the chart', async () => {
  api.clock.atMs = AFTER_MS
  const { html, section, rows } = await listTexts()
  expect(rows).toEqual([
    '2026-10-14 18:00 US beige book, not in the chart',
    '08:30 US jobless claims, not in the chart',
    '10:00 US new home sales',
    '14:00 US &lt;img src=x onerror=document.title=1&gt;',
  ])
  expect(section).toContain('SIMULATED')
  expect(html).not.toContain('not shared')
  const session = (await api.call(`/api/session/${DAY}`, { key: null })).json
  const indexes = ['10:01', '14:01'].map(minute => session.minutes.indexOf(minute))
  expect(html).toContain(`data-releases="${indexes.join(' ')}"`)
  expect(html.match(/<line class="release"/g)).toHaveLength(2)
})

test('a cached page is rebuilt when a release is imported', async () => {
  api.clock.atMs = AFTER_MS
  const before = (await listTexts()).rows.length
  const row = `release,${DAY},US,LATE,desk,${DAY}T15:00:00Z,another one,\n`
  await importText(built.dataFolder, 'geo-items', HEAD + row, { simulated: true })
  expect((await listTexts()).rows).toHaveLength(before + 1)
})

const WINDOWS = [
  { colorScheme: 'light', width: 1280, javaScriptEnabled: true },
  { colorScheme: 'light', width: 360, javaScriptEnabled: false },
  { colorScheme: 'dark', width: 360, javaScriptEnabled: true },
] as const

for (const { colorScheme, width, javaScriptEnabled } of WINDOWS) {
  const scripts = javaScriptEnabled ? 'with' : 'without'
  inBrowser(`marks stand ${scripts} scripts, ${colorScheme} and ${width} wide`, async () => {
    api.clock.atMs = AFTER_MS
    const use = async (page: Parameters<Parameters<typeof withPage>[2]>[0]) => {
      await page.goto(api.url + PAGE, { waitUntil: 'networkidle' })
      expect(await page.locator('.releases li').count()).toBe(5)
      expect(await page.title()).toContain(DAY)
      expect(await page.locator('#levels-picture line.release').count()).toBe(3)
      if (!javaScriptEnabled) {
        expect(await page.locator('#levels-picture').isVisible()).toBe(true)
        return
      }
      await page.locator('.chart canvas').waitFor()
      expect(await axeFindings(page)).toEqual([])
      expect(await doubledIds(page)).toEqual([])
      expect(await findOverflow(page)).toBe(0)
    }
    await withPage(api.url, { width, height: 900 }, use, { colorScheme, javaScriptEnabled })
  })
}

inBrowser('the chart of the script has a line where the page names a release', async () => {
  api.clock.atMs = AFTER_MS
  /** Dark points of each column of the chart, at the column of a release and next to it. */
  const darkAt = (columns: readonly number[]) => `(() => {
    const canvas = document.querySelector('.chart canvas')
    const { width, height } = canvas
    const copy = Object.assign(document.createElement('canvas'), { width, height })
    const context = copy.getContext('2d', { willReadFrequently: true })
    context.drawImage(canvas, 0, 0)
    const pixels = context.getImageData(0, 0, width, height).data
    const over = document.querySelector('.chart .u-over').getBoundingClientRect()
    const box = canvas.getBoundingClientRect()
    const count = document.querySelectorAll('#minutes tbody tr').length
    const scale = width / box.width
    return ${JSON.stringify(columns)}.map(place => {
      const at = Math.round((over.left - box.left + (place / (count - 1)) * over.width) * scale)
      let most = 0
      for (let x = at - 1; x <= at + 1; x++) {
        let dark = 0
        for (let y = 0; y < height; y++) {
          const start = 4 * (y * width + x)
          if (pixels[start + 3] > 90) dark++
        }
        most = Math.max(most, dark)
      }
      return most
    })
  })()`
  await withPage(api.url, { width: 1280, height: 900 }, async page => {
    await page.goto(api.url + PAGE, { waitUntil: 'networkidle' })
    await page.locator('.chart canvas').waitFor()
    const marks = (await page.locator('#levels-figure').getAttribute('data-releases'))!
    const indexes = marks.split(' ').map(Number)
    const marked = (await page.evaluate(darkAt(indexes))) as number[]
    const others = (await page.evaluate(darkAt(indexes.map(index => index + 7)))) as number[]
    for (const [at, count] of marked.entries()) expect(count).toBeGreaterThan(others[at]! + 40)
  })
})

test('the account page saves, tests and removes the address, and shows what was sent', async () => {
  await api.accounts.putProduct(api.accountId, { plan: 'geo', fromMs: 0, untilMs: null })
  const visitor = await signedIn(api)
  const text = async () =>
    (await visitor.get('/account')).html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
  expect(await text()).toContain('Public records What becomes known in the world is sent')
  expect(await text()).toMatch(/Geo API: calls of 2026-10 0 10,000 0 of 10000 with the month, UTC/)
  const bad = await visitor.post('/account/geo/save', { address: 'http://example.com/' })
  expect([bad.status, bad.html]).toEqual([400, expect.stringContaining('not begin with https://')])
  const saved = await visitor.post('/account/geo/save', { address: 'https://hook.example.com/g' })
  expect(saved.html).toMatch(/whsec_[A-Za-z0-9+/]{40}/)
  const tested = await visitor.post('/account/geo/test', {})
  const [id] = /evt_[0-9a-f]{32}/.exec(tested.html)!
  const query = { accountId: api.accountId, isGeo: true, limit: 9 }
  expect(await api.accounts.outbox.listDeliveries(query)).toMatchObject([{ eventId: id }])
  expect(await text()).toContain('geo.test waiting')
  expect((await visitor.post('/account/geo/remove', {})).status).toBe(303)
  expect((await visitor.post('/account/geo/remove', {})).status).toBe(404)
  const none = await visitor.post('/account/geo/test', {})
  expect(none.html).toContain('This account has no webhook for public records')
})
