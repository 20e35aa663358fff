// Events that a day would have sent, on the account page.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { instantMs } from '../../src/core/market/calendar.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { openMaker, quietStates } from '../support/madeMinutes.ts'
import { signedIn, type Visitor } from '../support/visitor.ts'

const DAY = '2026-10-15'
const MARKUP = '<script>alert(1)</script>'
let api: TestApi
let visitor: Visitor

beforeAll(async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-preview-'))
  const maker = await openMaker(dataFolder)
  const below = ['10:00', '10:01', '10:02', '10:05'].map(minute => [minute, { spot: 5990 }])
  const states = quietStates(DAY, Object.fromEntries(below), { until: '10:30' })
  await maker.finish({ day: DAY, states, orders: [{ order_id: 'o1', visible: '10:10:00' }] })
  maker.close()
  api = await startTestApi({ dataFolder })
  api.clock.atMs = instantMs(DAY, '20:00')
  visitor = await signedIn(api)
  for (const body of [
    { op: 'add', line: { kind: 'price', price: 6000 } },
    { op: 'add', rule: { name: MARKUP } },
  ]) {
    await api.call('/api/alerts', { method: 'POST', body: JSON.stringify(body) })
  }
})
afterAll(() => api.close())

const listRows = (html: string): string[] => {
  const [, part = ''] = html.split('id="preview"')
  return [...part.matchAll(/<tr><td>(.*?)<\/tr>/gs)].map(([, row]) =>
    row!.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' '),
  )
}

test('the events of a day are listed, with minute and text, and nothing is stored', async () => {
  const { status, html } = await visitor.post('/account/preview/day', { day: DAY })
  expect(status).toBe(200)
  const rows = listRows(html)
  expect(rows.map(row => row.slice(0, 5))).toEqual(rows.map(row => row.slice(0, 5)).toSorted())
  expect(rows).toContainEqual(
    expect.stringMatching(/^10:00 price alert SPX 5,990.00 crossed below/),
  )
  expect(rows).toContainEqual(expect.stringMatching(/ order Order of .*&lt;script&gt;/))
  expect(html).not.toContain(MARKUP)
  expect(html).toContain(`href="/sessions/${DAY}"`)
  // each minute of the list has its mark in the picture
  const reported = rows.map(row => row.slice(0, 5)).filter(minute => /^[01]\d:\d\d$/.test(minute))
  const minutes = new Set(reported)
  expect(minutes.size).toBeGreaterThan(1)
  expect(html.split('class="mark"').length - 1).toBe(minutes.size)
  expect((await api.call('/api/alerts/events')).json.events).toEqual([])
  const [line] = (await api.call('/api/alerts')).json.lines
  expect(line).toMatchObject({ armed: true, fired_at: null })
})

test('two concurrent viewers are served one after the other', async () => {
  const requested = await Promise.all(
    [1, 2, 3].map(() => visitor.post('/account/preview/day', { day: DAY })),
  )
  const [first, ...others] = requested.map(({ html }) => listRows(html))
  expect(first!.length).toBeGreaterThan(0)
  for (const one of others) expect(one).toEqual(first)
})

test.each([
  ['', 400, 'The day is &quot;&quot;; give a trading day, such as 2026-10-15.'],
  ['2026-10-17', 400, 'The day is &quot;2026-10-17&quot;; give a trading day'],
  [MARKUP, 400, 'The day is &quot;&lt;script&gt;'],
  ['2026-10-14', 200, '2026-10-14 is not published.'],
])('the day %s gives %i', async (day, code, sentence) => {
  const { status, html } = await visitor.post('/account/preview/day', { day })
  expect(status).toBe(code)
  expect(html).toContain(sentence)
})

test('it needs the token, and a plan', async () => {
  const forged = await visitor.post('/account/preview/day', { day: DAY, token: 'x' })
  expect(forged.status).toBe(403)
  await api.setPlan(api.accountId, 'none')
  const { status, html } = await visitor.post('/account/preview/day', { day: DAY })
  expect(status).toBe(400)
  expect(listRows(html)).toEqual([])
})
