// One contract for both engines: what is listed, sent again, counted and forgotten.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../../support/engines.ts'
import {
  beginAll,
  dispositions,
  eventId,
  findEnd,
  findMinute,
  found,
  NOW,
  newContact,
  newReceiver,
  putLineStates,
  single,
  went,
} from '../../support/outbox.ts'

const DAY_MS = 86_400_000

describe.each(ENGINES)('the log of deliveries in %s', (_, isHere, start) => {
  let engine: Engine
  let store: ServerStore
  let id: string
  const given = isHere ? describe : describe.skip

  given('keeps its contract', () => {
    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())
    beforeEach(async () => {
      store = await openAccountStore(await engine.newPlace())
      id = await newReceiver(store)
    })
    afterEach(() => store.close())

    const queue = (number: number, more: object = {}, accountId = id) =>
      store.outbox.queueEvent(single(number, accountId, more))
    const events = (more: object = {}) =>
      store.outbox.listEvents({
        accountId: id,
        afterSeq: 0,
        limit: 100,
        hasPutSupport: false,
        ...more,
      })
    const deliveries = (more: object = {}) =>
      store.outbox.listDeliveries({ accountId: id, limit: 100, ...more })
    const finish = async (result: 'sent' | 'failed', nowMs = NOW) => {
      const ends = went(await beginAll(store.outbox, nowMs)).map(one => findEnd(one, result))
      await store.outbox.endAttempts({ nowMs, ends })
    }

    test('events are paged by their numbers, each once, by day and type', async () => {
      const other = await newReceiver(store, 'other')
      for (let number = 0; number < 20; number++) {
        await queue(number, {
          type: number % 4 === 0 ? 'order' : 'flip_cross',
          ...(number % 5 === 0 && { day: '2026-11-24' }),
        })
        await queue(100 + number, {}, other)
      }
      const pages = []
      for (let afterSeq = 0; ; ) {
        const page = await events({ afterSeq, limit: 3 })
        if (page.length === 0) break
        pages.push(page)
        afterSeq = page.at(-1)!.seq
      }
      const all = Array.from({ length: 20 }, (_, number) => number)
      expect(pages.flat().map(one => one.id)).toEqual(all.map(eventId))
      const listIds = async (more: object) => (await events(more)).map(one => one.id)
      const everyNth = (divisor: number) =>
        all.filter(number => number % divisor === 0).map(eventId)
      expect(await listIds({ type: 'order' })).toEqual(everyNth(4))
      expect(await listIds({ day: '2026-11-24' })).toEqual(everyNth(5))
      expect(await listIds({ day: '2026-11-24', type: 'order' })).toEqual([eventId(0)])
      const query = { accountId: id, hasPutSupport: false }
      const found = await store.outbox.findEvent({ ...query, eventId: eventId(7) })
      expect(found).toEqual((await events())[7])
      expect(await store.outbox.findEvent({ ...query, eventId: eventId(107) })).toBeNull()
    })

    test('an event without destinations is listed and not delivered', async () => {
      await queue(1, { channels: [] })
      expect(await events()).toMatchObject([{ id: eventId(1), type: 'flip_cross' }])
      expect(await deliveries()).toEqual([])
    })

    test('deliveries are listed newest first, of an event or of all', async () => {
      for (let number = 0; number < 5; number++) await queue(number)
      const all = await deliveries()
      expect(all.map(one => one.eventId)).toEqual([4, 3, 2, 1, 0].map(eventId))
      expect(await deliveries({ limit: 2, beforeId: all[1]!.id })).toEqual(all.slice(2, 4))
      expect(await deliveries({ eventId: eventId(3) })).toEqual([all[1]])
      expect(await deliveries({ accountId: 'acc_other' })).toEqual([])
    })

    test('an event is sent again under its id, one at a time, however late', async () => {
      await queue(1)
      await finish('failed')
      const redeliver = (atMs: number, accountId = id) =>
        store.outbox.redeliver({ accountId, eventId: eventId(1), atMs })
      const later = NOW + DAY_MS
      expect(await redeliver(later, 'acc_other')).toBeNull()
      expect(
        await Promise.all([redeliver(later), redeliver(later)]).then(all => all.sort()),
      ).toEqual([0, 1])
      const [again] = went(await beginAll(store.outbox, later))
      expect(again).toMatchObject({ eventId: eventId(1), attempt: 1, endedAttempts: 0 })
      expect(await redeliver(later)).toBe(0)
      await store.outbox.endAttempts({ nowMs: later, ends: [findEnd(again!, 'sent')] })
      expect((await deliveries()).map(one => one.state)).toEqual(['sent', 'failed'])
      expect(await events()).toHaveLength(1)
      // the destinations are those of now
      await newContact(store, id)
      await queue(2, { channels: ['webhook', 'email'] })
      await store.outbox.removeEndpoint(id, 'alerts')
      await finish('sent')
      const query = { accountId: id, eventId: eventId(2), atMs: later }
      expect(await store.outbox.redeliver(query)).toBe(1)
      expect(await deliveries({ eventId: eventId(2), limit: 1 })).toMatchObject([
        { channel: 'email', state: 'waiting' },
      ])
    })

    test('the state reports the queue, since when, and what ended in the last hour', async () => {
      const state = (nowMs: number) => store.outbox.outboxState({ nowMs })
      const none = { waiting: 0, trying: 0, oldestDueMs: null, sentLastHour: 0, failedLastHour: 0 }
      expect(await state(NOW)).toEqual({ ...none, watched: [] })
      await queue(1)
      await queue(2, { atMs: NOW + 5 })
      expect(await state(NOW + 10)).toMatchObject({ ...none, waiting: 2, oldestDueMs: NOW })
      expect(await state(NOW - 1)).toMatchObject({ ...none, waiting: 2 })
      await finish('sent')
      expect(await state(NOW + 10)).toMatchObject({ waiting: 1, sentLastHour: 1 })
      const [one] = went(await beginAll(store.outbox, NOW + 10))
      expect(await state(NOW + 10)).toMatchObject({ waiting: 0, trying: 1, oldestDueMs: null })
      await store.outbox.endAttempts({ nowMs: NOW + 10, ends: [findEnd(one!, 'failed')] })
      expect(await state(NOW + 10)).toMatchObject({ sentLastHour: 1, failedLastHour: 1 })
      expect(await state(NOW + 3_600_000)).toMatchObject({ sentLastHour: 0, failedLastHour: 1 })
      expect(await state(NOW + 3_600_010)).toMatchObject({ sentLastHour: 0, failedLastHour: 0 })
    })

    test('the state reports how far each run has come on its newest day', async () => {
      for (const day of ['2026-11-25', '2026-11-24']) {
        await store.outbox.takeMinute(findMinute([], { day }))
      }
      const { watched } = await store.outbox.outboxState({ nowMs: NOW })
      expect(watched).toEqual([{ run: 'live', day: '2026-11-25', minute: '09:31' }])
    })

    test('what is older is deleted with what belongs to it, and no more', async () => {
      const old = NOW - 31 * DAY_MS
      const many = Array.from({ length: 1_100 }, (_, number) => found(number, id))
      await store.outbox.takeMinute(findMinute(many, { atMs: old, run: 'replay_1' }))
      // the first 30 are sent, the others are dropped
      while ((await beginAll(store.outbox, old)).length > 0) {}
      await queue(5_000, { atMs: old, minuteEndMs: null })
      await queue(5_001, { atMs: NOW - 29 * DAY_MS })
      const beforeMs = NOW - 30 * DAY_MS
      const trying = 30
      expect(await store.outbox.deleteOlder(beforeMs)).toBe(1_100 - trying)
      expect(await events({ run: 'replay_1', limit: 2_000 })).toHaveLength(trying)
      await finish('sent', old + 10_000)
      await finish('sent', old + 70_000)
      expect(await store.outbox.deleteOlder(beforeMs)).toBe(trying + 1)
      expect(await events({ run: 'replay_1' })).toEqual([])
      expect((await events()).map(one => one.id)).toEqual([eventId(5_001)])
      expect(await deliveries()).toHaveLength(1)
      expect(await store.outbox.findRun('replay_1', '2026-11-25')).toBeNull()
      expect(await store.outbox.deleteOlder(beforeMs)).toBe(0)
      // numbers go on, so that who has read up to one misses nothing
      const [stored] = await events()
      await finish('sent')
      expect(await store.outbox.deleteOlder(NOW)).toBe(1)
      await queue(5_002)
      expect((await events())[0]!.seq).toBeGreaterThan(stored!.seq)
    })

    test('lines keep their states for good in the live run alone', async () => {
      const line = { lineId: 'l_1', accountId: id, isArmed: false, firedAtMs: 5 }
      await putLineStates(store.outbox, 'live', [line])
      await putLineStates(store.outbox, 'replay_1', [line])
      await store.outbox.deleteOlder(NOW)
      expect(await store.outbox.listLineStates('live')).toEqual([line])
      expect(await store.outbox.listLineStates('replay_1')).toEqual([])
    })

    test('what still waits hides nothing behind it, however much that is', async () => {
      const old = NOW - 31 * DAY_MS
      const many = (first: number, channels: [] | ['webhook']) =>
        Array.from({ length: 700 }, (_, index) => found(first + index, id, { channels }))
      await store.outbox.takeMinute(findMinute(many(0, ['webhook']), { atMs: old }))
      const next = { minute: '09:32', before: '09:31', atMs: old }
      await store.outbox.takeMinute(findMinute(many(700, []), next))
      await queue(5_000)
      expect(await store.outbox.deleteOlder(NOW - 30 * DAY_MS)).toBe(700)
      const left = (await events({ limit: 2_000 })).map(one => one.id)
      expect(left).toEqual(
        [...Array.from({ length: 700 }, (_, index) => index), 5_000].map(eventId),
      )
    })

    test('lines of 1,100 states of replays are deleted, and of the live run none', async () => {
      const states = Array.from({ length: 1_100 }, (_, index) => {
        return { lineId: `l_${index}`, accountId: id, isArmed: true, firedAtMs: null }
      })
      for (const run of ['live', 'replay_1', 'replay_2']) {
        await putLineStates(store.outbox, run, states)
      }
      await store.outbox.deleteOlder(NOW)
      const left = []
      for (const run of ['live', 'replay_1', 'replay_2']) {
        left.push((await store.outbox.listLineStates(run)).length)
      }
      expect(left).toEqual([1_100, 0, 0])
    })

    test('30 of what was queued go, and what is listed says so', async () => {
      for (let number = 0; number < 32; number++) await queue(number)
      expect(dispositions(await beginAll(store.outbox)).filter(one => one === 'go')).toHaveLength(
        30,
      )
      const dropped = (await deliveries()).filter(one => one.state === 'dropped')
      expect(dropped.map(one => [one.reason, one.firstAttemptAtMs])).toEqual([
        ['rate', null],
        ['rate', null],
      ])
    })
  })
})
