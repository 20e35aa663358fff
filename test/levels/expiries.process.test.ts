// Levels of the expiries of a session, and exposures by strike and expiry: what the files say.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { publishLevels } from '../support/levels.ts'
import { type PublishedRow, rowsOfParquet } from '../support/otherLevels.ts'

const DAY = '2026-10-14'
const OLD = '2026-10-12'
const TODAY = '2026-10-15'
const BOOKS = ['measured', 'vol', 'oi'] as const
const BUCKETS = ['0dte', 'next', 'all'] as const
const EXPOSURES = ['delta', 'gamma', 'vanna', 'charm'] as const
const has = ['strikes', 'basis', 'expiry_levels', 'exposures'] as const

let api: TestApi
let levels: readonly PublishedRow[]
let expiries: readonly PublishedRow[]
let exposures: readonly PublishedRow[]
beforeAll(async () => {
  api = await startTestApi()
  const made = await publishLevels(api.dataFolder, { day: DAY, has })
  const files = await Promise.all(made.paths.map(rowsOfParquet))
  levels = files[0]!
  expiries = files.at(-2)!
  exposures = files.at(-1)!
  await publishLevels(api.dataFolder, { day: OLD, has: [] })
  await publishLevels(api.dataFolder, { day: TODAY, until: '11:14', has, isLive: true, seed: 2 })
  api.clock.atMs = Date.parse('2026-10-15T15:14:30Z')
})
afterAll(() => api.close())

let key = ''
let calls = 0
const request = async (query: string) => {
  if (calls++ % 100 === 0) key = (await api.newKey('live', 'live')).key
  return api.call(`/api/v1/${query}`, { key })
}
const bookQuery = (book: string) => (book === 'measured' ? '' : `&book=${book}`)
const cents = (value: unknown) => (value === null ? null : Math.round(Number(value) * 100) / 100)
const round = (value: unknown, unit: number) =>
  value === null ? null : Math.round(Number(value) * unit) / unit + 0
const dayText = (value: unknown) =>
  value === null ? null : new Date(value as number).toISOString().slice(0, 10)

test.each(['09:31', '09:33', '10:30', '13:07', '15:59'])(
  'levels of each part at %s',
  async time => {
    for (const book of BOOKS) {
      const find = (bucket: string) =>
        expiries.find(
          row => row.minute_et === time && row.book_basis === book && row.bucket === bucket,
        )!
      const whole = levels.find(row => row.minute_et === time && row.book_basis === book)!
      for (const bucket of BUCKETS) {
        const query = `levels?sym=SPX&day=${DAY}&time=${time}&expiry=${bucket}${bookQuery(book)}`
        const { status, json } = await request(query)
        expect(status).toBe(200)
        const own = bucket === 'all' ? whole : find(bucket)
        expect(json.symbols[0]).toMatchObject({
          spot: cents(whole.spot),
          flip: cents(own.flip),
          flip_lo: cents(own.flip_lo),
          flip_hi: cents(own.flip_hi),
          call_wall: cents(own.call_wall),
          put_wall: cents(own.put_wall),
          net_gamma: round(own.net_gamma_musd_per_point, 1e4),
          regime: own.regime,
          reason: own.reason,
          expiry: bucket,
          expiry_day: dayText(find(bucket).expiry),
          gamma_share: round(find(bucket).gross_share, 1e3),
          leaves: {
            today: round(find('0dte').gross_share, 1e3),
            monthly: 0.235,
            monthly_day: '2026-10-16',
          },
        })
      }
    }
  },
)

test.each(EXPOSURES)('%s by strike and expiry is what the file says', async exposure => {
  for (const book of BOOKS) {
    for (const [time, cellsTime] of [
      ['09:31', '09:31'],
      ['09:34', '09:31'],
      ['10:30', '10:30'],
      ['15:59', '15:55'],
    ]) {
      const query = `gamma?sym=SPX&day=${DAY}&time=${time}&exposure=${exposure}${bookQuery(book)}`
      const { status, json } = await request(query)
      expect(status).toBe(200)
      const rows = exposures.filter(row => row.minute_et === cellsTime && row.book_basis === book)
      const cells = rows.map(row => [
        row.strike,
        row.root,
        dayText(row.expiry),
        round(row[`${exposure}_musd`], 1e4),
        round(row[`${exposure}_deviation_musd`], 1e4),
      ])
      const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
      const isEmpty = rows.length === 0
      expect([json.exposure, json.cells_time, json.time]).toEqual([exposure, cellsTime, time])
      expect(json.cells_reason).toBe(isEmpty ? 'empty_book' : null)
      expect(json.cells?.toSorted(byText) ?? null).toEqual(isEmpty ? null : cells.sort(byText))
      const sum = rows.reduce((all, row) => all + Number(row[`${exposure}_musd`]), 0)
      if (!isEmpty) expect(json.net).toBeCloseTo(sum, 3)
    }
  }
})

test('g keeps the cells of as many strikes; none is without a strike', async () => {
  const time = '10:30'
  const { json } = await request(`gamma?sym=SPX&day=${DAY}&time=${time}&exposure=delta&g=2&book=oi`)
  const strikes = new Set(json.cells.map(([strike]: [number]) => strike))
  expect(strikes.size).toBe(2)
  expect(json.cells).toHaveLength(6)
})

test('a running session has the newest state of each; without the parameter nothing is added', async () => {
  const part = await request('levels?sym=SPX,XSP&expiry=0dte&g=3&book=oi')
  const [spx, xsp] = part.json.symbols
  expect([part.json.time, spx.expiry_day, spx.gex, spx.gex_reason]).toEqual([
    '11:14',
    TODAY,
    null,
    'all_expiries',
  ])
  if (spx.call_wall !== null) expect(xsp.call_wall).toBe(spx.call_wall / 10)
  const cells = await request('gamma?sym=SPX&exposure=charm&book=oi')
  expect([cells.json.cells_time, cells.json.unit]).toEqual(['11:10', '$M per day'])
  const plain = await request('levels?sym=SPX')
  expect(plain.json.symbols[0]).not.toHaveProperty('leaves')
  expect((await request('gamma?sym=SPX')).json).not.toHaveProperty('cells')
})

test('an older session, and a symbol that is not SPX, say why they have none', async () => {
  const old = await request(`levels?sym=SPX&day=${OLD}&expiry=next`)
  expect(old.json.symbols[0]).toMatchObject({
    flip: null,
    net_gamma: null,
    reason: 'not_published',
  })
  const lacking = await request(`gamma?sym=SPX&day=${OLD}&exposure=delta`)
  expect(lacking.json).toMatchObject({ cells: null, net: null, cells_reason: 'not_published' })
  const other = await request(`gamma?sym=XSP&day=${DAY}&exposure=delta`)
  expect(other.json).toMatchObject({ cells: null, cells_reason: 'of_spx' })
})
