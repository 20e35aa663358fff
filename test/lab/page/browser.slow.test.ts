// The pages of LAB in a real browser: what axe finds, what a keyboard and no scripts can do.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { markupFaults, WINDOWS } from '../../support/axe.ts'
import { inBrowser, withPage } from '../../support/browser.ts'
import { BEHAVIOURS } from '../../support/labBehaviours.ts'
import { deskMarket } from '../../support/labDesk.ts'
import { enter, type LabSite, startLabSite } from '../../support/labPages.ts'
import { madeResult } from '../../support/labResults.ts'
import { until } from '../../support/sessionPages.ts'
import { publishMarket } from '../market/publish.ts'

const MARKUP = '"><img src=x onerror=document.title=1><script>document.title=2</script>'
const SENTENCE =
  'At 10:00 sell the 10-wide put spread 30 points below spot if net gamma is positive'
const EVERY =
  'Every 60 minutes from 10:00 to 15:00 sell the 10-wide iron condor 20 points from spot'
const TALK = ['make it 15 wide', 'only Mondays', 'if the moon is bright', 'undo', MARKUP]
/** As few as have a holdout: axe looks at each cell of each table. */
const FEW = { legs: 2, sessions: 120 }
const STORED = madeResult(FEW)
let site: LabSite
/** An idea with both results, and one whose question is open. */
let path: string
let openPath: string
/** A monitored idea that draws its trades, and a rule that is of no idea. */
let deskPath: string
let structPath: string

beforeAll(async () => {
  site = await startLabSite()
  const { id, path: own } = await site.begin(SENTENCE)
  path = own
  for (const message of TALK) await site.post('chat', { id, message })
  await site.store(id, STORED)
  await site.store(id, madeResult({ ...FEW, kind: 'quant' }))
  await site.account.act({ id, action: 'desk' })
  ;({ path: openPath } = await site.begin('Sell a put spread when gamma is positive'))
  await publishMarket(site.api.dataFolder, deskMarket())
  deskPath = await drawingIdea()
  structPath = `/account/lab/jobs/${await ruleAlone()}`
})
afterAll(() => site.api.close())

/** A monitored idea that is tested and draws its trades. */
async function drawingIdea(): Promise<string> {
  const made = await site.begin(EVERY)
  await site.store(made.id, madeResult(FEW))
  await site.store(made.id, madeResult({ ...FEW, kind: 'quant' }))
  await site.account.act({ id: made.id, action: 'desk' })
  const set = { action: 'set', on: true, draw: 'trades', alert: 'off' }
  await site.account.act({ id: made.id, ...set })
  return made.path
}

async function ruleAlone(): Promise<string> {
  const { spec } = await site.account.spec()
  const body = JSON.stringify({ spec: { ...spec, when: [] } })
  const { id } = (await site.account.post('/api/struct/run', { body })).json.job
  await site.account.untilDone(id)
  return id
}

const pages = () => [
  '/account/lab',
  path,
  openPath,
  `${path}/backtest`,
  `${path}/quant`,
  `${path}/quant/variants`,
  `${path}/quant/trades?page=2`,
  // of the 120 sessions the one of 2026-10-13, which is published
  deskPath,
  `${deskPath}/backtest/trades/118`,
  structPath,
  '/account/lab/jobs',
]

for (const { colorScheme, width } of WINDOWS) {
  inBrowser(`axe finds nothing in any page of LAB, ${colorScheme} and ${width} wide`, async () => {
    const use = async (page: Page) => {
      await enter(site, page)
      const found: string[] = []
      for (const one of pages()) {
        await page.goto(site.api.url + one)
        for (const summary of await page.locator('summary').all()) {
          if (await summary.isVisible()) await summary.click()
        }
        found.push(...(await markupFaults(page, one)))
        expect(await page.locator('main img, main script').count()).toBe(0)
      }
      expect(found).toEqual([])
    }
    await withPage(site.api.url, { width, height: 800 }, use, { colorScheme })
  })
}

inBrowser('what an idea draws is seen without scripts, and fits a narrow window', async () => {
  const use = async (page: Page) => {
    await enter(site, page)
    await page.goto(site.api.url + deskPath)
    const picture = page.locator('#desk-picture')
    expect((await picture.boundingBox())!.width).toBeLessThanOrEqual(360)
    const rows = page.locator('#drawn tbody').first().locator('tr')
    expect(await rows.count()).toBeGreaterThan(3)
    expect(await picture.locator('circle').count()).toBe(await rows.count())
    // the strikes of so many condors would lie on each other: the table has them
    expect(await picture.locator('.labels.many').isVisible()).toBe(false)
    expect(await rows.first().innerText()).toContain('10:00')
    await page.goto(`${site.api.url}${deskPath}/backtest/trades/118`)
    await page.getByRole('heading', { name: 'Trade, Tue 2026-10-13' }).waitFor()
    expect(await page.locator('#picture-0').isVisible()).toBe(true)
    await page.getByRole('link', { name: 'before' }).click()
    await page.getByRole('heading', { name: 'Trade, Mon 2026-10-12' }).waitFor()
  }
  await withPage(site.api.url, { width: 360, height: 700 }, use, { javaScriptEnabled: false })
})

inBrowser('a script draws profit and drawdown over the pictures, from the table', async () => {
  await withPage(site.api.url, { width: 1280, height: 900 }, async page => {
    await enter(site, page)
    await page.goto(`${site.api.url}${path}/backtest`)
    expect(await page.locator('figure.equity canvas').count()).toBe(4)
    expect(await page.locator('figure.equity svg.picture:visible').count()).toBe(0)
    const { day, total_usd: total } = STORED.legs[0]!.series
    const over = page.locator('#equity-0 .u-over').first()
    const { width } = (await over.boundingBox())!
    await over.hover({ position: { x: width - 1, y: 30 } })
    const readout = page.locator('#equity-0 .readout')
    await until(page, `document.querySelector('#equity-0 .readout').textContent !== ''`)
    expect(await readout.innerText()).toContain(day.at(-1)!)
    const shown = Math.abs(Math.round(total.at(-1)!)).toLocaleString('en-US')
    expect(await readout.innerText()).toContain(`$${shown} so far`)
  })
})

inBrowser('without scripts: type, answer, undo, test, read the result and its trades', async () => {
  const use = async (page: Page) => {
    await enter(site, page)
    await page.goto(`${site.api.url}/account/lab`)
    await page.getByLabel('The rule in words').fill('Sell the put spread 10 points below at 10:00')
    await page.getByRole('button', { name: 'Read it' }).click()
    await page.getByRole('button', { name: '20 points' }).click()
    const rule = page.locator('p.rule')
    expect(await rule.innerText()).toContain('sell the 0DTE 20-wide put spread')
    await page.getByLabel('Change it').fill('make it 10 wide and only if net gamma is above $400M')
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await rule.innerText()).toContain('10-wide')
    await page.getByLabel('Change it').fill('make it 15 wide')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('button', { name: 'Undo the last change' }).click()
    expect(await rule.innerText()).toContain('10-wide')
    await page.getByRole('button', { name: 'Run the backtest' }).click()
    // the page reloads itself until the result is there, and goes on to it
    await page.getByRole('heading', { name: /^Backtest: / }).waitFor()
    expect(await page.locator('figure.equity svg.picture:visible').count()).toBe(2)
    expect(await page.locator('.gates li').count()).toBeGreaterThan(5)
    await page.getByRole('link', { name: 'Every trade' }).click()
    await page.getByRole('heading', { name: 'Trades' }).waitFor()
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(50)
    await page.getByRole('link', { name: 'next' }).click()
    expect(page.url()).toContain('/trades?page=2')
  }
  await withPage(site.api.url, { width: 360, height: 700 }, use, { javaScriptEnabled: false })
})

inBrowser('a test that runs is followed by the page, which then shows its result', async () => {
  const own = await site.account.idea(BEHAVIOURS.waits)
  // the idea of the test before is still on the conveyor
  const { conveyor } = await site.account.until(() => true)
  if (conveyor) await site.account.act({ id: conveyor, action: 'drop' })
  await withPage(site.api.url, { width: 1280, height: 800 }, async page => {
    await enter(site, page)
    await page.goto(`${site.api.url}/account/lab/ideas/${own}`)
    await page.getByRole('button', { name: 'Run the backtest' }).click()
    await page.locator('#job').waitFor()
    expect(await page.locator('#job-says').innerText()).toMatch(/^Backtest: /)
    expect(await page.getByRole('heading', { name: 'What next' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0)
    site.letGo()
    await page.getByRole('heading', { name: /^Backtest: / }).waitFor()
    await page.goto(`${site.api.url}/account/lab/ideas/${own}`)
    expect(await page.getByRole('button', { name: 'Try the variants' }).count()).toBe(1)
  })
})

inBrowser('a keyboard types an idea and reaches each part of a result', async () => {
  await withPage(site.api.url, { width: 1280, height: 800 }, async page => {
    await enter(site, page)
    await page.goto(`${site.api.url}/account/lab`)
    await page.getByLabel('The rule in words').focus()
    await page.keyboard.type('At 11:00 buy the straddle at the money')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('p.rule').waitFor()
    await page.goto(`${site.api.url}${path}/quant`)
    const reached = new Set<string>()
    for (let at = 0; at < 120; at++) {
      await page.keyboard.press('Tab')
      const active = `document.activeElement?.closest('section')?.getAttribute('aria-labelledby')`
      reached.add(String(await page.evaluate(active)))
    }
    for (const part of ['verdict-0-title', 'equity-1-title', 'eras-0-title', 'variants-title']) {
      expect(reached).toContain(part)
    }
  })
})
