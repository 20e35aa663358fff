import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEndWriter } from '../../../src/outbox/sending/endWriter.ts'
import type { Outbox } from '../../../src/outbox/store/outbox.ts'
import type { AttemptEnd } from '../../../src/outbox/store/types.ts'
import { openTestOutbox, type TestOutbox } from '../../support/sending.ts'

let outbox: TestOutbox
beforeEach(async () => {
  outbox = await openTestOutbox()
})
afterEach(() => outbox.close())

type Operation = 'claim' | 'beginAttempts' | 'endAttempts'

/** A store of which one operation fails a number of times, and how often it was called. */
function failing(operation: Operation, failures: number) {
  const errors: string[] = []
  let callCount = 0
  const inner = outbox.store.outbox
  const fail = (run: (...args: never[]) => Promise<unknown>) =>
    (async (...args: never[]) => {
      callCount += 1
      if (callCount <= failures) throw new Error('database is locked')
      return run(...args)
    }) as never
  const { claim, beginAttempts, endAttempts } = inner
  const store: Pick<Outbox, Operation> = {
    claim,
    beginAttempts,
    endAttempts,
    [operation]: fail(inner[operation] as never),
  }
  const log = {
    info: () => {},
    error: (_fields: object, message: string) => {
      errors.push(message)
    },
  }
  return { deps: { outbox: store, log }, errors, callCount: () => callCount }
}

test('a database that does not respond to a claim is called again with the next poll', async () => {
  const { time, newAccount, queue, sender } = outbox
  await queue(await newAccount())
  const { deps, errors, callCount } = failing('claim', 3)
  sender(() => ({ result: 'sent' }), deps).start()
  await time.advance(599)
  expect([callCount(), errors.length, outbox.sent.length]).toEqual([3, 3, 0])
  await time.advance(1)
  expect(outbox.sent).toHaveLength(1)
  expect(new Set(errors)).toEqual(new Set(['deliveries cannot be claimed']))
})

test('what was claimed and could not begin is due again when its lease is over', async () => {
  const { time, newAccount, queue, sender } = outbox
  const account = await newAccount()
  for (let count = 0; count < 8; count++) await queue(account)
  const { deps } = failing('beginAttempts', 1)
  sender(() => ({ result: 'sent' }), deps).start()
  await time.advance(9999)
  expect(outbox.sent).toHaveLength(0)
  await time.advance(201)
  expect(outbox.sent).toHaveLength(8)
})

test('an end that cannot be written is written later, and keeps its slot until then', async () => {
  const { time, newAccount, queue, sender, deliveriesOf } = outbox
  const account = await newAccount()
  for (let count = 0; count < 12; count++) await queue(account)
  const { deps } = failing('endAttempts', 4)
  sender(() => ({ result: 'sent' }), deps).start()
  await time.advance(804)
  expect(outbox.sent).toHaveLength(8)
  await time.advance(6)
  expect(outbox.sent).toHaveLength(12)
  const deliveries = await deliveriesOf(account)
  expect(
    new Set(deliveries.map(({ state, endedAttempts }) => `${state} ${endedAttempts}`)),
  ).toEqual(new Set(['sent 1']))
})

test('a sender stops although the database never writes an end', async () => {
  const { time, newAccount, queue, sender, deliveriesOf } = outbox
  const account = await newAccount()
  await queue(account)
  const { deps, callCount } = failing('endAttempts', Number.POSITIVE_INFINITY)
  const running = sender(() => ({ result: 'sent' }), deps)
  running.start()
  await time.advance(0)
  const stopping = running.stop()
  await time.advance(5000)
  await stopping
  expect(callCount()).toBeLessThanOrEqual(11)
  // the next process repeats it, under its id
  expect(await deliveriesOf(account)).toMatchObject([{ state: 'trying' }])
})

test('ends that come together are written together', async () => {
  const { time, newAccount, queue, sender } = outbox
  for (let account = 0; account < 20; account++) {
    const id = await newAccount()
    for (let count = 0; count < 8; count++) await queue(id)
  }
  const { deps, callCount } = failing('endAttempts', 0)
  sender(() => ({ result: 'sent', afterMs: 50 }), deps).start()
  await time.advance(55)
  expect(outbox.sent).toHaveLength(160)
  expect(callCount()).toBeLessThanOrEqual(3)
})

test('each of two ends of one delivery in a group has its own result', async () => {
  const { time, store } = outbox
  const end = (deliveryId: number, attempt: number): AttemptEnd => ({
    deliveryId,
    attempt,
    dueAtMs: null,
    outcome: { result: 'failed', status: 400, error: null, ms: 1, address: null },
  })
  const written: string[] = []
  const writer = openEndWriter({
    nowMs: time.nowMs,
    timers: time.timers,
    log: { info: () => {}, error: fields => Promise.reject(fields) },
    outbox: {
      // the store knows one delivery, and the first of its ends disabled the endpoint
      endAttempts: async ({ ends }) =>
        ends
          .filter(one => one.deliveryId === 1)
          .map(({ deliveryId, attempt }) => {
            return { deliveryId, state: 'failed', isSwitchedOff: attempt === 1 }
          }),
    },
    onWritten: ({ deliveryId, attempt }, ended) => {
      written.push(`${deliveryId} ${attempt} ${ended?.isSwitchedOff ?? 'unknown'}`)
    },
  })
  for (const one of [end(1, 1), end(2, 1), end(1, 2)]) writer.add(one)
  await time.advance(10)
  expect(written).toEqual(['1 1 true', '2 1 unknown', '1 2 false'])
  // of ends that it does not know the store itself says nothing
  expect(await store.outbox.endAttempts({ nowMs: time.nowMs(), ends: [end(9, 1)] })).toEqual([])
})

test('a failure within the service is retried and logged, without its secret', async () => {
  const { time, newAccount, queue, sender, deliveriesOf } = outbox
  const account = await newAccount()
  await queue(account)
  const { deps, errors } = failing('claim', 0)
  let sendCount = 0
  const send = async () => {
    sendCount += 1
    throw new Error('a fault')
  }
  const channels = { webhook: { send, gapsMs: [1000, 4000] } }
  sender(() => ({ result: 'sent' }), { ...deps, channels }).start()
  await time.advance(10_000)
  expect(sendCount).toBe(3)
  expect(errors).toEqual(Array.from({ length: 3 }, () => errors[0]))
  const [delivery] = await deliveriesOf(account)
  expect(delivery).toMatchObject({ state: 'failed', attempts: [{ error: 'internal' }, {}, {}] })
})

test('a channel that this server cannot send by fails at once', async () => {
  const { time, newAccount, queue, sender, deliveriesOf } = outbox
  const account = await newAccount()
  await queue(account)
  sender(() => ({ result: 'sent' }), { channels: {} }).start()
  await time.advance(10_000)
  expect(await deliveriesOf(account)).toMatchObject([
    {
      state: 'failed',
      endedAttempts: 1,
      attempts: [{ error: 'not_configured', result: 'failed' }],
    },
  ])
})
