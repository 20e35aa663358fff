// The customers' flow over the API: what the files say, of finished and running sessions.

import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { publishLevels } from '../support/levels.ts'
import { type PublishedRow, rowsOfParquet } from '../support/otherLevels.ts'

const DAY = '2026-10-14'
const OLD = '2026-10-12'
const TODAY = '2026-10-15'
const has = ['strikes', 'basis', 'flow'] as const

let api: TestApi
let key = ''
let levels: readonly PublishedRow[]
let flows: readonly PublishedRow[]
beforeAll(async () => {
  api = await startTestApi()
  const made = await publishLevels(api.dataFolder, { day: DAY, has })
  const files = await Promise.all(made.paths.map(rowsOfParquet))
  levels = files[0]!
  flows = files.at(-1)!
  await publishLevels(api.dataFolder, { day: OLD, has: [] })
  await publishLevels(api.dataFolder, { day: TODAY, until: '11:14', has, isLive: true, seed: 2 })
  api.clock.atMs = Date.parse('2026-10-15T15:14:30Z')
  key = (await api.newKey('live', 'live')).key
})
afterAll(() => api.close())

const request = (query: string, headers: Record<string, string> = {}) =>
  api.call(`/api/v1/${query}`, { key, headers })
const round = (value: unknown, unit: number) =>
  value === null ? null : Math.round(Number(value) * unit) / unit + 0

test.each(['all', '0dte', 'calls', 'puts'])('%s of the day and of five minutes', async part => {
  for (const span of ['day', '5m']) {
    const { status, json } = await request(`flow?sym=spx&day=${DAY}&part=${part}&span=${span}`)
    expect(status).toBe(200)
    const rows = flows
      .filter(row => row.part === part && row.span === span && String(row.minute_et) <= '15:59')
      .toSorted((a, b) => (String(a.minute_et) < String(b.minute_et) ? -1 : 1))
    const list = (name: string, unit: number) => rows.map(row => round(row[name], unit))
    const spots = new Map(
      levels.filter(row => row.book_basis === 'measured').map(row => [row.minute_et, row.spot]),
    )
    expect(json).toMatchObject({ day: DAY, sym: 'SPX', part, span, simulated: true, reason: null })
    expect(json.minutes).toEqual(rows.map(row => row.minute_et))
    expect(json.minutes).toHaveLength(389)
    expect(json.spot).toEqual(rows.map(row => round(spots.get(row.minute_et) ?? null, 100)))
    expect(json.delta).toEqual(list('delta_musd', 100))
    expect(json.delta_lo).toEqual(list('delta_lo_musd', 100))
    expect(json.delta_hi).toEqual(list('delta_hi_musd', 100))
    expect(json.gamma).toEqual(list('gamma_musd_per_point', 1e4))
    expect(json.gamma_lo).toEqual(list('gamma_lo_musd_per_point', 1e4))
    expect(json.gamma_hi).toEqual(list('gamma_hi_musd_per_point', 1e4))
    expect(json.delta_reason).toEqual(rows.map(row => row.delta_reason))
    expect(json.gamma_reason).toEqual(rows.map(row => row.gamma_reason))
    expect(json.orders).toEqual(list('order_count', 1))
    expect(json.contracts).toEqual(list('contracts', 1))
  }
})

test('CSV and Arrow have the rows of the JSON', async () => {
  const query = `flow?sym=SPX&day=${DAY}&part=puts`
  const { json } = await request(query)
  const csv = await request(query, { accept: 'text/csv' })
  const [head, ...lines] = csv.body.toString('utf8').trimEnd().split('\r\n')
  const names = head!.split(',')
  expect(names).toEqual([
    'minute',
    'spot',
    'delta',
    'delta_lo',
    'delta_hi',
    'delta_reason',
    'gamma',
    'gamma_lo',
    'gamma_hi',
    'gamma_reason',
    'orders',
    'contracts',
  ])
  const arrow = await request(query, { accept: 'application/vnd.apache.arrow.stream' })
  const table = tableFromIPC(arrow.body)
  expect(table.numRows).toBe(json.minutes.length)
  const rows = lines.map((line: string) => line.split(','))
  for (const [column, name] of names.entries()) {
    const values = json[name === 'minute' ? 'minutes' : name]
    expect(rows.map((cells: string[]) => cells[column])).toEqual(
      values.map((value: unknown) => (value === null ? '' : String(value))),
    )
    expect([...table.getChild(name)!]).toEqual(values)
  }
})

test('a running session ends at its newest minute; an earlier one can be given', async () => {
  const { json } = await request('flow?sym=SPX')
  expect([json.day, json.time, json.live, json.minutes.at(-1)]).toEqual([
    TODAY,
    '11:14',
    true,
    '11:14',
  ])
  expect(json.minutes).toHaveLength(104)
  const { json: earlier } = await request('flow?sym=SPX&time=10:00')
  expect([earlier.live, earlier.minutes.length]).toEqual([false, 30])
  expect(earlier.delta).toEqual(json.delta.slice(0, 30))
})

test('an old session says that it has none, and a book has no effect', async () => {
  const { status, json } = await request(`flow?sym=SPX&day=${OLD}`)
  expect([status, json.minutes, json.reason]).toEqual([200, [], 'not_published'])
  const { headers } = await request('flow?sym=SPX&book=vol')
  expect(headers.get('x-ignored-params')).toContain('book')
  const plain = await request('flow?sym=SPX')
  expect(plain.headers.get('x-ignored-params')).toBeNull()
})

test.each([
  ['part=zero', 'bad_part', 'part is "zero"; give all, 0dte, calls or puts, such as part=0dte.'],
  ['span=1h', 'bad_span', 'span is "1h"; give day or 5m, such as span=5m.'],
])('%s is refused', async (query, code, message) => {
  const { status, json } = await request(`flow?sym=SPX&${query}`)
  expect([status, json.error.code, json.error.message]).toEqual([400, code, message])
})

test('another symbol than SPX is refused by name', async () => {
  const { json } = await request('flow?sym=ES')
  expect(json.error).toMatchObject({ code: 'spx_only' })
  expect(json.error.message).toBe('sym is "ES"; the flow is measured for SPX only: give sym=SPX.')
})
