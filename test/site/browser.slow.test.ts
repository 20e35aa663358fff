// The site in a real browser: what axe finds, what a keyboard and no scripts can do.

import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { pageFaults, WINDOWS } from '../support/axe.ts'
import { inBrowser, withPage } from '../support/browser.ts'
import { simulateSessions } from '../support/history.ts'
import { newCode } from '../support/visitor.ts'

const DAY = '2026-11-24'
const MARKUP = '"><img src=x onerror=document.title=1><script>document.title=2</script>'
const PAGES = [
  '/',
  '/sessions',
  '/pricing',
  '/glossary',
  '/methodology',
  '/accuracy',
  '/charts',
  '/datasets',
  '/levels',
  '/grades',
  '/status',
  '/docs',
]

let api: TestApi

beforeAll(async () => {
  const { dataFolder } = await simulateSessions(DAY, 2)
  api = await startTestApi({ dataFolder })
  // 13:30 in New York
  api.clock.atMs = Date.parse(`${DAY}T18:30:00Z`)
  for (const position of [
    { kind: 'condor', legs: { lp: 5800, sp: 5880, sc: 5950, lc: 6000 }, entry: '10:30' },
    { kind: 'put_spread', legs: { lp: 5700, sp: 5800 }, entry: '13:30' },
  ]) {
    await api.call('/api/positions', {
      method: 'POST',
      body: JSON.stringify({ op: 'add', position }),
    })
  }
  const hostile = { accountId: api.accountId, scope: 'orders', createdAtMs: 1 } as const
  await api.accounts.addKey({ ...hostile, name: MARKUP })
})
afterAll(async () => {
  await api.close()
  rmSync(api.dataFolder, { recursive: true, force: true })
})

for (const { colorScheme, width } of WINDOWS) {
  inBrowser(`axe finds nothing in any page, ${colorScheme} and ${width} wide`, async () => {
    const code = await newCode(api)
    const use = async (page: Parameters<Parameters<typeof withPage>[2]>[0]) => {
      const found: string[] = []
      const look = async (name: string, without: string | null = null) => {
        // what swagger makes is its own
        found.push(...(await pageFaults(page, name, without)))
      }
      for (const path of [...PAGES, '/datasets/levels']) {
        await page.goto(api.url + path)
        if (path === '/docs') await page.locator('.opblock').first().waitFor()
        await look(path, path === '/docs' ? '#docs' : null)
      }
      await page.goto(`${api.url}/nothing`)
      await look('/nothing')
      await page.goto(`${api.url}/account`)
      await look('/account/enter')
      await page.getByLabel('Code').fill(code)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { name: 'Keys' }).waitFor()
      for (const summary of await page.locator('summary').all()) await summary.click()
      await look('/account')
      await page.getByLabel('Name').fill(`bot ${colorScheme} ${width}`)
      await page.getByRole('button', { name: 'Make a key' }).click()
      await page.locator('#new-key').waitFor()
      await look('a new key')
      expect(found).toEqual([])
    }
    const size = { width, height: 800 }
    await withPage(api.url, size, use, { colorScheme, missing: ['/nothing'] })
  })
}

inBrowser('without scripts: sign in, make, use and revoke a key, sign out', async () => {
  const code = await newCode(api)
  const use = async (page: Parameters<Parameters<typeof withPage>[2]>[0]) => {
    await page.goto(`${api.url}/account`)
    expect(page.url()).toBe(`${api.url}/account/enter`)
    await page.getByLabel('Code').fill('not a code')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Code').fill(code.toLowerCase().replaceAll('-', ' '))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Keys' }).waitFor()
    expect(page.url()).toBe(`${api.url}/account`)

    await page.getByLabel('Name').fill('robot')
    await page.locator('select[name=scope]').selectOption('orders')
    await page.getByRole('button', { name: 'Make a key' }).click()
    const key = await page.locator('#new-key').innerText()
    expect((await api.call('/orders/api/sessions', { key })).status).toBe(200)

    await page.goto(`${api.url}/account`)
    expect(await page.content()).not.toContain(key)
    const row = page.locator('tr', { hasText: 'robot' })
    expect(await row.innerText()).toMatch(/robot\s+orders\s+ordk_…\w{4}\s+2026-11-24\s+2026-11-24/)
    await row.locator('summary').click()
    await row.getByRole('button', { name: `Revoke …${key.slice(-4)}` }).click()
    await page.getByText('robot').waitFor({ state: 'detached' })
    expect((await api.call('/orders/api/sessions', { key })).status).toBe(401)

    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto(`${api.url}/account`)
    expect(page.url()).toBe(`${api.url}/account/enter`)
  }
  const settings = { javaScriptEnabled: false, missing: ['/account/enter'] }
  await withPage(api.url, { width: 1280, height: 800 }, use, settings)
})

inBrowser('positions are drawn as the API answers them, and markup in a name is text', async () => {
  const code = await newCode(api)
  const { json } = await api.call('/api/positions/check')
  await withPage(api.url, { width: 1280, height: 800 }, async page => {
    await page.goto(`${api.url}/account/enter`)
    await page.getByLabel('Code').fill(code)
    await page.keyboard.press('Enter')
    const cards = page.locator('#positions .card')
    await cards.first().waitFor()
    expect(await cards.count()).toBe(2)
    expect(json.t).toMatch(/^13:/)
    for (const [index, check] of json.checks.entries()) {
      const card = cards.nth(index)
      const { on, off, unknown } = check.counts
      const counts = `${on} on, ${off} off, ${unknown} unknown`
      expect(await card.innerText()).toContain(check.label)
      expect(await card.innerText()).toContain(counts)
      const track = await api.call(`/api/positions/track?id=${check.position_id}`)
      const points: { label: string }[] = track.json.points
      expect(await card.locator('rect').count()).toBe(points.length)
      const skips = points.filter(({ label }) => label === 'SKIP').length
      expect(await card.locator('rect.bar-bad').count()).toBe(skips)
    }
    const name = page.locator('#keys .name', { hasText: 'onerror' })
    expect(await name.innerText()).toBe(MARKUP)
    expect(await page.locator('main img, main script').count()).toBe(0)
    expect(await page.title()).toBe('Account · Tapefold')
  })
})

inBrowser('a dotted word shows its meaning to a pointer and to a keyboard', async () => {
  await withPage(api.url, { width: 360, height: 700 }, async page => {
    await page.goto(api.url)
    const word = page.locator('.term a', { hasText: 'session' })
    const tip = page.locator('#tip-session')
    expect(await tip.isVisible()).toBe(false)
    await word.hover()
    await tip.waitFor({ state: 'visible' })
    expect(await tip.innerText()).toMatch(/^One trading day/)
    const box = (await tip.boundingBox())!
    expect(box.x).toBeGreaterThanOrEqual(0)
    expect(box.x + box.width).toBeLessThanOrEqual(360)
    await page.keyboard.press('Escape')
    await tip.waitFor({ state: 'hidden' })
    await page.mouse.move(1, 699)
    await word.focus()
    await tip.waitFor({ state: 'visible' })
    await word.click()
    expect(page.url()).toBe(`${api.url}/glossary#session`)
    expect(await page.locator('dt:target').innerText()).toBe('session')
  })
})

inBrowser('a keyboard skips to the content, and sees where it is', async () => {
  await withPage(api.url, { width: 1280, height: 700 }, async page => {
    await page.goto(`${api.url}/pricing`)
    await page.keyboard.press('Tab')
    const skip = page.locator('.skip')
    expect(await page.evaluate('document.activeElement.className')).toBe('skip')
    expect((await skip.boundingBox())!.y).toBeGreaterThanOrEqual(0)
    const outline = 'getComputedStyle(document.activeElement).outlineWidth'
    expect(await page.evaluate(outline)).toBe('3px')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    const isInside = `document.querySelector('main').contains(document.activeElement)`
    expect(await page.evaluate(isInside)).toBe(true)
  })
})

test('the pages of this test are all that the site has', async () => {
  const { SITE_PATHS } = await import('../../src/platform/html/layout.ts')
  expect([...PAGES, '/account', '/account/enter'].toSorted()).toEqual(SITE_PATHS.toSorted())
})
