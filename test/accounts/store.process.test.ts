// One contract for both engines: the file of one machine, and PostgreSQL for many.

import { fork } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeApiKey } from '../../src/accounts/apiKey.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../support/engines.ts'

const COUNT_CALLS = join(import.meta.dirname, '../support/countCalls.ts')

describe.each(ENGINES)('the account store in %s', (_, isHere, start) => {
  let engine: Engine
  let location: string
  let store: ServerStore
  const given = isHere ? describe : describe.skip

  given('keeps its contract', () => {
    beforeAll(async () => {
      engine = await start()
    })
    afterAll(() => engine.stop())
    beforeEach(async () => {
      location = await engine.newPlace()
      store = await openAccountStore(location)
    })
    afterEach(() => store.close())

    const newKey = async () => {
      const account = await store.addAccount({ name: 'desk', plan: 'orders', createdAtMs: 1 })
      const made = { scope: 'orders', name: 'laptop', createdAtMs: 1_792_000_000_000 } as const
      return { account, ...(await store.addKey({ accountId: account.id, ...made }))! }
    }

    test('a list of keys shows the last four of each', async () => {
      const { apiKey, account } = await newKey()
      expect(await store.listKeys(account.id)).toEqual([
        {
          id: expect.stringMatching(/^key_[0-9A-Za-z]{12}$/),
          accountId: account.id,
          scope: 'orders',
          name: 'laptop',
          prefix: 'ordk',
          lastFour: apiKey.slice(-4),
          createdAtMs: 1_792_000_000_000,
          lastUsedAtMs: null,
          revokedAtMs: null,
          isForAddresses: false,
        },
      ])
      expect(await store.listAccounts()).toEqual([account])
    })

    test('the newest positions are those of all accounts that were changed last', async () => {
      const [one, other] = [await newKey(), await newKey()]
      const put = (accountId: string, id: string, atMs: number) =>
        store.changePositions({
          accountId,
          atMs,
          repeat: null,
          decide: () => ({ put: { id, body: `{"of":"${id}","at":${atMs}}` }, response: '' }),
        })
      await put(one.account.id, 'p_1', 1)
      await put(other.account.id, 'p_2', 2)
      await put(one.account.id, 'p_3', 3)
      await put(one.account.id, 'p_1', 4)
      const bodies = ['{"of":"p_1","at":4}', '{"of":"p_3","at":3}', '{"of":"p_2","at":2}']
      expect(await store.newestPositions(9)).toEqual(bodies)
      expect(await store.newestPositions(2)).toEqual(bodies.slice(0, 2))
    })

    test('a holder is found by the key alone, until it is revoked', async () => {
      const { apiKey, account, record } = await newKey()
      const { id: accountId, products } = account
      const shown = { scope: 'orders', name: 'laptop', isForAddresses: false }
      const holder = { keyId: record.id, accountId, ...shown }
      expect(await store.findHolder(apiKey)).toEqual({ ...holder, products })
      await store.removeProduct(accountId, 'orders')
      expect(await store.findHolder(apiKey)).toEqual({ ...holder, products: [] })
      expect(await store.findHolder(makeApiKey('orders'))).toBeNull()
      expect(await store.revokeKey(record.id, 3)).toBe(true)
      expect(await store.revokeKey(record.id, 4)).toBe(false)
      expect(await store.findHolder(apiKey)).toBeNull()
      expect((await store.listKeys())[0]?.revokedAtMs).toBe(3)
    })

    test('a key revoked over one connection is refused at the next call over another', async () => {
      const { apiKey, record } = await newKey()
      const other = await openAccountStore(location)
      expect(await other.findHolder(apiKey)).not.toBeNull()
      await store.revokeKey(record.id, 3)
      expect(await other.findHolder(apiKey)).toBeNull()
      await other.close()
    })

    test('a cached holder changes with a plan that another connection puts, and with no count', async () => {
      const { apiKey, account, record } = await newKey()
      const other = await openAccountStore(location)
      const plans = async () => (await other.findHolder(apiKey))!.products.map(({ plan }) => plan)
      const use = { keyId: record.id, calls: 1, minute: 1, hour: 1, addressHash: 'a' }
      expect(await plans()).toEqual(['orders'])
      await other.useKeys([use])
      expect(await plans()).toEqual(['orders'])
      await store.useKeys([use])
      await store.putProduct(account.id, { plan: 'orders_team', fromMs: 1, untilMs: null })
      expect(await plans()).toEqual(['orders_team'])
      await other.putProduct(account.id, { plan: 'orders', fromMs: 1, untilMs: null })
      expect(await plans()).toEqual(['orders'])
      await other.close()
    })

    test('a mistyped key is refused without querying the database', async () => {
      const { apiKey } = await newKey()
      await store.close()
      const typo = apiKey.slice(0, -1) + (apiKey.endsWith('a') ? 'b' : 'a')
      expect(await store.findHolder(typo)).toBeNull()
      await expect(store.findHolder(apiKey)).rejects.toThrow()
      await expect(store.check()).rejects.toThrow()
      store = await openAccountStore(location)
    })

    test('an unknown account gets no key and no product', async () => {
      const key = { accountId: 'acc_none', scope: 'orders', name: 'x', createdAtMs: 1 } as const
      expect(await store.addKey(key)).toBeNull()
      const product = { plan: 'orders', fromMs: 1, untilMs: null } as const
      expect(await store.putProduct('acc_none', product)).toBe(false)
      expect(await store.removeProduct('acc_none', 'orders')).toBe(false)
      expect(await store.findAccount('acc_none')).toBeNull()
      expect(await store.listKeys()).toEqual([])
    })

    test('an account holds one plan of each product, each with its own end', async () => {
      const { id } = await store.addAccount({ name: 'desk', plan: null, createdAtMs: 1 })
      const other = (await newKey()).account
      const held = async () => (await store.findAccount(id))?.products
      expect(await held()).toEqual([])
      const live = { product: 'live', plan: 'live', fromMs: 10, untilMs: 20 } as const
      const orders = { product: 'orders', plan: 'orders', fromMs: 11, untilMs: null } as const
      expect(await store.putProduct(id, orders)).toBe(true)
      expect(await store.putProduct(id, live)).toBe(true)
      expect(await held()).toEqual([live, orders])
      expect((await store.listAccounts()).find(one => one.id === id)?.products).toEqual([
        live,
        orders,
      ])
      // another plan, or a longer time, goes on from where it began
      await store.putProduct(id, { plan: 'orders_team', fromMs: 15, untilMs: 30 })
      await store.putProduct(id, { ...live, fromMs: 19, untilMs: null })
      expect(await held()).toEqual([
        { ...live, untilMs: null },
        { ...orders, plan: 'orders_team', untilMs: 30 },
      ])
      // a count that was over starts again
      await store.putProduct(id, { ...orders, fromMs: 30 })
      expect((await held())?.[1]).toEqual({ ...orders, fromMs: 30 })
      expect(await store.removeProduct(id, 'live')).toBe(true)
      expect(await store.removeProduct(id, 'live')).toBe(false)
      expect(await held()).toEqual([{ ...orders, fromMs: 30 }])
      expect((await store.findAccount(other.id))?.products).toEqual(other.products)
    })

    test('counts add up per account, product and day, returned in the order requested', async () => {
      const one = (await newKey()).account.id
      const two = (await newKey()).account.id
      const count = (accountId: string, dayEt: string, calls: number) => {
        return { accountId, product: 'orders', dayEt, calls } as const
      }
      expect(await store.countCalls([])).toEqual([])
      const first = [count(two, '2026-10-14', 3), count(one, '2026-10-14', 2)]
      expect(await store.countCalls(first)).toEqual([3, 2])
      expect(await store.countCalls(first.toReversed())).toEqual([4, 6])
      const second = [count(one, '2026-10-14', 5), count(one, '2026-10-15', 1)]
      expect(await store.countCalls(second)).toEqual([9, 1])
      const third = [count(one, '2026-10-15', 4), { ...second[1]!, product: 'live' } as const]
      expect(await store.countCalls(third)).toEqual([5, 1])
    })

    test('counts of the same accounts in any order over two connections all add up', async () => {
      const other = await openAccountStore(location)
      const ids = [(await newKey()).account.id, (await newKey()).account.id]
      const day = { product: 'orders', dayEt: '2026-10-14', calls: 1 } as const
      const batches = ids.map(accountId => ({ accountId, ...day }))
      const counted = Array.from({ length: 100 }, (_, index) => {
        const by = index % 2 === 0 ? store : other
        return by.countCalls(index % 3 === 0 ? batches : batches.toReversed())
      })
      await Promise.all(counted)
      expect(await store.countCalls(batches)).toEqual([101, 101])
      await other.close()
    })

    test('what was acknowledged is there when the database is opened again', async () => {
      const { apiKey, record } = await newKey()
      await store.markKeysUsed([record.id], 60_000)
      await store.close()
      store = await openAccountStore(location)
      expect(await store.findHolder(apiKey)).not.toBeNull()
      expect((await store.listKeys())[0]?.lastUsedAtMs).toBe(60_000)
    })

    test('four processes that open one new database at once all find their tables', async () => {
      const fresh = await engine.newPlace()
      const ended = Array.from({ length: 4 }, () => waitForExit(fork(COUNT_CALLS, [fresh, '0'])))
      expect(await Promise.all(ended)).toEqual([0, 0, 0, 0])
    })

    test('two processes counting on one database lose nothing', async () => {
      const { account } = await newKey()
      const ended = [1, 2].map(() => waitForExit(fork(COUNT_CALLS, [location, '400', account.id])))
      expect(await Promise.all(ended)).toEqual([0, 0])
      const day = { product: 'orders', dayEt: '2026-10-14', calls: 1 } as const
      const batch = { accountId: account.id, ...day }
      expect(await store.countCalls([batch])).toEqual([801])
    })

    test('a process killed while it counts takes no acknowledged call back', async () => {
      const { account } = await newKey()
      const child = fork(COUNT_CALLS, [location, '100000', account.id])
      let acknowledged = 0
      child.on('message', total => {
        acknowledged = Number(total)
        if (acknowledged === 200) child.kill('SIGKILL')
      })
      await waitForExit(child)
      const day = { product: 'orders', dayEt: '2026-10-14', calls: 0 } as const
      const batch = { accountId: account.id, ...day }
      const [total] = await store.countCalls([batch])
      expect(acknowledged).toBeGreaterThanOrEqual(200)
      expect(total).toBeGreaterThanOrEqual(acknowledged)
    })
  })
})

const waitForExit = (child: ReturnType<typeof fork>) =>
  new Promise(resolve => child.on('exit', code => resolve(code)))
