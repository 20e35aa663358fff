// The heat map of a session in a real browser: the numbers of the files, and a switch of exposures.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseProxies } from '../../src/platform/http/addresses.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { pageFaults, WINDOWS } from '../support/axe.ts'
import { inBrowser, withPage } from '../support/browser.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'

const DAY = '2026-10-15'
const PAGE = `/sessions/${DAY}/exposures`
const DESKTOP = { width: 1280, height: 900 }

let built: BuiltSession
let api: TestApi
beforeAll(async () => {
  built = await buildSmallSession(DAY)
  api = await startTestApi({
    dataFolder: built.dataFolder,
    connections: { proxies: parseProxies('127.0.0.1')! },
  })
  // in New York noon of the day after
  api.clock.atMs = Date.parse('2026-10-16T16:00:00Z')
})
afterAll(async () => {
  await api.close()
  built.remove()
})

const number = (text: string) => Number(text.replaceAll(',', '').replace('−', '-'))

/** The API's cells of a minute. */
async function readCells(exposure: string, book: string) {
  const { key } = await api.newKey('live', 'live')
  const query = `sym=SPX&day=${DAY}&time=11:14&exposure=${exposure}&book=${book}`
  return (await api.call(`/api/v1/gamma?${query}`, { key })).json
}

inBrowser('each cell is that of the API, for each exposure, without a script', async () => {
  await withPage(
    api.url,
    DESKTOP,
    async page => {
      await page.goto(`${api.url}${PAGE}?book=oi&t=11:14`)
      for (const exposure of ['gamma', 'delta', 'vanna', 'charm']) {
        await page.locator('nav[aria-label="Exposure"]').getByText(exposure).click()
        await page.waitForURL(url => exposure === 'gamma' || url.search.includes(exposure))
        const { cells, unit, cells_time } = await readCells(exposure, 'oi')
        const caption = await page.locator('table.heat caption').innerText()
        expect(caption.toLowerCase()).toContain(`${exposure}, ${unit.toLowerCase()}`)
        expect([cells_time, caption.includes('at 11:10')]).toEqual(['11:10', true])
        const heads = await page.locator('table.heat thead th').allInnerTexts()
        const rows = await page.locator('table.heat tbody tr').all()
        expect(rows.length).toBeGreaterThan(20)
        let compared = 0
        for (const row of rows.slice(0, -1)) {
          const [strike = '', ...values] = await row.locator('th, td').allInnerTexts()
          for (const [index, text] of values.entries()) {
            if (text === '') continue
            const head = heads[index + 1]!
            const wanted = cells.find(
              ([at, root, expiry]: [number, string, string]) =>
                at === Number(strike) &&
                `${expiry.slice(5)}${root === 'SPX' ? ' AM' : ''}` === head,
            )
            if (head === 'later') continue
            expect(Math.abs(number(text) - wanted[3])).toBeLessThanOrEqual(
              Math.abs(wanted[3]) * 0.006 + 1e-4,
            )
            compared++
          }
        }
        expect(compared).toBeGreaterThan(50)
      }
    },
    { javaScriptEnabled: false },
  )
})

for (const { colorScheme, width } of WINDOWS) {
  inBrowser(`axe finds nothing, ${colorScheme} and ${width} wide`, async () => {
    await withPage(
      api.url,
      { width, height: 900 },
      async page => {
        for (const query of ['?book=vol&exposure=vanna&t=10:30', '?exposure=charm', '?book=oi']) {
          await page.goto(api.url + PAGE + query)
          expect(await pageFaults(page, query)).toEqual([])
        }
      },
      { colorScheme },
    )
  })
}

test('a page is small, and an unknown exposure is refused in a sentence', async () => {
  const page = await api.call(`${PAGE}?book=oi&exposure=delta`, {
    key: null,
    headers: { 'accept-encoding': 'br' },
  })
  expect(page.status).toBe(200)
  // compressed it is about a sixth
  expect(page.body.byteLength).toBeLessThan(150_000)
  const refused = await api.call(`${PAGE}?exposure=rho`, { key: null })
  expect(refused.status).toBe(400)
  expect(String(refused.body)).toMatch(/Exposure is .*rho.*; give one of .*exposure=vanna/)
})
