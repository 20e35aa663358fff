import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Run } from '../../../src/alerts/finding/run.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { type MadeSession, openMaker, quietStates } from '../../support/madeMinutes.ts'
import {
  accountFile,
  listEvents,
  newAccount,
  openWatching,
  setAlert,
  shownEvents,
  type Watching,
  type WatchingOptions,
} from '../../support/watching.ts'

const DAY = '2026-10-15'
const at = (minute: string) => instantMs(DAY, minute)
let folder: string
let maker: Awaited<ReturnType<typeof openMaker>>
let open: Watching[]
let others: string[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-watch-'))
  maker = await openMaker(folder)
  open = []
  others = []
})
afterEach(async () => {
  for (const one of open) await one.close()
  maker.close()
  for (const one of [folder, ...others]) rmSync(one, { recursive: true, force: true })
})

async function watch(
  options: Omit<WatchingOptions, 'dataFolder'> & { dataFolder?: string },
): Promise<Watching> {
  const watching = await openWatching({ dataFolder: folder, ...options })
  open.push(watching)
  return watching
}

/** The price goes below the flip from 10:00 to 10:20, and an order comes at 10:30. */
const SESSION: MadeSession = {
  day: DAY,
  states: quietStates(
    DAY,
    Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => {
        return [`10:${String(index).padStart(2, '0')}`, { spot: 5990 }]
      }),
    ),
    // the rest of the day has no state
    { until: '10:40' },
  ),
  orders: [{ order_id: 'o1', visible: '10:29:30', gross_premium_usd: 3e6 }],
}
const EXPECTED = ['price_alert 10:00', 'flip_cross 10:01', 'flip_cross 10:22', 'order 10:30']

/** An account that waits for a line and large orders, next to the usual list. */
async function setUp(accounts: ServerStore, atMs = 0): Promise<string> {
  const accountId = await newAccount(accounts)
  const line = { kind: 'price', price: 6000 }
  const rule = { name: 'big', min_premium: 2 }
  await setAlert(accounts, { accountId, atMs, body: { op: 'add', line } })
  await setAlert(accounts, { accountId, atMs, body: { op: 'add', rule } })
  return accountId
}

/** Events of an account, without when they were found, and of which run. */
async function reported(accounts: ServerStore, accountId: string, run?: string) {
  const events = await listEvents(accounts, accountId, run)
  return events.map(({ body: { ts: _, id, replay: __, text, ...body } }) => ({
    body,
    id: run === undefined ? id : null,
    text: text.replace('REPLAY: ', ''),
  }))
}

/** The same data and accounts in another folder. */
function findCopy(folders: readonly string[]): string {
  const other = mkdtempSync(join(tmpdir(), 'tapefold-watch-'))
  for (const name of folders) cpSync(join(folder, name), join(other, name), { recursive: true })
  others.push(other)
  return other
}

test('minute by minute, caught up with, taken over and replayed: the same is sent', async () => {
  const first = await openAccountStore(accountFile(folder))
  const accountId = await setUp(first)
  await first.close()
  const alone = findCopy(['accounts.sqlite'])

  const clock = { atMs: at('09:30') }
  const running = await watch({ clock })
  for (const minute of ['09:31', '10:00', '10:01', '10:05', '10:22', '10:30', '16:18']) {
    await maker.runUntil(SESSION, minute)
    clock.atMs = at(minute) + 3_000
    await running.tick()
  }
  const events = await listEvents(running.accounts, accountId)
  expect(shownEvents(events)).toEqual(EXPECTED)
  const expected = await reported(running.accounts, accountId)

  await maker.finish(SESSION)
  cpSync(join(folder, 'published'), join(alone, 'published'), { recursive: true })
  const late = { atMs: at('20:00') }
  const half = await watch({ dataFolder: alone, clock: late, stopAfter: 45 })
  expect(await half.tick()).toBe(45)
  const rest = await watch({ dataFolder: alone, clock: late })
  expect(await rest.tick()).toBe(408 - 45)
  expect(await reported(rest.accounts, accountId)).toEqual(expected)

  // at 3,600 times real time a tick is half an hour
  const run: Run = { id: 'replay_0123456789ab', isReplay: true, isDelivered: false }
  const market = { atMs: at('09:30') }
  const replay = await watch({ dataFolder: alone, run, clock: market, system: late })
  let taken = 0
  for (; market.atMs < at('17:00'); market.atMs += 1_800_000) taken += await replay.tick()
  expect(taken).toBe(408)
  const replayed = await reported(replay.accounts, accountId, run.id)
  expect(replayed).toEqual(expected.map(one => ({ ...one, id: null })))
})

test('between minutes that are caught up with, others write to the accounts at once', async () => {
  await maker.runUntil(SESSION, '09:50')
  const other = await openAccountStore(accountFile(folder), { lockWaitMs: 0 })
  const accountId = await newAccount(other)
  let calls = 0
  const watching = await watch({
    clock: { atMs: at('09:50') + 3_000 },
    pause: async () => {
      const counted = [{ accountId, product: 'orders', dayEt: DAY, calls: 1 } as const]
      calls = (await other.countCalls(counted))[0]!
    },
  })
  const taken = await watching.tick()
  expect(taken).toBeGreaterThan(10)
  // the last one is followed by nothing
  expect(calls).toBe(taken - 1)
  await other.close()
})

test('a minute is taken once, and what was found is there with it', async () => {
  await maker.runUntil(SESSION, '10:01')
  const clock = { atMs: at('10:01') + 2_000 }
  const running = await watch({ clock })
  const accountId = await setUp(running.accounts)
  expect(await running.tick()).toBe(31)
  expect(await running.tick()).toBe(0)
  const [line, cross, ...others] = await listEvents(running.accounts, accountId)
  expect(others).toEqual([])
  expect(line).toMatchObject({ type: 'price_alert', minute: '10:00', owner: 'alerts' })
  expect(cross!.body).toMatchObject({
    version: 1,
    type: 'flip_cross',
    symbol: 'SPX',
    direction: 'below',
    ts: '2026-10-15T10:01:02-04:00',
  })
  expect(cross!.body.id).toMatch(/^evt_[0-9a-f]{32}$/)
  const { watched } = await running.accounts.outbox.outboxState({ nowMs: clock.atMs })
  expect(watched).toEqual([{ run: 'live', day: DAY, minute: '10:01' }])
})

test('two that watch at once take each minute once between them', async () => {
  await maker.finish(SESSION)
  const clock = { atMs: at('20:00') }
  const [one, two] = [await watch({ clock }), await watch({ clock })]
  const accountId = await setUp(one.accounts)
  let taken = 0
  for (let count = 1; count > 0; taken += count) {
    const counts = await Promise.all([one.tick(), two.tick()])
    count = counts[0] + counts[1]
  }
  expect(taken).toBe(408)
  expect(shownEvents(await listEvents(two.accounts, accountId))).toEqual(EXPECTED)
  expect([...one.said, ...two.said]).toEqual([])
})

test('a line that another one has fired is not fired again', async () => {
  const spots = { '10:00': { spot: 5990 }, '10:05': { spot: 5990 } }
  const made = { day: DAY, states: quietStates(DAY, spots) }
  const clock = { atMs: at('20:00') }
  const [one, two] = [await watch({ clock }), await watch({ clock })]
  const accountId = await setUp(one.accounts)
  await maker.runUntil(made, '09:59')
  await two.tick()
  await maker.runUntil(made, '10:02')
  await one.tick()
  await maker.runUntil(made, '10:30')
  await two.tick()
  const lines = (await listEvents(one.accounts, accountId)).filter(
    one => one.type === 'price_alert',
  )
  expect(shownEvents(lines)).toEqual(['price_alert 10:00'])
})

test('while the database is away nothing is lost: it goes on from the same minute', async () => {
  await maker.runUntil(SESSION, '10:10')
  const accounts = await openAccountStore(accountFile(folder))
  let isAway = false
  const { outbox } = accounts
  const flaky: ServerStore = {
    ...accounts,
    outbox: {
      ...outbox,
      takeMinute: async request => {
        if (isAway) throw new Error('the database is away')
        return outbox.takeMinute(request)
      },
    },
  }
  const running = await watch({ clock: { atMs: at('16:20') }, accounts: flaky })
  const accountId = await setUp(accounts)
  await running.tick()
  isAway = true
  await maker.runUntil(SESSION, '16:18')
  for (let count = 0; count < 3; count++) await expect(running.tick()).rejects.toThrow('away')
  isAway = false
  expect(await running.tick()).toBe(408 - 40)
  expect(shownEvents(await listEvents(accounts, accountId))).toEqual(EXPECTED)
  await accounts.close()
})

test('what is set while a session runs begins at the next state', async () => {
  const clock = { atMs: at('10:00') }
  const running = await watch({ clock })
  const { accounts } = running
  await maker.runUntil(SESSION, '10:00')
  await running.tick()
  const before = await setUp(accounts, at('10:20') + 1)
  await maker.runUntil(SESSION, '10:31')
  clock.atMs = at('10:31') + 3_000
  await running.tick()
  // the line was set below the price of its first state, and the usual list has no beginning
  const events = shownEvents(await listEvents(accounts, before))
  expect(events).toEqual(['flip_cross 10:01', 'flip_cross 10:22', 'order 10:30'])
})

test('a replay sends nothing unless requested, and then says what it is', async () => {
  await maker.finish({ ...SESSION, simulated: true })
  const system = { atMs: at('20:00') }
  for (const [id, isDelivered] of [
    ['replay_aaaaaaaaaaaa', false],
    ['replay_bbbbbbbbbbbb', true],
  ] as const) {
    const run: Run = { id, isReplay: true, isDelivered }
    const replay = await watch({ run, clock: { atMs: at('17:00') }, system })
    const { accounts } = replay
    const accountId = await setUp(accounts)
    const endpoint = { accountId, owner: 'alerts', url: 'https://a.example/', atMs: 1 } as const
    await accounts.outbox.saveEndpoint(endpoint)
    await replay.tick()
    const [first, ...rest] = await listEvents(accounts, accountId, id)
    expect(rest).toHaveLength(EXPECTED.length - 1)
    expect(first!.body).toMatchObject({ replay: true, simulated: true })
    expect(first!.body.text).toMatch(/^REPLAY: SIMULATED: SPX /)
    const deliveries = await accounts.outbox.listDeliveries({ accountId, limit: 100 })
    expect(deliveries).toHaveLength(isDelivered ? EXPECTED.length : 0)
  }
})

test('unreadable settings are reported, and block no other account', async () => {
  await maker.finish(SESSION)
  const running = await watch({ clock: { atMs: at('20:00') } })
  const { accounts } = running
  const odd = await newAccount(accounts)
  await accounts.alerts.change({
    accountId: odd,
    atMs: 1,
    repeat: null,
    decide: () => ({ response: '', list: '[{"type":"no such"}]' }),
  })
  const accountId = await setUp(accounts)
  await running.tick()
  expect(shownEvents(await listEvents(accounts, accountId))).toEqual(EXPECTED)
  expect(running.said.join()).toContain(`settings of ${odd} cannot be read`)
})

test('an account without a plan receives nothing', async () => {
  await maker.finish(SESSION)
  const running = await watch({ clock: { atMs: at('20:00') } })
  const { accounts } = running
  const accountId = await setUp(accounts)
  await accounts.removeProduct(accountId, 'orders')
  await running.tick()
  expect(await listEvents(accounts, accountId)).toEqual([])
})
