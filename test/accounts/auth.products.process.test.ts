// The key check of every product, on a route that no area mounts yet.

import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeApiKey, SCOPES, type Scope } from '../../src/accounts/apiKey.ts'
import { requireProduct } from '../../src/accounts/auth.ts'
import { createCallCounter } from '../../src/accounts/limits/dayLimit.ts'
import { createUseCounter } from '../../src/accounts/limits/minuteLimit.ts'
import { listPlans, type Plan, PRODUCTS } from '../../src/accounts/products.ts'
import {
  beginRequest,
  reading,
  refuseRoute,
  respondToErrors,
} from '../../src/platform/http/request.ts'
import { createHttpServer } from '../../src/platform/http/server.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'
import { AREAS, listProducts } from '../../src/server/areas.ts'

const NAMES = ['orders', 'live', 'lab', 'dataset', 'geo'] as const
type Name = (typeof NAMES)[number]
const findProduct = (name: Name) => listProducts(AREAS).find(product => product.name === name)!
const NOW_MS = Date.parse('2026-10-14T14:00:00Z')

let folder: string
let accounts: ServerStore
let server: ReturnType<typeof createHttpServer>
let isStoreDown = false

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-products-'))
  accounts = await openAccountStore(join(folder, 'accounts.sqlite'))
  const requested: ServerStore = {
    ...accounts,
    findHolder: async key => {
      if (isStoreDown) throw new Error('no answer')
      return accounts.findHolder(key)
    },
  }
  const log = { info: () => {}, error: () => {} }
  const nowMs = () => NOW_MS
  const deps = {
    accounts: requested,
    nowMs,
    shownMs: nowMs,
    countCall: createCallCounter(accounts, nowMs),
    countUse: createUseCounter(accounts, nowMs),
  }
  const app = express()
  app.use(beginRequest(nowMs, log))
  for (const name of NAMES) {
    const routes = express.Router()
    routes.all(
      '/ok',
      reading((_req, res) => void res.end('ok')),
    )
    routes.all('/broken', () => {
      throw new Error('unforeseen')
    })
    app.use(`/${name}`, requireProduct(findProduct(name), deps), routes, refuseRoute)
  }
  app.use(respondToErrors(log))
  server = createHttpServer(app, log)
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
})
afterAll(async () => {
  await new Promise(closed => server.close(closed))
  await accounts.close()
  rmSync(folder, { recursive: true, force: true })
})

async function newKey(scope: Scope, plan: Plan | null) {
  const { id } = await accounts.addAccount({ name: 'desk', plan, createdAtMs: 0 })
  const key = { accountId: id, scope, name: 'laptop', createdAtMs: 0 }
  return (await accounts.addKey(key))!.apiKey
}
const smallestPlan = (name: Name) => listPlans(name)[0]!.plan as Plan

async function query(name: Name, key: string | null, path = 'ok', method = 'GET') {
  const { port } = server.address() as AddressInfo
  const headers = key === null ? {} : { authorization: `Bearer ${key}` }
  const response = await fetch(`http://127.0.0.1:${port}/${name}/${path}`, { method, headers })
  const text = await response.text()
  const { status, headers: responded } = response
  return { status, headers: responded, json: text.startsWith('{') ? JSON.parse(text) : text }
}

const send = (shape: string) => `send a valid key as \`Authorization: Bearer ${shape}\`.`

/** Response without a key, to an unknown one, and without a plan. */
const REFUSALS: Readonly<Record<Name, readonly [object, object, [status: number, body: object]]>> =
  {
    orders: [
      { error: { code: 'no_key', message: send('ordk_…') } },
      { error: { code: 'no_key', message: send('ordk_…') } },
      [403, { error: { code: 'plan', message: expect.stringMatching(/has no orders plan; /) } }],
    ],
    live: [
      { error: { code: 'no_key', message: send('ftpl_…') } },
      { error: { code: 'bad_key', message: send('ftpl_…') } },
      [
        403,
        {
          error: {
            code: 'live_required',
            message: 'the account of this key has no live plan; it needs the plan live.',
            pricing: '/pricing',
          },
        },
      ],
    ],
    lab: [
      { error: send('labk_…') },
      { error: send('labk_…') },
      [402, { error: 'no credits', buy: 'lab' }],
    ],
    dataset: [
      { error: { code: 'no_key', message: send('labk_…') } },
      { error: { code: 'bad_key', message: send('labk_…') } },
      [
        403,
        {
          error: {
            code: 'dataset_required',
            message: 'the account of this key has no dataset plan; it needs the plan dataset.',
            pricing: '/pricing',
          },
        },
      ],
    ],
    geo: [
      { error: send('gk_…') },
      { error: send('gk_…') },
      [
        403,
        { error: expect.stringMatching(/^the account of this key has no geo plan; .*geo_team\.$/) },
      ],
    ],
  }

test.each(NAMES)('%s refuses no key, any key that is not its own, and no plan', async name => {
  const [none, unknown, [planStatus, noPlan]] = REFUSALS[name]
  const without = await query(name, null)
  expect([without.status, without.json]).toEqual([401, none])
  expect(without.headers.get('www-authenticate')).toBe('Bearer')
  const guest = { dataset: 'lab', live: 'dataset' }[name as string]
  const others = SCOPES.filter(scope => scope !== name && scope !== guest)
  const keys = [makeApiKey(name), 'x', ...(await Promise.all(others.map(s => newKey(s, null))))]
  for (const key of keys) {
    const response = await query(name, key)
    expect([response.status, response.json]).toEqual([401, unknown])
  }
  const plan = name === 'orders' ? 'live' : 'orders'
  const lacking = await query(name, await newKey(name, plan))
  expect([lacking.status, lacking.json]).toEqual([planStatus, noPlan])
})

test.each(NAMES)(
  '%s opens to its own key and plan, and counts what its plans count',
  async name => {
    const { status, headers, json } = await query(name, await newKey(name, smallestPlan(name)))
    expect([status, json]).toEqual([200, 'ok'])
    const { plans, limits } = PRODUCTS[name]
    const isLimited =
      'dailyCalls' in plans[0] || 'monthlyCalls' in plans[0] || 'hourAddressesPerKey' in limits
    expect(headers.has('ratelimit')).toBe(isLimited)
  },
)

test('a store that does not respond is 503 with a time to wait, in every envelope', async () => {
  const message = 'the account store did not answer; ask again in a second.'
  isStoreDown = true
  for (const name of NAMES) {
    const { status, headers, json } = await query(name, makeApiKey(name))
    expect([status, headers.get('retry-after')]).toEqual([503, '1'])
    const coded = { code: 'unavailable', message, retry_after_s: 1 }
    expect(json).toEqual({ error: ['lab', 'geo'].includes(name) ? message : coded })
  }
  isStoreDown = false
})

test.each([
  ['nothing', 'GET', 404, ['no_route', 'not_found']],
  ['ok', 'DELETE', 405, ['method', 'method_not_allowed']],
  ['broken', 'GET', 500, ['internal', 'internal']],
] as const)('%s by %s is %i in the words of each product', async (path, method, status, codes) => {
  for (const name of NAMES) {
    const response = await query(name, await newKey(name, smallestPlan(name)), path, method)
    expect(response.status).toBe(status)
    expect(response.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD, OPTIONS' : null)
    const { error } = response.json
    if (name === 'orders') expect(error.code).toBe(codes[0])
    else if (name === 'live' || name === 'dataset') expect(error.code).toBe(codes[1])
    else expect(error).toMatch(/^[a-z].*\.$/)
  }
})
