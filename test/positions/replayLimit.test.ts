import { EventEmitter } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRequestScheduler } from '../../src/platform/pool/requestScheduler.ts'
import type { Judge } from '../../src/positions/marketValues.ts'
import {
  ACCOUNT_SESSIONS_MAX,
  createReplayLimit,
  PROCESS_SESSIONS_MAX,
} from '../../src/positions/replayLimit.ts'
import { serveScheduler } from '../support/desk.ts'
import { simulateSessions } from '../support/history.ts'
import { expectDescribed } from '../support/openapi.ts'

/** Replays that end on demand. */
let endReplays: () => void
let replays: Promise<void>
const holdReplays = () => {
  replays = new Promise(ended => {
    endReplays = ended
  })
}
/** Says when a replay begins, and when it hears that its client has hung up. */
const seen = new EventEmitter()
const seenTimes = (event: 'begun' | 'left', count: number) =>
  new Promise<void>(enough => {
    let times = 0
    seen.on(event, () => {
      times += 1
      if (times === count) enough()
    })
  })
const errors: string[] = []
const judge = {
  replay: async ({ dates }, requester) => {
    const signal = requester!.signal!
    seen.emit('begun')
    const left = new Promise<never>((_, fail) => {
      signal.addEventListener('abort', () => {
        fail(signal.reason)
        seen.emit('left')
      })
    })
    await Promise.race([replays, left])
    return { base: null, rows: dates.map(() => null) }
  },
  close: async () => {},
} as Partial<Judge> as Judge

const stops: (() => unknown)[] = []
let url: string
/** A key of a new account, and the id of the position it keeps. */
let newAccount: () => Promise<{ key: string; id: string }>

beforeAll(async () => {
  const { dataFolder, remove } = await simulateSessions('2026-10-15', 2)
  const served = await serveScheduler({
    dataFolder,
    scheduler: openRequestScheduler(),
    judge,
    errors,
  })
  url = served.url
  newAccount = async () => {
    const { key, ids } = await served.addAccount([5900])
    return { key, id: ids[0]! }
  }
  stops.push(served.close, remove)
})
afterAll(async () => {
  for (const stop of stops) await stop()
})

async function readLog({ key, id }: { key: string; id: string }, replay: number) {
  const path = `/api/positions/entries?id=${id}&replay=${replay}`
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
  const { status, headers } = response
  const body = Buffer.from(await response.arrayBuffer())
  expectDescribed({ method: 'GET', path, status, headers, body })
  return { status, json: JSON.parse(body.toString()), retryAfter: headers.get('retry-after') }
}

/** Ends the replays once every call was refused but so many. */
async function waitForRefusals(calls: Promise<{ status: number }>[], letThrough: number) {
  let refused = 0
  await new Promise<void>(enough => {
    for (const call of calls) {
      call.then(({ status }) => {
        if (status !== 200) refused++
        if (refused === calls.length - letThrough) enough()
      })
    }
  })
  endReplays()
  const statuses = (await Promise.all(calls)).map(({ status }) => status)
  return Object.fromEntries(
    [...new Set(statuses)].map(one => [one, statuses.filter(s => s === one).length]),
  )
}

test('an account replays 5,000 sessions at once; more is 429 with a Retry-After', async () => {
  const [account, other] = [await newAccount(), await newAccount()]
  holdReplays()
  const calls = Array.from({ length: 8 }, () => readLog(account, 1000))
  const refused = (await Promise.race(calls))!
  expect(refused).toMatchObject({ status: 429, retryAfter: '5' })
  expect(refused.json.error).toEqual({
    code: 'rate',
    message: 'entry logs of this account are under way over 5000 sessions; ask again in 5 s.',
    retry_after_s: 5,
  })
  const others = readLog(other, 1000)
  expect(await waitForRefusals(calls, 5)).toEqual({ 200: 5, 429: 3 })
  expect((await others).status).toBe(200)
  // and once they have ended, there is capacity again
  expect((await readLog(account, 1000)).status).toBe(200)
})

test('a client that hangs up frees its slot at once, and is no error of the server', async () => {
  const account = await newAccount()
  holdReplays()
  const [full, left] = [seenTimes('begun', 5), seenTimes('left', 1)]
  const others = Array.from({ length: 4 }, () => readLog(account, 1000))
  const hangUp = new AbortController()
  const path = `/api/positions/entries?id=${account.id}&replay=1000`
  const headers = { authorization: `Bearer ${account.key}` }
  const gone = fetch(url + path, { headers, signal: hangUp.signal })
  await full
  expect((await readLog(account, 1000)).status).toBe(429)
  hangUp.abort()
  await expect(gone).rejects.toThrow('aborted')
  await left
  const next = readLog(account, 1000)
  await seenTimes('begun', 1)
  expect((await readLog(account, 1000)).status).toBe(429)
  endReplays()
  const responses = [...(await Promise.all(others)), await next]
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 200))
  expect(errors).toEqual([])
})

test('a server replays 20,000 sessions at once; more is 503 with a Retry-After', async () => {
  const accounts = await Promise.all(Array.from({ length: 5 }, newAccount))
  holdReplays()
  const calls = accounts.flatMap(one => Array.from({ length: 5 }, () => readLog(one, 1000)))
  const refused = (await Promise.race(calls))!
  expect(refused).toMatchObject({ status: 503, retryAfter: '5' })
  expect(refused.json.error).toMatchObject({ code: 'unavailable', retry_after_s: 5 })
  expect(refused.json.error.message).toContain('are under way over 20000 sessions')
  expect(await waitForRefusals(calls, 20)).toEqual({ 200: 20, 503: 5 })
  expect((await readLog(accounts[4]!, 1000)).status).toBe(200)
})

test('short logs count too, and one that fails frees its slot as one that ends', async () => {
  const limit = createReplayLimit()
  holdReplays()
  const shorts = Array.from({ length: ACCOUNT_SESSIONS_MAX / 20 }, () =>
    limit('a', 0, () => replays),
  )
  await expect(limit('a', 0, async () => 1)).rejects.toThrow('ask again in 5 s.')
  expect(await limit('b', 1000, async () => 2)).toBe(2)
  endReplays()
  await Promise.all(shorts)
  const failing = () => limit('a', ACCOUNT_SESSIONS_MAX, async () => Promise.reject(new Error('x')))
  for (let count = 0; count < PROCESS_SESSIONS_MAX / ACCOUNT_SESSIONS_MAX + 1; count++) {
    await expect(failing()).rejects.toThrow('x')
  }
})
