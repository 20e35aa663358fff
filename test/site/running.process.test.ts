// The page of today's session in a real browser, while the session runs.

import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { parseProxies } from '../../src/platform/http/addresses.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { pageFaults, WINDOWS } from '../support/axe.ts'
import { inBrowser, withPage } from '../support/browser.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'
import { listFacts, until } from '../support/sessionPages.ts'

const DAY = '2026-10-15'
const PAGE = `/sessions/${DAY}`
/** 11:14:30 in New York. */
const NOW_MS = Date.parse('2026-10-15T15:14:30Z')
const AFTER_MS = Date.parse('2026-10-16T16:00:00Z')
/** Longer than a page waits before it polls again. */
const A_WHILE_MS = 16_000

/** Of a server that replays the session. */
const clock = { atMs: AFTER_MS }

let built: BuiltSession
let api: TestApi
// biome-ignore lint/suspicious/noExplicitAny: responses of the archive and the ledger
type Json = any
let session: Json

beforeAll(async () => {
  built = await buildSmallSession(DAY)
  const proxies = parseProxies('127.0.0.1')!
  api = await startTestApi({
    dataFolder: built.dataFolder,
    connections: { proxies },
    clock: { nowMs: () => clock.atMs, isReplay: true },
  })
  session = (await api.call(`/api/session/${DAY}`, { key: null })).json
})
beforeEach(() => {
  clock.atMs = NOW_MS
})
afterAll(async () => {
  await api.close()
  built.remove()
})

type BrowserPage = Parameters<Parameters<typeof withPage>[2]>[0]

async function signIn(page: BrowserPage): Promise<void> {
  // codes and limits live in real time
  const code = await api.accounts.addSignInCode(api.accountId, systemClock.nowMs())
  await page.goto(`${api.url}/account/enter`)
  await page.getByLabel('Code').fill(code!.code)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Keys' }).waitFor()
}

const minuteShown = (minute: string) =>
  `document.querySelector('#now dd').textContent === '${minute}'`

for (const { colorScheme, width } of WINDOWS) {
  inBrowser(`axe finds nothing while a session runs, ${colorScheme}, ${width} wide`, async () => {
    const { json } = await api.call(`/orders/api/day?day=${DAY}&asof=11:14`)
    const { oid } = json.orders[0]
    const use = async (page: BrowserPage) => {
      await signIn(page)
      const found: string[] = []
      for (const path of [PAGE, `${PAGE}?book=oi`, `${PAGE}/orders`, `${PAGE}/orders/${oid}`]) {
        await page.goto(api.url + path)
        for (const summary of await page.locator('summary').all()) await summary.click()
        found.push(...(await pageFaults(page, path)))
      }
      expect(found).toEqual([])
    }
    await withPage(api.url, { width, height: 800 }, use, { colorScheme })
  })
}

inBrowser('a page renews itself with each minute, and leaves what one does as it is', async () => {
  await withPage(
    api.url,
    { width: 1280, height: 900 },
    async page => {
      await signIn(page)
      await page.clock.install()
      await page.goto(api.url + PAGE)
      expect(await page.locator('#renewing').textContent()).toContain('renews itself')
      const facts = () => page.locator('#now dd').allInnerTexts()
      const at = session.minutes.indexOf('11:14')
      expect(await facts()).toEqual(listFacts(session, at))
      expect(await page.locator('#minutes tbody tr').count()).toBe(at + 1)

      await page.locator('summary', { hasText: 'Each strike' }).click()
      await page.locator('#range').focus()
      clock.atMs += 60_000
      await page.clock.fastForward(A_WHILE_MS)
      await until(page, minuteShown('11:15'))
      expect(await facts()).toEqual(listFacts(session, at + 1))
      expect(await page.locator('#said').textContent()).toBe('11:15 is known.')
      expect(await page.evaluate('document.activeElement.id')).toBe('range')
      expect(await page.locator('details', { hasText: 'Each strike' }).getAttribute('open')).toBe(
        '',
      )
      // the chart is redrawn, once
      expect(await page.locator('.chart canvas').count()).toBe(1)

      // who looks at another minute stays there
      for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowLeft')
      await until(page, minuteShown('11:12'))
      clock.atMs += 60_000
      await page.clock.fastForward(A_WHILE_MS)
      await until(page, `document.querySelectorAll('#minutes tbody tr').length === ${at + 3}`)
      expect(await facts()).toEqual(listFacts(session, at - 2))
      await page.keyboard.press('End')
      await until(page, minuteShown('11:16'))
      await until(page, `document.querySelector('#ladder-minute').textContent === '11:16'`)

      // at midnight it is everybody's, and polls no more
      clock.atMs = AFTER_MS
      const requested: string[] = []
      page.on('request', request => requested.push(new URL(request.url()).pathname))
      await page.clock.fastForward(A_WHILE_MS)
      await until(page, 'true')
      await page.clock.fastForward(A_WHILE_MS)
      await page.clock.fastForward(A_WHILE_MS)
      expect(requested.filter(path => path.endsWith('/now')).length).toBeLessThanOrEqual(1)
    },
    { missing: [`${PAGE}/now`] },
  )
})

inBrowser('without scripts a link shows the newest minute', async () => {
  const use = async (page: BrowserPage) => {
    await signIn(page)
    await page.goto(`${api.url}${PAGE}?t=10:00&book=vol`)
    clock.atMs += 60_000
    await page.getByRole('link', { name: 'Show the newest minute' }).click()
    expect(page.url()).toBe(`${api.url}${PAGE}?book=vol`)
    const at = session.minutes.indexOf('11:15')
    expect(await page.locator('#now dd').allInnerTexts()).toEqual(listFacts(session, at, 'vol'))
    expect(await page.locator('#renewing').textContent()).toBe('')
  }
  await withPage(api.url, { width: 360, height: 800 }, use, { javaScriptEnabled: false })
})
