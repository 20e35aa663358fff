// Calls, counts and positions while another process holds the account database.

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLockWait } from '../../src/platform/database/lockWait.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { BOTH_ENGINES, type Engine } from '../support/engines.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../support/published.ts'

const SESSIONS = '/orders/api/sessions'
const busy = (errcode = 5) => Object.assign(new Error('database is locked'), { errcode })

/** Holds the tables that calls write, until a message releases them. */
async function lock(
  location: string,
  tables = 'call_counts, positions',
): Promise<() => Promise<void>> {
  if (!location.startsWith('postgresql:')) {
    const database = new DatabaseSync(location)
    database.exec('begin immediate')
    return async () => database.close()
  }
  const client = new pg.Client({ connectionString: location })
  await client.connect()
  await client.query('begin')
  await client.query(`lock table ${tables} in share mode`)
  return () => client.end()
}

describe.each(BOTH_ENGINES)('an account database in %s that is locked', (name, isHere, start) => {
  const given = isHere ? describe : describe.skip

  given('by another process', () => {
    let engine: Engine
    let location: string
    let api: TestApi

    beforeAll(async () => {
      engine = await start()
      const isFile = name === 'SQLite'
      const databaseUrl = isFile ? null : await engine.newPlace()
      api = await startTestApi({ databaseUrl })
      location = databaseUrl ?? join(api.dataFolder, 'accounts.sqlite')
      await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS))
    })
    afterAll(async () => {
      await api.close()
      await engine.stop()
    })

    const left = async () => {
      const { status, headers } = await api.call(SESSIONS)
      expect(status).toBe(200)
      return Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1])
    }

    test('calls with a key are 503, those without are not, and nobody waits in a row', async () => {
      const before = await left()
      const free = await lock(location)
      let tickCount = 0
      const ticker = setInterval(() => {
        tickCount += 1
      }, 1)
      const startMs = performance.now()
      const first = await api.call(SESSIONS)
      const firstMs = performance.now() - startMs
      clearInterval(ticker)
      expect(first.json.error).toMatchObject({ code: 'unavailable', retry_after_s: 1 })
      expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1'])
      // the process served others all the while
      expect(tickCount).toBeGreaterThan(5)
      for (const page of ['/health', '/status', '/status.json', '/docs', '/openapi.json']) {
        expect([page, (await api.call(page, { key: null })).status]).toEqual([page, 200])
      }
      // those that come together wait together
      const manyMs = performance.now()
      const many = await Promise.all(Array.from({ length: 100 }, () => api.call(SESSIONS)))
      expect(many.filter(({ status }) => status !== 503)).toEqual([])
      expect(performance.now() - manyMs).toBeLessThan(20 * firstMs)
      await free()
      // those 101 calls are no calls
      expect(before - (await left())).toBe(1)
    })

    test('a write that is held up briefly is made, once', async () => {
      const store = await openAccountStore(location)
      const batch = {
        accountId: api.accountId,
        product: 'orders' as const,
        dayEt: '2026-10-01',
        calls: 1,
      }
      const free = await lock(location)
      let isCounted = false
      const counted = store.countCalls([batch]).finally(() => {
        isCounted = true
      })
      await new Promise(resolve => setTimeout(resolve, 100))
      expect(isCounted).toBe(false)
      await free()
      expect(await counted).toEqual([1])
      expect(await store.countCalls([{ ...batch, calls: 0 }])).toEqual([1])
      await store.close()
    })

    test('a change of positions that fails changes nothing, and may be sent again', async () => {
      const store = await openAccountStore(location, { lockWaitMs: 50 })
      const change = {
        accountId: api.accountId,
        atMs: api.clock.atMs,
        repeat: { key: 'once', requestHash: 'a' },
        decide: () => ({ put: { id: 'p_1', body: '{}' }, response: 'kept' }),
      }
      const free = await lock(location)
      await expect(store.changePositions(change)).rejects.toThrow()
      // who reads does not wait for who writes
      expect(await store.listPositions(api.accountId)).toEqual([])
      expect(await store.findPosition(api.accountId, 'p_1')).toBeNull()
      expect((await store.findHolder(api.key))?.accountId).toBe(api.accountId)
      await free()
      expect(await store.listPositions(api.accountId)).toEqual([])
      expect(await store.changePositions(change)).toEqual({ response: 'kept', isReplay: false })
      expect(await store.changePositions(change)).toEqual({ response: 'kept', isReplay: true })
      expect(await store.listPositions(api.accountId)).toHaveLength(1)
      await store.close()
    })

    test.runIf(name === 'SQLite')('health is amber until it is free again', async () => {
      const health = () => api.call('/health', { key: null })
      const free = await lock(location)
      expect((await health()).json).toMatchObject({ severity: 'green', warnings: [] })
      await api.call(SESSIONS)
      const held = 'another process holds the account store: calls with a key are answered 503'
      expect((await health()).json).toMatchObject({ severity: 'amber', warnings: [held] })
      await free()
      // nobody has to call with a key first
      expect((await health()).json).toMatchObject({ severity: 'green', warnings: [] })
    })

    test.runIf(name === 'PostgreSQL')('a use that cannot be marked is counted once', async () => {
      const before = await left()
      api.clock.atMs += 60_000
      const free = await lock(location, 'api_keys')
      expect(before - (await left())).toBe(1)
      await free()
      const marked = async () => (await api.accounts.listKeys(api.accountId))[0]!.lastUsedAtMs!
      expect(await marked()).toBeLessThan(api.clock.atMs)
      await left()
      expect(await marked()).toBe(api.clock.atMs)
    })
  })
})

test('a wait ends with the lock, or with its time; the next in a row does not wait', async () => {
  const wait = createLockWait(20)
  let attempts = 0
  const fail = () => {
    attempts += 1
    throw busy(261)
  }
  await expect(wait.run(fail)).rejects.toThrow('locked')
  const first = attempts
  expect(first).toBeGreaterThan(3)
  expect(wait.isLocked()).toBe(true)
  await expect(wait.run(fail)).rejects.toThrow('locked')
  expect(attempts).toBe(first + 1)
  expect(await wait.run(() => 'free')).toBe('free')
  expect(wait.isLocked()).toBe(false)
  // and now it waits again
  let left = 3
  const response = await wait.run(() => {
    if (left-- > 0) throw busy()
    return 'late'
  })
  expect(response).toBe('late')
})

test('a write that fails for another reason is not attempted again', async () => {
  const wait = createLockWait(1_000)
  let attempts = 0
  const fail = () => {
    attempts += 1
    throw busy(1)
  }
  await expect(wait.run(fail)).rejects.toThrow()
  expect([attempts, wait.isLocked()]).toEqual([1, false])
})
