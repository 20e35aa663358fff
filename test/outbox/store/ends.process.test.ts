// One contract for both engines: how deliveries end, and when an endpoint is disabled.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DELIVERY_ATTEMPTS_MAX } from '../../../src/outbox/store/ends.ts'
import { FAILURES_UNTIL_OFF } from '../../../src/platform/webhooks/delivery.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../../support/engines.ts'
import {
  beginAll,
  claimAll,
  dispositions,
  findEnd,
  LEASE_MS,
  NOW,
  newContact,
  newReceiver,
  single,
  type Went,
  went,
} from '../../support/outbox.ts'

const ENDPOINT = { owner: 'alerts', url: 'https://hook.example.com/in' } as const

describe.each(ENGINES)('ends of attempts in %s', (_, isHere, start) => {
  let engine: Engine
  let location: string
  let store: ServerStore
  const given = isHere ? describe : describe.skip

  given('keep their contract', () => {
    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())
    beforeEach(async () => {
      location = await engine.newPlace()
      store = await openAccountStore(location)
    })
    afterEach(() => store.close())

    let number = 0
    const queue = (accountId: string, more: object = {}) =>
      store.outbox.queueEvent(single(++number, accountId, more))
    const end = (begun: readonly Went[], result: 'sent' | 'retry' | 'failed', nowMs = NOW) =>
      store.outbox.endAttempts({ nowMs, ends: begun.map(one => findEnd(one, result)) })
    /**
     * Events that begin, and end, one after the other; returns for each whether it disabled the
     * endpoint.
     */
    const run = async (accountId: string, results: readonly ('sent' | 'failed')[]) => {
      const switched = []
      for (const result of results) {
        await queue(accountId)
        const ended = await end(went(await beginAll(store.outbox)), result)
        switched.push(...ended.map(one => one.isSwitchedOff))
      }
      return switched
    }
    const times = <Value>(count: number, value: Value): Value[] => new Array(count).fill(value)
    const findEndpoint = (accountId: string) => store.outbox.findEndpoint(accountId, 'alerts')

    test('a delivery without response is retried when it is due, and failed after the third attempt', async () => {
      const id = await newReceiver(store)
      await queue(id)
      let nowMs = NOW
      for (const [endedAttempts, waitMs] of [1_000, 4_000].entries()) {
        const [one] = went(await beginAll(store.outbox, nowMs))
        expect(one).toMatchObject({ endedAttempts, attempt: endedAttempts + 1 })
        const ends = [findEnd(one!, 'retry', nowMs + waitMs)]
        const ended = { deliveryId: one!.deliveryId, state: 'waiting', isSwitchedOff: false }
        expect(await store.outbox.endAttempts({ nowMs, ends })).toEqual([ended])
        nowMs += waitMs
        expect(await store.outbox.claim(claimAll({ nowMs: nowMs - 1 }))).toEqual([])
      }
      const [last] = went(await beginAll(store.outbox, nowMs))
      expect(DELIVERY_ATTEMPTS_MAX).toBe(3)
      const ends = [findEnd(last!, 'retry', nowMs + 9)]
      expect(await store.outbox.endAttempts({ nowMs, ends })).toMatchObject([{ state: 'failed' }])
      const [record] = await store.outbox.listDeliveries({ accountId: id, limit: 9 })
      expect(record).toMatchObject({
        state: 'failed',
        endedAttempts: 3,
        dueAtMs: null,
        endedAtMs: nowMs,
      })
      expect(record!.attempts.map(one => [one.beganAtMs - NOW, one.result, one.status])).toEqual([
        [0, 'retry', 500],
        [1_000, 'retry', 500],
        [5_000, 'retry', 500],
      ])
      expect(record!.attempts[0]).toMatchObject({ ms: 12, error: null, address: '203.0.113.7' })
      expect(await findEndpoint(id)).toMatchObject({ failedInARow: 1, state: 'on' })
    })

    test('a failed event counts once, however many attempts it took, and a refusal too', async () => {
      const id = await newReceiver(store)
      await queue(id)
      await end(went(await beginAll(store.outbox)), 'failed')
      expect(await findEndpoint(id)).toMatchObject({ failedInARow: 1 })
      await queue(id)
      await end(went(await beginAll(store.outbox)), 'sent')
      expect(await findEndpoint(id)).toMatchObject({ failedInARow: 0 })
    })

    test('the tenth failed event in a row disables the endpoint, and says why', async () => {
      const id = await newReceiver(store)
      expect(FAILURES_UNTIL_OFF).toBe(10)
      expect(await run(id, times(10, 'failed'))).toEqual([...times(9, false), true])
      expect(await findEndpoint(id)).toMatchObject({
        state: 'off',
        failedInARow: 10,
        sinceMs: NOW,
        reason: '10 events in a row failed, the last with status 400',
      })
    })

    test('nine failed, one sent and nine failed events leave the endpoint on', async () => {
      const id = await newReceiver(store)
      const results = [
        ...times(9, 'failed' as const),
        'sent' as const,
        ...times(9, 'failed' as const),
      ]
      expect(await run(id, results)).toEqual(times(19, false))
      expect(await findEndpoint(id)).toMatchObject({ state: 'on', failedInARow: 9, reason: null })
      expect(await run(id, ['failed'])).toEqual([true])
    })

    test('twelve that fail at once over two openings count once each', async () => {
      const id = await newReceiver(store)
      const other = await openAccountStore(location)
      for (let index = 0; index < 12; index++) await queue(id)
      const begun = went(await beginAll(store.outbox))
      const ended = await Promise.all(
        begun.map((one, index) =>
          (index % 2 === 0 ? store : other).outbox.endAttempts({
            nowMs: NOW,
            ends: [findEnd(one, 'failed')],
          }),
        ),
      )
      await other.close()
      expect(ended.flat().filter(one => one.isSwitchedOff)).toHaveLength(1)
      expect(await findEndpoint(id)).toMatchObject({ state: 'off', failedInARow: 10 })
    })

    test('in one group the ends count in their order', async () => {
      const id = await newReceiver(store)
      for (let index = 0; index < 20; index++) await queue(id)
      const begun = went(await beginAll(store.outbox))
      const ends = begun.map((one, index) => findEnd(one, index === 9 ? 'sent' : 'failed'))
      const ended = await store.outbox.endAttempts({ nowMs: NOW, ends })
      expect(ended.map(one => one.isSwitchedOff)).toEqual([...times(19, false), true])
      // the same group again changes nothing
      await store.outbox.saveEndpoint({ ...ENDPOINT, accountId: id, atMs: NOW })
      const again = await store.outbox.endAttempts({ nowMs: NOW + 1, ends })
      expect(again.map(one => [one.state, one.isSwitchedOff])).toEqual(
        ended.map(one => [one.state, false]),
      )
      expect(await findEndpoint(id)).toMatchObject({ state: 'on', failedInARow: 0 })
    })

    test('what began before the address was saved counts no more', async () => {
      const id = await newReceiver(store)
      await run(id, times(8, 'failed'))
      for (let index = 0; index < 5; index++) await queue(id)
      const begun = went(await beginAll(store.outbox))
      const saved = await store.outbox.saveEndpoint({ ...ENDPOINT, accountId: id, atMs: NOW })
      expect(saved).toMatchObject({ state: 'on', failedInARow: 0 })
      await end(begun.slice(0, 3), 'failed')
      expect(await findEndpoint(id)).toMatchObject({ state: 'on', failedInARow: 0 })
      await run(id, ['failed'])
      // responses of the old address say nothing of the new one
      await end(begun.slice(3), 'sent')
      expect(await findEndpoint(id)).toMatchObject({ failedInARow: 1 })
      await store.outbox.removeEndpoint(id, 'alerts')
      await store.outbox.saveEndpoint({ ...ENDPOINT, accountId: id, atMs: NOW })
      expect(await findEndpoint(id)).toMatchObject({ failedInARow: 0 })
    })

    test('the queue of a disabled endpoint is dropped, also if it is saved at once', async () => {
      const id = await newReceiver(store)
      for (let index = 0; index < 11; index++) await queue(id)
      const begun = went(await beginAll(store.outbox))
      await queue(id)
      await queue(id, { type: 'test' })
      await queue(id, { owner: 'p_4fQ8' })
      const ends = begun.map((one, index) =>
        index === 0 ? findEnd(one, 'retry', NOW + 1_000) : findEnd(one, 'failed'),
      )
      const ended = await store.outbox.endAttempts({ nowMs: NOW, ends })
      expect(ended[0]).toMatchObject({ state: 'dropped' })
      await store.outbox.saveEndpoint({ ...ENDPOINT, accountId: id, atMs: NOW })
      expect(dispositions(await beginAll(store.outbox, NOW + 1_000))).toEqual(['go', 'removed'])
      const all = await store.outbox.listDeliveries({ accountId: id, limit: 99 })
      expect(all.filter(one => one.reason === 'off')).toHaveLength(2)
    })

    test.each([
      ['one group', 'within its lease', false, false],
      ['one group', 'after it', false, true],
      ['groups of one', 'within its lease', true, false],
      ['groups of one', 'after it', true, true],
    ])(
      'in %s, an attempt that ends %s keeps its end though the endpoint was disabled',
      async (...given) => {
        const [, , isEachAlone, isLeaseOver] = given
        const id = await newReceiver(store)
        await newContact(store, id)
        for (let index = 0; index < 13; index++) await queue(id)
        await queue(id, { type: 'test' })
        await queue(id, { channels: ['email'] })
        const begun = went(await beginAll(store.outbox))
        const nowMs = NOW + LEASE_MS
        // a claim without capacity takes nothing, and finds that all of them wait again
        if (isLeaseOver)
          expect(await store.outbox.claim(claimAll({ nowMs, accountMax: 0 }))).toEqual([])
        const results = [...times(10, 'failed' as const), 'sent' as const, 'failed' as const]
        const ends = begun.map((one, index) =>
          findEnd(one, results[index] ?? 'retry', nowMs + 1_000),
        )
        const groups = isEachAlone ? ends.map(one => [one]) : [ends]
        const ended = []
        for (const group of groups) {
          ended.push(...(await store.outbox.endAttempts({ nowMs, ends: group })))
        }
        const states = [...times(10, 'failed'), 'sent', 'failed', 'dropped', 'waiting', 'waiting']
        expect(ended.map(one => one.state)).toEqual(states)
        expect(ended.map(one => one.isSwitchedOff).indexOf(true)).toBe(9)
        // the last one notifies the contact that the endpoint was disabled
        const all = (await store.outbox.listDeliveries({ accountId: id, limit: 99 })).toReversed()
        expect(all.slice(0, -1).map(one => [one.state, one.reason, one.endedAttempts])).toEqual(
          states.map(state => [state, state === 'dropped' ? 'off' : null, 1]),
        )
        expect(await findEndpoint(id)).toMatchObject({ state: 'off', failedInARow: 10 })
        // the retry of before is not sent once the endpoint is on again
        await store.outbox.saveEndpoint({ ...ENDPOINT, accountId: id, atMs: nowMs })
        const next = went(await beginAll(store.outbox, nowMs + 1_000))
        expect(next.map(one => [one.type, one.channel]).sort()).toEqual([
          ['flip_cross', 'email'],
          ['test', 'webhook'],
          ['webhook_off', 'email'],
        ])
      },
    )

    test('a test neither counts nor breaks a row, and mail has no row', async () => {
      const id = await newReceiver(store)
      await newContact(store, id)
      await run(id, times(9, 'failed'))
      await queue(id, { type: 'test' })
      await end(went(await beginAll(store.outbox)), 'sent')
      await queue(id, { type: 'test' })
      await end(went(await beginAll(store.outbox)), 'failed')
      await queue(id, { channels: ['email'] })
      await end(went(await beginAll(store.outbox)), 'failed')
      expect(await findEndpoint(id)).toMatchObject({ state: 'on', failedInARow: 9 })
    })

    test('the endpoints of an account count by themselves', async () => {
      const id = await newReceiver(store)
      const owner = 'p_4fQ8'
      await store.outbox.saveEndpoint({
        accountId: id,
        owner,
        url: 'https://p.example.com/',
        atMs: 1,
      })
      for (let index = 0; index < 10; index++) await queue(id, { owner })
      await end(went(await beginAll(store.outbox)), 'failed')
      expect(await store.outbox.findEndpoint(id, owner)).toMatchObject({ state: 'off' })
      expect(await findEndpoint(id)).toMatchObject({ state: 'on', failedInARow: 0 })
      expect((await store.outbox.listEndpoints(id)).map(one => [one.owner, one.state])).toEqual([
        ['alerts', 'on'],
        [owner, 'off'],
      ])
    })

    test('there is no endpoint and no secret of an account that is not there', async () => {
      expect(
        await store.outbox.saveEndpoint({ ...ENDPOINT, accountId: 'acc_none', atMs: 1 }),
      ).toBeNull()
      const secret = { accountId: 'acc_none', sealed: 'x', atMs: 1 }
      expect(await store.outbox.putSecret(secret)).toBe(false)
      expect(await store.outbox.findSecret('acc_none')).toBeNull()
      expect(await store.outbox.removeEndpoint('acc_none', 'alerts')).toBe(false)
      const id = await newReceiver(store)
      await store.outbox.putSecret({ accountId: id, sealed: 'new', atMs: 7 })
      expect(await store.outbox.findSecret(id)).toEqual({ sealed: 'new', madeAtMs: 7 })
    })
  })
})
