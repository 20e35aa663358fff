import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeApiKey } from '../../src/accounts/apiKey.ts'
import { goodEntry, goodLine, goodRule } from '../support/alerts.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { listComplaints } from '../support/openapi.ts'

// Every call checks its response against the OpenAPI file: status, headers, type and body.

const SEED = 20261126
const REQUEST_COUNT = 8_000
const CONNECTIONS = 16
const REQUEST_SCHEMA = '/paths/~1api~1alerts/post/requestBody/content/application~1json/schema'

let api: TestApi
let key: string

beforeAll(async () => {
  api = await startTestApi()
  key = (await api.newKey('orders_team')).key
})
afterAll(() => api.close())

/** Now and then a field has a value of any kind, or is one that there is not. */
const spoiled = (good: fc.Arbitrary<Record<string, unknown>>) =>
  fc
    .tuple(good, fc.nat(9), fc.nat(9), fc.jsonValue({ maxDepth: 1 }), fc.string())
    .map(([object, dice, at, value, name]): Record<string, unknown> => {
      if (dice > 1) return object
      const names = Object.keys(object)
      return { ...object, [dice === 0 ? names[at % names.length]! : name]: value }
    })

/** Ids are those of responses so far: LINE and RULE stand for one of them. */
const id = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('LINE', 'RULE') },
  fc.constantFrom('l_0', '', 'r_', 'L_0', 'x'.repeat(300)),
  fc.string(),
)
const entry = spoiled(goodEntry).map(value => ({ op: 'set', entry: value }))
const added = fc.oneof(
  spoiled(goodLine).map(line => ({ op: 'add', line })),
  spoiled(goodRule).map(rule => ({ op: 'add', rule })),
)
const updated = fc.oneof(
  spoiled(goodLine).map(line => ({ op: 'update', line: { id: 'LINE', ...line } })),
  spoiled(goodRule).map(rule => ({ op: 'update', rule: { id: 'RULE', ...rule } })),
  id.map(one => ({ op: 'update', line: { id: one } })),
)
const lineId = fc.oneof({ weight: 9, arbitrary: fc.constant('LINE') }, id)
const named = fc.oneof(
  fc.record({ op: fc.constant('remove'), id }),
  fc.record({ op: fc.constant('arm'), id: lineId }),
)
const body = fc.oneof(
  ...[entry, added, updated, named].map(part => {
    return { weight: 6, arbitrary: (part as fc.Arbitrary<object>).map(one => JSON.stringify(one)) }
  }),
  fc.record({ op: fc.jsonValue(), line: fc.jsonValue() }).map(one => JSON.stringify(one)),
  fc.json(),
  fc.string(),
  fc.constantFrom('', '{', '{"op":"add","line":{"__proto__":1}}', ' '.repeat(17_000)),
)
const requests = fc.record({
  method: fc.oneof(
    { weight: 12, arbitrary: fc.constant('POST') },
    { weight: 3, arbitrary: fc.constantFrom('GET', 'HEAD') },
    fc.constantFrom('OPTIONS', 'PUT', 'PATCH', 'DELETE'),
  ),
  path: fc.oneof(
    { weight: 20, arbitrary: fc.constant('/api/alerts') },
    fc.constantFrom('/api/alerts/', '/api/alerts/x', '/api/alerts?x=1', '/api/alert'),
  ),
  body,
  repeatKey: fc.option(fc.constantFrom('a', 'b', ''), { freq: 8, nil: undefined }),
  isKnown: fc.oneof({ weight: 20, arbitrary: fc.constant(true) }, fc.constant(false)),
})

test('8,000 generated requests: each response is described, none is a 5xx', async () => {
  const sample = fc.sample(requests, { seed: SEED, numRuns: REQUEST_COUNT })
  const unknown = makeApiKey('orders')
  const storedIds = { line: ['l_0'], rule: ['r_0'] }
  const statuses = new Set<number>()
  const taken: Record<string, number> = {}
  const client = async () => {
    for (let next = sample.pop(); next; next = sample.pop()) {
      const { method, path, repeatKey, isKnown } = next
      const sent = next.body
        .replaceAll('"LINE"', JSON.stringify(storedIds.line.at(-1)))
        .replaceAll('"RULE"', JSON.stringify(storedIds.rule.at(-1)))
      const { status, json } = await api.call(path, {
        method,
        key: isKnown ? key : unknown,
        headers: repeatKey === undefined ? {} : { 'idempotency-key': repeatKey },
        ...(['POST', 'PUT', 'PATCH'].includes(method) ? { body: sent } : {}),
      })
      statuses.add(status)
      if (status >= 500) throw new Error(`${method} ${path} ${sent} answered ${status}`)
      if (method !== 'POST' || status !== 200) continue
      // what is taken is what the file says may be sent
      const request = JSON.parse(sent)
      const complaints = listComplaints(REQUEST_SCHEMA, request)
      if (complaints !== '[]') throw new Error(`${sent} was taken: ${complaints}`)
      const part = 'line' in request ? 'line' : 'rule' in request ? 'rule' : ''
      const what = `${request.op} ${part}`.trim()
      taken[what] = (taken[what] ?? 0) + 1
      if (request.op === 'add') storedIds[part as 'line' | 'rule'].push(json.id)
      for (const ids of [storedIds.line, storedIds.rule]) {
        if (request.op === 'remove' && ids.includes(json.id)) ids.splice(ids.indexOf(json.id), 1)
      }
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  for (const status of [200, 204, 400, 401, 404, 405, 413, 422]) {
    expect([...statuses]).toContain(status)
  }
  const wanted = ['set', 'add line', 'add rule', 'update line', 'update rule', 'remove', 'arm']
  for (const what of wanted) expect(taken[what], what).toBeGreaterThan(10)
  const { lines, rules } = (await api.call('/api/alerts', { key })).json
  expect([lines.length <= 50, rules.length <= 20]).toEqual([true, true])
})
