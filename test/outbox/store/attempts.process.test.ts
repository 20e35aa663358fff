// One contract for both engines: which deliveries are attempted, where, and with which bytes.

import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LATE_MS } from '../../../src/outbox/store/addDeliveries.ts'
import { FIRST_ATTEMPTS_WINDOW_MS } from '../../../src/outbox/store/attempts.ts'
import { EVENTS_PER_MINUTE_MAX } from '../../../src/platform/webhooks/delivery.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../../support/engines.ts'
import {
  beginAll,
  claimAll,
  dispositions,
  findEnd,
  LEASE_MS,
  MINUTE_END,
  NOW,
  newContact,
  newReceiver,
  single,
  went,
} from '../../support/outbox.ts'
import { runs } from '../../support/runs.ts'

const ENDPOINT = { owner: 'alerts', url: 'https://hook.example.com/in' } as const

describe.each(ENGINES)('attempts in %s', (name, isHere, start) => {
  let engine: Engine
  let store: ServerStore
  const given = isHere ? describe : describe.skip

  given('keep their contract', () => {
    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())
    beforeEach(async () => {
      store = await openAccountStore(await engine.newPlace())
    })
    afterEach(() => store.close())

    let number = 0
    const queue = (accountId: string, more: object = {}) =>
      store.outbox.queueEvent(single(++number, accountId, more))
    const begin = (nowMs = NOW) => beginAll(store.outbox, nowMs)
    const bodies = (some: Awaited<ReturnType<typeof begin>>) =>
      went(some).map(one => JSON.parse(String(one.body)))

    /** Fails the only waiting delivery until ten in a row have failed. */
    async function switchOff(accountId: string): Promise<void> {
      for (let index = 0; index < 10; index++) {
        await queue(accountId)
        const ends = went(await begin()).map(one => findEnd(one, 'failed'))
        await store.outbox.endAttempts({ nowMs: NOW, ends })
      }
    }

    test('a try reads address and secret as they are when it begins', async () => {
      const id = await newReceiver(store)
      await queue(id)
      const [first] = went(await begin())
      expect(first).toMatchObject({
        channel: 'webhook',
        url: ENDPOINT.url,
        sealedSecret: 'sealed of desk',
        attempt: 1,
        endedAttempts: 0,
        owner: 'alerts',
        type: 'flip_cross',
        accountId: id,
      })
      await store.outbox.endAttempts({ nowMs: NOW, ends: [findEnd(first!, 'retry', NOW + 1_000)] })
      const url = 'https://other.example.com/'
      await store.outbox.saveEndpoint({ ...ENDPOINT, accountId: id, url, atMs: NOW })
      await store.outbox.putSecret({ accountId: id, sealed: 'rotated', atMs: NOW })
      const [second] = went(await begin(NOW + 1_000))
      expect(second).toEqual({
        ...first,
        url,
        sealedSecret: 'rotated',
        attempt: 2,
        endedAttempts: 1,
      })
      expect(second!.body.equals(first!.body)).toBe(true)
    })

    test('100 rotations while a retry waits: each signs with the new secret alone', async () => {
      const id = await newReceiver(store)
      for (let index = 0; index < 100; index++) {
        const atMs = NOW + index * FIRST_ATTEMPTS_WINDOW_MS
        await queue(id, { minuteEndMs: null, atMs })
        const [first] = went(await begin(atMs))
        await store.outbox.endAttempts({
          nowMs: atMs,
          ends: [findEnd(first!, 'retry', atMs + 1_000)],
        })
        await store.outbox.putSecret({ accountId: id, sealed: `sealed ${index}`, atMs })
        const [second] = went(await begin(atMs + 1_000))
        expect(second).toMatchObject({ sealedSecret: `sealed ${index}`, eventId: first!.eventId })
        await store.outbox.endAttempts({ nowMs: atMs, ends: [findEnd(second!, 'sent')] })
      }
    })

    test('without an endpoint or a secret nothing is sent, and the log says why', async () => {
      const [removed, unsigned] = [await newReceiver(store), await newReceiver(store)]
      const bare = await store.addAccount({ name: 'bare', plan: 'orders', createdAtMs: 1 })
      await store.outbox.saveEndpoint({ ...ENDPOINT, accountId: bare.id, atMs: 1 })
      for (const id of [removed, bare.id]) await queue(id)
      expect(await store.outbox.removeEndpoint(removed, 'alerts')).toBe(true)
      expect(dispositions(await begin())).toEqual(['removed', 'no_secret'])
      const [record] = await store.outbox.listDeliveries({ accountId: removed, limit: 9 })
      expect(record).toMatchObject({ state: 'dropped', reason: 'removed', endedAtMs: NOW })
      expect(record!.attempts).toEqual([])
      // an event of an alert list without an endpoint is listed, and goes nowhere
      await queue(removed)
      expect(await store.outbox.listDeliveries({ accountId: removed, limit: 9 })).toHaveLength(1)
      // one of a position was meant for its endpoint
      await queue(unsigned, { owner: 'p_4fQ8' })
      expect(dispositions(await begin())).toEqual(['removed'])
    })

    test('a disabled endpoint gets tests alone', async () => {
      const id = await newReceiver(store)
      await switchOff(id)
      await queue(id)
      await queue(id, { type: 'test' })
      expect(dispositions(await begin())).toEqual(['off', 'go'])
      await store.outbox.saveEndpoint({ ...ENDPOINT, accountId: id, atMs: NOW })
      await queue(id)
      expect(dispositions(await begin())).toEqual(['go'])
    })

    test('a first try is late from the 301st second on, a second one never is', async () => {
      const id = await newReceiver(store)
      expect(LATE_MS).toBe(300_000)
      await queue(id)
      const [first] = went(await begin(MINUTE_END + LATE_MS))
      const later = MINUTE_END + LATE_MS + 1
      await store.outbox.endAttempts({ nowMs: later, ends: [findEnd(first!, 'retry', later)] })
      await queue(id)
      await queue(id, { minuteEndMs: null })
      expect(dispositions(await begin(later))).toEqual(['go', 'late', 'go'])
    })

    test('mail and messages go to proven contacts alone', async () => {
      const id = await newReceiver(store)
      const mail = await newContact(store, id)
      const quiet = await newContact(store, id, {
        address: 'quiet@example.com',
        isForAlerts: false,
      })
      const chat = await newContact(store, id, { channel: 'telegram', address: '4711' })
      const added = { accountId: id, channel: 'email', address: 'new@example.com' } as const
      await store.outbox.addContact({ ...added, isForAlerts: true, atMs: NOW })
      await queue(id, { channels: ['email', 'telegram'] })
      const begun = went(await begin())
      expect(begun.map(one => one.channel !== 'webhook' && [one.contactId, one.address])).toEqual([
        [mail, `${id}@example.com`],
        [chat, '4711'],
      ])
      // what a position says goes to every proven address
      await queue(id, { channels: ['email'], owner: 'p_4fQ8' })
      const contacts = went(await begin()).map(one => one.channel !== 'webhook' && one.contactId)
      expect(contacts.toSorted()).toEqual([mail, quiet].toSorted())
    })

    test('a contact that is removed, unproven or unwanted by then gets nothing', async () => {
      const id = await newReceiver(store)
      const contacts = []
      for (const address of ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com']) {
        contacts.push(await newContact(store, id, { address }))
      }
      await queue(id, { channels: ['email'] })
      await store.outbox.removeContact(id, contacts[0]!)
      await store.outbox.unproveContact(contacts[1]!, 'the address refuses mail')
      await store.outbox.setContactAlerts(id, contacts[2]!, false)
      expect(dispositions(await begin()).toSorted()).toEqual([
        'go',
        'no_contact',
        'no_contact',
        'removed',
      ])
      const none = await newReceiver(store, 'none')
      await queue(none, { channels: ['telegram'] })
      expect(await store.outbox.listDeliveries({ accountId: none, limit: 9 })).toEqual([])
      await queue(none, { channels: ['telegram'], owner: 'p_4fQ8' })
      expect(dispositions(await begin())).toEqual(['no_contact'])
    })

    test('put_support is decided at the first attempt, and again for a redelivery', async () => {
      const id = await newReceiver(store)
      const body = '{"type":"flip_cross","levels":{"flip":5998.76,"put_wall":5950}}'
      await queue(id, { body })
      await queue(id, { body })
      const beginWith = async (hasPutSupport: boolean, nowMs: number, limit = 9) => {
        const claimed = await store.outbox.claim(claimAll({ nowMs, limit }))
        const deliveryIds = claimed.map(one => one.deliveryId).sort((a, b) => a - b)
        const trying = { nowMs, holder: 'one', leaseMs: LEASE_MS, deliveryIds, hasPutSupport }
        return await store.outbox.beginAttempts(trying)
      }
      const before = await beginWith(true, NOW, 1)
      expect(bodies(before)[0].levels).toEqual({ flip: 5998.76, put_wall: 5950, put_support: 5950 })
      const [first] = went(before)
      await store.outbox.endAttempts({ nowMs: NOW, ends: [findEnd(first!, 'retry', NOW + 1_000)] })
      const after = await beginWith(false, NOW + 1_000)
      expect(went(after)[0]!.body.equals(first!.body)).toBe(true)
      expect(bodies(after)[1].levels).toEqual({ flip: 5998.76, put_wall: 5950 })
      const ends = went(after).map(one => findEnd(one, 'sent'))
      await store.outbox.endAttempts({ nowMs: NOW, ends })
      const { eventId } = first!
      expect(await store.outbox.redeliver({ accountId: id, eventId, atMs: NOW })).toBe(1)
      const again = await beginWith(false, NOW + 2_000)
      expect(bodies(again)).toEqual([{ ...bodies(before)[0], levels: bodies(after)[1].levels }])
    })

    test('the 31st first try of a minute is dropped, the 30th is not', async () => {
      const id = await newReceiver(store)
      for (let index = 0; index < 31; index++) await queue(id, { minuteEndMs: null })
      expect(EVENTS_PER_MINUTE_MAX).toBe(30)
      expect(dispositions(await begin())).toEqual([...new Array(30).fill('go'), 'rate'])
      await queue(id)
      expect(dispositions(await begin(NOW + FIRST_ATTEMPTS_WINDOW_MS - 1))).toContain('rate')
      await queue(id, { minuteEndMs: null })
      expect(dispositions(await begin(NOW + FIRST_ATTEMPTS_WINDOW_MS)).at(-1)).toBe('go')
    })

    test('an event that goes to the webhook and by mail is one of the 30', async () => {
      const id = await newReceiver(store)
      await newContact(store, id)
      const both = { channels: ['webhook', 'email'], minuteEndMs: null }
      for (let index = 0; index < 31; index++) await queue(id, both)
      const all = dispositions(await begin())
      expect(all.filter(one => one === 'go')).toHaveLength(60)
      expect(all.slice(60)).toEqual(['rate', 'rate'])
    })

    test('30 first attempts in any 60 s, levels first, as in a list of instants', async () => {
      const event = fc.record({
        priority: fc.constantFrom(0, 1, 2, 3),
        to: fc.constantFrom('alerts', 'position', 'email', 'test'),
      })
      const step = fc.record({
        waitMs: fc.oneof(fc.integer({ min: 0, max: 70_000 }), fc.constantFrom(59_999, 60_000)),
        events: fc.array(event, { maxLength: 26 }),
      })
      const targets = {
        alerts: {},
        position: { owner: 'p_4fQ8' },
        email: { channels: ['email'] },
        test: { type: 'test' },
      } as const
      const property = fc.asyncProperty(fc.array(step, { maxLength: 8 }), async steps => {
        const id = await newReceiver(store)
        await store.outbox.saveEndpoint({ ...ENDPOINT, accountId: id, owner: 'p_4fQ8', atMs: 1 })
        await newContact(store, id)
        const instants: number[] = []
        let nowMs = NOW
        for (const { waitMs, events } of steps) {
          nowMs += waitMs
          for (const { priority, to } of events) {
            await queue(id, { priority, minuteEndMs: null, atMs: nowMs, ...targets[to] })
          }
          const order = events.map((one, index) => ({ ...one, index }))
          order.sort((a, b) => a.priority - b.priority || a.index - b.index)
          const expected = new Array(events.length).fill('rate')
          for (const { index } of order) {
            if (instants.filter(at => at > nowMs - 60_000).length >= 30) continue
            instants.push(nowMs)
            expected[index] = 'go'
          }
          const begun = await begin(nowMs)
          expect(dispositions(begun)).toEqual(expected)
          const ends = went(begun).map(one => findEnd(one, 'sent'))
          await store.outbox.endAttempts({ nowMs, ends })
        }
      })
      await fc.assert(property, { numRuns: runs(name === 'SQLite' ? 40 : 8, 4) })
    })

    test('two that begin at once for one account let 30 through together', async () => {
      const id = await newReceiver(store)
      for (let index = 0; index < 60; index++) await queue(id)
      const claimed = await store.outbox.claim(claimAll())
      const ids = claimed.map(one => one.deliveryId)
      const trying = { nowMs: NOW, holder: 'one', leaseMs: LEASE_MS, hasPutSupport: false }
      const begun = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          store.outbox.beginAttempts({
            ...trying,
            deliveryIds: ids.slice(index * 5, index * 5 + 5),
          }),
        ),
      )
      const all = dispositions(begun.flat())
      expect(all.filter(one => one === 'go')).toHaveLength(30)
      expect(all.filter(one => one === 'rate')).toHaveLength(30)
    })
  })
})
