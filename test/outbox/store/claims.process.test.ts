// One contract for both engines: whose deliveries are attempted next, and by whom.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { INTERRUPTED_MAX } from '../../../src/outbox/store/attempts.ts'
import type { ClaimRequest } from '../../../src/outbox/store/types.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { BOTH_ENGINES, type Engine } from '../../support/engines.ts'
import {
  beginAll,
  claimAll,
  dispositions,
  findEnd,
  findMinute,
  found,
  LEASE_MS,
  NOW,
  newReceiver,
  single,
  went,
} from '../../support/outbox.ts'

describe.each(BOTH_ENGINES)('claims in %s', (_, isHere, start) => {
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

    const claim = (more: Partial<ClaimRequest> = {}) => store.outbox.claim(claimAll(more))
    let number = 0
    const queue = async (accountId: string, count: number, more: object = {}) => {
      for (let index = 0; index < count; index++) {
        await store.outbox.queueEvent(single(++number, accountId, more))
      }
    }
    const receivers = (...names: string[]) =>
      Promise.all(names.map(name => newReceiver(store, name)))
    const countClaimed = (claimed: readonly { accountId: string }[], accountId: string) =>
      claimed.filter(one => one.accountId === accountId).length

    test('what is due is dealt round accounts, one of each before a second of any', async () => {
      const [many, one, few] = (await receivers('many', 'one', 'few')) as [string, string, string]
      await queue(many, 20)
      await queue(one, 1)
      await queue(few, 3)
      const first = await claim({ limit: 5 })
      expect([many, one, few].map(id => countClaimed(first, id))).toEqual([2, 1, 2])
      expect(new Set(first.slice(0, 3).map(({ accountId }) => accountId)).size).toBe(3)
      const second = await claim({ limit: 5 })
      expect([many, one, few].map(id => countClaimed(second, id))).toEqual([4, 0, 1])
      expect(await claim({ limit: 0 })).toEqual([])
      expect(await claim()).toHaveLength(14)
      expect(await claim()).toEqual([])
    })

    test('a claim begins behind the account that was dealt to last', async () => {
      const ids = await receivers(...Array.from({ length: 12 }, (_, index) => `${index}`))
      for (const id of ids) await queue(id, 3)
      const claimOrder: string[] = []
      for (let index = 0; index < 9; index++) {
        claimOrder.push(...(await claim({ limit: 4 })).map(({ accountId }) => accountId))
      }
      for (const first of [0, 12, 24]) {
        expect(new Set(claimOrder.slice(first, first + 12))).toEqual(new Set(ids))
      }
    })

    test('an account has a number in flight at once, busy ones included', async () => {
      const [one, other] = (await receivers('one', 'other')) as [string, string]
      await queue(one, 12)
      await queue(other, 12)
      const full = { accountMax: 8, busy: [[one, 8]] as const }
      expect(countClaimed(await claim({ ...full, limit: 5 }), one)).toBe(0)
      const some = await claim({
        accountMax: 8,
        busy: [
          [one, 6],
          [other, 5],
        ],
      })
      expect([one, other].map(id => countClaimed(some, id))).toEqual([2, 3])
      expect(
        await claim({
          accountMax: 8,
          busy: [
            [one, 8],
            [other, 9],
          ],
        }),
      ).toEqual([])
    })

    test('an account hears of levels before lines, positions and orders', async () => {
      const [id] = (await receivers('one')) as [string]
      for (const priority of [3, 1, 2, 0, 3, 0] as const) await queue(id, 1, { priority })
      const types = ['order', 'line', 'position', 'level', 'order', 'level']
      const all = await store.outbox.listDeliveries({ accountId: id, limit: 9 })
      const byId = new Map(all.toReversed().map((one, index) => [one.id, types[index]]))
      const claimed = []
      for (let index = 0; index < 6; index++) claimed.push(...(await claim({ limit: 1 })))
      expect(claimed.map(one => byId.get(one.deliveryId))).toEqual([
        'level',
        'level',
        'line',
        'position',
        'order',
        'order',
      ])
    })

    test('a lease is over after its time, and then the delivery is claimed again', async () => {
      const [id] = (await receivers('one')) as [string]
      await queue(id, 1)
      expect(await claim()).toHaveLength(1)
      expect(await claim({ nowMs: NOW + LEASE_MS - 1, holder: 'two' })).toEqual([])
      const [again] = await claim({ nowMs: NOW + LEASE_MS, holder: 'two' })
      const trying = { leaseMs: LEASE_MS, hasPutSupport: false, deliveryIds: [again!.deliveryId] }
      const nowMs = NOW + LEASE_MS
      expect(
        dispositions(await store.outbox.beginAttempts({ ...trying, nowMs, holder: 'one' })),
      ).toEqual(['lost'])
      expect(
        dispositions(await store.outbox.beginAttempts({ ...trying, nowMs, holder: 'two' })),
      ).toEqual(['go'])
    })

    test('a try that was never ended stays unknown and is repeated under the same id', async () => {
      const [id] = (await receivers('one')) as [string]
      await queue(id, 1)
      const [first] = went(await beginAll(store.outbox, NOW, 'killed'))
      const later = NOW + LEASE_MS
      const [again] = went(await beginAll(store.outbox, later, 'two'))
      expect(again).toEqual({ ...first, attempt: 2 })
      const [ended] = await store.outbox.endAttempts({
        nowMs: later,
        ends: [findEnd(again!, 'sent')],
      })
      expect(ended?.state).toBe('sent')
      const [record] = await store.outbox.listDeliveries({ accountId: id, limit: 9 })
      expect(record).toMatchObject({ state: 'sent', endedAttempts: 1, firstAttemptAtMs: NOW })
      expect(record!.attempts).toMatchObject([
        { number: 1, beganAtMs: NOW, result: 'unknown', ms: null, status: null },
        { number: 2, beganAtMs: later, result: 'sent', ms: 12, status: 200 },
      ])
    })

    test('a try that ends after its lease changes nothing that another one has begun', async () => {
      const [id] = (await receivers('one')) as [string]
      await queue(id, 1)
      const [slow] = went(await beginAll(store.outbox, NOW, 'slow'))
      const later = NOW + LEASE_MS
      const [again] = went(await beginAll(store.outbox, later, 'two'))
      const end = (one: typeof slow, result: 'sent' | 'failed') =>
        store.outbox.endAttempts({ nowMs: later + 5, ends: [findEnd(one!, result)] })
      expect(await end(slow, 'failed')).toMatchObject([{ state: 'trying' }])
      expect(await end(again, 'sent')).toMatchObject([{ state: 'sent' }])
      expect(await end(again, 'failed')).toMatchObject([{ state: 'sent' }])
      const [record] = await store.outbox.listDeliveries({ accountId: id, limit: 9 })
      expect(record!.attempts.map(one => one.result)).toEqual(['failed', 'sent'])
      expect(record!.endedAtMs).toBe(later + 5)
    })

    test('a try that ends late, when nobody has begun another, counts', async () => {
      const [id] = (await receivers('one')) as [string]
      await queue(id, 2)
      const [first, second] = went(await beginAll(store.outbox, NOW, 'slow'))
      const later = NOW + LEASE_MS
      const claimed = await store.outbox.claim(claimAll({ nowMs: later, holder: 'two' }))
      const ends = [findEnd(first!, 'sent'), findEnd(second!, 'retry', later + 1_000)]
      expect(await store.outbox.endAttempts({ nowMs: later, ends })).toMatchObject([
        { state: 'sent' },
        { state: 'waiting' },
      ])
      const begun = await store.outbox.beginAttempts({
        nowMs: later,
        holder: 'two',
        leaseMs: LEASE_MS,
        hasPutSupport: false,
        deliveryIds: claimed.map(one => one.deliveryId),
      })
      expect(dispositions(begun)).toEqual(['lost', 'lost'])
    })

    test('a delivery whose attempts are interrupted three times is given up', async () => {
      const [id] = (await receivers('one')) as [string]
      await queue(id, 1)
      for (let index = 0; index < INTERRUPTED_MAX; index++) {
        expect(dispositions(await beginAll(store.outbox, NOW + index * LEASE_MS))).toEqual(['go'])
      }
      expect(dispositions(await beginAll(store.outbox, NOW + 30_000))).toEqual(['interrupted'])
    })

    test('of many that claim at once, nobody holds what another one has', async () => {
      const ids = await receivers(...Array.from({ length: 20 }, (_, index) => `${index}`))
      const events = Array.from({ length: 600 }, (_, index) =>
        found(++number, ids[index % ids.length]!),
      )
      await store.outbox.takeMinute(findMinute(events))
      const other = await openAccountStore(location)
      const held: number[] = []
      const takeAll = async ({ outbox }: ServerStore, holder: string, limit: number) => {
        for (let emptyCount = 0; emptyCount < 3; ) {
          const claimed = await outbox.claim(claimAll({ holder, limit }))
          held.push(...claimed.map(one => one.deliveryId))
          emptyCount = claimed.length === 0 ? emptyCount + 1 : 0
        }
      }
      await Promise.all([
        takeAll(store, 'one', 7),
        takeAll(other, 'two', 11),
        takeAll(store, 'three', 3),
        takeAll(other, 'four', 40),
      ])
      await other.close()
      expect(held).toHaveLength(600)
      expect(new Set(held).size).toBe(600)
    })
  })
})
