// Events of positions, judged with the functions of the positions API.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { instantMs, minutesAfter } from '../../../src/core/market/calendar.ts'
import type { ServerStore } from '../../../src/server/accountStore.ts'
import { type MadeSession, openMaker, quietStates } from '../../support/madeMinutes.ts'
import { complete } from '../../support/position.ts'
import { KNOWN_MINUTE } from '../../support/positionMarket.ts'
import { listEvents, newAccount, openWatching, type Watching } from '../../support/watching.ts'

const DAY = '2026-10-15'
const at = (minute: string) => instantMs(DAY, minute)
let folder: string
let maker: Awaited<ReturnType<typeof openMaker>>
let running: Watching
const clock = { atMs: 0 }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-watched-'))
  maker = await openMaker(folder)
  clock.atMs = at('10:40')
  running = await openWatching({ dataFolder: folder, clock })
})
afterEach(async () => {
  await running.close()
  maker.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The distance to the flip at each minute, in points; 20 where not given. */
function findSession(points: Readonly<Record<string, number | null>>): MadeSession {
  const states = quietStates(DAY, {}, { until: '10:40' })
  const market_minutes = Object.keys(states).map(minute => {
    const away = points[minute] === undefined ? 20 : points[minute]
    const minute_at = new Date(at(minute)).toISOString().slice(0, 19).replace('T', ' ')
    return {
      ...KNOWN_MINUTE,
      session_date: DAY,
      minute_et: minute,
      minute_at,
      spot: 6000,
      flip: away === null ? null : 6000 + away,
      ...(away === null ? { level_reason: 'no_root' } : {}),
    }
  })
  return { day: DAY, states, others: { market_minutes, large_orders: [] } }
}

/** A position of one condition: nearer than 15 points to the flip it is SKIP, else TRADE. */
async function store(accounts: ServerStore, accountId: string, id: string, changes = {}) {
  const conditions = [{ id: 'flip_near', on: true, threshold: 15 }]
  const stored = complete({
    kind: 'strangle',
    legs: { sp: 5950, sc: 6050 },
    entry: '10:10',
    conditions,
    label: { caution: 1, skip: 1 },
    alert: { channel: 'webhook', url: 'https://a.example/p', before: 10 },
    ...changes,
  })
  const own = stored.conditions.map(one => ({ ...one, on: one.id === 'flip_near' }))
  const body = JSON.stringify({ ...stored, id, conditions: own })
  await accounts.changePositions({
    accountId,
    atMs: 1,
    repeat: null,
    decide: () => ({ response: '', put: { id, body } }),
  })
}

const near = (from: string, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [minutesAfter(from, index), 5]))

const shown = async (accountId: string) =>
  (await listEvents(running.accounts, accountId)).map(
    ({ type, minute, body }) => `${type} ${minute} ${body.from ?? '-'} ${body.label}`,
  )

test('a first label is read, a worse one is sent at once, a better one late', async () => {
  const points = { ...near('10:05', 3), ...near('10:20', 1) }
  await maker.runUntil(findSession(points), '10:30')
  const { accounts } = running
  const accountId = await newAccount(accounts)
  await store(accounts, accountId, 'p_one')
  await store(accounts, accountId, 'p_off', { alert: { channel: 'off' } })
  await running.tick()
  expect(await shown(accountId)).toEqual([
    'opening_read 10:00 - TRADE',
    'label_changed 10:05 TRADE SKIP',
    'label_changed 10:12 SKIP TRADE',
    'label_changed 10:20 TRADE SKIP',
    'label_changed 10:25 SKIP TRADE',
  ])
  const [first] = await listEvents(accounts, accountId)
  expect(first).toMatchObject({ owner: 'p_one', minute: '10:00' })
  expect(first!.body).toMatchObject({
    version: 1,
    type: 'opening_read',
    position_id: 'p_one',
    kind: 'strangle',
    entry: '10:10',
    counts: { on: 0, off: 1, unknown: 0 },
    on: [],
    shorts: [
      { leg: 'sp', points: 50 },
      { leg: 'sc', points: 50 },
    ],
  })
  expect(JSON.stringify(first!.body)).not.toMatch(/"(price|levels|symbol)":/)
  // its own channel, whatever else the account has
  const deliveries = await accounts.outbox.listDeliveries({ accountId, limit: 10 })
  expect(new Set(deliveries.map(one => `${one.channel} ${one.owner}`))).toEqual(
    new Set(['webhook p_one']),
  )
})

test('a position that is saved again has its new address, and one that was off is on', async () => {
  await maker.runUntil(findSession(near('10:05', 1)), '10:04')
  const { accounts } = running
  const { outbox } = accounts
  const accountId = await newAccount(accounts)
  const url = 'https://b.example/p'
  const endpoint = { accountId, owner: 'p_one', url: 'https://a.example/old', atMs: 0 } as const
  await outbox.saveEndpoint(endpoint)
  await store(accounts, accountId, 'p_one', { alert: { channel: 'webhook', url, before: 10 } })
  await running.tick()
  expect(await outbox.findEndpoint(accountId, 'p_one')).toMatchObject({ url, state: 'on' })
  const { sinceMs } = (await outbox.findEndpoint(accountId, 'p_one'))!
  clock.atMs += 60_000
  await maker.runUntil(findSession(near('10:05', 1)), '10:06')
  await running.tick()
  // nothing was saved in between: the same endpoint, with its failures
  expect(await outbox.findEndpoint(accountId, 'p_one')).toMatchObject({ url, sinceMs })
})

test('positions are sent the same minute by minute as of the whole session', async () => {
  const session = findSession({ ...near('10:05', 3), '10:21': null })
  const { accounts } = running
  const accountId = await newAccount(accounts)
  await store(accounts, accountId, 'p_one')
  for (const minute of ['09:59', '10:00', '10:06', '10:25']) {
    await maker.runUntil(session, minute)
    await running.tick()
  }
  expect(await shown(accountId)).toEqual([
    'opening_read 10:00 - TRADE',
    'label_changed 10:05 TRADE SKIP',
    'label_changed 10:12 SKIP TRADE',
  ])
})

test('where positions cannot be judged, all else is sent', async () => {
  const session = findSession({})
  await maker.finish({ ...session, others: {} })
  const { accounts } = running
  const accountId = await newAccount(accounts)
  await store(accounts, accountId, 'p_one')
  expect(await running.tick()).toBe(408)
  expect(await shown(accountId)).toEqual([])
})
