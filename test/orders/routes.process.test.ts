import { afterAll, beforeAll, expect, test } from 'vitest'
import { TABLE_TYPES } from '../../src/platform/http/tableForms.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ledgerInput, ledgerOrder, publishLedger, VARIED_ORDERS } from '../support/published.ts'
import { readVectors } from '../support/shared.ts'

let api: TestApi
const DAY = '/orders/api/day?day=2026-10-14'

beforeAll(async () => {
  api = await startTestApi()
  await publishLedger(api.dataFolder, ledgerInput([ledgerOrder()], { day: '2026-10-13' }))
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS))
})
afterAll(() => api.close())

test('a day returns its ledger with the fields of the interface', async () => {
  const { status, json } = await api.call('/orders/api/day?day=2026-10-13')
  expect(status).toBe(200)
  expect(json).toMatchObject({
    day: '2026-10-13',
    sym: 'SPX',
    min_premium: 100_000,
    asof: '16:15:00',
    simulated: false,
    stats: { n: 1, net: 0.15, no_side: 0, no_gamma: 0, gamma_up: 1, gamma_dn: 0, gamma_flat: 0 },
  })
  expect(json.orders[0]).toMatchObject(readVectors('order_example').order)
})

test('latest is the newest session; sessions are listed oldest first', async () => {
  expect((await api.call('/orders/api/latest')).json.day).toBe('2026-10-14')
  expect((await api.call('/orders/api/sessions')).json).toEqual({
    sessions: ['2026-10-13', '2026-10-14'],
    first: '2026-10-13',
    last: '2026-10-14',
  })
})

test.each([
  ['2026-10-12', '2026-10-12 is not built yet; the newest session is 2026-10-14.'],
  ['2026-10-17', '2026-10-17 is not a trading day: it has no ledger.'],
  ['2026-10-15', 'The session of 2026-10-15 has not begun: no ledger yet.'],
  ['1983-07-01', '1983-07-01 is not built yet;'],
  ['1983-06-30', 'not a trading day'], // a Thursday before there were such options
  ['0999-12-31', 'not a trading day'],
  ['0000-01-01', 'not a trading day'],
  ['9999-12-31', 'has not begun'],
])('%s has no ledger: no orders and a note, not an error', async (day, note) => {
  const { status, json } = await api.call(`/orders/api/day?day=${day}`)
  expect(status).toBe(200)
  expect(json).toEqual({ day, asof: null, orders: [], note: expect.stringContaining(note) })
})

test.each([
  ['', 'day is missing; give a date, such as day=2026-10-14.'],
  ['?day=', 'day is ""; give a date written YYYY-MM-DD, such as day=2026-10-14.'],
  ['?day=2026-02-30', 'day is "2026-02-30";'],
  ['?day=2026-1-5', 'day is "2026-1-5";'],
  ['?day=999-12-31', 'day is "999-12-31";'],
  ['?day=0000-00-00', 'day is "0000-00-00";'],
  ['?day=-0001-01-01', 'day is "-0001-01-01";'],
  ['?day=today', 'day is "today";'],
  ['?day=2026-10-14%00', 'day is "2026-10-14\\u0000";'],
  ['?day[]=2026-10-14', 'day is missing;'],
  [`?day=${'9'.repeat(500)}`, `day is "${'9'.repeat(40)}…";`],
])('day%s is 400 bad_day with the value and an example', async (query, message) => {
  const { status, json } = await api.call(`/orders/api/day${query}`)
  expect(status).toBe(400)
  expect(json.error.code).toBe('bad_day')
  expect(json.error.message).toContain(message)
})

test('a ledger has the grade of its tape, a bad one a note too; a table in headers', async () => {
  const tape = { grade: 'bad', reasons: ['longest_gap_minutes is 31, …'] } as const
  await publishLedger(api.dataFolder, ledgerInput([ledgerOrder()], { day: '2026-10-08', tape }))
  const path = '/orders/api/day?day=2026-10-08'
  const { json } = await api.call(path)
  expect(json.tape).toEqual(tape)
  expect(json.orders).toHaveLength(1)
  const note = 'The tape of 2026-10-08 is bad: do not rely on this ledger.'
  expect(json.note).toBe(note)
  const csv = await api.call(path, { headers: { accept: 'text/csv' } })
  expect(csv.headers.get('x-tape-grade')).toBe('bad')
  expect(csv.headers.get('x-note')).toBe(note)
  const etag = csv.headers.get('etag')!
  for (const init of [{ method: 'HEAD' }, { headers: { 'if-none-match': etag } }]) {
    const headers = { accept: 'text/csv', ...init.headers }
    const again = await api.call(path, { ...init, headers })
    expect(again.status).toBe(init.method ? 200 : 304)
    expect(again.headers.get('x-note')).toBe(note)
  }
  const good = await api.call(DAY, { headers: { accept: 'text/csv' } })
  expect(good.headers.get('x-tape-grade')).toBe('good')
  expect(good.headers.has('x-note')).toBe(false)
  expect((await api.call(DAY)).json.tape).toEqual({ grade: 'good', reasons: [] })
})

test('a ledger whose day lacks minutes says which; a table in a header', async () => {
  const gaps = [
    { from: '10:20', to: '10:24', minutes: 5 },
    { from: '11:15', to: '11:15', minutes: 1 },
  ]
  await publishLedger(api.dataFolder, ledgerInput([ledgerOrder()], { day: '2026-10-06', gaps }))
  const path = '/orders/api/day?day=2026-10-06'
  expect((await api.call(path)).json.tape).toEqual({ grade: 'good', reasons: [], gaps })
  const csv = await api.call(path, { headers: { accept: 'text/csv' } })
  expect(csv.headers.get('x-tape-gaps')).toBe('10:20-10:24, 11:15')
  const whole = await api.call(DAY, { headers: { accept: 'text/csv' } })
  expect(whole.headers.has('x-tape-gaps')).toBe(false)
  const status = await api.call('/status.json', { key: null })
  const [day] = status.json.days.filter((one: { day: string }) => one.day === '2026-10-06')
  expect(day.gaps).toEqual(gaps)
})

test.each(TABLE_TYPES)(
  'a simulated ledger says so in a header, whatever the form: %s',
  async accept => {
    const changes = { day: '2026-10-07', is_simulated: true }
    await publishLedger(api.dataFolder, ledgerInput([ledgerOrder()], changes))
    const simulated = await api.call('/orders/api/day?day=2026-10-07', { headers: { accept } })
    expect(simulated.headers.get('x-simulated')).toBe('true')
    expect((await api.call(DAY, { headers: { accept } })).headers.has('x-simulated')).toBe(false)
  },
)

test('every form of a ledger, in every encoding of it, has an ETag of its own', async () => {
  const orders = Array.from({ length: 20 }, (_, i) => ledgerOrder({ order_id: `o${i}` }))
  await publishLedger(api.dataFolder, ledgerInput(orders, { day: '2026-10-09' }))
  const path = '/orders/api/day?day=2026-10-09'
  const tags = []
  for (const accept of TABLE_TYPES) {
    for (const encoding of ['identity', 'gzip', 'br']) {
      const headers = { accept, 'accept-encoding': encoding }
      const sent = (await api.call(path, { headers })).headers
      if (sent.has('content-encoding') || encoding === 'identity') tags.push(sent.get('etag'))
    }
  }
  expect(new Set(tags).size).toBe(tags.length)
  expect(tags.length).toBeGreaterThanOrEqual(6)
})

test('the newest session is revalidated, a past one may be cached for a minute', async () => {
  expect((await api.call(DAY)).headers.get('cache-control')).toBe('private, no-cache')
  const past = await api.call('/orders/api/day?day=2026-10-13')
  expect(past.headers.get('cache-control')).toBe('private, max-age=60')
  expect(past.headers.get('vary')).toBe('Accept, Accept-Encoding, Authorization')
})

test.each([
  ['application/json', 'application/json; charset=utf-8'],
  ['application/json; charset=utf-8', 'application/json; charset=utf-8'],
  ['*/*', 'application/json; charset=utf-8'],
  ['text/html, */*;q=0.8', 'application/json; charset=utf-8'],
  ['text/csv, application/json;q=0.5', 'text/csv; charset=utf-8; header=present'],
  // there is one JSON, whatever version of it a client names
  ['application/json;version=2', 'application/json; charset=utf-8'],
  [
    'application/json; version=2; q=0.4, text/csv; q=0.5',
    'text/csv; charset=utf-8; header=present',
  ],
  ['text/csv;q=0.5, Application/JSON ;version="2" ;q=0.6', 'application/json; charset=utf-8'],
  ['application/vnd.apache.parquet', 'application/vnd.apache.parquet'],
  ['application/vnd.apache.arrow.stream', 'application/vnd.apache.arrow.stream'],
])('Accept %s gives %s', async (accept, type) => {
  const { status, headers } = await api.call(DAY, { headers: { accept } })
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe(type)
  // the type of a response is understood as a wish
  const again = await api.call(DAY, { headers: { accept: type } })
  expect(again.headers.get('content-type')).toBe(type)
})

test('a format that no endpoint has is 406, in JSON', async () => {
  const none = await api.call(DAY, { headers: { accept: 'application/json;version=2;q=0' } })
  expect(none.status).toBe(406)
  const ledger = await api.call(DAY, { headers: { accept: 'text/html' } })
  expect(ledger.status).toBe(406)
  expect(ledger.json.error.code).toBe('not_acceptable')
  const sessions = await api.call('/orders/api/sessions', { headers: { accept: 'text/csv' } })
  expect(sessions.status).toBe(406)
})

test('a day without a ledger is an empty table too, with its note in a header', async () => {
  const path = '/orders/api/day?day=2026-10-12'
  const csv = await api.call(path, { headers: { accept: 'text/csv' } })
  expect(csv.status).toBe(200)
  expect(csv.body.toString()).toMatch(
    /^oid,t,g,.*,flags,p,sign_null,rule,prints,flip_convention,side_convention\r\n$/,
  )
  expect(csv.headers.get('x-note')).toBe(
    '2026-10-12 is not built yet; the newest session is 2026-10-14.',
  )
  const arrow = { accept: 'application/vnd.apache.arrow.stream' }
  expect((await api.call(path, { headers: arrow })).status).toBe(200)
})

test('data not stored are named next to a table too', async () => {
  const csv = await api.call(`${DAY}&asof=10:37`, { headers: { accept: 'text/csv' } })
  expect(csv.status).toBe(200)
  const note = '2026-10-14 was published without its minute-by-minute history: build it again.'
  expect(csv.headers.get('x-note')).toBe(note)
  expect((await api.call(`${DAY}&asof=10:37`)).json.note).toBe(note)
})
