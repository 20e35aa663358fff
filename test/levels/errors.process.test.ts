// Errors of the levels API that depend on its sessions, and the words of its refusals.

import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { publishLevels, publishSpoiled } from '../support/levels.ts'

let api: TestApi
/** Past sessions of every kind, and one that runs: 11:14:30 ET, its newest state that of 11:14. */
beforeAll(async () => {
  api = await startTestApi()
  const { dataFolder } = api
  const has = ['strikes', 'basis'] as const
  await publishLevels(dataFolder, { day: '2026-10-14', has })
  await publishLevels(dataFolder, { day: '2026-10-13', has: [] })
  await publishLevels(dataFolder, { day: '2026-10-15', until: '11:14', has, isLive: true })
  const damaged = await publishLevels(dataFolder, { day: '2026-10-12' })
  for (const path of damaged.paths) writeFileSync(path, 'PAR1 and nothing else PAR1')
  publishSpoiled(dataFolder, '2026-10-09')
  api.clock.atMs = Date.parse('2026-10-15T15:14:30Z')
})
afterAll(() => api.close())

test.each([
  ['sym=SPX&day=2026-07-16', 403, { code: 'history_too_old', oldest: '2026-07-17' }],
  ['sym=ESH7&day=2026-10-14', 404, { code: 'contract_not_live', live: ['ESZ6'] }],
  ['sym=ES&day=2026-10-13', 404, { code: 'no_basis', next_update_s: 3600 }],
  // to 11:15:03
  ['sym=SPX&time=11:15', 404, { code: 'no_data', next_update_s: 33 }],
  ['sym=SPX&day=2026-10-12', 503, { code: 'damaged', retry_after_s: 60 }],
  ['sym=SPX&day=2026-10-09', 500, { code: 'internal' }],
])('%s is %i with all its fields, as it is and as 200', async (query, status, error) => {
  const { key } = await api.newKey('live', 'live')
  const call = (more = '', accept = '*/*') =>
    api.call(`/api/v1/levels?${query}${more}`, { key, headers: { accept } })
  const plain = await call()
  const message = expect.stringMatching(/^\S.{8,}\.$/)
  expect([plain.status, plain.json]).toEqual([status, { error: { message, ...error } }])
  expect(plain.headers.has('retry-after')).toBe('retry_after_s' in error)
  const as200 = await call('&errors=200')
  expect([as200.status, as200.json]).toEqual([200, plain.json])
  expect(as200.headers.get('x-service-status')).toBe(String(status))
  // a good question comes before its data, and the data before their form, but for faults of files
  expect((await call('&g=31')).json.error.code).toBe('bad_g')
  const inNoForm = await call('', 'image/png')
  expect(inNoForm.json.error.code).toBe(status < 500 ? error.code : 'not_acceptable')
})

test.each([
  [
    'style=line',
    'style is "line"; give pairs, mq, lines, sierra or thinkscript, such as style=lines.',
  ],
  ['style=', 'style is ""; give pairs, mq, lines, sierra or thinkscript, such as style=lines.'],
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
