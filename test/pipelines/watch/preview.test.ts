// Alerts previewed by the command, and those a watcher sent.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMinutes } from '../../../src/alerts/finding/readMinutes.ts'
import { previewDay } from '../../../src/alerts/preview.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { openCatalog } from '../../../src/data/published/catalog.ts'
import type { ServerStore } from '../../../src/server/accountStore.ts'
import { openMaker, quietStates, UNKNOWN } from '../../support/madeMinutes.ts'
import { listEvents, newAccount, openWatching, setAlert } from '../../support/watching.ts'

const DAY = '2026-10-15'
const folder = mkdtempSync(join(tmpdir(), 'tapefold-preview-'))
let accounts: ServerStore
let accountId: string
let close: () => Promise<void>

beforeAll(async () => {
  const maker = await openMaker(folder)
  const below = ['10:00', '10:01', '10:02', '10:05'].map(minute => [minute, { spot: 5990 }])
  const states = quietStates(DAY, Object.fromEntries(below), { until: '10:30' })
  await maker.finish({ day: DAY, states, orders: [{ order_id: 'o1', visible: '10:10:00' }] })
  await maker.finish({ day: '2026-10-16', states: {}, symbol: 'VIX' })
  // unknown but for the last hour, in which the price crosses the flip
  const unknown = quietStates('2026-10-13', {}, { until: '14:59' })
  const morning = Object.keys(unknown).map(minute => [minute, UNKNOWN] as const)
  const cross = [['15:30', { spot: 5990, net_gamma: -40 }]] as const
  await maker.finish({
    day: '2026-10-13',
    states: quietStates('2026-10-13', Object.fromEntries([...morning, ...cross])),
  })
  maker.close()
  const clock = { atMs: instantMs(DAY, '20:00') }
  const running = await openWatching({ dataFolder: folder, clock })
  accounts = running.accounts
  close = running.close
  accountId = await newAccount(accounts)
  for (const body of [
    { op: 'add', line: { kind: 'price', price: 6000 } },
    { op: 'add', rule: { name: 'all' } },
  ]) {
    await setAlert(accounts, { accountId, atMs: 0, body })
  }
  await running.tick()
})
afterAll(async () => {
  await close()
  rmSync(folder, { recursive: true, force: true })
})

async function preview(day: string, of: string | null) {
  const log = { error: () => {} }
  const catalog = openCatalog({ dataFolder: folder, nowMs: () => 0, log })
  const reader = await openMinutes({ dataFolder: folder, reportDamage: () => {} })
  const reported = await previewDay({ catalog, reader, accounts }, { day, accountId: of })
  reader.close()
  return reported
}

test('a preview reports what the watcher sent, though its line has fired by now', async () => {
  const { events, until, simulated } = await preview(DAY, accountId)
  const reported = await listEvents(accounts, accountId)
  expect(events.map(({ body }) => body)).toEqual(
    reported.map(({ body: { id: _, ts: __, ...body } }) => body),
  )
  expect(events.map(({ t, type }) => `${type} ${t}`)).toEqual([
    'price_alert 10:00',
    'flip_cross 10:01',
    'flip_cross 10:04',
    'order 10:11',
  ])
  expect([until, simulated]).toEqual(['16:18', false])
})

test('without an account it is the usual list, and it writes nothing', async () => {
  const before = await accounts.outbox.outboxState({ nowMs: 1 })
  const { events } = await preview(DAY, null)
  expect(events.map(({ t, type }) => `${type} ${t}`)).toEqual([
    'flip_cross 10:01',
    'flip_cross 10:04',
  ])
  expect(await accounts.outbox.outboxState({ nowMs: 1 })).toEqual(before)
})

test('a day without states says why there is nothing', async () => {
  expect((await preview('2026-10-14', null)).note).toBe('2026-10-14 is not published.')
  expect((await preview('2026-10-16', null)).note).toMatch(/^2026-10-16 is a session of VIX; give /)
})

test('minutes without known positions of dealers send nothing, and are counted', async () => {
  const { events, unknown } = await preview('2026-10-13', null)
  // not when the flip appears at 15:00, and one minute beyond it is no cross
  expect(events).toEqual([])
  expect(unknown).toBe(
    "329 of 389 minutes of 2026-10-13 had no known dealers' positions (inventory_unknown); such " +
      'minutes send nothing of flip_cross, wall_break, regime_change.',
  )
  expect((await preview(DAY, null)).unknown).toBeUndefined()
})

test('an account that asks for no level of the measured book waits for none', async () => {
  const other = await newAccount(accounts)
  const body = (entry: object) => ({ op: 'set', entry: { ...entry, on: false } })
  for (const type of ['flip_cross', 'wall_break', 'regime_change']) {
    await setAlert(accounts, { accountId: other, atMs: 0, body: body({ type }) })
  }
  expect((await preview('2026-10-13', other)).unknown).toBeUndefined()
  for (const body of [
    { op: 'add', line: { kind: 'level', level: 'flip' } },
    { op: 'add', line: { kind: 'level', level: 'flip', book: 'oi' } },
    { op: 'add', rule: { name: 'near', flip_within: 20 } },
  ]) {
    await setAlert(accounts, { accountId: other, atMs: 0, body })
  }
  expect((await preview('2026-10-13', other)).unknown).toMatch(
    /; such minutes send nothing of 1 line at its levels, 1 order rule\.$/,
  )
})
