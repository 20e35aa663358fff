// Which key opens which route: five scopes by every route, and five products by every route.

import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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
const operations = Object.entries(openApi.paths as Record<string, Record<string, Operation>>)
const routes = operations.flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { security = [] }]) => {
    return { method: method.toUpperCase(), path, isKeyed: security.length > 0 }
  }),
)
/** Paths that the file does not name are behind the key of their mount, too. */
const unnamed = Object.keys(MOUNTS).map(mount => {
  return { method: 'GET', path: `${mount}/nothing`, isKeyed: true }
})
const keyed = [...routes, ...unnamed].filter(({ isKeyed }) => isKeyed)
const open = [
  ...routes.filter(({ isKeyed }) => !isKeyed).map(({ path }) => path),
  '/',
  '/docs',
  '/openapi.json',
  '/status',
]

const findMount = (path: string) =>
  Object.keys(MOUNTS).find(mount => path === mount || path.startsWith(`${mount}/`))

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

const call = async (route: { method: string; path: string }, key: string | null) => {
  const headers = { 'x-request-id': 'same' }
  const body = route.method === 'POST' ? '{}' : undefined
  const {
    status,
    headers: responded,
    body: bytes,
  } = await api.call(route.path, {
    method: route.method,
    headers,
    key,
    ...(body === undefined ? {} : { body }),
  })
  const shown = [...responded].filter(([name]) => name !== 'date').sort()
  return { status, whole: JSON.stringify([status, shown, bytes.toString()]) }
}

test('every route that needs a key stands under a mount of a product', () => {
  expect(keyed.length).toBeGreaterThan(SCOPES.length)
  for (const { path } of keyed) expect(findMount(path), path).toBeDefined()
})

describe.each(keyed)('$method $path', route => {
  const product = MOUNTS[findMount(route.path)!]!

  test.each(SCOPES)('with a key of scope %s', async scope => {
    const { accountId } = keys[scope]
    const counts = PRODUCT_NAMES.map(name => {
      return { accountId, product: name, dayEt: '2026-10-14', calls: 0 }
    })
    const before = await api.accounts.countCalls(counts)
    const response = await call(route, keys[scope].key)
    if (isOpened(product, scope)) {
      expect([401, 403]).not.toContain(response.status)
      return
    }
    // no byte reveals that the key is a real one
    const unknown = await call(route, makeApiKey(product))
    expect(response).toEqual(unknown)
    expect(response.status).toBe(401)
    expect(await api.accounts.countCalls(counts)).toEqual(before)
  })

  test.each(PRODUCT_NAMES)('of an account that holds %s alone', async held => {
    const { key } = await newHolder([held], product)
    const { status } = await call(route, key)
    if (held === product) expect([401, 403]).not.toContain(status)
    // LAB has no plan to name: an account without it has no credits
    else expect(status).toBe(product === 'lab' ? 402 : 403)
  })
})

test.each(open)('%s responds the same to a key of any scope, and without one', async path => {
  const alone = await call({ method: 'GET', path }, null)
  // no sample is made here
  const refusals = path.startsWith('/snapshots/sample/') ? [401, 403] : [401, 403, 404]
  expect(refusals).not.toContain(alone.status)
  for (const { key } of Object.values(keys)) {
    expect(await call({ method: 'GET', path }, key)).toEqual(alone)
  }
})

test('a key with the prefix of another scope opens nothing, whatever is stored', async () => {
  const { key, accountId } = await newHolder(PRODUCT_NAMES, 'lab')
  const database = new DatabaseSync(accountFilePath(api.dataFolder))
  database.prepare("update api_keys set scope = 'orders' where account_id = ?").run(accountId)
  database.close()
  expect((await api.accounts.findHolder(key))?.scope).toBe('orders')
  const response = await call(keyed[0]!, key)
  expect(response).toEqual(await call(keyed[0]!, makeApiKey('lab')))
  expect(response.status).toBe(401)
})

const SESSIONS = '/orders/api/sessions'

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
