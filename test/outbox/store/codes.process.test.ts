// One contract for both engines: how many codes are made, for whom, and that an endpoint which
// is disabled is reported once.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CODE_EVERY_MS } from '../../../src/outbox/store/contacts.ts'
import { MAILED_ACCOUNTS_MAX } from '../../../src/outbox/store/mailedCodes.ts'
import {
  ACCOUNT_HOUR_MAX,
  ADDRESS_DAY_MAX,
  ADDRESS_HOUR_MAX,
} from '../../../src/outbox/store/sends.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../../support/engines.ts'
import {
  beginAll,
  dispositions,
  eventId,
  findEnd,
  NOW,
  newContact,
  newReceiver,
  single,
  went,
} from '../../support/outbox.ts'

const HOUR_MS = 3_600_000

describe.each(ENGINES)('codes in %s', (_, isHere, start) => {
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

    const newAccount = async (name = 'desk') =>
      (await store.addAccount({ name, plan: 'orders', createdAtMs: 1 })).id
    const add = async (accountId: string, address: string, atMs: number) => {
      const contact = { accountId, channel: 'email', address, isForAlerts: true, atMs } as const
      const added = await store.outbox.addContact(contact)
      return typeof added === 'string' ? added : 'sent'
    }
    const remove = async (accountId: string) => {
      for (const { id } of await store.outbox.listContacts(accountId)) {
        await store.outbox.removeContact(accountId, id)
      }
    }

    test('an address is sent three codes an hour and eight a day, whoever requests them', async () => {
      const sent: string[] = []
      for (let minute = 0; minute < 26 * 60; minute += 10) {
        // nor does it help to remove the contact, to be another account, or to write in capitals
        const id = await newAccount()
        const address = minute % 20 === 0 ? 'victim@example.com' : 'VICTIM@example.com'
        const result = await add(id, address, NOW + minute * 60_000)
        if (result === 'sent') sent.push(`${Math.floor(minute / 60)}`)
        else expect(result).toBe('often')
      }
      const ofHour = Object.entries(Object.groupBy(sent, hour => hour)).map(([hour, all]) => {
        return [hour, all!.length]
      })
      expect([ADDRESS_HOUR_MAX, ADDRESS_DAY_MAX]).toEqual([3, 8])
      expect(ofHour).toEqual([
        ['0', 3],
        ['1', 3],
        ['2', 2],
        ['24', 3],
        ['25', 3],
      ])
    })

    test('an account has 20 codes an hour sent, also when it removes its contacts', async () => {
      const id = await newAccount()
      const results: string[] = []
      for (let index = 0; index < ACCOUNT_HOUR_MAX + 2; index++) {
        results.push(await add(id, `${index}@example.com`, NOW))
        await remove(id)
      }
      expect(ACCOUNT_HOUR_MAX).toBe(20)
      expect(results).toEqual([...Array(20).fill('sent'), 'often', 'often'])
      expect(await add(await newAccount(), '0@example.com', NOW)).toBe('sent')
      expect(await add(id, 'later@example.com', NOW + HOUR_MS)).toBe('sent')
    })

    test('of many concurrent requests over two openings, three codes are made', async () => {
      const other = await openAccountStore(location)
      const ids = await Promise.all(Array.from({ length: 8 }, () => newAccount()))
      const results = await Promise.all(
        ids.map(async (accountId, index) => {
          const { outbox } = index % 2 === 0 ? store : other
          const contact = { accountId, channel: 'email', address: 'victim@example.com' } as const
          const added = await outbox.addContact({ ...contact, isForAlerts: true, atMs: NOW })
          return typeof added === 'string' ? added : 'sent'
        }),
      )
      await other.close()
      expect(results.sort()).toEqual([...Array(5).fill('often'), ...Array(3).fill('sent')])
    })

    test('a proven address gets a code to sign in with, as it was once written', async () => {
      const [named, bare] = [await newAccount('desk'), await newAccount('bare')]
      await newContact(store, named, { address: 'Me@example.com' })
      await add(bare, 'me@example.com', NOW)
      const at = NOW + CODE_EVERY_MS
      const mailed = await store.outbox.addMailedCodes({ address: 'me@EXAMPLE.com', atMs: at })
      expect(mailed).toMatchObject([
        { accountId: named, accountName: 'desk', address: 'Me@example.com' },
      ])
      const { code } = mailed[0]!
      const used = await store.signIn({ code, browser: 'Firefox', atMs: at + 1 })
      expect(used?.signIn.accountId).toBe(named)
      expect(await store.signIn({ code, browser: 'Firefox', atMs: at + 1 })).toBeNull()
    })

    test('an address gets three codes an hour to sign in with, a strange one none', async () => {
      const id = await newAccount()
      const contactId = await newContact(store, id, { address: 'me@example.com' })
      await newContact(store, id, { channel: 'telegram', address: '4711' })
      const mail = async (address: string, atMs = NOW) =>
        (await store.outbox.addMailedCodes({ address, atMs })).length
      expect(await mail('stranger@example.com')).toBe(0)
      expect(await mail('4711')).toBe(0)
      expect([await mail('me@example.com'), await mail('me@example.com')]).toEqual([1, 1])
      expect([await mail('ME@example.com'), await mail('me@example.com')]).toEqual([1, 0])
      expect(await mail('me@example.com', NOW + HOUR_MS)).toBe(1)
      await store.outbox.unproveContact(contactId, 'gone')
      expect(await mail('me@example.com', NOW + 3 * HOUR_MS)).toBe(0)
    })

    test(`an address of many accounts gets codes of ${MAILED_ACCOUNTS_MAX} at most`, async () => {
      const ids: string[] = []
      for (let index = 0; index < MAILED_ACCOUNTS_MAX + 1; index++) {
        const id = await newAccount()
        const atMs = NOW + index * HOUR_MS
        const contact = { accountId: id, channel: 'email', address: 'me@example.com' } as const
        const added = await store.outbox.addContact({ ...contact, isForAlerts: true, atMs })
        if (typeof added === 'string') throw new Error(added)
        const { contact: made, code } = added
        await store.outbox.proveContact({ accountId: id, contactId: made.id, code, atMs })
        ids.push(id)
      }
      const atMs = NOW + 9 * HOUR_MS
      const mailed = await store.outbox.addMailedCodes({ address: 'me@example.com', atMs })
      expect(mailed.map(one => one.accountId)).toEqual(ids.slice(0, MAILED_ACCOUNTS_MAX))
      expect(new Set(mailed.map(one => one.code)).size).toBe(MAILED_ACCOUNTS_MAX)
    })

    /** Ten events of a new receiver that fail, and what then is to be sent. */
    const switchOff = async (id: string) => {
      for (let index = 0; index < 10; index++) await store.outbox.queueEvent(single(index, id))
      const ends = went(await beginAll(store.outbox)).map(one => findEnd(one, 'failed'))
      return await store.outbox.endAttempts({ nowMs: NOW, ends })
    }

    test('a disabled endpoint is reported once, to every proven contact and nobody else', async () => {
      const id = await newReceiver(store)
      const loud = await newContact(store, id)
      const quiet = await newContact(store, id, { address: 'q@example.com', isForAlerts: false })
      const chat = await newContact(store, id, { channel: 'telegram', address: '4711' })
      await add(id, 'unproven@example.com', NOW)
      await newContact(store, await newAccount('other'), { address: 'other@example.com' })
      expect((await switchOff(id)).filter(one => one.isSwitchedOff)).toHaveLength(1)
      const begun = went(await beginAll(store.outbox))
      const to = begun.map(one => one.channel !== 'webhook' && one.contactId)
      expect(to.sort()).toEqual([loud, quiet, chat].sort())
      expect(new Set(begun.map(one => one.eventId)).size).toBe(1)
      const body = JSON.parse(begun[0]!.body.toString())
      expect(body).toMatchObject({ type: 'webhook_off', day: '2026-11-25', minute: '10:38' })
      expect(body.text).toBe(
        'The webhook of your alerts to hook.example.com went off on 2026-11-25 at 10:38 ET: 10 ' +
          'events in a row failed, the last with status 400. Nothing more is sent there. Save ' +
          'its address again to switch it on.',
      )
      // it is no alert, and what the API lists has none of it
      const query = { accountId: id, afterSeq: 0, limit: 100, hasPutSupport: false }
      const listed = await store.outbox.listEvents(query)
      expect(listed.map(one => one.type)).toEqual(Array(10).fill('flip_cross'))
      await store.outbox.endAttempts({ nowMs: NOW, ends: begun.map(one => findEnd(one, 'sent')) })
      expect(dispositions(await beginAll(store.outbox))).toEqual([])
    })

    test('an endpoint that is saved again and disabled again is reported again', async () => {
      const id = await newReceiver(store)
      await newContact(store, id)
      await switchOff(id)
      const first = went(await beginAll(store.outbox))
      await store.outbox.endAttempts({ nowMs: NOW, ends: first.map(one => findEnd(one, 'sent')) })
      const later = NOW + HOUR_MS
      const endpoint = { accountId: id, owner: 'alerts', url: 'https://new.example/' } as const
      await store.outbox.saveEndpoint({ ...endpoint, atMs: later })
      for (let index = 0; index < 10; index++) {
        const event = { id: eventId(100 + index), minuteEndMs: later, atMs: later }
        await store.outbox.queueEvent(single(100 + index, id, event))
      }
      const ends = went(await beginAll(store.outbox, later)).map(one => findEnd(one, 'failed'))
      await store.outbox.endAttempts({ nowMs: later, ends })
      const second = went(await beginAll(store.outbox, later))
      expect(second).toHaveLength(1)
      expect(second[0]!.eventId).not.toBe(first[0]!.eventId)
    })

    test('without a contact nothing is queued, and the endpoint is disabled all the same', async () => {
      const id = await newReceiver(store)
      await switchOff(id)
      expect(dispositions(await beginAll(store.outbox))).toEqual([])
      expect(await store.outbox.findEndpoint(id, 'alerts')).toMatchObject({ state: 'off' })
      const deliveries = await store.outbox.listDeliveries({ accountId: id, limit: 100 })
      expect(deliveries.map(one => one.channel)).toEqual(Array(10).fill('webhook'))
    })
  })
})
