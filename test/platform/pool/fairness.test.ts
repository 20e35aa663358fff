// Fairness between accounts over HTTP: concurrent calls of one, and waits of the others.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  openRequestScheduler,
  type RequestScheduler,
} from '../../../src/platform/pool/requestScheduler.ts'
import { openJudge } from '../../../src/positions/marketValues.ts'
import { serveScheduler } from '../../support/desk.ts'
import { simulateSessions } from '../../support/history.ts'
import { expectDescribed } from '../../support/openapi.ts'

const DAY = '2026-10-15'
/** Bounds of the scheduler: small, so that a test reaches them. */
const BOUNDS = { own: 6, all: 12 }

/** Batches that ran: for each of them, how many queries it served. */
let batchSizes: number[] = []
/** Held back until a test lets them go. */
let gate: Promise<void> = Promise.resolve()
let letGo = () => {}
const hold = () => {
  gate = new Promise(open => {
    letGo = open
  })
}
const errors: string[] = []
const stops: (() => unknown)[] = []
let scheduler: RequestScheduler
let url: string
let newAccount: () => Promise<{ key: string; ids: readonly string[]; used: () => Promise<number> }>

/** A scheduler that counts its batches, and begins none while they are held. */
function createCountingScheduler(): RequestScheduler {
  const inner = openRequestScheduler({ bounds: BOUNDS })
  return {
    ...inner,
    openQueue: options =>
      inner.openQueue({
        ...options,
        serve: async (inputs, signal) => {
          batchSizes.push(inputs.length)
          await gate
          return options.serve(inputs, signal)
        },
      }),
  }
}

beforeAll(async () => {
  const { dataFolder, remove } = await simulateSessions(DAY, 2)
  scheduler = createCountingScheduler()
  const judge = openJudge(dataFolder, scheduler)
  const served = await serveScheduler({ dataFolder, scheduler, judge, errors })
  url = served.url
  newAccount = async () => {
    const { accountId, key, ids } = await served.addAccount([5900, 5905])
    const today = { accountId, product: 'orders' as const, dayEt: '2026-10-16', calls: 0 }
    const used = async () => (await served.accounts.countCalls([today]))[0]!
    return { key, ids, used }
  }
  stops.push(judge.close, served.close, remove)
})
afterAll(async () => {
  letGo()
  for (const stop of stops) await stop()
})
beforeEach(() => {
  letGo()
  gate = Promise.resolve()
  batchSizes = []
  errors.length = 0
})

type Client = { readonly key: string }

async function callApi({ key }: Client, path: string, signal?: AbortSignal) {
  // fetch would unpack the body and leave its header
  const sent = { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' }
  const response = await fetch(url + path, { headers: sent, signal: signal ?? null })
  const { status, headers } = response
  const body = Buffer.from(await response.arrayBuffer())
  expectDescribed({ method: 'GET', path, status, headers, body })
  return { status, json: JSON.parse(body.toString()), retryAfter: headers.get('retry-after') }
}

const check = (t: string, id = '') => `/api/positions/check?day=${DAY}&t=${t}${id && `&id=${id}`}`

/** Waits until a condition holds, however long that takes. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate)
}

test('200 equal checks of a new minute are one batch, and each call is counted', async () => {
  const [one, other] = [await newAccount(), await newAccount()]
  const before = [await one.used(), await other.used()]
  const responses = await Promise.all(
    Array.from({ length: 200 }, (_, index) => callApi(index % 2 ? one : other, check('10:30'))),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  // the positions of the accounts have equal strikes, and ids of their own
  const bodies = responses.map(({ json }) =>
    JSON.stringify({ ...json, checks: json.checks.length }),
  )
  expect(new Set(bodies).size).toBe(1)
  expect(batchSizes).toEqual([1])
  expect([await one.used(), await other.used()]).toEqual(before.map(count => count + 100))
  // a repeated query has no batch
  expect((await callApi(one, check('10:30'))).status).toBe(200)
  expect(batchSizes).toEqual([1])
})

test('six queries of an account wait; the next is 429 with when to retry', async () => {
  const [greedy, careful] = [await newAccount(), await newAccount()]
  hold()
  const held = callApi(greedy, check('11:00'))
  await until(() => batchSizes.length === 1)
  const minutes = Array.from({ length: 6 }, (_, index) => `11:0${index + 1}`)
  const waiting = minutes.map(t =>
    callApi(greedy, `${check(t).replace('check', 'track')}&id=${greedy.ids[0]}`),
  )
  await until(() => scheduler.waiting() === 6)
  const refused = await callApi(greedy, check('11:20'))
  expect(refused).toMatchObject({ status: 429, retryAfter: '2' })
  expect(refused.json.error).toEqual({
    code: 'rate',
    message: '6 questions of this account are waiting already; ask again in 2 s.',
    retry_after_s: 2,
  })
  const other = callApi(careful, check('11:30'))
  await until(() => scheduler.waiting() === 7)
  // what is there already waits for nothing
  expect((await callApi(careful, check('10:30'))).status).toBe(200)
  letGo()
  const responses = await Promise.all([held, other, ...waiting])
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  expect(scheduler.waiting()).toBe(0)
})

test('a full scheduler refuses the account with most with 503, and lets a newcomer in', async () => {
  const [one, two, newcomer] = [await newAccount(), await newAccount(), await newAccount()]
  hold()
  const held = callApi(newcomer, check('12:00'))
  await until(() => batchSizes.length === 1)
  const callSix = (client: Client) =>
    Array.from({ length: 6 }, (_, index) => callApi(client, check(`12:1${index}`, ownId(client))))
  const waiting = [...callSix(one), ...callSix(two)]
  await until(() => scheduler.waiting() === 12)
  const late = callApi(newcomer, check('12:30'))
  const refused = await Promise.race(waiting)
  expect(refused).toMatchObject({ status: 503, retryAfter: '5' })
  expect(refused.json.error).toMatchObject({ code: 'unavailable', retry_after_s: 5 })
  expect(refused.json.error.message).toBe('12 questions are waiting already; ask again in 5 s.')
  letGo()
  const statuses = (await Promise.all(waiting)).map(({ status }) => status)
  expect(statuses.filter(status => status === 200)).toHaveLength(11)
  expect([(await held).status, (await late).status]).toEqual([200, 200])
})
const ownId = (client: Client) => (client as Client & { ids: readonly string[] }).ids[1]!

test('a client that hangs up while it waits frees its slot, and is no error', async () => {
  const account = await newAccount()
  hold()
  const held = callApi(account, check('13:00'))
  await until(() => batchSizes.length === 1)
  const hangUp = new AbortController()
  const gone = Array.from({ length: 6 }, (_, index) =>
    callApi(account, check(`13:1${index}`), hangUp.signal),
  )
  await until(() => scheduler.waiting() === 6)
  expect((await callApi(account, check('13:20'))).status).toBe(429)
  hangUp.abort()
  const ends = await Promise.allSettled(gone)
  expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['rejected']))
  await until(() => scheduler.waiting() === 0)
  const next = callApi(account, check('13:20'))
  await until(() => scheduler.waiting() === 1)
  letGo()
  expect([(await held).status, (await next).status]).toEqual([200, 200])
  // none of the abandoned ones was served
  expect(batchSizes).toEqual([1, 1])
  expect(errors).toEqual([])
})
