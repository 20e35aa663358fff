import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionMinutes } from '../../../src/alerts/finding/minutes.ts'
import { type MinutesReader, openMinutes } from '../../../src/alerts/finding/readMinutes.ts'
import { createSinceMinute } from '../../../src/alerts/finding/sinceMinute.ts'
import type { AlertLine, OrderRule } from '../../../src/alerts/kinds.ts'
import { openCatalog } from '../../../src/data/published/catalog.ts'
import {
  account,
  dayMs,
  ENTRIES,
  type Finding,
  findEntry,
  findSession,
  findShown,
} from '../../support/foundMinutes.ts'
import {
  type MadeSession,
  type MadeState,
  openMaker,
  quietStates,
} from '../../support/madeMinutes.ts'

const DAY = '2026-10-15'
const HALF_DAY = '2026-11-27'
const folder = mkdtempSync(join(tmpdir(), 'tapefold-finding-'))
let maker: Awaited<ReturnType<typeof openMaker>>
let reader: MinutesReader

beforeAll(async () => {
  maker = await openMaker(folder)
  reader = await openMinutes({ dataFolder: folder, reportDamage: () => {} })
})
afterAll(() => {
  maker.close()
  reader.close()
  rmSync(folder, { recursive: true, force: true })
})

async function publish(made: MadeSession): Promise<SessionMinutes> {
  await maker.finish(made)
  const catalog = openCatalog({ dataFolder: folder, nowMs: () => 0, log: { error: () => {} } })
  return reader.read(catalog.find(made.day)!)
}

/** Changes of the quiet states from one minute to another. */
function between(from: string, until: string, state: MadeState): Record<string, MadeState> {
  const all = quietStates(DAY, {}, { from, until })
  return Object.fromEntries(Object.keys(all).map(minute => [minute, state]))
}

const LINE = { mode: 'once', direction: 'any', note: null } as const
const priceLine = (id: string, price: number, changes: Partial<AlertLine> = {}): AlertLine =>
  ({ ...LINE, kind: 'price', id, price, ...changes }) as AlertLine

const shown = (finding: Finding) => findShown(findSession(finding))

test('each type of the list fires at its minute and at no other', async () => {
  const minutes = await publish({
    day: DAY,
    states: quietStates(DAY, {
      // the flip moves away and no level that jumps over the price is reported
      ...between('10:00', '10:20', { spot: 5990 }),
      ...between('11:00', '11:20', { spot: 6052 }),
      ...between('12:00', '12:20', { net_gamma: -30 }),
      ...between('13:00', '16:14', { call_wall: 6075 }),
      ...between('14:00', '16:14', { call_wall: 6075, flip: 5985, threshold: [5980, 5990] }),
    }),
  })
  const found = findSession({ minutes, accounts: [account('a', { list: ENTRIES })] })
  expect(findShown(found).filter(one => !one.startsWith('level_near'))).toEqual([
    'flip_cross 10:01',
    'flip_cross 10:22',
    'wall_break 11:01',
    'regime_change 12:01',
    'regime_change 12:22',
    'wall_move 13:04',
    'flip_move 14:02',
  ])
  expect(found[0]!.body).toMatchObject({
    version: 1,
    type: 'flip_cross',
    symbol: 'SPX',
    price: 5990,
    book: 'measured',
    direction: 'below',
    minute: '10:01',
    ts: '2026-10-15T10:01:03-04:00',
    levels: { flip: 6000, call_wall: 6050, put_wall: 5950 },
  })
})

test('a quiet day reports nothing, whatever is requested', async () => {
  const minutes = await publish({ day: DAY, states: quietStates(DAY) })
  const lines = [priceLine('l_1', 6004), priceLine('l_2', 6006)]
  const rules: OrderRule[] = [{ id: 'r_1', name: 'all', on: true }]
  expect(shown({ minutes, accounts: [account('a', { list: ENTRIES, lines, rules })] })).toEqual([])
})

test('a price line fires when the price touches or crosses it, once or over and over', async () => {
  const states = quietStates(DAY, {
    '10:00': { spot: 6010 },
    '10:01': { spot: 6005 },
    '10:02': { spot: 6010 },
    ...between('10:03', '16:14', { spot: 6001 }),
  })
  const minutes = await publish({ day: DAY, states })
  const lines = [priceLine('l_once', 6008), priceLine('l_again', 6008, { mode: 'repeat' })]
  const found = findSession({ minutes, accounts: [account('a', { lines })] })
  expect(found.map(({ minute, body }) => `${body.alert.id} ${minute} ${body.direction}`)).toEqual([
    'l_again 10:00 above',
    'l_once 10:00 above',
    'l_again 10:01 below',
    'l_again 10:02 above',
    'l_again 10:03 below',
  ])
})

test('a line at a level follows it', async () => {
  const states = quietStates(DAY, between('10:00', '16:14', { spot: 5958 }))
  const minutes = await publish({ day: DAY, states })
  const line: AlertLine = {
    ...LINE,
    id: 'l_wall',
    kind: 'level',
    level: 'put_wall',
    book: 'measured',
    offset: 10,
  }
  const [first, ...others] = findSession({ minutes, accounts: [account('a', { lines: [line] })] })
  expect(others).toEqual([])
  expect(first).toMatchObject({ type: 'level_line', minute: '10:00' })
  expect(first!.body).toMatchObject({
    level: { kind: 'put_wall', value: 5950 },
    alert: { id: 'l_wall', kind: 'level', level: 'put_wall', price: 5960, offset: 10 },
  })
})

test('a gap at the open fires a price line of the day before, and not a new one', async () => {
  const minutes = await publish({ day: DAY, states: quietStates(DAY) })
  const price = { day: '2026-10-14', minute: '16:00', spot: 5980 }
  const sinceMinute = createSinceMinute(DAY)
  const old = account('a', { lines: [priceLine('l_old', 6000)] })
  const late = account('b', { lines: [priceLine('l_new', 6000)], sinceMs: dayMs(DAY, '09:31') + 1 })
  const options = { minutes, accounts: [old, late], price, sinceMinute }
  expect(findSession(options).map(({ body }) => body.alert.id)).toEqual(['l_old'])
})

test('what is set in a session counts from the first state after it', async () => {
  const states = quietStates(DAY, between('10:00', '16:14', { spot: 5990 }))
  const minutes = await publish({ day: DAY, states })
  const since = (time: string, id: string) =>
    account(id, {
      list: [findEntry('flip_cross')],
      lines: [priceLine(`l_${id}`, 6000)],
      sinceMs: dayMs(DAY, time),
    })
  const accounts = [since('09:58', 'before'), since('10:00', 'at')]
  const found = findSession({ minutes, accounts, sinceMinute: createSinceMinute(DAY) })
  expect(found.map(({ accountId, type }) => `${accountId} ${type}`)).toEqual([
    'before price_alert',
    'before flip_cross',
  ])
})

test('an order is sent once a rule, at its first version that matches', async () => {
  const minutes = await publish({
    day: DAY,
    states: quietStates(DAY),
    orders: [
      { order_id: 'o1', visible: '10:00:10', size: 50, superseded: '10:02:00' },
      {
        order_id: 'o1',
        visible: '10:02:00',
        size: 150,
        revision_number: 2,
        superseded: '10:05:00',
      },
      { order_id: 'o1', visible: '10:05:00', size: 250, revision_number: 3 },
      { order_id: 'o2', visible: '16:16:10', size: 500 },
    ],
  })
  const rules: OrderRule[] = [
    { id: 'r_all', name: 'all', on: true },
    { id: 'r_big', name: 'big', on: true, min_size: 100 },
    { id: 'r_off', name: 'off', on: false },
  ]
  const found = findSession({ minutes, accounts: [account('a', { rules })] })
  expect(found.map(({ minute, body }) => `${body.rule.id} ${body.order.oid} ${minute}`)).toEqual([
    'r_all o1 10:01',
    'r_big o1 10:03',
    'r_all o2 16:17',
    'r_big o2 16:17',
  ])
  expect(JSON.stringify(found)).not.toMatch(/"(g|p|sign|side)":|buy|sell|bought|sold/)
})

test('of eleven orders of a minute a rule sends five, the last with the rest', async () => {
  const orders = Array.from({ length: 11 }, (_, index) => ({
    order_id: `o${index}`,
    visible: '10:00:10',
    gross_premium_usd: 1e6 * (index + 1),
  }))
  const minutes = await publish({ day: DAY, states: quietStates(DAY), orders })
  const rules: OrderRule[] = [{ id: 'r_1', name: 'all', on: true }]
  const found = findSession({ minutes, accounts: [account('a', { rules })] })
  expect(found.map(({ body }) => body.order.oid)).toEqual(['o10', 'o9', 'o8', 'o7', 'o6'])
  expect(found.map(({ body }) => body.more)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    6,
  ])
})

test('levels are reported to 15:59, price lines to 16:00; 12:59 and 13:00 on a half day', async () => {
  for (const [day, last, close] of [
    [DAY, '15:59', '16:00'],
    [HALF_DAY, '12:59', '13:00'],
  ] as const) {
    const at = (minute: string) => ({ [minute]: { spot: 6049 } })
    for (const [minute, types] of [
      [last, ['level_near', 'price_alert']],
      [close, ['price_alert']],
    ] as const) {
      const minutes = await publish({ day, states: quietStates(day, at(minute)) })
      const lines = [priceLine('l_1', 6048)]
      const list = [findEntry('level_near')]
      const found = findSession({
        minutes,
        accounts: [account('a', { list, lines })],
        until: minute,
      })
      expect(found.filter(one => one.minute === minute).map(({ type }) => type)).toEqual(types)
    }
  }
})

test('accounts without a list get the usual one, and equal settings are evaluated once', async () => {
  const states = quietStates(DAY, between('10:00', '16:14', { spot: 5990 }))
  const minutes = await publish({ day: DAY, states })
  const [cross] = ENTRIES
  const accounts = [
    account('usual', { list: null }),
    account('own', { list: [cross!] }),
    account('off', { list: [{ ...cross!, on: false }] }),
    account('later', { list: [{ ...cross!, confirm: 4 } as typeof cross & object] }),
  ]
  const found = findSession({ minutes, accounts, usualList: [cross!] })
  expect(found.map(({ accountId, minute }) => `${accountId} ${minute}`)).toEqual([
    'own 10:01',
    'usual 10:01',
    'later 10:03',
  ])
  expect(new Set(found.map(({ id }) => id)).size).toBe(3)
})
