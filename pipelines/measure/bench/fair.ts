import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Refusal } from '../../../src/core/disk/refusal.ts'
import { minutesAfter, type SessionDate } from '../../../src/core/market/calendar.ts'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { type ChatOptions, type ChatSpeed, measureChat } from './fairChat.ts'
import type { Asking, FairJob, Seen } from './fairLoad.ts'
import { readFirstMessage, type Server, startApi, stop } from './http.ts'
import { readPeakMib, readResidentMib } from './meter.ts'
import { median, percentile } from './stats.ts'

export type FairOptions = {
  readonly dataFolder: string
  /** A built session, with market minutes and the history of its records. */
  readonly date: SessionDate
  /** Duration of each load. */
  readonly seconds: number
  readonly say: (line: string) => void
}

/** Latencies of careful accounts, milliseconds. */
export type Waits = Readonly<Record<(typeof CAREFUL)[number], { p50_ms: number; p99_ms: number }>>

export type FairRound = {
  readonly name: string
  readonly waits: Waits
  /** Responses to the others, and their refusals; none when the careful accounts are alone. */
  readonly others_answered: number
  readonly others_refused: number
  readonly resident_mib: number
  /** Cases of the careful accounts' same minute right after the round, which is none if older. */
  readonly again?: { readonly cached: number; readonly judged: number }
}

export type FairSpeed = {
  readonly round_seconds: number
  readonly alone: FairRound
  readonly beside: readonly FairRound[]
  readonly peak_mib: number
  /** Equal checks of a minute that was never requested before, and one such check alone. */
  readonly equal: { readonly checks: number; readonly one_ms: number; readonly last_ms: number }
  readonly chat: ChatSpeed
}

export const CAREFUL = ['check, new minute', 'check, same minute', 'latest'] as const
const CAREFUL_ACCOUNTS = 24
/** Interval at which every careful account sends each of its three requests. */
const CAREFUL_EVERY_MS = 2_000
const GREEDY = [1, 10, 100] as const
/** Connections of all greedy accounts together. */
const GREEDY_CONNECTIONS = 300
const KEYLESS_LOOPS = 32
const KEYLESS_PATHS = ['/health', '/status', '/status.json'] as const
const EQUAL_CHECKS = 200
const EQUAL_ROUNDS = 5
const FIRST_MINUTE = '09:31'
const MINUTES = 389
/** All the accounts of the load come from one address. */
const ROOMY = { TAPEFOLD_CONNECTIONS_OF_ADDRESS: '2000', TAPEFOLD_METRICS_PORT: '0' }
const LOAD_SCRIPT = join(import.meta.dirname, 'fairLoad.ts')

type Account = { readonly key: string; readonly ids: readonly string[] }

/** Measures the latency of careful accounts next to greedy ones, and alone. */
export async function measureFair(options: FairOptions): Promise<FairSpeed> {
  const { dataFolder, date, seconds, say } = options
  const api = await startApi(dataFolder, ROOMY)
  try {
    const keys = await addAccounts(dataFolder, CAREFUL_ACCOUNTS + Math.max(...GREEDY))
    const accounts = await Promise.all(keys.map((key, index) => addPositions(api, key, index)))
    const careful = accounts.slice(0, CAREFUL_ACCOUNTS)
    const others = accounts.slice(CAREFUL_ACCOUNTS)
    let round = 0
    const runRound = async (name: string, askings: readonly Asking[]): Promise<FairRound> => {
      say(`asking ${name}`)
      const queries = carefulAskings(careful, date, round++)
      const measured = await measureRound({ api, name, seconds }, queries, askings)
      return { ...measured, again: await checkAgain(api, dataFolder, queries) }
    }
    // the first round warms everything that the others find warm
    await runRound('alone', [])
    const alone = await runRound('alone', [])
    const crowded: FairRound[] = []
    for (const count of GREEDY) {
      const name = `${count} greedy account${count === 1 ? '' : 's'}`
      crowded.push(await runRound(name, greedyAskings(others.slice(0, count), date)))
    }
    const keyless = Array.from({ length: KEYLESS_LOOPS }, () =>
      asking('others', null, KEYLESS_PATHS),
    )
    crowded.push(await runRound(`${KEYLESS_LOOPS} loops without a key`, keyless))
    const equal = await measureEqual(api, careful[0]!, date)
    say('sending messages to LAB')
    const port = Number(new URL(api.url).port)
    const load: ChatOptions['load'] = (askings, s) => runLoad({ port, seconds: s, askings })
    const chat = await measureChat({ dataFolder, seconds, load })
    const peak_mib = readPeakMib(api.child.pid!) ?? 0
    return { round_seconds: seconds, alone, beside: crowded, peak_mib, equal, chat }
  } finally {
    await stop(api)
  }
}

const asking = (
  name: string,
  key: string | null,
  paths: readonly string[],
  everyMs: number | null = null,
): Asking => ({ name, key, paths, everyMs })

/** A minute of the session; numbers map to different minutes until they wrap around. */
const toMinute = (number: number) => minutesAfter(FIRST_MINUTE, number % MINUTES)

function carefulAskings(accounts: readonly Account[], date: SessionDate, round: number): Asking[] {
  return accounts.flatMap(({ key }) => {
    const check = (number: number) => `/api/positions/check?day=${date}&t=${toMinute(number)}`
    const paths = Array.from({ length: 60 }, (_, number) => check(60 * round + number))
    return [
      asking(CAREFUL[0], key, paths, CAREFUL_EVERY_MS),
      asking(CAREFUL[1], key, [check(0)], CAREFUL_EVERY_MS),
      asking(CAREFUL[2], key, ['/orders/api/latest'], CAREFUL_EVERY_MS),
    ]
  })
}

/** Tracks, earlier ledgers and checks, both new and repeated. */
function greedyAskings(accounts: readonly Account[], date: SessionDate): Asking[] {
  return Array.from({ length: GREEDY_CONNECTIONS }, (_, number) => {
    const { key, ids } = accounts[number % accounts.length]!
    const kinds = [
      (at: number) =>
        `/api/positions/track?id=${ids[at % ids.length]}&day=${date}&t=${toMinute(at)}`,
      (at: number) => `/orders/api/day?day=${date}&asof=${toMinute(at)}`,
      (at: number) => `/api/positions/check?day=${date}&t=${toMinute(at)}`,
      () => `/api/positions/check?day=${date}&t=${FIRST_MINUTE}`,
    ]
    // accounts alternate over the numbers: the kind must not depend on the account
    const kind = kinds[Math.floor(number / accounts.length + number) % kinds.length]!
    const paths = Array.from({ length: MINUTES }, (_, at) => kind(number * 37 + at * 61))
    return asking('others', key, paths)
  })
}

type Round = { readonly api: Server; readonly name: string; readonly seconds: number }

async function measureRound(
  { api, name, seconds }: Round,
  careful: readonly Asking[],
  others: readonly Asking[],
): Promise<FairRound> {
  const port = Number(new URL(api.url).port)
  const load = others.length > 0 ? runLoad({ port, seconds: seconds + 2, askings: others }) : null
  // the others begin before the careful ones
  if (load) await new Promise(begun => setTimeout(begun, 1_000))
  const seen = await runLoad({ port, seconds, askings: careful })
  const resident_mib = readResidentMib(api.child.pid!) ?? 0
  const { others: other } = (await load) ?? {}
  const waits = Object.fromEntries(CAREFUL.map(kind => [kind, computeWaits(name, seen[kind]!)]))
  return {
    name,
    waits: waits as Waits,
    others_answered: other?.latenciesMs.length ?? 0,
    others_refused: other?.refused ?? 0,
    resident_mib,
  }
}

/** Checks the same minute of each account once more; counts the cases by where they came from. */
async function checkAgain(api: Server, dataFolder: string, askings: readonly Asking[]) {
  const [url] = /http:[^"]+\/metrics/.exec(readFileSync(join(dataFolder, 'serve.log'), 'utf8'))!
  const before = await (await fetch(url)).text()
  for (const { key, paths } of askings.filter(({ name }) => name === CAREFUL[1])) {
    await fetch(api.url + paths[0], { headers: { authorization: `Bearer ${key}` } })
  }
  const after = await (await fetch(url)).text()
  const read = (text: string, name: string) =>
    Number(text.split(`{result="${name}"} `)[1]!.split('\n')[0])
  const count = (name: string) => read(after, name) - read(before, name)
  return { cached: count('cached'), judged: count('judged') }
}

function computeWaits(name: string, { latenciesMs, refused, failed }: Seen) {
  if (refused + failed > 0) {
    throw new Refusal(`beside ${name}, ${refused + failed} careful questions were not answered.`)
  }
  return { p50_ms: percentile(latenciesMs, 0.5), p99_ms: percentile(latenciesMs, 0.99) }
}

async function runLoad(job: FairJob): Promise<Record<string, Seen>> {
  const child = spawn(process.execPath, [LOAD_SCRIPT], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.send(job)
  return (await readFirstMessage(child, 'the load')) as Record<string, Seen>
}

/** Sends checks of one account all at once, of a minute that was never requested before. */
async function measureEqual(api: Server, { key, ids }: Account, date: SessionDate) {
  const headers = { authorization: `Bearer ${key}` }
  const sendCheck = async (number: number) => {
    const startMs = performance.now()
    const path = `/api/positions/check?day=${date}&t=${toMinute(number)}&id=${ids[0]}`
    const response = await fetch(api.url + path, { headers })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Refusal(`${path} answered ${response.status}.`)
    return performance.now() - startMs
  }
  const all = (number: number) =>
    Promise.all(Array.from({ length: EQUAL_CHECKS }, () => sendCheck(number)))
  // opens the connections, which is not part of a response
  await all(0)
  const one: number[] = []
  const last: number[] = []
  // the careful rounds did not use these minutes
  for (let round = 1; round <= EQUAL_ROUNDS; round++) {
    one.push(await sendCheck(-2 * round + MINUTES))
    last.push(Math.max(...(await all(-2 * round - 1 + MINUTES))))
  }
  return { checks: EQUAL_CHECKS, one_ms: median(one), last_ms: median(last) }
}

async function addAccounts(dataFolder: string, count: number): Promise<string[]> {
  const store = await openAccountStore(join(dataFolder, 'accounts.sqlite'))
  const keys: string[] = []
  for (let index = 0; index < count; index++) {
    const account = { name: `fair ${index}`, plan: 'orders_team', createdAtMs: 0 } as const
    const { id: accountId } = await store.addAccount(account)
    const made = { accountId, scope: 'orders', name: 'bench', createdAtMs: 0 } as const
    keys.push((await store.addKey(made))!.apiKey)
  }
  await store.close()
  return keys
}

/** Three positions, with strikes that no other account has. */
async function addPositions(api: Server, key: string, index: number): Promise<Account> {
  const headers = { authorization: `Bearer ${key}` }
  const ids: string[] = []
  for (const width of [0, 1, 2]) {
    const legs = { sp: 5_975 - 5 * index - 5 * width, sc: 6_025 + 5 * index }
    const position = { kind: 'strangle', legs, entry: '10:30' }
    const body = JSON.stringify({ op: 'add', position })
    const response = await fetch(`${api.url}/api/positions`, { method: 'POST', headers, body })
    ids.push(((await response.json()) as { id: string }).id)
  }
  return { key, ids }
}
