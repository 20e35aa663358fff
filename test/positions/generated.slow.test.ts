import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeApiKey } from '../../src/accounts/apiKey.ts'
import { CONDITIONS } from '../../src/positions/catalogue.ts'
import {
  ALERT_CHANNELS,
  LEG_NAMES,
  LEGS_OF_KIND,
  POSITION_KINDS,
} from '../../src/positions/kinds.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { listComplaints } from '../support/openapi.ts'

// Every call checks its response against the OpenAPI file: status, headers, type and body.

const SEED = 20261004
const REQUEST_COUNT = 20_000
const CONNECTIONS = 32
const REQUEST_SCHEMA = '/paths/~1api~1positions/post/requestBody/content/application~1json/schema'

let api: TestApi
let key: string

beforeAll(async () => {
  api = await startTestApi()
  key = (await api.newKey('orders_team')).key
})
afterAll(() => api.close())

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
/** Mostly what belongs there, now and then any JSON. */
const mostly = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 30, arbitrary: value }, fc.jsonValue({ maxDepth: 2 }))

/** A kind and its legs, mostly rising. */
const kindAndLegs = fc
  .tuple(
    fc.constantFrom(...POSITION_KINDS),
    fc.array(fc.integer({ min: -1, max: 20_001 }), { minLength: 4, maxLength: 4 }),
    fc.option(fc.constantFrom(...LEG_NAMES), { freq: 5 }),
  )
  .map(([kind, steps, other]) => {
    const rising = steps.sort((a, b) => a - b)
    const names = LEG_NAMES.filter(name => LEGS_OF_KIND[kind].includes(name) !== (name === other))
    return { kind, legs: Object.fromEntries(names.map((name, at) => [name, rising[at]! * 5])) }
  })

const minute = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('09:31', '10:30', '12:59', '13:00', '15:59') },
  fc.constantFrom('09:30', '16:00', '24:00', '9:31', '', 'now'),
)
const condition = fc.record(
  {
    id: mostly(fc.constantFrom(...CONDITIONS.map(({ id }) => id))),
    on: mostly(fc.option(fc.boolean())),
    threshold: mostly(fc.option(fc.double({ min: 0, max: 3, noNaN: true }), { freq: 1 })),
  },
  { requiredKeys: ['id'] },
)
const url = fc.oneof(
  { weight: 9, arbitrary: fc.webUrl({ validSchemes: ['https'] }) },
  fc.constantFrom('http://a.de', 'https://localhost/x', 'https://[::1]', 'https://a@b.de', ''),
  fc.string(),
)
const details = fc.record(
  {
    conditions: mostly(fc.option(fc.array(condition, { maxLength: 3 }))),
    label: mostly(
      fc.record(
        { caution: fc.nat(3), skip: fc.integer({ min: 2, max: 13 }) },
        { requiredKeys: [] },
      ),
    ),
    alert: mostly(
      fc.record(
        { channel: fc.constantFrom(...ALERT_CHANNELS), url, before: fc.nat(390) },
        { requiredKeys: [] },
      ),
    ),
    session: mostly(fc.constantFrom('2026-10-14', '2026-11-27', '2026-11-28', null)),
    entrance: fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, fc.constant('10:30')),
  },
  { requiredKeys: [] },
)
/** Ids are those of responses so far: `STORED` stands for one of the stored ones. */
const id = fc.oneof(
  { weight: 8, arbitrary: fc.constant('STORED') },
  fc.constantFrom('p_0', '', 'p_', 'P_0', 'p_%00', 'x'.repeat(300)),
  fc.string(),
)
const position = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('add') },
      { weight: 6, arbitrary: fc.constant('update') },
      fc.constant('remove'),
    ),
    kindAndLegs,
    minute,
    details,
    id,
    fc.boolean(),
  )
  .map(([op, strikes, entry, rest, name, isPlain]) => {
    if (op === 'remove') return { op, position: { id: name } }
    const whole = { ...strikes, entry, ...(isPlain ? {} : rest) }
    return { op, position: op === 'add' ? whole : { id: name, ...whole } }
  })
const body = fc.oneof(
  { weight: 12, arbitrary: position.map(value => JSON.stringify(value)) },
  fc.record({ op: fc.jsonValue(), position: fc.jsonValue() }).map(value => JSON.stringify(value)),
  fc.json(),
  fc.string(),
  fc.constantFrom('', '{', '{"op":"add","position":{"__proto__":1}}', ' '.repeat(17_000)),
)
const printable = fc.string({ unit: 'grapheme-ascii' }).map(text => text.trim())
const headers = fc.record({
  accept: maybe(fc.constantFrom('*/*', 'application/json', 'text/csv', ';;')),
  'accept-encoding': maybe(fc.constantFrom('gzip', 'br', '*', ',;')),
  'content-type': maybe(
    fc.oneof(
      { weight: 15, arbitrary: fc.constantFrom('application/json', 'text/plain', 'x') },
      fc.constant('application/json;version=2'),
    ),
  ),
  'content-encoding': fc.option(fc.constantFrom('gzip', 'identity'), { nil: undefined, freq: 30 }),
  'idempotency-key': fc.option(fc.oneof(fc.constantFrom('a', 'b'), printable), {
    freq: 5,
    nil: undefined,
  }),
  'if-none-match': maybe(fc.constantFrom('*', '"x"')),
})
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 3, arbitrary: id.map(name => `?id=${encodeURIComponent(name)}`) },
  fc.constantFrom('?id', '?id=a&id=b', '?ID=1', '?%', '?id=%00', '?id=%ff'),
)
const requests = fc.record({
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constant('POST') },
    { weight: 4, arbitrary: fc.constant('GET') },
    fc.constantFrom(...'HEAD OPTIONS PUT PATCH DELETE PROPFIND'.split(' ')),
  ),
  path: fc.oneof(
    { weight: 20, arbitrary: fc.constant('/api/positions') },
    fc.constantFrom('/api/positions/', '/api/positions/x', '/api/positions//', '/api/position'),
  ),
  query,
  headers,
  body,
  authorization: fc.oneof(
    { weight: 12, arbitrary: fc.constant('good' as const) },
    fc.constantFrom('none' as const, 'unknown' as const),
  ),
})

test('20,000 generated requests: each response is described, none is a 5xx', async () => {
  const sample = fc.sample(requests, { seed: SEED, numRuns: REQUEST_COUNT })
  const unknown = makeApiKey('orders')
  const statuses: Record<number, number> = {}
  const codes: Record<string, number> = {}
  const storedIds = new Set(['p_0'])
  const taken: Record<string, number> = { add: 0, update: 0, remove: 0 }
  const client = async () => {
    for (let next = sample.pop(); next; next = sample.pop()) {
      const known = (text: string) => text.replaceAll('STORED', [...storedIds].at(-1)!)
      const target = next.path + known(next.query)
      const given = Object.entries(next.headers).filter(([, value]) => value !== undefined)
      // the client gives other methods no length, so that their body is the next request
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(next.method)
      const sent = known(next.body)
      const { status, json } = await api.call(target, {
        method: next.method,
        key: next.authorization === 'good' ? key : next.authorization === 'none' ? null : unknown,
        headers: Object.fromEntries(given) as Record<string, string>,
        ...(hasBody ? { body: sent } : {}),
      })
      statuses[status] = (statuses[status] ?? 0) + 1
      const code = json?.error?.code ?? 'none'
      codes[code] = (codes[code] ?? 0) + 1
      if (status >= 500) throw new Error(`${next.method} ${target} ${sent} answered ${status}`)
      if (next.method !== 'POST' || status !== 200) continue
      // what is taken is what the file says may be sent
      const request = JSON.parse(sent)
      const complaints = listComplaints(REQUEST_SCHEMA, request)
      if (complaints !== '[]') throw new Error(`${sent} was taken: ${complaints}`)
      taken[request.op]!++
      if (request.op === 'remove') storedIds.delete(json.id)
      else storedIds.add(json.id)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  const count = Object.values(statuses).reduce((sum, calls) => sum + calls, 0)
  expect(count).toBe(REQUEST_COUNT)
  const seen = Object.keys(statuses)
  for (const status of '200 204 304 400 401 404 405 406 413 415'.split(' ')) {
    expect(seen, status).toContain(status)
  }
  for (const code of 'bad_json bad_op invalid not_found no_route method'.split(' ')) {
    expect(codes[code], code).toBeGreaterThan(50)
  }
  for (const op of Object.keys(taken)) expect(taken[op], op).toBeGreaterThan(50)
})
