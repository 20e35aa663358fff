// A ledger of 40,000 orders is served page by page: a page has as many rows and bytes as any other.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { minutesAfter } from '../../src/core/market/calendar.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ledgerInput, ledgerOrder, publishLedger } from '../support/published.ts'

const DAY = '2026-10-14'
const COUNT = 40_000
const PAGE_ROWS = 50
const KINDS = ['single', 'vertical', 'iron_condor', 'calendar', 'straddle'] as const

let api: TestApi

const ORDERS = Array.from({ length: COUNT }, (_, index) => {
  const minute = minutesAfter('09:31', Math.floor((index * 400) / COUNT))
  return ledgerOrder({
    order_id: `20261014-${minute.replace(':', '')}00${String(index).padStart(6, '0')}-1`,
    minute_et: minute,
    // in the order of the ledger
    dealer_gamma_musd_per_point: (COUNT - index) / 100,
    structure: index % 97 === 0 ? 'box' : KINDS[index % KINDS.length]!,
    net_premium_usd: ((index * 7919) % COUNT) * 1000,
  })
})

beforeAll(async () => {
  api = await startTestApi()
  // the day after
  api.clock.atMs = Date.parse('2026-10-15T16:00:00Z')
  await publishLedger(api.dataFolder, ledgerInput(ORDERS, { day: DAY }))
})
afterAll(() => api.close())

const readPage = async (query: string) => {
  const headers = { accept: 'text/html' }
  const { status, body } = await api.call(`/sessions/${DAY}/orders?${query}`, {
    key: null,
    headers,
  })
  const html = body.toString('utf8')
  const ids = [...html.matchAll(/\/orders\/(20261014-\d+-1)"/g)].map(([, id]) => id!)
  return { status, bytes: body.byteLength, html, ids }
}

test('the first, the middle and the last page have 50 rows, and at most 40,000 bytes', async () => {
  for (const sort of ['effect', 'time', 'premium', 'contracts', 'flip']) {
    const pages = await Promise.all(
      [1, 400, 800].map(page => readPage(`sort=${sort}&page=${page}`)),
    )
    for (const { status, bytes, html, ids } of pages) {
      expect([status, ids.length]).toEqual([200, PAGE_ROWS])
      expect(bytes).toBeLessThanOrEqual(40_000)
      expect(html).toContain('40,000 orders')
      expect(html).toContain('of 800')
    }
    expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(3 * PAGE_ROWS)
  }
  expect((await readPage('page=801')).status).toBe(404)
})

test('over the pages of a filter each order stands once, in the requested order', async () => {
  const boxes = ORDERS.filter(order => order.structure === 'box')
  const wanted = boxes
    .toSorted((one, other) => other.net_premium_usd! - one.net_premium_usd!)
    .map(order => order.order_id)
  const pages = Math.ceil(boxes.length / PAGE_ROWS)
  expect(pages).toBeGreaterThan(5)
  const seen: string[] = []
  for (let page = 1; page <= pages; page++) {
    seen.push(...(await readPage(`kind=box&sort=premium&page=${page}`)).ids)
  }
  expect(seen).toEqual(wanted)
})
