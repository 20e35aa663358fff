// One contract for both engines: codes and browsers that open the account page.

import { readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hashSignInCode, makeSignInCode } from '../../src/accounts/signInCode.ts'
import { CODE_MS, SIGN_IN_IDLE_MS, SIGN_INS_MAX } from '../../src/accounts/signIns.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../support/engines.ts'

const NOW = Date.parse('2026-11-24T18:30:00Z')
const BROWSER = 'Firefox on Windows'

describe.each(ENGINES)('sign-ins in %s', (name, isHere, start) => {
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

    const newAccount = async () =>
      (await store.addAccount({ name: 'desk', plan: 'orders', createdAtMs: 1 })).id
    const newCode = async (accountId: string, atMs = NOW) =>
      (await store.addSignInCode(accountId, atMs))!.code
    const enter = (code: string, atMs = NOW) => store.signIn({ code, browser: BROWSER, atMs })
    const newSignIn = async (accountId: string, atMs = NOW) =>
      (await enter(await newCode(accountId, atMs), atMs))!

    test('a code signs one browser in, and no second one', async () => {
      const id = await newAccount()
      const { code, endsAtMs } = (await store.addSignInCode(id, NOW))!
      expect(endsAtMs).toBe(NOW + 15 * 60_000)
      const { secret, signIn } = (await enter(code))!
      expect(signIn).toEqual({
        id: expect.stringMatching(/^si_[0-9A-Za-z]{12}$/),
        accountId: id,
        browser: BROWSER,
        createdAtMs: NOW,
        lastSeenAtMs: NOW,
      })
      expect(await store.findSignIn(secret, NOW)).toEqual(signIn)
      expect(await enter(code)).toBeNull()
      expect(await store.listSignIns(id, NOW)).toEqual([signIn])
    })

    test('of 20 that use a code at once, over two openings, one gets in', async () => {
      const id = await newAccount()
      const code = await newCode(id)
      const other = await openAccountStore(location)
      const entering = Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? store : other).signIn({ code, browser: BROWSER, atMs: NOW }),
      )
      const entered = (await Promise.all(entering)).filter(one => one !== null)
      await other.close()
      expect(entered).toHaveLength(1)
      expect(await store.listSignIns(id, NOW)).toHaveLength(1)
    })

    test('a code is good for 15 minutes less a millisecond', async () => {
      const id = await newAccount()
      const [first, second] = [await newCode(id), await newCode(id)]
      expect(await enter(first, NOW + CODE_MS)).toBeNull()
      expect(await enter(second, NOW + CODE_MS - 1)).not.toBeNull()
    })

    test('a code is read as people type it, and any other text is none', async () => {
      const id = await newAccount()
      const typed = [
        (code: string) => code.toLowerCase(),
        (code: string) => code.replaceAll('-', ' '),
        (code: string) => ` ${code.replaceAll('0', 'O').replaceAll('1', 'l')} `,
      ]
      for (const change of typed) expect(await enter(change(await newCode(id)))).not.toBeNull()
      const code = await newCode(id)
      for (const wrong of ['', code.slice(1), `${code}0`, "' or 1=1 --", code.replace(/.$/, '!')]) {
        expect(await enter(wrong)).toBeNull()
      }
      expect(await enter(code)).not.toBeNull()
    })

    test('there is no code of an account that is not there', async () => {
      expect(await store.addSignInCode('acc_nobody', NOW)).toBeNull()
    })

    test('a browser that is used within 14 days stays signed in, and not after', async () => {
      const id = await newAccount()
      const { secret, signIn } = await newSignIn(id)
      const last = NOW + SIGN_IN_IDLE_MS
      expect(SIGN_IN_IDLE_MS).toBe(14 * 86_400_000)
      expect(await store.findSignIn(secret, last)).toBeNull()
      expect(await store.listSignIns(id, last)).toEqual([])
      await store.markSignInSeen(signIn.id, last - 1)
      expect(await store.findSignIn(secret, last)).toMatchObject({ lastSeenAtMs: last - 1 })
      // a clock that is behind takes nothing back
      await store.markSignInSeen(signIn.id, NOW)
      expect(await store.findSignIn(secret, last)).toMatchObject({ lastSeenAtMs: last - 1 })
    })

    test('a browser is signed out by its own account alone, one or all', async () => {
      const [own, other] = [await newAccount(), await newAccount()]
      const [first, second] = [await newSignIn(own), await newSignIn(own)]
      const foreign = await newSignIn(other)
      expect(await store.endSignIns(own, foreign.signIn.id)).toBe(0)
      expect(await store.endSignIns(own, first.signIn.id)).toBe(1)
      expect(await store.findSignIn(first.secret, NOW)).toBeNull()
      expect(await store.findSignIn(second.secret, NOW)).not.toBeNull()
      expect(await store.endSignIns(own)).toBe(1)
      expect(await store.findSignIn(second.secret, NOW)).toBeNull()
      expect(await store.findSignIn(foreign.secret, NOW)).not.toBeNull()
    })

    test(`one browser over ${SIGN_INS_MAX} ends the one unused for longest`, async () => {
      const id = await newAccount()
      const made = []
      for (let index = 0; index <= SIGN_INS_MAX; index++) {
        made.push(await newSignIn(id, NOW + index))
      }
      const listed = await store.listSignIns(id, NOW + 100)
      expect(listed.map(one => one.id)).toEqual(
        made
          .slice(1)
          .map(({ signIn }) => signIn.id)
          .toReversed(),
      )
    })

    test('neither codes nor the secrets of browsers are in the database', async () => {
      const id = await newAccount()
      const { secret } = await newSignIn(id)
      const code = await newCode(id)
      const plain = code.replaceAll('-', '')
      await store.close()
      const dump =
        name === 'SQLite'
          ? ['', '-wal'].map(end => readBytes(location + end)).join('')
          : await readRows(location)
      expect(dump).toContain(hashSignInCode(code))
      for (const text of [secret, code, plain, plain.slice(0, 13)]) expect(dump).not.toContain(text)
      store = await openAccountStore(location)
    })

    test('a key of another account is not revoked, and calls are reported by product', async () => {
      const [own, other] = [await newAccount(), await newAccount()]
      const made = { scope: 'orders', name: 'laptop', createdAtMs: 1 } as const
      const { record } = (await store.addKey({ accountId: own, ...made }))!
      expect(await store.revokeKey(record.id, NOW, other)).toBe(false)
      expect(await store.revokeKey(record.id, NOW, own)).toBe(true)
      const day = { product: 'orders', dayEt: '2026-11-24' } as const
      await store.countCalls([{ accountId: own, ...day, calls: 7 }])
      await store.countCalls([{ accountId: own, ...day, dayEt: '2026-11-23', calls: 9 }])
      expect(await store.callsOn(own, '2026-11-24')).toEqual([{ product: 'orders', calls: 7 }])
      expect(await store.callsOn(other, '2026-11-24')).toEqual([])
    })
  })
})

test('codes have 26 characters of 32 kinds, 130 bits, and none comes twice in 10,000', () => {
  const codes = Array.from({ length: 10_000 }, makeSignInCode)
  for (const code of codes)
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{6}$/)
  expect(new Set(codes).size).toBe(codes.length)
  const counts = new Map<string, number>()
  for (const letter of codes.join('').replaceAll('-', '')) {
    counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  // 260,000 letters, 8,125 of each kind: six standard deviations are 532
  expect(counts.size).toBe(32)
  for (const count of counts.values()) expect(Math.abs(count - 8125)).toBeLessThan(532)
})

function readBytes(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** All rows of both tables of a PostgreSQL, as text. */
async function readRows(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const texts = []
  for (const table of ['sign_in_codes', 'sign_ins']) {
    texts.push(JSON.stringify((await client.query(`select * from ${table}`)).rows))
  }
  await client.end()
  return texts.join()
}
