// Responses of the levels API: the published files, at every minute and of every book, for each
// symbol its own, the same for every caller at any time.

import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { publishLevels } from '../support/levels.ts'
import { findText } from '../support/openapi.ts'
import {
  differences,
  otherFuture,
  otherLevels,
  otherSpx,
  otherXsp,
  type PublishedRow,
  rowsOfParquet,
} from '../support/otherLevels.ts'

const DAY = '2026-10-14'
const OLD = '2026-10-12'
const TODAY = '2026-10-15'
const NOW_MS = Date.parse('2026-10-15T15:14:30Z')
const CONTRACTS = ['ESZ6', 'ESH7', 'ESM7', 'ESU7', 'ESZ7']
const has = ['strikes', 'basis'] as const

let api: TestApi
let files: Record<'levels' | 'profiles' | 'strikes' | 'basis', PublishedRow[]>
beforeAll(async () => {
  api = await startTestApi()
  const made = await publishLevels(api.dataFolder, {
    day: DAY,
    has,
    // the nearest is not the one that trades most
    contracts: { ESZ6: 100, ESH7: 900 },
    staleBasis: ['10:05', '13:00'],
  })
  const [levels, profiles, strikes, basis] = await Promise.all(made.paths.map(rowsOfParquet))
  files = { levels: levels!, profiles: profiles!, strikes: strikes!, basis: basis! }
  await publishLevels(api.dataFolder, { day: OLD, has: [] })
  await publishLevels(api.dataFolder, {
    day: TODAY,
    until: '11:14',
    has,
    isLive: true,
    seed: 2,
    contracts: Object.fromEntries([...CONTRACTS, 'ESH8'].map(contract => [contract, 1])),
    silentContracts: ['ESH8'],
  })
  api.clock.atMs = NOW_MS
})
afterAll(() => api.close())

const newKey = async () => (await api.newKey('live', 'live')).key
const request = async (query: string, key?: string) =>
  api.call(`/api/v1/${query}`, { key: key ?? (await newKey()) })

/** Requests many, each key as often as it may. */
async function askAll(queries: readonly string[]) {
  // biome-ignore lint/suspicious/noExplicitAny: bodies are what a client sees
  const responses: any[] = []
  for (let from = 0; from < queries.length; from += 120) {
    const key = await newKey()
    const requested = queries.slice(from, from + 120).map(query => request(query, key))
    responses.push(...(await Promise.all(requested)).map(({ json }) => json))
  }
  return responses
}

const BOOKS = ['measured', 'vol', 'oi']
const listMinutes = (rows: readonly PublishedRow[]) =>
  [...new Set(rows.map(row => String(row.minute_et)))].filter(
    minute => minute >= '09:31' && minute <= '15:59',
  )
const bookQuery = (book: string) => (book === 'measured' ? '' : `&book=${book}`)
const at = (rows: readonly PublishedRow[], minute: string, book: string) =>
  rows.filter(row => row.minute_et === minute && row.book_basis === book)

test('every minute of three books is what its files say, for SPX, XSP and a future', async () => {
  const requested = listMinutes(files.levels).flatMap(time => BOOKS.map(book => ({ time, book })))
  expect(requested).toHaveLength(3 * 389)
  const responses = await askAll(
    requested.map(({ time, book }) => {
      return `levels?sym=SPX,XSP,MES&g=7&day=${DAY}&time=${time}${bookQuery(book)}`
    }),
  )
  for (const [index, { time, book }] of requested.entries()) {
    const { symbols, ...head } = responses[index]
    const row = at(files.levels, time, book)[0]!
    const ladder = at(files.strikes, time, book)
    const basis = files.basis.find(one => one.minute_et === time && one.contract === 'ESZ6')!
    const expected = [otherSpx, otherXsp].map(symbol => otherLevels(row, symbol, ladder, 7))
    expect(differences(symbols.slice(0, 2), expected)).toEqual([])
    if (basis.basis === null) expect(symbols[2].error.code).toBe('no_basis')
    else {
      const future = otherFuture('MES', 'MESZ6', Number(basis.basis))
      expect(differences(symbols[2], otherLevels(row, future, ladder, 7))).toEqual([])
    }
    const reported = { day: DAY, time, live: false, book, simulated: true, next_update_at: null }
    expect(head).toEqual(reported)
  }
})

test('gamma is the ladder and the curve of the files, whole or ranked', async () => {
  for (const [time, book] of [
    ['09:31', 'measured'],
    ['11:14', 'vol'],
    ['15:59', 'oi'],
  ] as const) {
    const query = `gamma?sym=SPX&day=${DAY}&time=${time}${bookQuery(book)}`
    const [whole, ranked] = await askAll([query, `${query}&g=3`])
    const ladder = at(files.strikes, time, book).sort((a, b) => Number(a.strike) - Number(b.strike))
    const rows = ladder.map(row => [row.strike, row.call_musd, row.put_musd])
    const curve = at(files.profiles, time, book)
    if (ladder.length === 0) {
      expect([whole.strikes, whole.strikes_reason]).toEqual([null, 'empty_book'])
      expect([whole.curve, whole.curve_reason]).toEqual([null, 'empty_book'])
      continue
    }
    expect(differences(whole.strikes, rows)).toEqual([])
    const [largest] = otherLevels(at(files.levels, time, book)[0]!, otherSpx, ladder, 3).gex!
    expect(ranked.strikes).toHaveLength(3)
    expect(ranked.strikes[0]).toEqual([largest!.strike, largest!.call, largest!.put])
    const points = curve.map(row => Number(row.index_point)).sort((a, b) => a - b)
    expect(whole.curve).toMatchObject({ from: points[0], step: 10 })
    expect(whole.curve.net).toHaveLength(points.length)
  }
})

test('history is the same as levels, as columns, rows of CSV and Arrow', async () => {
  const key = await newKey()
  for (const sym of ['SPX', 'XSP', 'ESH7']) {
    const query = `history?sym=${sym}&day=${DAY}`
    const { json } = await request(query, key)
    const names = ['spot', 'flip', 'flip_lo', 'flip_hi', 'call_wall', 'put_wall', 'net_gamma']
    const sample = [0, 33, 34, 103, 388]
    const times = sample.map(index => json.minutes[index])
    const levels = await askAll(times.map(time => `levels?sym=${sym},SPX&day=${DAY}&time=${time}`))
    for (const [position, index] of sample.entries()) {
      const row = Object.fromEntries([...names, 'reason'].map(name => [name, json[name][index]]))
      const reported = levels[position].symbols[0]
      if (reported.error)
        expect([reported.error.code, row.reason]).toEqual(['no_basis', 'no_basis'])
      else expect(reported).toMatchObject(row)
    }
    const requested = (accept: string) => api.call(`/api/v1/${query}`, { key, headers: { accept } })
    const csv = findText(await requested('text/csv'))
      .trimEnd()
      .split('\r\n')
    const columns = [
      'minute',
      ...names,
      'regime',
      'reason',
      'p_positive',
      'spot_source',
      'spot_error',
    ]
    expect(csv[0]).toBe(columns.join(','))
    const cell = (name: string, index: number) =>
      json[name === 'minute' ? 'minutes' : name][index] ?? ''
    const rows = json.minutes.map((_: string, index: number) => columns.map(n => cell(n, index)))
    expect(csv.slice(1)).toEqual(rows.map((row: unknown[]) => row.join(',')))
    const responded = await requested('application/vnd.apache.arrow.stream')
    const arrow = tableFromIPC(responded.body)
    expect(responded.headers.get('x-contract')).toBe(sym === 'ESH7' ? 'ESH7' : null)
    for (const name of columns) {
      const values = [...arrow.getChild(name)!]
      expect(values).toEqual(json[name === 'minute' ? 'minutes' : name])
    }
  }
})

test('20 symbols are returned in their order, six of them each with its own error', async () => {
  const good = ['spx', 'XSP', 'ES', 'MES', ...CONTRACTS, ...CONTRACTS.map(one => `m${one}`)]
  const bad = ['QQQ', 'NQ', 'SPXW', 'ESH9', 'MESM9', 'ESH8']
  const requested = good.flatMap((sym, index) => [sym, ...(bad[index] ? [bad[index]] : [])])
  expect(requested).toHaveLength(20)
  const { json, status } = await request(`levels?sym=${requested.join(',')}`)
  expect(status).toBe(200)
  const symbols: { sym: string; error?: { code: string } }[] = json.symbols
  expect(symbols.map(({ sym }) => sym)).toEqual(requested.map(sym => sym.toUpperCase()))
  const live = CONTRACTS.concat('ESH8').sort((a, b) => (a.slice(3) + a < b.slice(3) + b ? -1 : 1))
  const errors = symbols.flatMap(({ error }) => error ?? [])
  expect(errors).toMatchObject([
    ...bad.slice(0, 3).map(() => ({ code: 'unknown_symbol' })),
    { code: 'contract_not_live' },
    { code: 'contract_not_live', live: expect.arrayContaining(['MESZ6']) },
    { code: 'no_basis', next_update_s: 33 },
  ])
  expect((errors[3] as { live?: string[] }).live?.toSorted()).toEqual(live.toSorted())
  // a list says the same as each alone
  const alone = await askAll(requested.map(sym => `levels?sym=${sym}`))
  for (const [index, one] of alone.entries()) {
    const reported = symbols[index]!
    if (reported.error) expect(one.error).toEqual(reported.error)
    else expect(one).toEqual({ ...json, symbols: [reported] })
  }
})

test('ES is the contract that traded most in the session before, else the nearest', async () => {
  const [today, past] = await askAll(['levels?sym=ES,MES', `levels?sym=ES,MES&day=${DAY}`])
  const contracts = (response: { symbols: { contract: string }[] }) =>
    response.symbols.map(({ contract }) => contract)
  expect(contracts(today)).toEqual(['ESH7', 'MESH7'])
  expect(contracts(past)).toEqual(['ESZ6', 'MESZ6'])
})

test('ES without futures, with a stale index and with a good one says which', async () => {
  const requested = [
    `levels?sym=ES&day=${OLD}`,
    `levels?sym=ES&day=${DAY}&time=10:05`,
    `levels?sym=ES&day=${DAY}&time=10:06`,
    `levels?sym=ESH9&day=${DAY}&time=10:06`,
  ]
  const [none, stale, good, other] = await askAll(requested)
  expect(none.error).toEqual({
    code: 'no_basis',
    message: `no basis of ES is measured on ${OLD} by 15:59.`,
    next_update_s: 3600,
  })
  expect(stale.error).toMatchObject({
    code: 'no_basis',
    message: 'the basis of ESZ6 is not known at 10:05 (no_index).',
  })
  const basis = files.basis.find(row => row.minute_et === '10:06' && row.contract === 'ESZ6')
  const [row] = at(files.levels, '10:06', 'measured')
  const future = otherFuture('ES', 'ESZ6', Number(basis!.basis))
  const { gex, gex_reason, ...expected } = otherLevels(row!, future, [], 0)
  expect(differences(good.symbols[0], { ...expected, gex: [], gex_reason: null })).toEqual([])
  expect([gex, gex_reason]).toEqual([null, 'empty_book'])
  expect(other.error).toMatchObject({ code: 'contract_not_live', live: ['ESZ6', 'ESH7'] })
})

test('an old session returns what it has and names what it lacks', async () => {
  const [levels, gamma, move] = await askAll([
    `levels?sym=SPX&day=${OLD}&g=5`,
    `gamma?sym=SPX&day=${OLD}`,
    `expected_move?sym=SPX&day=${OLD}`,
  ])
  expect(levels.symbols[0]).toMatchObject({ gex: null, gex_reason: 'not_published' })
  expect(levels.symbols[0].spot).not.toBeNull()
  expect(gamma).toMatchObject({ strikes: null, strikes_reason: 'not_published' })
  expect(gamma.curve.net).toHaveLength(61)
  const spot = await askAll([`levels?sym=SPX&day=${OLD}&time=09:31`])
  const [open] = spot[0].symbols
  expect(move.session_move).toBe(53.83)
  if (open.spot !== null) {
    expect(move.low).toBeCloseTo(open.spot - 53.827, 1)
    expect(move.high).toBeCloseTo(open.spot + 53.827, 1)
  }
})

test('symbols says what there is now, and since when', async () => {
  const { json } = await request('symbols')
  const reported: { sym: string; first_day: string; available: boolean; reason: string | null }[] =
    json.symbols
  expect(reported.slice(0, 4).map(({ sym, first_day }) => [sym, first_day])).toEqual([
    ['SPX', OLD],
    ['XSP', OLD],
    ['ES', DAY],
    ['MES', DAY],
  ])
  expect(reported.filter(({ available }) => !available)).toMatchObject([
    { sym: 'ESH8', reason: 'no_basis' },
    { sym: 'MESH8', reason: 'no_basis' },
  ])
  const good = reported.filter(({ available }) => available).map(({ sym }) => sym)
  const levels = await request(`levels?sym=${good.join(',')}`)
  expect(JSON.stringify(levels.json)).not.toContain('"error"')
})
