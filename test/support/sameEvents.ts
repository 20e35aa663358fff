// One random session watched in every way that there is: minute by minute, caught up with,
// replayed, and with another future. Each has to send the same.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIST_TYPES } from '../../src/alerts/kinds.ts'
import { instantMs } from '../../src/core/market/calendar.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { HALF_DAY, minuteAt as minuteOfDay, randomDay } from './alertDays.ts'
import { type MadeOrder, type MadeSession, type MadeState, openMaker } from './madeMinutes.ts'
import { randomNumbers } from './random.ts'
import { accountFile, listEvents, newAccount, openWatching } from './watching.ts'
import { judgedBy, keepPosition, setAll, withoutTime } from './wholePath.ts'

const LENGTH = 45
/** Minutes without a state before: a position is judged from its first one to the end of the day. */
const BEFORE = 160
/** Another future after this minute. */
const CUT = 25
const REPLAY = { id: 'replay_0123456789ab', isReplay: true, isDelivered: false }

const minuteAt = (index: number): string => minuteOfDay(BEFORE + index)

type Reported = ReturnType<typeof withoutTime>

export type SentInEveryWay = {
  /** The first minutes of a future that did not come, and of the one that came. */
  readonly cut: Reported
  readonly cutElsewhere: Reported
  readonly byMinute: Reported
  readonly caughtUp: Reported
  /** Ids of a replay are its own. */
  readonly replayed: Reported
}

/** Reports the session of a seed, and of another seed from the cut on. */
export async function tellInEveryWay(seed: number): Promise<SentInEveryWay> {
  const folders = Array.from({ length: 3 }, () => mkdtempSync(join(tmpdir(), 'tapefold-same-')))
  const [running, whole, elsewhere] = folders as [string, string, string]
  try {
    const session = findSession(seed, seed)
    const accountId = await setUp(running)
    for (const other of [whole, elsewhere]) cpSync(accountFile(running), accountFile(other))
    const byMinute = await tellByMinute(running, { session, accountId })
    const other = findSession(seed, seed + 1000)
    const reported = await tellWhole(elsewhere, { session: other, accountId })
    const caughtUp = await tellWhole(whole, { session, accountId })
    const isBeforeCut = ({ body }: Reported[number]) => body.minute <= minuteAt(CUT)
    return {
      byMinute,
      caughtUp,
      cut: byMinute.filter(isBeforeCut),
      cutElsewhere: reported.filter(isBeforeCut),
      replayed: await replay(whole, accountId),
    }
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  }
}

/** All types of all books, lines of both kinds and modes, rules and a position. */
async function setUp(folder: string): Promise<string> {
  const accounts = await openAccountStore(accountFile(folder))
  const accountId = await newAccount(accounts)
  const entries = LIST_TYPES.flatMap(type =>
    ['measured', 'open_interest'].map(book => ({ op: 'set', entry: { type, book, on: true } })),
  )
  const lines = [
    ...[5985, 5995, 6000, 6005, 6015].map(price => ({ kind: 'price', price, mode: 'repeat' })),
    { kind: 'price', price: 6000.25, mode: 'once' },
    ...['flip', 'call_wall', 'put_wall'].map(level => {
      return { kind: 'level', level, offset: 3, mode: 'repeat' }
    }),
  ]
  const rules = [{ name: 'all' }, { name: 'large', min_premium: 2 }]
  await setAll(accounts, accountId, [
    ...entries,
    ...lines.map(line => ({ op: 'add', line })),
    ...rules.map(rule => ({ op: 'add', rule })),
  ])
  const url = 'https://a.example/'
  await keepPosition(accounts, { accountId, url, changes: { entry: minuteAt(19) } })
  await accounts.close()
  return accountId
}

/** The session of one seed to the cut, and of another one behind it. */
function findSession(seed: number, later: number): MadeSession {
  const [first, last] = [randomDay(seed, LENGTH), randomDay(later, LENGTH)]
  const states: Record<string, MadeState> = {}
  for (const [index, own] of first.entries()) {
    const state = index <= CUT ? own : last[index]!
    if (!state) continue
    const { spot, flip, flipLo, flipHi, roots, callWall, putWall, netGamma } = state
    states[minuteAt(index)] = {
      spot,
      flip,
      roots,
      threshold: flipLo === null ? null : [flipLo, flipHi!],
      call_wall: callWall,
      put_wall: putWall,
      net_gamma: netGamma,
    }
  }
  const orders = [...listOrders(seed, 0, CUT), ...listOrders(later, CUT, LENGTH)]
  return { day: HALF_DAY, states, orders, others: judgedBy({ day: HALF_DAY, states }) }
}

/** A few orders a minute, visible from one minute to before another; some are corrected later. */
function listOrders(seed: number, from: number, to: number): MadeOrder[] {
  const random = randomNumbers(seed)
  return Array.from({ length: to - from }, (_, index) => index + from).flatMap(index =>
    Array.from({ length: Math.floor(4 * random()) }, (_, number) => ({
      order_id: `${from} ${index} ${number}`,
      visible: `${minuteAt(index)}:${10 + Math.floor(49 * random())}`,
      gross_premium_usd: Math.round(4e6 * random()),
    })),
  )
}

type Revealing = { readonly session: MadeSession; readonly accountId: string }

async function tellByMinute(
  dataFolder: string,
  { session, accountId }: Revealing,
): Promise<Reported> {
  const maker = await openMaker(dataFolder)
  const clock = { atMs: 0 }
  const watching = await openWatching({ dataFolder, clock })
  for (let index = 0; index < LENGTH; index++) {
    clock.atMs = instantMs(HALF_DAY, minuteAt(index)) + 2_000
    await maker.runUntil(session, minuteAt(index))
    await watching.tick()
  }
  await maker.finish(session)
  clock.atMs = instantMs(HALF_DAY, '18:00')
  await watching.tick()
  const reported = withoutTime(await listEvents(watching.accounts, accountId))
  await watching.close()
  maker.close()
  return reported
}

async function tellWhole(dataFolder: string, { session, accountId }: Revealing): Promise<Reported> {
  const maker = await openMaker(dataFolder)
  await maker.finish(session)
  maker.close()
  const clock = { atMs: instantMs(HALF_DAY, '20:00') }
  const watching = await openWatching({ dataFolder, clock })
  await watching.tick()
  const reported = withoutTime(await listEvents(watching.accounts, accountId))
  await watching.close()
  return reported
}

/** Events caught up with, once more at a clock of its own; ids are left out. */
async function replay(dataFolder: string, accountId: string): Promise<Reported> {
  const clock = { atMs: instantMs(HALF_DAY, '09:30') }
  const system = { atMs: instantMs(HALF_DAY, '21:00') }
  const watching = await openWatching({ dataFolder, run: REPLAY, clock, system })
  for (; clock.atMs < instantMs(HALF_DAY, '14:00'); clock.atMs += 7 * 60_000) {
    await watching.tick()
  }
  const events = withoutTime(await listEvents(watching.accounts, accountId, REPLAY.id))
  await watching.close()
  return events.map(({ body: { replay: _, id: __, text, ...body } }) => {
    return { id: '', body: { ...body, text: text.replace('REPLAY: ', '') } }
  })
}

/** The same as a replay shows it. */
export const withoutIds = (reported: Reported): Reported =>
  reported.map(({ body: { id: _, ...body } }) => ({ id: '', body }))
