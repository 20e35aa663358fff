// Every operation of the OpenAPI file by the rules that hold of all: how it is read, and refuses.

import { DatabaseSync } from 'node:sqlite'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PREFIX_OF_SCOPE, SCOPES, type Scope } from '../../src/accounts/apiKey.ts'
import { PRODUCT_NAMES, type Product } from '../../src/accounts/products.ts'
import { parseProxies } from '../../src/platform/http/addresses.ts'
import { accountFilePath } from '../../src/server/accountStore.ts'
import { type ClientServer, startClientServer } from '../support/clientServer.ts'
import type { Result } from '../support/openapi.ts'
import {
  type Call,
  OF_OTHERS,
  OPERATIONS,
  type Operation,
  openWorld,
  type World,
} from '../support/operations.ts'

let server: ClientServer
let world: World
beforeAll(async () => {
  server = await startClientServer({ connections: { proxies: parseProxies('127.0.0.1')! } })
  world = await openWorld(server.api)
})
afterAll(() => server.close())

const NAMED = OPERATIONS.map(operation => {
  return { name: `${operation.method} ${operation.path}`, operation }
})
/** The state of the data is that of this day, on which the session is missing. */
const isGood = (path: string) => path !== '/health'
const READ = NAMED.filter(({ operation: { method, path } }) => method === 'GET' && isGood(path))
const CHANGES = NAMED.filter(({ operation }) => operation.method === 'POST')
const pick = ({ headers }: Pick<Result, 'headers'>, names: readonly string[]) =>
  Object.fromEntries(names.map(name => [name, headers.get(name)]))
/** Positions are judged at each call: there is no HEAD of them. */
const hasHead = (path: string) => !path.startsWith('/api/positions')

/** Parameters of which all values count, or the first. */
const LISTS = ['errors', 'sym', 'map', 'as']

describe.each(READ)('$name', ({ operation }) => {
  test('is served, and to HEAD the same without a body', async () => {
    const got = await world.call(operation)
    expect(got.status).toBe(200)
    const head = await world.call(operation, { method: 'HEAD' })
    expect(head.body.byteLength).toBe(0)
    if (!hasHead(operation.path)) return expect(head.status).toBe(405)
    const names = ['etag', 'content-length', 'content-type', 'cache-control', 'vary']
    expect([head.status, pick(head, names)]).toEqual([200, pick(got, names)])
  })

  test.runIf(operation.hasTag)('has a strong tag, which is 304 for who has it', async () => {
    const { headers, body } = await world.call(operation)
    const tag = headers.get('etag')!
    expect(tag).toMatch(/^"[\w-]+"$/)
    for (const header of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
      const again = await world.call(operation, { headers: { 'if-none-match': header } })
      expect([header, again.status, again.headers.get('etag')]).toEqual([header, 304, tag])
      const size = [...again.headers].reduce(
        (sum, [name, value]) => sum + name.length + value.length + 4,
        0,
      )
      expect(size).toBeLessThan(1_250)
    }
    const isShared = operation.path.startsWith('/orders/api/')
    const apiKey = isShared ? { apiKey: await world.newHolder(['orders'], 'orders') } : {}
    const other = await world.call(operation, { ...apiKey, headers: { 'if-none-match': '"x"' } })
    expect([other.status, other.body.equals(body), other.headers.get('etag')]).toEqual([
      200,
      true,
      tag,
    ])
  })

  test.runIf(operation.hasTag)('is the same in every encoding, each with its tag', async () => {
    const plain = await world.call(operation)
    expect(plain.headers.get('content-encoding')).toBeNull()
    const decode = { gzip: gunzipSync, br: brotliDecompressSync }
    for (const name of ['gzip', 'br'] as const) {
      const sent = await world.call(operation, { headers: { 'accept-encoding': name } })
      const encoding = sent.headers.get('content-encoding')
      expect([null, name]).toContain(encoding)
      const body = encoding === null ? sent.body : decode[name](sent.body)
      expect(body.equals(plain.body)).toBe(true)
      const isSame = sent.headers.get('etag') === plain.headers.get('etag')
      expect(isSame).toBe(encoding === null)
      expect(sent.headers.get('vary')).toBe(plain.headers.get('vary'))
    }
    const none = await world.call(operation, { headers: { 'accept-encoding': '*;q=0' } })
    expect(pick(none, ['etag', 'content-encoding'])).toEqual(
      pick(plain, ['etag', 'content-encoding']),
    )
  })

  test.each(operation.query.filter(({ name }) => !LISTS.includes(name)))(
    'takes $name once',
    async ({ name }) => {
      const { status, json } = await world.call(operation, { values: { [name]: ['a', 'a'] } })
      const sentence = typeof json.error === 'string' ? json.error : json.error.message
      const seen = new RegExp(`^${name} is (given 2 times; give it once[.:]|"a a";)`)
      expect([status, sentence]).toEqual([400, expect.stringMatching(seen)])
    },
  )
})

const NEEDING = READ.flatMap(({ name, operation }) =>
  operation.query
    .filter(one => one.required)
    .map(one => ({ name, operation, parameter: one.name })),
)
test.each(NEEDING)('$name needs $parameter', async ({ operation, parameter }) => {
  const { status, json } = await world.call(operation, { values: { [parameter]: null } })
  const sentence = json.error.message ?? json.error
  expect([status, sentence]).toEqual([
    400,
    expect.stringMatching(`^${parameter} is missing; give `),
  ])
})

const IGNORING = NAMED.filter(({ operation: { success } }) => {
  return Object.hasOwn(success.headers!, 'X-Ignored-Params')
})
test.each(IGNORING)('$name names the parameters that it does not know', async ({ operation }) => {
  const body = JSON.stringify(await world.goodBody(operation))
  const own = operation.method === 'POST' ? { body } : {}
  const { status, headers } = await world.call(operation, { ...own, end: '&Zzz=1&%C3%A9=3' })
  expect(status).toBeLessThan(300)
  expect(headers.get('x-ignored-params')).toBe('Zzz, %C3%A9')
})

/** Fields next to the sentence that tell where to buy. */
const EXTRAS: Readonly<Record<string, object>> = {
  live_required: { pricing: '/pricing' },
  dataset_required: { pricing: '/pricing' },
  no_credits: { buy: 'lab' },
}

/** Methods of a path, as `Allow` names them. */
const allowed = (path: string): string => {
  const own = OPERATIONS.filter(one => one.path === path).map(({ method }) => method)
  const heads = own.includes('GET') && hasHead(path) ? ['HEAD'] : []
  return [
    ...own.filter(one => one === 'GET'),
    ...heads,
    ...own.filter(one => one === 'POST'),
    'OPTIONS',
  ].join(', ')
}

describe.each(NAMED)('$name', ({ operation }) => {
  test('takes no other method, and says which it takes to a preflight without a key', async () => {
    const allow = allowed(operation.path)
    const preflight = await world.call(operation, { method: 'OPTIONS', key: 'none' })
    expect([preflight.status, preflight.headers.get('allow')]).toEqual([204, allow])
    expect(preflight.headers.get('access-control-allow-methods')).toBe(allow)
    const headers = preflight.headers.get('access-control-allow-headers')!.split(', ')
    expect(headers).toEqual(expect.arrayContaining([...operation.headers, 'Authorization']))
    for (const method of ['PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const { status, headers: sent } = await world.call(operation, { method })
      expect([method, status, sent.get('allow')]).toEqual([method, 405, allow])
    }
  })

  test('has one spelling', async () => {
    const { method, path, product } = operation
    const key = product === null ? null : await world.newHolder([product], product)
    const options = method === 'POST' ? { method, key, body: '{}' } : { key }
    const url = path.replace('{day}', '2026-10-15').replace('{file}', 'index.json')
    const last = url.lastIndexOf('/') + 1
    const escaped = `${url.slice(0, last)}%${url.charCodeAt(last).toString(16)}${url.slice(last + 1)}`
    for (const other of [`${url}/`, `${url}//`, `/${url}`, url.toUpperCase(), escaped]) {
      const { status, headers } = await server.api.call(other, options)
      // a day that is escaped is no day
      const expected = path.endsWith('{day}') && other === escaped ? 400 : 404
      expect([other, status, headers.get('allow')]).toEqual([other, expected, null])
    }
  })

  test('is refused with each code that it names, the first of two', async () => {
    const { errors, product } = operation
    const refused: { code: string; fault: Call; status: number; seen: string }[] = []
    for (const code of operation.codes) {
      const fault = world.fault(operation, code)
      if (fault === null) continue
      const { status, json, headers } = await world.call(operation, fault)
      const row = errors.rows.find(one => one.code === code)!
      expect([code, status]).toEqual([code, row.status])
      if (typeof json.error !== 'string') expect(json.error.code).toBe(code)
      const sentence = json.error.message ?? json.error
      expect(sentence).toMatch(/^(\S.{8,400}\.|no credits)$/)
      expect(json.error.code === undefined ? json : json.error).toMatchObject(EXTRAS[code] ?? {})
      if (status === 401) {
        const shape = `${PREFIX_OF_SCOPE[product!]}_…`
        expect(sentence).toBe(`send a valid key as \`Authorization: Bearer ${shape}\`.`)
      }
      if (fault.key === 'without a plan' && product !== 'lab') {
        expect(sentence).toMatch(
          new RegExp(`^the account of this key has no ${product} plan; it needs the plan `),
        )
      }
      expect(headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null)
      expect(headers.get('cache-control')).toBe('no-store')
      refused.push({ code, fault, status, seen: json.error.code ?? json.error })
    }
    for (const [index, first] of refused.entries()) {
      for (const second of refused.slice(index + 1)) {
        const both = mergeFaults(first.fault, second.fault)
        if (both === null || isLate(operation, first.code, second.code)) continue
        const { status, json } = await world.call(operation, both)
        const seen = [first.code, second.code, status, json.error.code ?? json.error]
        expect(seen).toEqual([first.code, second.code, first.status, first.seen])
      }
    }
  })
})

test('each code that the file names has a fault at some operation', () => {
  const named = NAMED.flatMap(({ operation }) =>
    operation.codes.map(code => {
      return { code, isCaused: world.fault(operation, code) !== null }
    }),
  )
  const caused = new Set(named.flatMap(({ code, isCaused }) => (isCaused ? [code] : [])))
  const all = new Set(named.map(({ code }) => code).filter(code => !OF_OTHERS.includes(code)))
  expect(caused).toEqual(all)
})

const AS_200 = READ.filter(({ operation: { query } }) =>
  query.some(({ name }) => name === 'errors'),
)

test.each(AS_200)('$name sends errors as 200 to who requests it', async ({ operation }) => {
  const call = (more: Call = {}, errors = '200') =>
    world.call(operation, { ...more, values: { ...more.values, errors } })
  for (const code of operation.codes) {
    const fault = world.fault(operation, code)
    if (fault === null) continue
    const [plain, sent] = [await world.call(operation, fault), await call(fault)]
    expect([code, sent.status, sent.json]).toEqual([code, 200, plain.json])
    expect(sent.headers.get('x-service-status')).toBe(String(plain.status))
    expect(plain.headers.has('x-service-status')).toBe(false)
  }
  const good = await call()
  expect([good.status, good.headers.get('x-service-status')]).toEqual([200, '200'])
  const other = await call({}, '201')
  expect([other.status, other.headers.get('x-service-status')]).toEqual([200, null])
  if (!operation.hasTag) return
  const known = await call({ headers: { 'if-none-match': good.headers.get('etag')! } })
  expect([known.status, known.headers.get('x-service-status')]).toEqual([304, '304'])
})

const OF_DAY = NAMED.filter(({ operation: { product } }) => product === 'orders')

test.each(OF_DAY)(
  '$name counts every call but for a preflight and those without a good key',
  async ({ operation }) => {
    const { accountId, accounts } = server.api
    const day = { accountId, product: 'orders', dayEt: '2026-10-16', calls: 0 } as const
    const served: Readonly<Record<string, Call>> = {
      preflight: { method: 'OPTIONS' },
      known: operation.hasTag ? { headers: { 'if-none-match': '*' } } : {},
    }
    for (const code of [...operation.codes, ...Object.keys(served)]) {
      const fault = served[code] ?? world.fault(operation, code)
      if (fault === null) continue
      const before = (await accounts.countCalls([day]))[0]!
      await world.call(operation, fault)
      const isFree = fault.key !== undefined || ['bad_request', 'preflight'].includes(code)
      expect([code, (await accounts.countCalls([day]))[0]! - before]).toEqual([
        code,
        isFree ? 0 : 1,
      ])
    }
  },
)

/** Scopes whose keys open the operations of another product, where the account holds it. */
const GUESTS: Partial<Record<Product, Scope>> = { dataset: 'lab', live: 'dataset' }
const whole = async (response: ReturnType<World['call']>) => {
  const { status, headers, body } = await response
  const shown = [...headers].filter(([name]) => name !== 'date').sort()
  return { status, whole: JSON.stringify([status, shown, body.toString()]) }
}
const same = { headers: { 'x-request-id': 'same' }, body: '{}' }

describe.each(NAMED)('$name', ({ operation }) => {
  const { product } = operation

  test.each(SCOPES)('with a key of scope %s', async scope => {
    const apiKey = await world.newHolder(PRODUCT_NAMES, scope)
    const response = await whole(world.call(operation, { ...same, apiKey }))
    if (product === null || product === scope || GUESTS[product] === scope) {
      expect([401, 402, 403]).not.toContain(response.status)
      return
    }
    // no byte reveals that the key is a real one
    const unknown = await whole(world.call(operation, { ...same, key: 'unknown' }))
    expect([response.status, response]).toEqual([401, unknown])
  })

  test.runIf(product !== null)('of an account that holds one product alone', async () => {
    for (const held of PRODUCT_NAMES) {
      const apiKey = await world.newHolder([held], product!)
      const { status } = await world.call(operation, { ...same, apiKey })
      if (held === product) expect([401, 402, 403]).not.toContain(status)
      // LAB has no plan to name: an account without it has no credits
      else expect([held, status]).toEqual([held, product === 'lab' ? 402 : 403])
    }
  })
})

const ENCODINGS = [
  ['identity', false],
  ['Identity', false],
  ['identity, identity', false],
  [' ', false],
  ['gzip', true],
  ['GZIP', true],
  ['x-gzip', true],
  ['br', true],
  ['zstd', true],
  ['aes128gcm', true],
  ['nothing-of-the-kind', true],
  ['identity, gzip', true],
  ['*', true],
] as const
const TYPES = [
  ['application/json', false],
  ['application/json; charset=utf-8', false],
  ['APPLICATION/JSON;CHARSET="UTF-8"', false],
  ['application/json;charset=utf8', false],
  ['application/json;', false],
  // curl and browsers send these when nobody says what the body is
  ['application/x-www-form-urlencoded', false],
  ['text/plain;charset=UTF-8', false],
  ['x', false],
  ['application/json;version=2', true],
  ['application/json; charset=utf-8; version=2', true],
  ['application/json; charset=utf-16', true],
  ['application/json; profile="x"', true],
] as const

describe.each(CHANGES)('$name', ({ operation }) => {
  const sentence = (json: { error: string | { message: string } }) =>
    typeof json.error === 'string' ? json.error : json.error.message

  test.each([
    ['', '(empty|not JSON)'],
    ['{"op": "add",', 'not JSON'],
    ['{} {}', 'not JSON'],
    ['[]', '(an empty list|not an object)'],
    ['12', '(12|not an object)'],
    [Buffer.from([0x7b, 0xff, 0x7d]), 'not UTF-8'],
    [`${'['.repeat(65)}${']'.repeat(65)}`, 'nested over 64 levels deep'],
  ])('refuses the body %j in words', async (body, seen) => {
    const { status, json } = await world.call(operation, { body })
    expect([status, sentence(json)]).toEqual([
      400,
      expect.stringMatching(new RegExp(`^the body is ${seen}; send `)),
    ])
  })

  test.each(ENCODINGS)('a body of Content-Encoding "%s" is refused: %s', async (...row) => {
    const [encoding, isRefused] = row
    const headers = { 'content-encoding': encoding }
    const { status, json, headers: sent } = await world.call(operation, { headers, body: '{' })
    if (!isRefused) return expect(status).toBe(400)
    expect([status, sentence(json), sent.get('accept-encoding')]).toEqual([
      415,
      `Content-Encoding is "${encoding}"; send the body uncompressed, without it.`,
      'identity',
    ])
  })

  test.each(TYPES)('a body of Content-Type %s is refused: %s', async (...row) => {
    const [type, isRefused] = row
    const headers = { 'content-type': type }
    const { status, json } = await world.call(operation, { headers, body: '{' })
    if (!isRefused) return expect(status).toBe(400)
    const seen = JSON.stringify(type.length > 40 ? `${type.slice(0, 40)}…` : type)
    expect([status, sentence(json)]).toEqual([
      415,
      `Content-Type is ${seen}; send application/json, which is UTF-8.`,
    ])
  })

  test('takes a body of 16 KiB, and none that is a byte longer', async () => {
    const body = JSON.stringify(await world.goodBody(operation))
    expect((await world.call(operation, { body: body.padEnd(16_385) })).status).toBe(413)
    expect((await world.call(operation, { body: body.padEnd(900_000) })).status).toBe(413)
    expect((await world.call(operation, { body: body.padEnd(16_384) })).status).toBeLessThan(300)
  })

  const isRepeated = operation.headers.includes('Idempotency-Key')
  test.runIf(isRepeated)('is made once under an Idempotency-Key of 1 to 255', async () => {
    const body = JSON.stringify(await world.goodBody(operation))
    const call = (key: string) =>
      world.call(operation, { body, headers: { 'idempotency-key': key } })
    for (const key of ['', 'x'.repeat(256), 'a\tb']) {
      const { status, json } = await call(key)
      expect([status, sentence(json)]).toEqual([
        400,
        `the Idempotency-Key header has ${key.length} characters; ` +
          'give 1 to 255 printable ones of ASCII, such as a UUID.',
      ])
    }
    const key = operation.path.padEnd(255, 'x')
    const [first, again] = [await call(key), await call(key)]
    expect([first.status < 300, first.headers.get('idempotency-replayed')]).toEqual([true, null])
    expect(again.status).toBe(first.status)
    // a job goes on in between
    if (first.status === 202) expect(again.json.job.id).toBe(first.json.job.id)
    else expect(again.body.equals(first.body)).toBe(true)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })
})

test('a change is known by its Idempotency-Key for 24 hours, and new after them', async () => {
  const { operation } = CHANGES.find(({ name }) => name === 'POST /api/positions')!
  const begunMs = server.api.clock.atMs
  const isReplayed = async (afterMs: number) => {
    server.api.clock.atMs = begunMs + afterMs
    const { headers } = await world.call(operation, { headers: { 'idempotency-key': 'of a day' } })
    return headers.has('idempotency-replayed')
  }
  const dayMs = 24 * 3_600_000
  expect(await isReplayed(0)).toBe(false)
  expect([await isReplayed(dayMs), await isReplayed(dayMs + 1)]).toEqual([true, false])
  server.api.clock.atMs = begunMs
})

test('an account store that does not respond is 503 of every operation with a key', async () => {
  const database = new DatabaseSync(accountFilePath(server.api.dataFolder))
  const keyed = NAMED.filter(({ operation: { product } }) => product !== null)
  const keys = new Map<Product, string>()
  for (const name of PRODUCT_NAMES) keys.set(name, await world.newHolder([name], name))
  database.exec('alter table api_keys rename to hidden_keys')
  for (const { operation } of keyed) {
    const apiKey = keys.get(operation.product!)!
    const { status, json, headers } = await world.call(operation, { apiKey, body: '{}' })
    const message = 'the account store did not answer; ask again in a second.'
    const coded = { code: 'unavailable', message, retry_after_s: 1 }
    expect([status, headers.get('retry-after'), json]).toEqual([
      503,
      '1',
      { error: typeof json.error === 'string' ? message : coded },
    ])
  }
  database.exec('alter table hidden_keys rename to api_keys')
  database.close()
})

test('a body that nothing asks for is not judged', async () => {
  const headers = { 'content-encoding': 'gzip', 'content-length': '1' }
  for (const { operation } of READ.filter(
    ({ operation }) => !operation.path.startsWith('/health'),
  )) {
    const { status } = await world.call(operation, { headers, body: 'x' })
    expect([operation.path, status]).toEqual([operation.path, 200])
  }
})

/** A message under a key that was taken is not looked at: it may be of an idea that is gone. */
const isLate = ({ path }: Operation, ...codes: readonly string[]): boolean =>
  path === '/api/lab/chat' &&
  codes.includes('idempotency_key_reused') &&
  codes.some(code => code === 'not_found' || code === 'rate')

/** A call with both faults; null where they change the same. */
function mergeFaults(one: Call, other: Call): Call | null {
  const parts = ['values', 'headers'] as const
  const shared = (a: object = {}, b: object = {}) => Object.keys(a).some(name => name in b)
  const { values: _, headers: __, ...alone } = one
  if (shared(alone, other) || parts.some(part => shared(one[part], other[part]))) return null
  const merged = parts.map(part => [part, { ...one[part], ...other[part] }])
  return { ...one, ...other, ...Object.fromEntries(merged) }
}
