// The scrubber of a session page in a real browser: keys, Play, the field of the minute.

import { afterAll, beforeAll, expect } from 'vitest'
import { parseProxies } from '../../src/platform/http/addresses.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { inBrowser, withPage } from '../support/browser.ts'
import { type BuiltSession, buildSmallSession } from '../support/builtSession.ts'
import { randomNumbers } from '../support/random.ts'
import { listFacts, until } from '../support/sessionPages.ts'

const DAY = '2026-10-15'
const PAGE = `/sessions/${DAY}`
const DESKTOP = { width: 1280, height: 900 }

let built: BuiltSession
let api: TestApi
// biome-ignore lint/suspicious/noExplicitAny: responses of the archive
type Json = any
let session: Json

beforeAll(async () => {
  built = await buildSmallSession(DAY)
  const proxies = parseProxies('127.0.0.1')!
  api = await startTestApi({ dataFolder: built.dataFolder, connections: { proxies } })
  // in New York noon of the day after
  api.clock.atMs = Date.parse('2026-10-16T16:00:00Z')
  session = (await api.call(`/api/session/${DAY}`, { key: null })).json
})
afterAll(async () => {
  await api.close()
  built.remove()
})

type BrowserPage = Parameters<Parameters<typeof withPage>[2]>[0]

const findRough = (value: number | null) => (value === null ? '–' : String(value))

const findPlain = (text: string) =>
  text === '–' ? text : String(Number(text.replaceAll(',', '').replace('−', '-')))

/** The table of the ladder, which is open, has the archive's values of the minute. */
async function expectLadder(page: BrowserPage, minute: string, book = 'measured') {
  await until(page, `document.querySelector('#ladder-minute').textContent === '${minute}'`)
  const { json } = await api.call(`/api/session/${DAY}/strikes?book=${book}&time=${minute}`, {
    key: null,
  })
  const at = json.minutes.indexOf(minute)
  const wanted = json.strikes.flatMap((strike: number, index: number) => {
    const both = [json.calls[at][index], json.puts[at][index]]
    return both.every(one => one === null) ? [] : [[String(strike), ...both.map(findRough)]]
  })
  expect(wanted.length).toBeGreaterThan(20)
  const rows = await page.locator('#ladder-table tbody tr').all()
  const texts = await Promise.all(rows.map(row => row.locator('td').allInnerTexts()))
  expect(texts.map(row => row.map(findPlain))).toEqual(wanted.toReversed())
}

inBrowser('the scrubber, by keys, shows the numbers of the archive in 50 minutes', async () => {
  await withPage(api.url, DESKTOP, async page => {
    await page.goto(api.url + PAGE)
    for (const text of ['Each strike', 'Each point']) {
      await page.locator('summary', { hasText: text }).click()
    }
    const range = page.locator('#range')
    await range.focus()
    await page.keyboard.press('Home')
    const random = randomNumbers(17)
    const last = session.minutes.length - 1
    const { json: gamma } = await api.call(`/api/session/${DAY}/gamma`, { key: null })
    let at = 0
    for (let round = 0; round < 50; round++) {
      // to any minute, and on from there by one key or two
      const wanted = Math.floor(random() * (last + 1))
      const [large, small] = [Math.trunc((wanted - at) / 15), (wanted - at) % 15]
      const press = async (key: string, times: number) => {
        for (let time = 0; time < times; time++) await page.keyboard.press(key)
      }
      await press(large > 0 ? 'PageUp' : 'PageDown', Math.abs(large))
      await press(small > 0 ? 'ArrowRight' : 'ArrowLeft', Math.abs(small))
      at = wanted
      expect(await page.locator('#now dd').allInnerTexts()).toEqual(listFacts(session, at))
      const minute = session.minutes[at]
      if (round % 5 > 0) continue
      await expectLadder(page, minute)
      await until(page, `document.querySelector('#curve-minute').textContent === '${minute}'`)
      const net = gamma.net[at].filter((value: number | null) => value !== null)
      const cells = page.locator('#curve-table tbody td:nth-child(2)')
      expect((await cells.allInnerTexts()).map(findPlain)).toEqual(net.toReversed().map(findRough))
    }
    expect(await page.locator('#said').textContent()).toContain(session.minutes[at])
    expect(await range.getAttribute('aria-valuetext')).toContain(session.minutes[at])
    await page.keyboard.press('End')
    expect(await page.locator('#now dd').allInnerTexts()).toEqual(listFacts(session, last))
  })
})

inBrowser('the field of the minute leads to it, and says what is wrong with another', async () => {
  await withPage(api.url, DESKTOP, async page => {
    await page.goto(`${api.url}${PAGE}?book=vol`)
    const field = page.locator('input[name=t]')
    await field.fill('14:02')
    await page.keyboard.press('Enter')
    const at = session.minutes.indexOf('14:02')
    expect(await page.locator('#now dd').allInnerTexts()).toEqual(listFacts(session, at, 'vol'))
    expect(await page.locator('#range').inputValue()).toBe(String(at))
    await until(page, `document.querySelector('#ladder-minute').textContent === '14:02'`)
    await field.fill('08:00')
    await page.getByRole('button', { name: 'Show' }).click()
    // the browser itself refuses what lies outside of the session
    expect(await page.locator('input[name=t]:invalid').count()).toBe(1)
    expect(await page.locator('#now dd').first().innerText()).toBe('14:02')
  })
})

inBrowser('play goes on by itself, and stops at the end or when it is asked to', async () => {
  await withPage(api.url, DESKTOP, async page => {
    await page.goto(`${api.url}${PAGE}?t=10:00`)
    const [play, minute] = [page.locator('#play'), page.locator('#now dd[data-name=minute]')]
    await play.click()
    await until(page, `document.querySelector('#now dd').textContent >= '10:04'`)
    await play.click()
    const stopped = await minute.innerText()
    expect(await play.innerText()).toBe('Play')
    await until(page, `location.search === '?t=${stopped.replace(':', '%3A')}'`)
    // and the address opens the same in other hands
    const address = page.url()
    await page.goto('about:blank')
    await page.goto(address)
    expect(await minute.innerText()).toBe(stopped)
    await page.locator('#range').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await play.click()
    await until(page, `document.querySelector('#play').textContent === 'Play'`)
    expect(await minute.innerText()).toBe(session.minutes.at(-1))
  })
})
