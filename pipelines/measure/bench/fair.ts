/** How long careful accounts wait next to greedy ones, compared with waiting alone. */

import { performance } from 'node:perf_hooks'
import { Refusal } from '../../../src/core/disk/refusal.ts'
import { minutesAfter, type SessionDate } from '../../../src/core/market/calendar.ts'
import { MESSAGE_MAX, MESSAGE_WORDS_MAX } from '../../../src/lab/language/read.ts'
import { tokenize } from '../../../src/lab/language/tokens.ts'
import { type Load, type LoadRequest, type LoadResult, runLoad } from './load.ts'
import { median, readPeakMib } from './meter.ts'
import { addKeys, authorize, type Server, withApi } from './processes.ts'
import type { Bench, Rows } from './section.ts'
import { buildSession } from './tape.ts'

export const CAREFUL = ['check, new minute', 'check, same minute', 'latest'] as const
const CAREFUL_ACCOUNTS = 24
/** Interval at which every careful account sends each of its three requests. */
const CAREFUL_EVERY_MS = 2_000
const GREEDY = [1, 10, 100] as const
/** Connections of all greedy accounts together. */
const GREEDY_CONNECTIONS = 300
const KEYLESS_LOOPS = 32
const KEYLESS_PATHS = ['/health', '/status', '/status.json'] as const
const GREEDY_NAMES = GREEDY.map(count => `${count} greedy account${count === 1 ? '' : 's'}`)
/** The others that careful accounts are measured next to. */
export const CROWDS = [...GREEDY_NAMES, `${KEYLESS_LOOPS} loops without a key`]
export const EQUAL_CHECKS = 200
const EQUAL_ROUNDS = 5
const FIRST_MINUTE = '09:31'
const MINUTES = 389
/** The others begin before the careful ones, and end after them. */
const LEAD_SECONDS = 1
/** All the accounts of the load come from one address. */
const ROOMY = { TAPEFOLD_CONNECTIONS_OF_ADDRESS: '2000' }

/** Connections of one account that send messages to LAB without a pause. */
export const CHAT_LOOPS = 16
/** Accounts that request the sessions meanwhile, and the interval of each. */
const WAITING_ACCOUNTS = 4
const WAITING_EVERY_MS = 50
/** Longer rounds would use up the messages of a day, and refusals cost nothing. */
const CHAT_SECONDS_MAX = 10

/** Texts that cost much when they are repeated to a whole message. */
const SHAPES = [
  '+ ',
  '& ',
  'a ',
  'of the ',
  'the ',
  'price ',
  'at the ',
  '1 ',
  'as soon ',
  'if the zorb is up ',
  'price is within 10 points of the ',
  'not ',
]

type Account = { readonly key: string; readonly ids: readonly string[] }

export async function measureFair(bench: Bench): Promise<Rows> {
  const { tape } = await buildSession(bench)
  const { dataFolder, date } = tape
  const { fairSeconds: seconds, say } = bench
  return withApi(dataFolder, ROOMY, async api => {
    const team = { plan: 'orders_team', scope: 'orders', keys: 1 } as const
    const count = CAREFUL_ACCOUNTS + Math.max(...GREEDY)
    const keys = await addKeys(dataFolder, { ...team, accounts: count })
    const accounts = await Promise.all(keys.map((key, index) => addPositions(api, key, index)))
    const careful = accounts.slice(0, CAREFUL_ACCOUNTS)
    const others = accounts.slice(CAREFUL_ACCOUNTS)
    const crowds: readonly (LoadRequest[][] | null)[] = [
      // the first round warms everything that the others find warm
      null,
      null,
      ...GREEDY.map(number => greedyRequests(others.slice(0, number), date)),
      Array.from({ length: KEYLESS_LOOPS }, () => KEYLESS_PATHS.map(path => ({ path }))),
    ]
    const rows: Record<string, Rows[string]> = {}
    for (const [round, crowd] of crowds.entries()) {
      const name = crowd ? CROWDS[round - 2]! : 'alone'
      say(`asking ${crowd ? `next to ${name}` : name}`)
      const loads = carefulLoads(careful, date, round)
      const [waits, other] = await measureCrowd(api, seconds, loads, crowd)
      for (const kind of CAREFUL) {
        rows[`${kind}: ${name}`] = {
          ...listWaits(kind, waits[kind]!),
          ...(other && { others_served: other.requests, others_refused: other.refused }),
          peak_mib: readPeakMib(api.child.pid!) ?? 0,
        }
      }
    }
    return {
      ...rows,
      ...(await measureEqual(api, careful[0]!, date)),
      ...(await measureChat(bench, api, dataFolder)),
    }
  })
}

/** A minute of the session; numbers map to different minutes until they wrap around. */
const toMinute = (number: number) => minutesAfter(FIRST_MINUTE, number % MINUTES)
const checkPath = (date: SessionDate, number: number) =>
  `/api/positions/check?day=${date}&t=${toMinute(number)}`

function carefulLoads(accounts: readonly Account[], date: SessionDate, round: number): Load[] {
  const paths: Record<(typeof CAREFUL)[number], string[]> = {
    'check, new minute': Array.from({ length: 60 }, (_, at) => checkPath(date, 60 * round + at)),
    'check, same minute': [checkPath(date, 0)],
    latest: ['/orders/api/latest'],
  }
  return CAREFUL.map(name => ({
    name,
    everyMs: CAREFUL_EVERY_MS,
    connections: accounts.map(({ key }) =>
      paths[name].map(path => ({ path, headers: authorize(key) })),
    ),
  }))
}

/** Tracks, earlier ledgers and checks, both new and repeated. */
function greedyRequests(accounts: readonly Account[], date: SessionDate): LoadRequest[][] {
  return Array.from({ length: GREEDY_CONNECTIONS }, (_, number) => {
    const { key, ids } = accounts[number % accounts.length]!
    const kinds = [
      (at: number) =>
        `/api/positions/track?id=${ids[at % ids.length]}&day=${date}&t=${toMinute(at)}`,
      (at: number) => `/orders/api/day?day=${date}&asof=${toMinute(at)}`,
      (at: number) => checkPath(date, at),
      () => checkPath(date, 0),
    ]
    // accounts alternate over the numbers: the kind must not depend on the account
    const kind = kinds[Math.floor(number / accounts.length + number) % kinds.length]!
    return Array.from({ length: MINUTES }, (_, at) => ({
      path: kind(number * 37 + at * 61),
      headers: authorize(key),
    }))
  })
}

/** Waits of the careful loads, and what the others got, who call from another process. */
async function measureCrowd(
  { url }: Server,
  seconds: number,
  loads: readonly Load[],
  crowd: LoadRequest[][] | null,
) {
  const others = [{ name: 'others', connections: crowd ?? [] }]
  const running = crowd && runLoad({ url, seconds: seconds + 2 * LEAD_SECONDS, loads: others })
  if (crowd) await new Promise(begun => setTimeout(begun, 1000 * LEAD_SECONDS))
  const waits = await runLoad({ url, seconds, loads })
  return [waits, (await running)?.others] as const
}

function listWaits(name: string, { refused, failed, p50_ms, p99_ms }: LoadResult) {
  if (refused + failed > 0) throw new Refusal(`${refused + failed} calls of "${name}" failed.`)
  return { p50_ms, p99_ms }
}

/** Sends checks of one account all at once, of a minute that was never requested before. */
async function measureEqual(api: Server, { key, ids }: Account, date: SessionDate): Promise<Rows> {
  const sendCheck = async (number: number) => {
    const startMs = performance.now()
    const path = `${checkPath(date, number)}&id=${ids[0]}`
    const response = await fetch(api.url + path, { headers: authorize(key) })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Refusal(`${path} is ${response.status}.`)
    return performance.now() - startMs
  }
  const sendAll = (number: number) =>
    Promise.all(Array.from({ length: EQUAL_CHECKS }, () => sendCheck(number)))
  // opens the connections, which is not part of a response
  await sendAll(0)
  const one: number[] = []
  const last: number[] = []
  // the careful rounds did not use these minutes
  for (let round = 1; round <= EQUAL_ROUNDS; round++) {
    one.push(await sendCheck(-2 * round + MINUTES))
    last.push(Math.max(...(await sendAll(-2 * round - 1 + MINUTES))))
  }
  return {
    'one check of a new minute': { p50_ms: median(one) },
    [`the last of ${EQUAL_CHECKS} equal checks`]: { p50_ms: median(last) },
  }
}

/** Waits for the sessions, alone and during messages of another account to LAB. */
async function measureChat(
  { fairSeconds, say }: Bench,
  { url }: Server,
  dataFolder: string,
): Promise<Rows> {
  say('sending messages to LAB')
  const seconds = Math.min(fairSeconds, CHAT_SECONDS_MAX)
  const team = { plan: 'orders_team', scope: 'orders', accounts: WAITING_ACCOUNTS } as const
  const keys = await addKeys(dataFolder, { ...team, keys: 1 })
  const lab = { plan: 'lab', scope: 'lab', accounts: 1 } as const
  const [labKey] = await addKeys(dataFolder, { ...lab, keys: 1 })
  const requests = SHAPES.map(shape => ({
    path: '/api/lab/chat',
    headers: authorize(labKey!),
    body: JSON.stringify({ message: repeatToMessage(shape) }),
  }))
  const messages: Load = {
    name: 'messages',
    connections: Array.from({ length: CHAT_LOOPS }, (_, at) =>
      requests.map((_, index) => requests[(at + index) % requests.length]!),
    ),
  }
  const sessions: Load = {
    name: 'sessions',
    everyMs: WAITING_EVERY_MS,
    connections: keys.map(key => [{ path: '/orders/api/sessions', headers: authorize(key) }]),
  }
  // the first round warms everything that both find warm
  await runLoad({ url, seconds: 1, loads: [sessions] })
  const alone = await runLoad({ url, seconds, loads: [sessions] })
  const crowded = await runLoad({ url, seconds, loads: [sessions, messages] })
  const { requests: served, refused } = crowded.messages!
  return {
    'sessions: alone': listWaits('sessions', alone.sessions!),
    [`sessions: ${CHAT_LOOPS} loops of messages`]: {
      ...listWaits('sessions', crowded.sessions!),
      others_served: served,
      others_refused: refused,
    },
  }
}

/** The longest message of a shape that is read. */
function repeatToMessage(shape: string): string {
  const words = tokenize(shape).length
  const times = Math.min(
    Math.ceil(MESSAGE_MAX / shape.length),
    Math.floor(MESSAGE_WORDS_MAX / words),
  )
  return shape.repeat(Math.max(1, times)).slice(0, MESSAGE_MAX)
}

/** Three positions, with strikes that no other account has. */
async function addPositions(api: Server, key: string, index: number): Promise<Account> {
  const ids: string[] = []
  for (const width of [0, 1, 2]) {
    const legs = { sp: 5_975 - 5 * index - 5 * width, sc: 6_025 + 5 * index }
    const position = { kind: 'strangle', legs, entry: '10:30' }
    const body = JSON.stringify({ op: 'add', position })
    const sent = { method: 'POST', headers: authorize(key), body }
    const response = await fetch(`${api.url}/api/positions`, sent)
    ids.push(((await response.json()) as { id: string }).id)
  }
  return { key, ids }
}
