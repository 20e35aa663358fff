// Every error of the levels API with its fields, as it is and with errors=200.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIVE_ERRORS } from '../../src/levels/errors.ts'
import type { TestApi } from '../support/api.ts'
import { callFaulty, FAULTS, type FaultCode, startFaultyLevels } from '../support/levelsFaults.ts'

let api: TestApi
beforeAll(async () => {
  api = await startFaultyLevels()
})
afterAll(() => api.close())

const codes = Object.keys(FAULTS) as FaultCode[]
const findRow = (code: string) => LIVE_ERRORS.rows.find(row => row.code === code)!
/** Refusals of the HTTP parser, before the path of a call is known. */
const OF_PARSER = ['request_timeout', 'headers_too_large']

/** Fields next to code and message; 30 s are left of the minute, and 45 minutes of the hour. */
const EXTRAS: Partial<Record<FaultCode, object>> = {
  unavailable: { retry_after_s: 1 },
  live_required: { pricing: '/pricing' },
  rate_limited: { retry_after_s: 30 },
  history_too_old: { oldest: '2026-07-17' },
  contract_not_live: { live: ['ESZ6'] },
  no_basis: { next_update_s: 3600 },
  // to 11:15:03
  no_data: { next_update_s: 33 },
  damaged: { retry_after_s: 60 },
}
const HEADERS: Partial<Record<FaultCode, Record<string, string>>> = {
  no_key: { 'www-authenticate': 'Bearer' },
  bad_key: { 'www-authenticate': 'Bearer' },
  method_not_allowed: { allow: 'GET, HEAD, OPTIONS' },
  rate_limited: {
    'retry-after': '30',
    'ratelimit-policy': '"minute";q=120;w=60',
    ratelimit: '"minute";r=0;t=30',
  },
  unavailable: { 'retry-after': '1' },
}

test('there is a fault for every row of the catalogue', () => {
  const rows = LIVE_ERRORS.rows.map(({ code }) => code)
  expect(rows.filter(code => !OF_PARSER.includes(code))).toEqual(codes)
})

test.each(codes)('%s is returned with all its fields, as it is and as 200', async code => {
  const { status } = findRow(code)
  const response = await callFaulty(api, FAULTS[code])
  expect(response.status).toBe(status)
  const message = expect.stringMatching(/^\S.{8,}\.$/)
  expect(response.json).toEqual({ error: { code, message, ...EXTRAS[code] } })
  for (const [name, value] of Object.entries(HEADERS[code] ?? {})) {
    expect(response.headers.get(name), name).toBe(value)
  }
  expect(response.headers.has('retry-after')).toBe('retry_after_s' in (EXTRAS[code] ?? {}))
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.has('x-service-status')).toBe(false)

  const as200 = await callFaulty(api, FAULTS[code], ['errors=200'])
  expect([as200.status, as200.headers.get('x-service-status')]).toEqual([200, String(status)])
  expect(as200.json).toEqual(response.json)
})

test.each([
  [
    'style=line',
    'style is "line"; give pairs, mq, lines, sierra or thinkscript, such as style=lines.',
  ],
  ['style=', 'style is ""; give pairs, mq, lines, sierra or thinkscript, such as style=lines.'],
  ['style=lines&style=mq', 'style is given 2 times; give it once.'],
])('a text of levels in no form, %s, is refused', async (query, message) => {
  const { key } = await api.newKey('live', 'live')
  const { status, json } = await api.call(`/api/v1/levels.txt?sym=SPX&${query}`, { key })
  expect([status, json.error]).toMatchObject([400, { code: 'bad_style', message }])
})

test.each([
  ['/api/v1/levels', 'sym is missing; give one, such as sym=SPX,ES.'],
  ['/api/v1/gamma?sym=SPX,XSP', 'sym has 2 symbols; give one.'],
  ['/api/v1/levels.txt?sym=1,2,3,4,5,6,7,8,9', 'sym has 9 symbols; give at most 8.'],
  ['/api/v1/levels.txt?sym=SPX,XSP&style=lines', 'sym has 2 symbols; give one.'],
  ['/api/v1/levels?sym=SPX&book=VOL', /^book is "VOL"; give vol or oi, or leave it out for the/],
  ['/api/v1/levels?sym=SPX&g=-1', 'g is "-1"; give a whole number from 0 to 30, such as g=10.'],
  ['/api/v1/levels?sym=SPX&g=1&g=2', 'g is given 2 times; give it once.'],
  ['/api/v1/history?sym=SPX', 'day is missing; give a past session, such as day=2026-10-14.'],
  ['/api/v1/levels?sym=SPX&day=2026-02-30', /^day is "2026-02-30"; give a date written YYYY-MM/],
  ['/api/v1/levels?sym=SPX&time=9:45', /^time is "9:45"; give an ET minute from 09:31 to 15:59/],
  ['/api/v1/levels?sym=SPX&day=2025-11-28&time=13:00', /from 09:31 to 12:59, such as time=10:30/],
  ['/api/v1/history?sym=SPX&day=2026-10-15', /^day is 2026-10-15, which is not before today/],
  ['/api/v1/history?sym=SPX&day=2026-10-10', '2026-10-10 is not a trading day.'],
  ['/api/v1/levels?sym=NQ', /^there is no book for "NQ"; \/api\/v1\/symbols lists/],
  ['/api/v1/levels?sym=ESH7', 'ESH7 was not measured on 2026-10-15 by 11:14; ask for ESZ6.'],
  ['/api/v1/levels?sym=SPX&time=11:15', '2026-10-15 has no reading of 11:15.'],
])('%s is refused in words that say what to do', async (path, message) => {
  const { key } = await api.newKey('live', 'live')
  expect((await api.call(path, { key })).json.error.message).toMatch(message)
})

test('what a client sends as a symbol comes back without a key in it', async () => {
  const { key } = await api.newKey('live', 'live')
  for (const path of ['levels', 'levels.txt', 'bookmap.csv']) {
    const sent = await api.call(`/api/v1/${path}?sym=SPX,${key}&as=SPX,${key}`, { key })
    expect(sent.status).toBe(200)
    const whole = JSON.stringify([...sent.headers]) + sent.body
    expect(whole.toLowerCase()).not.toContain(key.slice(6, -4).toLowerCase())
  }
})
