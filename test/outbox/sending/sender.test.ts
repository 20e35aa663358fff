import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestOutbox, START_MS, type TestOutbox } from '../../support/sending.ts'

let outbox: TestOutbox
beforeEach(async () => {
  outbox = await openTestOutbox()
})
afterEach(() => outbox.close())

/** Begin and end of the attempts of an event, from the start of the test. */
const attemptTimes = (id: string) =>
  outbox.sent
    .filter(({ begun }) => begun.eventId === id)
    .map(({ beganMs, endedMs }) => [beganMs - START_MS, endedMs - START_MS])

test.each([0, 1, 700, 3000])(
  'after attempts of %i ms the next begin exactly 1.0 s and 4.0 s after their ends',
  async afterMs => {
    const { time, newAccount, queue, sender, deliveriesOf } = outbox
    const account = await newAccount()
    const id = await queue(account)
    sender(() => ({ result: 'retry', afterMs })).start()
    await time.advance(30_000)
    const [second, third] = [afterMs + 1000, 2 * afterMs + 5000]
    expect(attemptTimes(id)).toEqual([
      [0, afterMs],
      [second, second + afterMs],
      [third, third + afterMs],
    ])
    expect(await deliveriesOf(account)).toMatchObject([{ state: 'failed', endedAttempts: 3 }])
    const [first, ...rest] = outbox.sent.map(({ begun }) => begun)
    for (const each of rest)
      expect([each.eventId, each.body]).toEqual([first!.eventId, first!.body])
    expect([first, ...rest].map(each => [each!.attempt, each!.endedAttempts])).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ])
  },
)

test.each([
  ['sent', ['sent'], 1],
  ['failed', ['failed'], 1],
  ['sent', ['retry', 'sent'], 2],
  ['sent', ['retry', 'retry', 'sent'], 3],
  ['failed', ['retry', 'failed'], 2],
  ['failed', ['retry', 'retry', 'retry', 'sent'], 3],
] as const)('it is %s after the responses %j: %i attempts', async (state, results, count) => {
  const { time, newAccount, queue, sender, deliveriesOf } = outbox
  const account = await newAccount()
  await queue(account)
  sender(({ endedAttempts }) => ({ result: results[endedAttempts]! })).start()
  await time.advance(20_000)
  expect(outbox.sent).toHaveLength(count)
  const [delivery] = await deliveriesOf(account)
  expect(delivery).toMatchObject({ state, endedAttempts: count })
  expect(delivery!.attempts.map(({ result }) => result)).toEqual(results.slice(0, count))
})

test('what is queued while it runs begins within 200 ms', async () => {
  const { time, newAccount, queue, sender } = outbox
  const account = await newAccount()
  sender(() => ({ result: 'sent' })).start()
  for (let count = 0; count < 10; count++) {
    await time.advance(37)
    await queue(account)
    const queuedMs = time.nowMs()
    await time.advance(200)
    expect(outbox.begun).toHaveLength(count + 1)
    expect(outbox.begun.at(-1)!.atMs - queuedMs).toBeLessThanOrEqual(200)
  }
})

test('no more than 8 attempts of an account run at once, and each end frees a slot', async () => {
  const { time, newAccount, queue, sender } = outbox
  const account = await newAccount()
  for (let count = 0; count < 20; count++) await queue(account)
  sender(() => ({ result: 'sent', afterMs: 1000 })).start()
  const begun = async (ms: number) => {
    await time.advance(ms)
    return outbox.begun.length
  }
  expect([await begun(0), await begun(999), await begun(6), await begun(1005)]).toEqual([
    8, 8, 16, 20,
  ])
})

test('100 accounts whose receivers never respond delay no other by more than a poll', async () => {
  const { time, newAccount, queue, sender } = outbox
  const holes = new Set<string>()
  for (let count = 0; count < 100; count++) {
    const account = await newAccount()
    holes.add(account)
    for (let event = 0; event < 10; event++) await queue(account)
  }
  const others = await Promise.all(Array.from({ length: 10 }, newAccount))
  sender(({ accountId }) =>
    holes.has(accountId) ? { result: 'retry', afterMs: 3000 } : { result: 'sent', afterMs: 20 },
  ).start()
  const waits: number[] = []
  for (let round = 0; round < 12; round++) {
    await time.advance(730)
    const queuedMs = time.nowMs()
    const ids = await Promise.all(others.map(account => queue(account)))
    await time.advance(270)
    for (const id of ids) {
      waits.push(outbox.begun.find(({ begun }) => begun.eventId === id)!.atMs - queuedMs)
    }
  }
  expect(Math.max(...waits)).toBeLessThanOrEqual(200)
  expect(outbox.begun.filter(({ begun }) => holes.has(begun.accountId)).length).toBeGreaterThan(800)
})

test('accounts alternate: nobody waits behind all events of another', async () => {
  const { time, newAccount, queue, sender } = outbox
  const [many, one] = [await newAccount(), await newAccount()]
  for (let count = 0; count < 20; count++) await queue(many)
  await queue(one)
  sender(() => ({ result: 'sent' })).start()
  await time.advance(0)
  const index = outbox.begun.findIndex(({ begun }) => begun.accountId === one)
  expect(index).toBeLessThanOrEqual(1)
})

test('levels go before lines, positions and orders of an account', async () => {
  const { time, newAccount, queue, sender } = outbox
  const account = await newAccount()
  for (const priority of [3, 2, 1, 0] as const) {
    for (let count = 0; count < 4; count++) await queue(account, { priority })
  }
  const levels = new Set<string>()
  for (let count = 0; count < 4; count++) levels.add(await queue(account, { priority: 0 }))
  sender(() => ({ result: 'sent', afterMs: 10 })).start()
  await time.advance(0)
  const first = outbox.begun.map(({ begun }) => begun.eventId)
  expect(first).toHaveLength(8)
  expect(first.filter(id => levels.has(id))).toHaveLength(4)
})

test('the 31st event of a rolling minute is dropped; then there are 30 again', async () => {
  const { time, newAccount, queue, sender, deliveriesOf } = outbox
  const account = await newAccount()
  for (let count = 0; count < 31; count++) await queue(account)
  sender(() => ({ result: 'sent' })).start()
  await time.advance(59_999)
  expect(outbox.sent).toHaveLength(30)
  await queue(account)
  await time.advance(0)
  const rate = (await deliveriesOf(account)).filter(({ reason }) => reason === 'rate')
  expect(rate).toHaveLength(1)
  await time.advance(201)
  for (let count = 0; count < 30; count++) await queue(account)
  await time.advance(400)
  expect(outbox.sent.length).toBeGreaterThanOrEqual(60)
})

test('an event is late when its first try would begin over 300 s after its minute', async () => {
  const { time, newAccount, queue, sender, deliveriesOf } = outbox
  const account = await newAccount()
  await queue(account, { minuteEndMs: START_MS - 300_000 })
  await queue(account, { minuteEndMs: START_MS - 300_001 })
  sender(() => ({ result: 'sent' })).start()
  await time.advance(10)
  const deliveries = await deliveriesOf(account)
  expect(deliveries.map(({ state, reason }) => [state, reason]).toSorted()).toEqual([
    ['dropped', 'late'],
    ['sent', null],
  ])
})

test('an endpoint is disabled at the tenth failed event in a row; its queue is dropped', async () => {
  const { time, newAccount, queue, sender, deliveriesOf, store } = outbox
  const account = await newAccount()
  const findEndpoint = () => store.outbox.findEndpoint(account, 'alerts')
  const ids: string[] = []
  for (let count = 0; count < 9; count++) ids.push(await queue(account))
  sender(() => ({ result: 'failed', afterMs: 5 })).start()
  await time.advance(1000)
  expect(await findEndpoint()).toMatchObject({ state: 'on', failedInARow: 9 })
  expect(outbox.switchedOff).toEqual([])
  for (let count = 0; count < 12; count++) ids.push(await queue(account))
  await time.advance(1000)
  expect(await findEndpoint()).toMatchObject({ state: 'off', failedInARow: 10 })
  expect(outbox.switchedOff).toHaveLength(1)
  const dropped = (await deliveriesOf(account)).filter(({ reason }) => reason === 'off')
  expect(dropped.length + outbox.sent.length).toBe(21)
  expect(dropped.length).toBeGreaterThan(0)
  const test = await queue(account, { type: 'test' })
  await queue(account)
  await time.advance(1000)
  expect(outbox.sent.at(-1)!.begun.eventId).toBe(test)
  expect(await findEndpoint()).toMatchObject({ state: 'off', failedInARow: 10 })
})

test('9 failures, one success and 9 failures leave the endpoint on', async () => {
  const { time, newAccount, queue, sender, store } = outbox
  const account = await newAccount()
  let isGood = false
  sender(() => ({ result: isGood ? 'sent' : 'failed' })).start()
  for (const [count, good] of [
    [9, false],
    [1, true],
    [9, false],
  ] as const) {
    isGood = good
    for (let event = 0; event < count; event++) await queue(account)
    await time.advance(1000)
  }
  expect(await store.outbox.findEndpoint(account, 'alerts')).toMatchObject({
    state: 'on',
    failedInARow: 9,
  })
})

test('after a clock put back an hour retries come in time and no event is dropped', async () => {
  const id = await outbox.newAccount()
  for (let count = 0; count < 30; count++) await outbox.queue(id)
  const last = await outbox.queue(id, { priority: 3 })
  let isUp = false
  outbox.sender(() => ({ result: isUp ? 'sent' : 'retry' })).start()
  await outbox.time.advance(500)
  // of the first minute there were thirty, so one is dropped; the retries are due in half a second
  const dropped = (await outbox.deliveriesOf(id)).filter(({ state }) => state === 'dropped')
  expect(dropped).toMatchObject([{ eventId: last, reason: 'rate' }])
  isUp = true
  outbox.time.putClock(START_MS - 3_600_000)
  const later = await outbox.queue(id)
  await outbox.time.advance(3_000)
  const deliveries = await outbox.deliveriesOf(id)
  const sent = deliveries.filter(({ state }) => state === 'sent')
  expect(sent).toHaveLength(31)
  expect(sent.find(({ eventId }) => eventId === later)).toMatchObject({ endedAttempts: 1 })
})

test('a lease of a sender that was killed before a clock put back ends in its time', async () => {
  const id = await outbox.newAccount()
  await outbox.queue(id)
  const { outbox: store } = outbox.store
  const nowMs = outbox.time.nowMs()
  const claim = { nowMs, holder: 'killed', leaseMs: 10_000, limit: 1, accountMax: 1, busy: [] }
  const { deliveryId } = (await store.claim(claim))[0]!
  await store.beginAttempts({ ...claim, deliveryIds: [deliveryId], hasPutSupport: false })
  outbox.time.putClock(START_MS - 3_600_000)
  outbox.sender(() => ({ result: 'sent' })).start()
  await outbox.time.advance(9_000)
  expect(outbox.sent).toHaveLength(0)
  await outbox.time.advance(2_000)
  expect(await outbox.deliveriesOf(id)).toMatchObject([{ state: 'sent' }])
})

test('a clock that is put forward and back again loses and repeats nothing', async () => {
  const id = await outbox.newAccount()
  outbox.sender(() => ({ result: 'sent' })).start()
  for (const putMs of [3_600_000, 0, -3_600_000, 0]) {
    outbox.time.putClock(START_MS + putMs)
    await outbox.queue(id)
    await outbox.time.advance(2_000)
  }
  expect(outbox.sent).toHaveLength(4)
  const states = (await outbox.deliveriesOf(id)).map(({ state, endedAttempts }) => [
    state,
    endedAttempts,
  ])
  expect(states).toEqual(Array(4).fill(['sent', 1]))
})
