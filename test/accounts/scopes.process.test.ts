// Which key opens which path, and how long a plan opens it.

import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeApiKey, SCOPES, type Scope } from '../../src/accounts/apiKey.ts'
import {
  endAfter,
  listPlans,
  type Plan,
  PRODUCT_NAMES,
  type Product,
} from '../../src/accounts/products.ts'
import { accountFilePath } from '../../src/server/accountStore.ts'
import { EVENING_MS, startTestApi, type TestApi } from '../support/api.ts'
import { openApi } from '../support/openapi.ts'

/** The product behind each mount: a route that needs a key stands under one of them. */
const MOUNTS: Readonly<Record<string, Product>> = {
  '/orders/api': 'orders',
  '/orders/mcp': 'orders',
  '/mcp': 'lab',
  '/api/positions': 'orders',
  '/api/alerts': 'orders',
  '/snapshots': 'dataset',
  '/api/v1': 'live',
  '/api/lab': 'lab',
  '/geo/v1': 'geo',
  '/api/struct': 'lab',
}

/** Scopes whose keys open the routes of another product, where the account holds it. */
const GUESTS: Partial<Record<Product, Scope>> = { dataset: 'lab', live: 'dataset' }

/** True when a key of a scope opens a product's routes. */
const isOpened = (product: Product, scope: Scope) => scope === product || scope === GUESTS[product]

type Operation = { readonly security?: readonly object[] }
const keyedPaths = Object.entries(openApi.paths as Record<string, Record<string, Operation>>)
  .filter(([, methods]) => Object.values(methods).some(({ security = [] }) => security.length > 0))
  .map(([path]) => path)
/** Paths that the file does not name are behind the key of their mount, too. */
const unnamed = Object.keys(MOUNTS).map(mount => `${mount}/nothing`)
const open = ['/', '/docs', '/openapi.json', '/status']

const findMount = (path: string) =>
  Object.keys(MOUNTS).find(mount => path === mount || path.startsWith(`${mount}/`))

const SESSIONS = '/orders/api/sessions'

let api: TestApi
const keys = {} as Record<Scope, { key: string; accountId: string }>

/** A key of a new account that holds these products. */
async function newHolder(products: readonly Product[], scope: Scope) {
  const { key, accountId } = await api.newKey('none', scope)
  for (const product of products) {
    const plan = listPlans(product)[0]!.plan as Plan
    await api.accounts.putProduct(accountId, { plan, fromMs: 0, untilMs: null })
  }
  return { key, accountId }
}

beforeAll(async () => {
  api = await startTestApi()
  for (const scope of SCOPES) keys[scope] = await newHolder(PRODUCT_NAMES, scope)
})
afterAll(() => api.close())
beforeEach(() => {
  api.clock.atMs = EVENING_MS
})

const call = async (path: string, key: string | null) => {
  const response = await api.call(path, { headers: { 'x-request-id': 'same' }, key })
  const { status, headers, body } = response
  const shown = [...headers].filter(([name]) => name !== 'date').sort()
  return { status, whole: JSON.stringify([status, shown, body.toString()]) }
}

test('every route that needs a key stands under a mount of a product', () => {
  expect(keyedPaths.length).toBeGreaterThan(SCOPES.length)
  for (const path of keyedPaths) expect(findMount(path), path).toBeDefined()
})

// the conformance suite has the paths that the file names
test.each(unnamed)(
  '%s opens to the scopes of its product, and to an account that holds it',
  async path => {
    const product = MOUNTS[findMount(path)!]!
    for (const scope of SCOPES) {
      const response = await call(path, keys[scope].key)
      if (isOpened(product, scope)) expect([401, 403]).not.toContain(response.status)
      else expect([response.status, response]).toEqual([401, await call(path, makeApiKey(product))])
    }
    for (const held of PRODUCT_NAMES) {
      const { status } = await call(path, (await newHolder([held], product)).key)
      if (held === product) expect([401, 403]).not.toContain(status)
      // LAB has no plan to name: an account without it has no credits
      else expect(status).toBe(product === 'lab' ? 402 : 403)
    }
  },
)

test.each(open)('%s responds the same to a key of any scope, and without one', async path => {
  const alone = await call(path, null)
  expect([401, 403, 404]).not.toContain(alone.status)
  for (const { key } of Object.values(keys)) expect(await call(path, key)).toEqual(alone)
})

test('a key with the prefix of another scope opens nothing, whatever is stored', async () => {
  const { key, accountId } = await newHolder(PRODUCT_NAMES, 'lab')
  const database = new DatabaseSync(accountFilePath(api.dataFolder))
  database.prepare("update api_keys set scope = 'orders' where account_id = ?").run(accountId)
  database.close()
  expect((await api.accounts.findHolder(key))?.scope).toBe('orders')
  const response = await call(SESSIONS, key)
  expect(response).toEqual(await call(SESSIONS, makeApiKey('lab')))
  expect(response.status).toBe(401)
})

test.each(['2026-10-31', '2026-11-01', '2027-03-14', '2026-12-31'])(
  'a plan until %s opens to the end of that ET day, then is 403 until it is renewed',
  async lastDay => {
    const { key, accountId } = await api.newKey()
    const untilMs = endAfter(lastDay)
    await api.accounts.putProduct(accountId, { plan: 'orders', fromMs: 0, untilMs })
    api.clock.atMs = untilMs - 1
    expect((await api.call(SESSIONS, { key })).status).toBe(200)
    api.clock.atMs = untilMs
    const { status, json } = await api.call(SESSIONS, { key })
    expect(status).toBe(403)
    const seen = `the orders plan of this account ended with ${lastDay} (ET)`
    expect(json.error).toEqual({
      code: 'plan',
      message: `${seen}; it needs the plan orders or orders_team.`,
    })
    const renewed = { plan: 'orders_team', fromMs: untilMs, untilMs: null } as const
    await api.accounts.putProduct(accountId, renewed)
    const { headers } = await api.call(SESSIONS, { key })
    expect(headers.get('ratelimit-policy')).toBe('"day";q=100000;w=86400')
  },
)

test('a plan that begins later opens nothing before', async () => {
  const { key, accountId } = await api.newKey('none')
  const fromMs = EVENING_MS + 1
  await api.accounts.putProduct(accountId, { plan: 'orders', fromMs, untilMs: null })
  expect((await api.call(SESSIONS, { key })).status).toBe(403)
  api.clock.atMs = fromMs
  expect((await api.call(SESSIONS, { key })).status).toBe(200)
})
