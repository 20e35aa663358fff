import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/core/engine/database.ts'
import { instantMs } from '../../src/core/market/calendar.ts'
import { readManifest } from '../../src/data/published/manifest.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { simulateSessions } from '../support/history.ts'

/** A Monday with the clocks changed the day before, and a half day in its last week. */
const UNTIL = '2026-11-30'
const HALF_DAY = '2026-11-27'
const DAY = '2026-11-25'
const HOLIDAY = '2026-11-26'

let api: TestApi
const ids: string[] = []

beforeAll(async () => {
  const { dataFolder } = await simulateSessions(UNTIL, 20)
  api = await startTestApi({ dataFolder })
  api.clock.atMs = Date.parse('2026-12-01T05:00:00Z')
  const spot = await spotAt(DAY, '10:30')
  const near = 5 * Math.round(spot / 5)
  const add = async (position: object) => {
    const { json } = await api.call('/api/positions', {
      method: 'POST',
      body: JSON.stringify({ op: 'add', position: { entry: '10:30', ...position } }),
    })
    ids.push(json.id)
  }
  await add({ kind: 'strangle', legs: { sp: near - 40, sc: near + 40 }, session: DAY })
  await add({ kind: 'call_spread', legs: { sc: near + 40, lc: near + 50 }, entry: '13:30' })
  await add({ kind: 'put_spread', legs: { lp: 25, sp: 30 } })
})
afterAll(() => api.close())

async function spotAt(day: string, minute: string): Promise<number> {
  const rows = await readMinutes(day)
  return Number(rows.find(row => row.minute_et === minute)!.spot)
}

async function readMinutes(day: string) {
  const { dataFolder } = api
  const { file } = readManifest(dataFolder, day)!.datasets.market_minutes!
  const db = await openDatabase()
  const rows = await db.rows('from read_parquet($file)', {
    file: join(dataFolder, 'published', file),
  })
  db.close()
  return rows
}

const check = (query: string) => api.call(`/api/positions/check${query}`)

test('a check explains every condition that counts, one check a position', async () => {
  const { status, json } = await check(`?day=${DAY}&t=10:30`)
  expect(status).toBe(200)
  expect(json).toMatchObject({ day: DAY, t: '10:30', live: false })
  expect(json.checks.map((one: { position_id: string }) => one.position_id)).toEqual(ids)
  const [strangle, callSpread] = json.checks
  expect(strangle.conditions).toHaveLength(15)
  expect(callSpread.conditions).toHaveLength(13)
  const { on, off, unknown } = strangle.counts
  expect(on + off + unknown).toBe(15)
  expect(strangle.shorts.map((short: { leg: string }) => short.leg)).toEqual(['sp', 'sc'])
  expect(callSpread.shorts.map((short: { leg: string }) => short.leg)).toEqual(['sc'])
  for (const condition of strangle.conditions) {
    expect(condition.reason === null).toBe(condition.value !== null)
    expect(condition.state === 'unknown').toBe(condition.value === null)
  }
})

test('a position whose strikes nobody quotes is judged by what is known', async () => {
  const { json } = await check(`?day=${DAY}&t=10:30&id=${ids[2]}`)
  const [only] = json.checks
  const delta = only.conditions.find((one: { id: string }) => one.id === 'short_delta')
  expect(delta).toMatchObject({ value: null, state: 'unknown', reason: 'strike_not_quoted' })
  expect(only.label).not.toBeNull()
})

test("without a day the response is today's, without a minute its latest one", async () => {
  const atMs = api.clock.atMs
  api.clock.atMs = instantMs(UNTIL, '23:59')
  expect((await check('')).json).toMatchObject({ day: UNTIL, t: '15:59' })
  api.clock.atMs = atMs
  const { json } = await check('')
  expect(json).toMatchObject({ day: '2026-12-01', t: null, live: false })
  expect(json.note).toBe(
    'The session of 2026-12-01 has not begun: no market minute yet. ' +
      `The newest session is day=${UNTIL}.`,
  )
  const track = await api.call(`/api/positions/track?id=${ids[0]}`)
  expect(track.json).toMatchObject({ day: '2026-12-01', t: null, points: [], note: json.note })
  expect((await check(`?day=${HALF_DAY}`)).json).toMatchObject({ t: '12:59' })
  expect((await check(`?day=${HALF_DAY}&t=12:59`)).status).toBe(200)
  expect((await check(`?day=${DAY}&t=09:31`)).status).toBe(200)
})

test.each([
  ['?day=2026-13-01', 'bad_day'],
  ['?day=', 'bad_day'],
  [`?day=${DAY}&t=09:30`, 'bad_time'],
  [`?day=${DAY}&t=16:00`, 'bad_time'],
  [`?day=${HALF_DAY}&t=13:00`, 'bad_time'],
  [`?day=${DAY}&t=9:31`, 'bad_time'],
])('check%s is %s', async (query, code) => {
  const { status, json } = await check(query)
  expect([status, json.error.code]).toEqual([400, code])
})

test.each([
  [HOLIDAY, 'not a trading day'],
  ['2026-12-01', 'not begun'],
  ['2026-06-01', 'not published'],
])('%s has no market minute and a note says that it is %s', async (day, words) => {
  const { status, json } = await check(`?day=${day}`)
  expect(status).toBe(200)
  expect(json).toMatchObject({ day, t: null, live: false })
  expect(json.note).toContain(words)
  expect(json.checks.map((one: { label: unknown }) => one.label)).toEqual([null, null, null])
  const track = await api.call(`/api/positions/track?id=${ids[0]}&day=${day}`)
  expect(track.json).toMatchObject({ t: null, from: null, points: [], note: json.note })
})

test('a track is the checks of its minutes', async () => {
  const track = await api.call(`/api/positions/track?id=${ids[0]}&day=${DAY}&t=11:45`)
  const { points, from, t } = track.json
  expect([from, t, points.length]).toEqual(['10:46', '11:45', 60])
  for (const point of [points[0], points[30], points[59]]) {
    const { json } = await check(`?day=${DAY}&t=${point.t}&id=${ids[0]}`)
    const [one] = json.checks
    expect(point).toMatchObject({ label: one.label, counts: one.counts })
  }
  const early = await api.call(`/api/positions/track?id=${ids[0]}&day=${DAY}&t=09:40`)
  expect([early.json.from, early.json.points.length]).toEqual(['09:31', 10])
})

test('at the live minute a check says what it says the next day', async () => {
  const path = `?day=${UNTIL}&t=10:17`
  const later = (await check(path)).json
  api.clock.atMs = Date.parse('2026-11-30T15:17:30Z')
  const live = (await check('')).json
  expect(live).toEqual({ ...later, live: true })
  const early = await check(`?day=${UNTIL}&t=10:18`)
  expect([early.status, early.json.error.code]).toEqual([400, 'bad_time'])
  api.clock.atMs = Date.parse('2026-12-01T05:00:00Z')
})

test('the entry log names every trading day, and keeps what happened after apart', async () => {
  const { status, json } = await api.call(`/api/positions/entries?id=${ids[0]}`)
  expect(status).toBe(200)
  expect(json).toMatchObject({ entry: '10:30', replay: 20, base_session: DAY })
  expect(json.entries).toHaveLength(20)
  expect(json.entries.at(-1).day).toBe(UNTIL)
  expect(json.entries.map((entry: { day: string }) => entry.day)).not.toContain(HOLIDAY)
  const base = json.entries.find((entry: { day: string }) => entry.day === DAY)
  const { json: then } = await check(`?day=${DAY}&t=10:30&id=${ids[0]}`)
  expect(base.label).toBe(then.checks[0].label)
  expect(base.conditions).toEqual(then.checks[0].conditions)
  for (const { shorts } of json.entries) {
    const width = shorts[0].points + shorts[1].points
    expect(width).toBeCloseTo(80, 6)
    // the same distance as on the day they were set, to half a step
    expect(Math.abs(shorts[0].points - base.shorts[0].points)).toBeLessThanOrEqual(2.5 + 1e-9)
  }
})

test('sessions that are missing, or ended before the entry, are named', async () => {
  rmSync(join(api.dataFolder, 'published/manifests/2026-11-24.json'))
  const { json } = await api.call(`/api/positions/entries?id=${ids[1]}&replay=10`)
  const errors = Object.fromEntries(
    json.entries.map((entry: { day: string; error?: string }) => [entry.day, entry.error]),
  )
  expect(errors['2026-11-24']).toBe('2026-11-24 is not published.')
  expect(errors[HALF_DAY]).toBe('2026-11-27 ended early: its last minute is 12:59.')
  expect(Object.values(errors).filter(error => error === undefined)).toHaveLength(8)
  expect(json.summary.base.entries).toBe(8)
})

test('replay goes back to the oldest session, is 0 to 1000, and needs an id', async () => {
  const entries = (query: string) => api.call(`/api/positions/entries${query}`)
  const none = await entries(`?id=${ids[0]}&replay=0`)
  expect(none.json).toMatchObject({ entries: [], summary: { difference: null } })
  expect((await entries(`?id=${ids[0]}&replay=1000`)).json.entries).toHaveLength(20)
  for (const query of [
    `?id=${ids[0]}&replay=1001`,
    '?replay=1',
    '?id=x&replay=-1',
    '?replay=1.5',
  ]) {
    const { status, json } = await entries(query)
    expect([status, json.error.code], query).toEqual([400, 'invalid'])
  }
})

test('a damaged file is refused, and a replay names the session', async () => {
  const { file } = readManifest(api.dataFolder, '2026-11-20')!.datasets.market_minutes!
  rmSync(join(api.dataFolder, 'published', file))
  const { status, json } = await check('?day=2026-11-20')
  expect([status, json.error.code]).toEqual([503, 'damaged'])
  const log = await api.call(`/api/positions/entries?id=${ids[0]}&replay=15`)
  const entry = log.json.entries.find((one: { day: string }) => one.day === '2026-11-20')
  expect(entry.label === null).toBe(entry.error !== undefined)
})
