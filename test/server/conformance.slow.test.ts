// Generated calls of every operation: each response is one that the OpenAPI file describes.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseProxies } from '../../src/platform/http/addresses.ts'
import { type ClientServer, startClientServer } from '../support/clientServer.ts'
import { listComplaints } from '../support/openapi.ts'
import { OPERATIONS, type Operation, openWorld, type World } from '../support/operations.ts'

const SEED = 20261129
const REQUEST_COUNT = 30_000
const CONNECTIONS = 16

let server: ClientServer
let world: World
beforeAll(async () => {
  server = await startClientServer({ connections: { proxies: parseProxies('127.0.0.1')! } })
  world = await openWorld(server.api)
})
afterAll(() => server.close())

const latin = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map(String.fromCharCode) })
const oddity = fc.constantFrom('', ' ', '\0', '%', '..', '🦆', '-1', '1e9', 'x'.repeat(300))
const anyValue = fc.oneof(fc.jsonValue({ maxDepth: 1 }), oddity, fc.double())

/** A change of a part of a JSON value: it has another value, is gone, or there is one more. */
const change = fc.record({ at: fc.nat(), kind: fc.nat(3), name: oddity, value: anyValue })
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

function applyChange(body: object, { at, kind, name, value }: Change): object {
  const changed = structuredClone(body)
  const parts: [object: Record<string, unknown>, name: string][] = []
  const list = (node: object) => {
    for (const [key, part] of Object.entries(node)) {
      parts.push([node as Record<string, unknown>, key])
      if (part !== null && typeof part === 'object') list(part)
    }
  }
  list(changed)
  if (parts.length === 0) return { [name]: value }
  const [object, key] = parts[at % parts.length]!
  if (kind === 0) delete object[key]
  else if (kind === 1) object[name] = value
  else object[key] = value
  return changed
}

const anyBody = ({ examples }: Operation) =>
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .tuple(fc.constantFrom({}, ...examples), fc.array(change, { maxLength: 2 }))
        .map(([body, changes]) => JSON.stringify(changes.reduce(applyChange, body))),
    },
    fc.json(),
    fc.constantFrom('', '{', '{"__proto__":1}', ' '.repeat(17_000)),
  )

const anyValues = ({ query }: Operation) =>
  fc.record(
    Object.fromEntries(
      query.map(({ name, example, schema }) => {
        const known = fc.constant(String(example ?? schema?.enum?.[0] ?? '11:14'))
        const strange = fc.oneof(latin, oddity, fc.constant(null), fc.tuple(known, known))
        return [name, fc.oneof({ weight: 6, arbitrary: known }, strange)]
      }),
    ),
    { requiredKeys: [] },
  )

const headers = fc.record(
  {
    accept: fc.oneof(fc.constantFrom('*/*', 'application/json', 'text/csv', ';;,q='), latin),
    'accept-encoding': fc.constantFrom('gzip', 'br', '*', 'br;q=nan', 'identity;q=0', ',;,'),
    'content-type': fc.constantFrom('application/json', 'text/plain', 'application/json;v=2'),
    'idempotency-key': fc.constantFrom('a', 'b', ''),
    'if-none-match': fc.oneof(fc.constantFrom('*', '"x"', 'W/"x", "y"'), latin),
    'x-request-id': latin,
    range: fc.constantFrom('bytes=0-1', 'bytes=x'),
    expect: fc.constant('a-miracle'),
  },
  { requiredKeys: [] },
)

const anyCall = (operation: Operation) =>
  fc.record({
    operation: fc.constant(operation),
    method: fc.oneof(
      { weight: 9, arbitrary: fc.constant(operation.method) },
      fc.constantFrom(...'GET HEAD OPTIONS POST PUT PATCH DELETE PROPFIND'.split(' ')),
    ),
    values: anyValues(operation),
    headers: fc.oneof(fc.constant({}), headers),
    body: anyBody(operation),
    key: fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      fc.constantFrom('none' as const, 'unknown' as const),
    ),
    below: fc.oneof({ weight: 12, arbitrary: fc.constant('') }, fc.constantFrom('/', '/x', '%00')),
  })

test('generated calls: each response is described, none is a 5xx, and no other body is taken', async () => {
  const calls = fc.oneof(...OPERATIONS.map(anyCall))
  const sample = fc.sample(calls, { seed: SEED, numRuns: REQUEST_COUNT })
  const seen = new Map(OPERATIONS.map(operation => [operation, new Set<number>()]))
  const client = async () => {
    for (let next = sample.pop(); next; next = sample.pop()) {
      const { operation, method, key, values, ...rest } = next
      const body = world.known(next.body)
      const { status } = await world.call(operation, {
        ...rest,
        method,
        body,
        values: values as Record<string, string | null>,
        ...(key === undefined ? {} : { key }),
      })
      const text = `${method} ${operation.path} ${body} answered ${status}`
      // the engine of LAB refuses what waits behind too much
      if (status >= 500 && status !== 502 && operation.path !== '/health') throw new Error(text)
      if (method !== operation.method || rest.below !== '') continue
      seen.get(operation)!.add(status)
      if (method !== 'POST' || status >= 300) continue
      // a body that is taken is one that the file says may be sent
      const pointer = `/paths/${operation.path.replaceAll('/', '~1')}/post/requestBody`
      const schema = `${pointer}/content/application~1json/schema`
      const complaints = listComplaints(schema, JSON.parse(body))
      if (complaints !== '[]') throw new Error(`${text}: ${complaints}`)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  for (const [{ path, method, product, query }, statuses] of seen) {
    const expected = [
      ...(product ? [401] : []),
      ...(query.length > 1 || method === 'POST' ? [400] : []),
    ]
    expect([path, [...statuses].sort()]).toEqual([path, expect.arrayContaining(expected)])
    const isServed = [...statuses].some(status => status < 300)
    expect([path, isServed]).toEqual([path, !UNSERVED.includes(path)])
  }
})

/** Operations of ideas that no call knows, and the state of a session that is missing. */
const UNSERVED = ['/api/lab/run', '/api/lab/idea', '/health']
