// One contract for both engines: addresses of mail and chats, proven by a code.

import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashContactCode, makeContactCode } from '../../../src/accounts/signInCode.ts'
import { CODE_MS } from '../../../src/accounts/signIns.ts'
import {
  CODE_ATTEMPTS_MAX,
  CODE_EVERY_MS,
  CONTACTS_MAX,
} from '../../../src/outbox/store/contacts.ts'
import type { ContactCode } from '../../../src/outbox/store/types.ts'
import { openAccountStore, type ServerStore } from '../../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../../support/engines.ts'
import { NOW, newContact } from '../../support/outbox.ts'

const MAIL = { channel: 'email', address: 'desk@example.com', isForAlerts: true } as const

describe.each(ENGINES)('contacts in %s', (name, isHere, start) => {
  let engine: Engine
  let location: string
  let store: ServerStore
  let accountId: string
  const given = isHere ? describe : describe.skip

  given('keep their contract', () => {
    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())
    beforeEach(async () => {
      location = await engine.newPlace()
      store = await openAccountStore(location)
      accountId = (await store.addAccount({ name: 'desk', plan: 'orders', createdAtMs: 1 })).id
    })
    afterEach(() => store.close())

    const add = async (atMs = NOW, more: object = {}) =>
      (await store.outbox.addContact({ accountId, ...MAIL, ...more, atMs })) as ContactCode
    const prove = ({ contact, code }: ContactCode, atMs = NOW, more: object = {}) =>
      store.outbox.proveContact({ accountId, contactId: contact.id, code, atMs, ...more })
    const listed = () => store.outbox.listContacts(accountId)

    test('a code proves a contact once, within 15 minutes less a millisecond', async () => {
      const first = await add()
      expect(first.contact).toEqual({
        id: expect.stringMatching(/^con_[0-9A-Za-z]{12}$/),
        accountId,
        ...MAIL,
        isProven: false,
        reason: null,
      })
      expect(first.endsAtMs).toBe(NOW + 15 * 60_000)
      expect(await prove(first, NOW + CODE_MS)).toBe('over')
      expect(await prove(first, NOW + CODE_MS - 1)).toBe('proven')
      expect(await prove(first)).toBe('over')
      expect(await listed()).toEqual([{ ...first.contact, isProven: true }])
    })

    test('a code is typed wrongly five times at most, also at once', async () => {
      const one = await add()
      expect(CODE_ATTEMPTS_MAX).toBe(5)
      const wrong = { code: makeContactCode() }
      const typed = await Promise.all(Array.from({ length: 20 }, () => prove(one, NOW, wrong)))
      expect(typed.filter(result => result === 'wrong')).toHaveLength(5)
      expect(typed.filter(result => result === 'over')).toHaveLength(15)
      expect(await prove(one)).toBe('over')
      // a new code may be typed again, and the old one is none any more
      const next = await add(NOW + CODE_EVERY_MS)
      expect(await prove(one, NOW + CODE_EVERY_MS)).toBe('wrong')
      expect(await prove(next, NOW + CODE_EVERY_MS)).toBe('proven')
    })

    test('a code is read as people type it', async () => {
      const one = await add()
      for (const wrong of ['', one.code.slice(1), `${one.code}0`, one.code.replace(/.$/, '!')]) {
        expect(await prove(one, NOW, { code: wrong })).toBe('wrong')
      }
      const code = ` ${one.code.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')} `
      expect(await prove(one, NOW, { code })).toBe('proven')
    })

    test('the code of one contact proves no other, and no other account uses it', async () => {
      const [one, other] = [await add(), await add(NOW, { address: 'other@example.com' })]
      expect(await prove(one, NOW, { contactId: other.contact.id })).toBe('wrong')
      expect(await prove(one, NOW, { accountId: 'acc_other' })).toBe('over')
      expect(await store.outbox.removeContact('acc_other', one.contact.id)).toBe(false)
      expect(await store.outbox.setContactAlerts('acc_other', one.contact.id, false)).toBe(false)
      expect(await prove(one)).toBe('proven')
    })

    test('an address has one contact, and a code a minute', async () => {
      const one = await add()
      expect(await add(NOW + CODE_EVERY_MS - 1)).toBe('soon')
      const again = await add(NOW + CODE_EVERY_MS)
      expect(again.contact).toEqual(one.contact)
      expect(await listed()).toHaveLength(1)
      expect((await add(NOW, { channel: 'telegram' })).contact.id).not.toBe(one.contact.id)
    })

    test(`an account has ${CONTACTS_MAX} contacts at most, and none where it is none`, async () => {
      for (let index = 0; index < CONTACTS_MAX; index++) {
        await add(NOW, { address: `${index}@example.com` })
      }
      expect(await add()).toBe('full')
      const [first] = await listed()
      expect(await store.outbox.removeContact(accountId, first!.id)).toBe(true)
      expect((await add()).contact.address).toBe(MAIL.address)
      expect(await add(NOW, { accountId: 'acc_none' })).toBe('no_account')
    })

    test('a contact receives alerts as it likes, and unproven until a new code', async () => {
      const id = await newContact(store, accountId, { address: MAIL.address })
      expect(await store.outbox.setContactAlerts(accountId, id, false)).toBe(true)
      expect(await listed()).toMatchObject([{ isForAlerts: false, isProven: true }])
      expect(await store.outbox.unproveContact(id, 'the chat was closed')).toBe(true)
      expect(await store.outbox.unproveContact(id, 'again')).toBe(false)
      expect(await listed()).toMatchObject([{ isProven: false, reason: 'the chat was closed' }])
      const again = await add(NOW + CODE_EVERY_MS)
      expect(await prove(again, NOW + CODE_EVERY_MS)).toBe('proven')
      expect(await listed()).toMatchObject([{ isProven: true, reason: null }])
    })

    test('no code is in the database', async () => {
      if (name !== 'SQLite') return
      const { contact, code } = await add()
      await store.close()
      const dump = ['', '-wal'].map(end => readOr(location + end)).join('')
      expect(dump).toContain(hashContactCode(contact.id, code))
      for (const text of [code, code.replace('-', '')]) expect(dump).not.toContain(text)
      store = await openAccountStore(location)
    })
  })
})

test('codes have 10 characters of 32 kinds, and none comes twice in 10,000', () => {
  const codes = Array.from({ length: 10_000 }, makeContactCode)
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
  expect(new Set(codes).size).toBe(codes.length)
})

function readOr(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
