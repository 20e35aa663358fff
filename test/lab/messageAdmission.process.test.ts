// Bounds on the messages of an account: a number a day, and one batch at a time.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MESSAGES_PER_DAY_MAX } from '../../src/accounts/products.ts'
import { chat } from '../../src/lab/ask.ts'
import { openMessageAdmission } from '../../src/lab/messageAdmission.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'
import { EVENING_MS, startTestApi, type TestApi } from '../support/api.ts'
import { ENGINES, type Engine } from '../support/engines.ts'
import { findText } from '../support/openapi.ts'

const SENTENCE = 'At 10:00 sell the 10-wide put spread 30 points below spot.'
/** The evening of the test server is still this day in New York, with four hours to go. */
const TODAY = '2026-10-14'
const spent = (calls: number, accountId: string) =>
  [{ accountId, product: 'lab', dayEt: TODAY, calls }] as const

describe('over HTTP', () => {
  let api: TestApi
  let key: string
  let accountId: string
  beforeEach(async () => {
    api = await startTestApi()
    ;({ key, accountId } = await api.newKey('lab', 'lab'))
  })
  afterEach(() => api.close())
  const say = (body: object, headers = {}) =>
    api.call('/api/lab/chat', { key, headers, method: 'POST', body: JSON.stringify(body) })

  test('the 5,000th message of a day is taken, the next is refused until midnight', async () => {
    await api.accounts.countCalls(spent(MESSAGES_PER_DAY_MAX - 2, accountId))
    const last = [await say({ message: SENTENCE }), await say({ message: SENTENCE })]
    expect(last.map(({ status }) => status)).toEqual([200, 200])
    expect(last.map(({ headers }) => headers.get('ratelimit'))).toEqual([
      '"day";r=1;t=14400',
      '"day";r=0;t=14400',
    ])
    const refused = await say({ message: SENTENCE })
    expect(refused.status).toBe(429)
    expect(refused.json).toEqual({
      error: 'all 5000 messages of the day are spent; the count resets at midnight ET, in 14400 s.',
    })
    expect(refused.headers.get('retry-after')).toBe('14400')
    expect(refused.headers.get('ratelimit-policy')).toBe('"day";q=5000;w=86400')
    expect(await api.accounts.lab.listIdeas(accountId)).toHaveLength(2)
    // reading is no message
    expect((await api.call('/api/lab/state', { key })).status).toBe(200)
    api.clock.atMs = Date.parse('2026-10-14T23:59:59.999-04:00')
    expect((await say({ message: SENTENCE })).headers.get('retry-after')).toBe('1')
    api.clock.atMs += 1
    expect((await say({ message: SENTENCE })).headers.get('ratelimit')).toBe('"day";r=4999;t=86400')
  })

  test('what is refused before it is read, or was taken before, is not counted', async () => {
    const repeat = { 'idempotency-key': 'one' }
    const first = await say({ message: SENTENCE }, repeat)
    const again = await say({ message: SENTENCE }, repeat)
    expect(findText(again)).toBe(findText(first))
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.headers.get('ratelimit')).toBeNull()
    expect((await say({ message: 'other' }, repeat)).status).toBe(422)
    expect((await say({ message: SENTENCE, id: 'i_none' })).status).toBe(404)
    expect((await say({ message: '' })).status).toBe(400)
    expect(await api.accounts.callsOn(accountId, TODAY)).toEqual([{ product: 'lab', calls: 1 }])
    // a message that is no rule is one
    await say({ message: 'zzz' })
    expect(await api.accounts.callsOn(accountId, TODAY)).toEqual([{ product: 'lab', calls: 2 }])
  })

  test('a spent day is a repeat again, and none of another account', async () => {
    const repeat = { 'idempotency-key': 'one' }
    const first = await say({ message: SENTENCE }, repeat)
    await api.accounts.countCalls(spent(MESSAGES_PER_DAY_MAX, accountId))
    expect((await say({ message: SENTENCE })).status).toBe(429)
    expect(findText(await say({ message: SENTENCE }, repeat))).toBe(findText(first))
    const { key: other } = await api.newKey('lab', 'lab')
    const body = JSON.stringify({ message: SENTENCE })
    const taken = await api.call('/api/lab/chat', { key: other, method: 'POST', body })
    expect(taken.status).toBe(200)
  })
})

describe.each(ENGINES)('in %s', (_, isHere, start) => {
  const given = isHere ? describe : describe.skip
  given('messages of several processes', () => {
    let engine: Engine
    let stores: ServerStore[]
    beforeAll(async () => {
      engine = await start()
      const index = await engine.newPlace()
      stores = [await openAccountStore(index), await openAccountStore(index)]
    })
    afterAll(async () => {
      for (const store of stores) await store.close()
      await engine.stop()
    })
    const nowMs = () => EVENING_MS

    test('are counted together: of ten at once with six left, six are taken', async () => {
      const made = { name: 'a', plan: 'lab', createdAtMs: 1 } as const
      const { id: accountId } = await stores[0]!.addAccount(made)
      await stores[0]!.countCalls(spent(MESSAGES_PER_DAY_MAX - 6, accountId))
      const requester = { accountId, monthlyCredits: 30 }
      const talks = stores.map(accounts => {
        return { accounts, nowMs, admission: openMessageAdmission(accounts, nowMs) }
      })
      const text = Array.from({ length: 10 }, (_, index) =>
        chat(talks[index % 2]!, requester, { message: SENTENCE }),
      )
      const ended = await Promise.allSettled(text)
      expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
      expect(await stores[1]!.lab.listIdeas(accountId)).toHaveLength(6)
    })

    test('change one idea one after the other', async () => {
      const made = { name: 'a', plan: 'lab', createdAtMs: 1 } as const
      const { id: accountId } = await stores[0]!.addAccount(made)
      const requester = { accountId, monthlyCredits: 30 }
      const talks = stores.map(accounts => {
        return { accounts, nowMs, admission: openMessageAdmission(accounts, nowMs) }
      })
      const first = await chat(talks[0]!, requester, { message: SENTENCE })
      const { id } = (first as Extract<typeof first, { kind: 'spec' }>).idea
      const widths = [15, 20, 25, 30]
      await Promise.all(
        widths.map((width, index) =>
          chat(talks[index % 2]!, requester, { message: `make it ${width} wide`, id }),
        ),
      )
      const idea = (await stores[0]!.lab.findIdea(accountId, id))!
      expect(idea.current).toMatchObject({ version: 5, parent: 4 })
      expect(await stores[0]!.lab.listMessages(id)).toHaveLength(10)
    })
  })
})

test('a message waits for at most one of an account with sixteen others', async () => {
  const batches = openMessageAdmission({} as ServerStore, () => 0)
  const read: string[] = []
  const say = (account: string) =>
    batches.queue(account, async () => {
      await batches.begin(account)
      read.push(account)
    })
  const greedy = Array.from({ length: 16 }, () => say('greedy'))
  const careful = say('careful')
  await careful
  expect(read).toEqual(['greedy', 'careful'])
  await Promise.all(greedy)
})

test('one message is read at a time, and others have time in between', async () => {
  const batches = openMessageAdmission({} as ServerStore, () => 0)
  let read = 0
  const all = ['a', 'b', 'c'].map(account => batches.begin(account).then(() => ++read))
  const seen: number[] = []
  while (read < 3) {
    await new Promise(setImmediate)
    seen.push(read)
  }
  await Promise.all(all)
  // many iterations without a message between two of them
  expect([...new Set(seen)]).toEqual([0, 1, 2, 3].filter(count => seen.includes(count)))
  expect(seen.filter(count => count === 1).length).toBeGreaterThan(1)
})
