import { fork } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeApiKey } from '../../src/accounts/api-key.ts'
import { type AccountStore, openAccountStore } from '../../src/accounts/store.ts'

let folder: string
let file: string
let store: AccountStore

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-accounts-'))
  file = join(folder, 'accounts.sqlite')
  store = await openAccountStore(file)
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const newKey = async () => {
  const account = await store.addAccount({ name: 'desk', plan: 'orders', createdAtMs: 1 })
  const key = { accountId: account.id, scope: 'orders', name: 'laptop', createdAtMs: 2 } as const
  return { account, ...(await store.addKey(key))! }
}

test('a key is shown once: the files hold its hash, lists its last four', async () => {
  const { apiKey, account } = await newKey()
  const bytes = readdirSync(folder).map(name => readFileSync(join(folder, name), 'latin1'))
  expect(bytes.join('').includes(apiKey.slice(5))).toBe(false)
  expect(await store.listKeys(account.id)).toEqual([
    {
      id: expect.stringMatching(/^key_[0-9A-Za-z]{12}$/),
      accountId: account.id,
      scope: 'orders',
      name: 'laptop',
      prefix: 'ordk',
      lastFour: apiKey.slice(-4),
      createdAtMs: 2,
      lastUsedAtMs: null,
      revokedAtMs: null,
    },
  ])
})

test('a holder is found by the key alone, until it is revoked', async () => {
  const { apiKey, account, record } = await newKey()
  const holder = { keyId: record.id, accountId: account.id, scope: 'orders', plan: 'orders' }
  expect(await store.findHolder(apiKey)).toEqual(holder)
  expect(await store.setPlan(account.id, 'orders_team')).toBe(true)
  expect((await store.findHolder(apiKey))?.plan).toBe('orders_team')
  expect(await store.findHolder(makeApiKey('orders'))).toBeNull()
  expect(await store.revokeKey(record.id, 3)).toBe(true)
  expect(await store.revokeKey(record.id, 4)).toBe(false)
  expect(await store.findHolder(apiKey)).toBeNull()
})

test('a mistyped key is refused without asking the database', async () => {
  const { apiKey } = await newKey()
  await store.close()
  const typo = apiKey.slice(0, -1) + (apiKey.endsWith('a') ? 'b' : 'a')
  expect(await store.findHolder(typo)).toBeNull()
  await expect(store.findHolder(apiKey)).rejects.toThrow()
  store = await openAccountStore(file)
})

test('an unknown account gets no key and no plan', async () => {
  const key = { accountId: 'acc_none', scope: 'orders', name: 'x', createdAtMs: 1 } as const
  expect(await store.addKey(key)).toBeNull()
  expect(await store.setPlan('acc_none', 'none')).toBe(false)
  expect(await store.listKeys()).toEqual([])
})

test('counts add up per account and day, answered in the order asked', async () => {
  const one = (await newKey()).account.id
  const two = (await newKey()).account.id
  const count = (accountId: string, dayEt: string, calls: number) => ({ accountId, dayEt, calls })
  expect(await store.countCalls([])).toEqual([])
  expect(
    await store.countCalls([count(two, '2026-10-14', 3), count(one, '2026-10-14', 2)]),
  ).toEqual([3, 2])
  expect(
    await store.countCalls([count(one, '2026-10-14', 5), count(one, '2026-10-15', 1)]),
  ).toEqual([7, 1])
})

test('what was acknowledged is there when the file is opened again', async () => {
  const { apiKey, record } = await newKey()
  await store.markKeysUsed([record.id], 60_000)
  await store.close()
  store = await openAccountStore(file)
  expect(await store.findHolder(apiKey)).not.toBeNull()
  expect((await store.listKeys())[0]?.lastUsedAtMs).toBe(60_000)
})

test('a file that is no database is refused by name', async () => {
  const broken = join(folder, 'deep/broken.sqlite')
  await (await openAccountStore(broken)).close()
  writeFileSync(broken, 'not a database, not a database, not a database')
  await expect(openAccountStore(broken)).rejects.toThrow(
    `account database ${broken}: file is not a database`,
  )
})

test('four processes that open one new file at once all find their tables', async () => {
  const fresh = join(folder, 'fresh.sqlite')
  const script = join(import.meta.dirname, '../support/count-calls.ts')
  const ended = Array.from({ length: 4 }, () => exitOf(fork(script, [fresh, '0'])))
  expect(await Promise.all(ended)).toEqual([0, 0, 0, 0])
})

test('two processes counting on one file lose nothing', async () => {
  const script = join(import.meta.dirname, '../support/count-calls.ts')
  const { account } = await newKey()
  const ended = [1, 2].map(() => exitOf(fork(script, [file, '400', account.id])))
  expect(await Promise.all(ended)).toEqual([0, 0])
  const [total] = await store.countCalls([{ accountId: account.id, dayEt: '2026-10-14', calls: 1 }])
  expect(total).toBe(801)
})

test('a process killed while it counts takes no acknowledged call back', async () => {
  const script = join(import.meta.dirname, '../support/count-calls.ts')
  const { account } = await newKey()
  const child = fork(script, [file, '100000', account.id])
  let acknowledged = 0
  child.on('message', total => {
    acknowledged = Number(total)
    if (acknowledged === 200) child.kill('SIGKILL')
  })
  await exitOf(child)
  const [total] = await store.countCalls([{ accountId: account.id, dayEt: '2026-10-14', calls: 0 }])
  expect(acknowledged).toBeGreaterThanOrEqual(200)
  expect(total).toBeGreaterThanOrEqual(acknowledged)
})

const exitOf = (child: ReturnType<typeof fork>) =>
  new Promise(resolve => child.on('exit', code => resolve(code)))
