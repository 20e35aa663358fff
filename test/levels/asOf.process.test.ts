// Availability of each minute: today as it runs, in a replay and for ever after; how long to
// wait for one that is not there; and how far back a key may look.

import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parseReplay, replayClock } from '../../src/core/clock.ts'
import { addDays, findTradingSession, midnightMs } from '../../src/core/market/calendar.ts'
import { oldestLiveDay } from '../../src/levels/oldestDay.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { publishLevels } from '../support/levels.ts'
import { runs } from '../support/runs.ts'

const DAY = '2026-10-15'
const has = ['strikes', 'basis'] as const
const AT_1114 = Date.parse('2026-10-15T15:14:30Z')

const findKey = async (api: TestApi) => (await api.newKey('live', 'live')).key
const request = async (api: TestApi, query: string) =>
  api.call(`/api/v1/${query}`, { key: await findKey(api) })

/** A session that ran until a minute, whose futures are those of the session before. */
async function openLive(until: string) {
  const api = await startTestApi()
  await publishLevels(api.dataFolder, { day: '2026-10-14', has })
  await publishLevels(api.dataFolder, { day: DAY, until, has, isLive: true })
  api.clock.atMs = AT_1114
  return api
}

let live: TestApi
beforeAll(async () => {
  live = await openLive('11:14')
})
beforeEach(() => {
  live.clock.atMs = AT_1114
})
afterAll(() => live.close())

/** The same session when it is over. */
async function startOver(atMs: number, clock?: ReturnType<typeof replayClock>) {
  const api = await startTestApi(clock ? { clock } : {})
  await publishLevels(api.dataFolder, { day: '2026-10-14', has })
  await publishLevels(api.dataFolder, { day: DAY, has })
  // a replay queries as of an instant
  if (!clock) api.clock.atMs = atMs
  return api
}

const AFTER_MIDNIGHT = Date.parse('2026-10-16T04:00:00Z')

test('a minute has the same bytes as it runs, in a replay, and the day after', async () => {
  const replay = replayClock(parseReplay('2026-10-15T11:14x0'))
  const replayed = await startOver(AT_1114, replay)
  const over = await startOver(AFTER_MIDNIGHT)
  const requested = ['levels?sym=SPX,XSP,ES&g=9', 'gamma?sym=SPX', 'expected_move?sym=SPX']
  const text = ['levels.txt?sym=SPX,ES&book=vol', 'bookmap.csv?sym=ES']
  for (const query of [...requested, ...text]) {
    const now = await request(live, query)
    expect(now.status).toBe(200)
    expect((await request(replayed, query)).body).toEqual(now.body)
    for (const time of ['09:31', '10:07', '11:14']) {
      const then = await request(live, `${query}&time=${time}`)
      expect((await request(replayed, `${query}&time=${time}`)).body).toEqual(then.body)
      const after = await request(over, `${query}&time=${time}&day=${DAY}`)
      expect(after.body).toEqual(then.body)
      expect(after.headers.get('etag')).toBe(then.headers.get('etag'))
    }
  }
  const { json: now } = await request(live, 'levels?sym=SPX')
  expect(now).toMatchObject({ day: DAY, time: '11:14', live: true })
  expect(now.next_update_at).toBe('2026-10-15T15:15:03Z')
  const { json: then } = await request(live, 'levels?sym=SPX&time=11:14')
  expect(then).toEqual({ ...now, live: false, next_update_at: null })
  // nothing that came later is in a replay
  for (const query of ['levels?sym=SPX&time=11:15', 'levels?sym=ES&time=15:59']) {
    expect((await request(replayed, query)).json.error.code).toBe('no_data')
  }
  await Promise.all([replayed.close(), over.close()])
})

test('each minute of a running session has its response, and its history waits', async () => {
  const api = await openLive('11:16')
  const reported: [string, string][] = []
  for (const seconds of [-31, -30, 29, 30, 89, 90, 150, 210]) {
    api.clock.atMs = AT_1114 + seconds * 1000
    const { json } = await request(api, 'levels?sym=SPX')
    reported.push([json.time, json.next_update_at])
  }
  expect(reported).toEqual([
    ['11:13', '2026-10-15T15:14:03Z'],
    ['11:14', '2026-10-15T15:15:03Z'],
    ['11:14', '2026-10-15T15:15:03Z'],
    ['11:15', '2026-10-15T15:16:03Z'],
    ['11:15', '2026-10-15T15:16:03Z'],
    ['11:16', '2026-10-15T15:17:03Z'],
    // the feed is late: what is known is returned
    ['11:16', '2026-10-15T15:17:03Z'],
    ['11:16', '2026-10-15T15:17:03Z'],
  ])
  const history = `history?sym=SPX&day=${DAY}`
  expect((await request(api, history)).json.error.code).toBe('not_finished')
  api.clock.atMs = AFTER_MIDNIGHT - 1
  expect((await request(api, history)).json.error.code).toBe('not_finished')
  api.clock.atMs = AFTER_MIDNIGHT
  expect((await request(api, history)).json.minutes.at(-1)).toBe('11:16')
  await api.close()
})

test.each([
  ['2026-10-16T13:00:00Z', '2026-10-16T13:31:03Z'],
  ['2026-10-16T15:00:00Z', null],
  ['2026-10-17T15:00:00Z', '2026-10-19T13:31:03Z'],
  ['2026-11-28T15:00:00Z', '2026-11-30T14:31:03Z'],
])('at %s an older newest session is followed at %s', async (now, next) => {
  const api = await openLive('11:16')
  api.clock.atMs = Date.parse(`${DAY}T15:16:10Z`)
  await request(api, 'levels?sym=SPX')
  api.clock.atMs = AFTER_MIDNIGHT
  const { headers } = await request(api, 'levels?sym=SPX')
  api.clock.atMs = Date.parse(now)
  const later = await request(api, 'levels?sym=SPX')
  expect(later.json.next_update_at).toBe(next)
  expect(later.headers.get('etag') === headers.get('etag')).toBe(next === '2026-10-16T13:31:03Z')
  await api.close()
})

test('data that grow minute by minute are returned as they grow', async () => {
  const api = await openLive('11:12')
  expect((await request(api, 'levels?sym=SPX')).json.time).toBe('11:12')
  await publishLevels(api.dataFolder, { day: DAY, until: '11:14', has, isLive: true })
  api.clock.atMs = AT_1114 + 1_000
  const { json } = await request(api, 'levels?sym=SPX,ES&g=3')
  expect([json.time, json.symbols.length]).toEqual(['11:14', 2])
  live.clock.atMs = AT_1114 + 1_000
  expect((await request(live, 'levels?sym=SPX,ES&g=3')).json).toEqual(json)
  await api.close()
})

test.each([
  // now, the requested path, how long to wait
  ['2026-10-15T15:14:30Z', 'levels?sym=SPX&time=11:15', 33],
  ['2026-10-15T15:14:30Z', 'levels?sym=SPX&time=12:00', 45 * 60 + 33],
  ['2026-10-15T15:14:59Z', 'levels?sym=SPX&time=11:15', 4],
  ['2026-10-15T15:30:00Z', 'levels?sym=SPX&time=11:20', 63],
  // of a day that is over nothing more comes, unless it is built again
  ['2026-10-15T15:14:30Z', 'levels?sym=SPX&day=2026-10-13', 3600],
  ['2026-10-15T15:14:30Z', 'levels?sym=SPX&day=2026-10-10', null],
  // after the last minute of today: 09:31:03 of the next session, on Friday
  ['2026-10-15T20:00:00Z', 'levels?sym=SPX&time=15:59', 17 * 3600 + 31 * 60 + 3],
])('at %s %s says to wait %s s', async (now, query, wait) => {
  live.clock.atMs = Date.parse(now)
  const { json } = await request(live, query)
  expect(json.error).toMatchObject({ code: 'no_data', next_update_s: wait })
})

test('before anything is published there is no data until 09:31:03', async () => {
  const api = await startTestApi()
  api.clock.atMs = Date.parse('2026-10-17T16:00:00Z')
  for (const query of ['levels?sym=SPX', 'gamma?sym=XSP', 'expected_move?sym=SPX']) {
    const { json } = await request(api, query)
    // from Saturday noon to Monday
    const wait = (2 * 24 - 12 + 9) * 3600 + 31 * 60 + 3
    expect(json.error).toMatchObject({ code: 'no_data', next_update_s: wait })
  }
  expect((await request(api, 'levels?sym=ES')).json.error.code).toBe('no_basis')
  const many = await request(api, 'levels?sym=SPX,ES,QQQ')
  expect(many.status).toBe(200)
  expect(many.json).toMatchObject({ day: null, time: null, live: false, next_update_at: null })
  const codes = many.json.symbols.map((one: { error: { code: string } }) => one.error.code)
  expect(codes).toEqual(['no_data', 'no_basis', 'unknown_symbol'])
  const { json } = await request(api, 'symbols')
  expect(json.symbols.every((one: { available: boolean }) => !one.available)).toBe(true)
  await api.close()
})

/** The day of New York by the system's own table of time zones. */
const dayInNewYork = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' })

test('the oldest day is the first session of 90 days of New York, to the ms', () => {
  const starts = ['2026-01-01', '2026-03-07', '2026-10-31', '2025-11-27']
  fc.assert(
    fc.property(
      fc.constantFrom(...starts),
      fc.integer({ min: 0, max: 120 }),
      fc.constantFrom(-1, 0, 1, 3_600_000, -3_600_000, 43_200_000),
      (start, days, offset) => {
        const atMs = midnightMs(addDays(start, days)) + offset
        const today = Date.parse(dayInNewYork.format(atMs))
        const inReach = Array.from({ length: 100 }, (_, back) =>
          new Date(today - back * 86_400_000).toISOString().slice(0, 10),
        ).filter((_, back) => back <= 90)
        const sessions = inReach.filter(day => findTradingSession(day) !== null)
        expect(oldestLiveDay(atMs)).toBe(sessions.at(-1))
      },
    ),
    { seed: 20261126, numRuns: runs(500) },
  )
})

test.each([
  // the day that drops out of the window, and the midnight of New York at which it does
  ['2026-07-17', '2026-10-16T04:00:00Z'],
  // over the end of summer time, and over its beginning
  ['2026-08-13', '2026-11-12T05:00:00Z'],
  ['2025-12-09', '2026-03-10T04:00:00Z'],
])('%s is open until %s and then needs a licence', async (day, midnight) => {
  const api = await startTestApi()
  await publishLevels(api.dataFolder, { day, has: [] })
  const query = `/api/v1/history?sym=SPX&day=${day}`
  const { key, accountId } = await api.newKey('live', 'live')
  const guest = await api.newKey('dataset', 'dataset')
  const findCode = async (one: string) => (await api.call(query, { key: one })).json.error?.code
  api.clock.atMs = Date.parse(midnight) - 1
  expect(await findCode(key)).toBeUndefined()
  expect(await findCode(guest.key)).toBe('live_required')
  api.clock.atMs += 1
  const { json } = await api.call(query, { key })
  expect(json.error).toMatchObject({
    code: 'history_too_old',
    oldest: oldestLiveDay(api.clock.atMs),
  })
  expect(json.error.oldest > day).toBe(true)
  // a key of the licence alone opens what is older, and nothing else
  expect(await findCode(guest.key)).toBeUndefined()
  const newest = { key: guest.key }
  expect((await api.call('/api/v1/levels?sym=SPX', newest)).json.error.code).toBe('live_required')
  // the licence opens it to the other keys of the account
  const licence = { plan: 'dataset', fromMs: 0, untilMs: api.clock.atMs + 1 } as const
  await api.accounts.putProduct(accountId, licence)
  expect(await findCode(key)).toBeUndefined()
  expect((await api.call('/api/v1/key', { key })).json).toMatchObject({
    plans: ['live', 'dataset'],
    oldest: null,
  })
  api.clock.atMs += 1
  expect(await findCode(key)).toBe('history_too_old')
  await api.close()
})
