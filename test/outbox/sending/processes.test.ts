import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestOutbox, type TestOutbox } from '../../support/sending.ts'

let outbox: TestOutbox
beforeEach(async () => {
  outbox = await openTestOutbox()
})
afterEach(() => outbox.close())

test('a retry rereads the address and the secret', async () => {
  const { time, newAccount, queue, sender, store } = outbox
  const account = await newAccount()
  await queue(account)
  sender(({ endedAttempts }) => ({ result: endedAttempts === 0 ? 'retry' : 'sent' })).start()
  await time.advance(0)
  const saved = { accountId: account, atMs: time.nowMs() }
  await store.outbox.saveEndpoint({ ...saved, owner: 'alerts', url: 'https://new.example.com/' })
  await store.outbox.putSecret({ ...saved, sealed: 'sealed anew' })
  await time.advance(1000)
  expect(outbox.sent.map(({ begun }) => begun)).toMatchObject([
    { url: 'https://hooks.example.com/', sealedSecret: 'sealed' },
    { url: 'https://new.example.com/', sealedSecret: 'sealed anew' },
  ])
})

test('a retry begins at its timer although the clock is a little behind it', async () => {
  const { time, newAccount, queue, sender } = outbox
  await queue(await newAccount())
  sender(() => ({ result: 'retry' })).start()
  await time.advance(500)
  time.putClock(time.nowMs() - 50)
  await time.advance(499)
  expect(outbox.begun).toHaveLength(1)
  await time.advance(1)
  expect(outbox.begun).toHaveLength(2)
})

test('where the clock was put counts: no try is made twice for it', async () => {
  const { time, newAccount, queue, sender } = outbox
  for (let count = 0; count < 8; count++) await queue(await newAccount())
  sender(({ endedAttempts }) => ({
    result: endedAttempts === 2 ? 'sent' : 'retry',
    afterMs: 900,
  })).start()
  for (const jumpMs of [-3_600_000, 7_200_000, -3_600_000, 60_000, 7_200_000]) {
    await time.advance(1500)
    time.putClock(time.nowMs() + jumpMs)
  }
  await time.advance(30_000)
  expect(outbox.sent).toHaveLength(24)
})

test('a clock that is put forward during a try does not begin it a second time', async () => {
  const { time, newAccount, queue, sender, deliveriesOf } = outbox
  const account = await newAccount()
  await queue(account)
  sender(() => ({ result: 'sent', afterMs: 900 })).start()
  await time.advance(450)
  // the lease of the try seems over
  time.putClock(time.nowMs() + 20_000)
  await time.advance(10_000)
  expect(outbox.begun).toHaveLength(1)
  expect(await deliveriesOf(account)).toMatchObject([{ state: 'sent', endedAttempts: 1 }])
})

test('a delivery left by a process that is gone is attempted when its lease is over', async () => {
  const { time, newAccount, queue, sender } = outbox
  const account = await newAccount()
  const id = await queue(account)
  // one that never hears of a timer again stands for one that was killed
  const timers = { after: () => () => {} }
  sender(() => ({ result: 'sent', afterMs: 1e9 }), { timers }).start()
  await time.advance(0)
  sender(() => ({ result: 'sent' })).start()
  await time.advance(9999)
  expect(outbox.begun).toHaveLength(1)
  await time.advance(201)
  expect(outbox.begun.map(({ begun }) => [begun.eventId, begun.attempt])).toEqual([
    [id, 1],
    [id, 2],
  ])
  const [first, second] = outbox.begun.map(({ begun }) => begun.body)
  expect(second).toEqual(first)
})

test('two concurrent senders send each event once', async () => {
  const { time, newAccount, queue, sender } = outbox
  const accounts = await Promise.all(Array.from({ length: 10 }, newAccount))
  const ids: string[] = []
  for (const account of accounts) for (let n = 0; n < 20; n++) ids.push(await queue(account))
  for (let count = 0; count < 2; count++) sender(() => ({ result: 'sent', afterMs: 30 })).start()
  await time.advance(2000)
  expect(outbox.sent.map(({ begun }) => begun.eventId).toSorted()).toEqual(ids.toSorted())
})

test('stop waits for what is under way and writes it, and claims no more', async () => {
  const { time, newAccount, queue, sender, deliveriesOf } = outbox
  const account = await newAccount()
  await queue(account)
  const running = sender(() => ({ result: 'sent', afterMs: 2000 }))
  running.start()
  await time.advance(500)
  await queue(account)
  let isStopped = false
  const stopping = running.stop().then(() => {
    isStopped = true
  })
  await time.advance(1499)
  expect(isStopped).toBe(false)
  // until its end is written
  await time.advance(6)
  await stopping
  const states = (await deliveriesOf(account)).map(({ state }) => state)
  expect(states.toSorted()).toEqual(['sent', 'waiting'])
  expect(time.waiting()).toBe(0)
})
