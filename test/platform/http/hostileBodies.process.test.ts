// Bodies that nobody sends by mistake, at every operation that takes one: never a fault of the
// server, and always in the words of the product. Each response is compared with the OpenAPI
// file.

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Scope } from '../../../src/accounts/apiKey.ts'
import type { Plan } from '../../../src/accounts/products.ts'
import { JSON_DEPTH_MAX } from '../../../src/core/disk/json.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { OPERATIONS } from '../../support/operations.ts'
import { runs } from '../../support/runs.ts'

let api: TestApi
let keys: Readonly<Record<string, string>>
beforeAll(async () => {
  api = await startTestApi()
  const made = [['orders', 'orders'] as const, ['lab', 'lab'] as const, ['live', 'live'] as const]
  const pairs = made.map(async ([plan, scope]: readonly [Plan, Scope]) => {
    return [plan, (await api.newKey(plan, scope)).key] as const
  })
  keys = Object.fromEntries(await Promise.all(pairs))
})
afterAll(() => api.close())

const POSTS = OPERATIONS.filter(({ method }) => method === 'POST')
const SERVERS = [
  { path: '/orders/mcp', product: 'orders' },
  { path: '/mcp', product: 'lab' },
] as const

const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const objects = (levels: number, name = 'a') =>
  `${`{"${name}":`.repeat(levels)}1${'}'.repeat(levels)}`
const FIELDS = ['op', 'position', 'message', 'id', 'kind', 'spec', 'assume', 'line', 'params']

const TOO_DEEP: readonly string[] = [
  ...[JSON_DEPTH_MAX + 1, 5_000, 7_900].map(lists),
  '['.repeat(16_000),
  objects(2_500),
  ...FIELDS.flatMap(name => [
    `{"${name}":${lists(5_000)}}`,
    `{"${name}":${lists(JSON_DEPTH_MAX)}}`,
    objects(1_000, name),
  ]),
  `{"op":"add","position":{"legs":${objects(1_500)}}}`,
  `{"message":"a","x":"]]]]","id":${lists(JSON_DEPTH_MAX)}}`,
]

const VALUES: readonly string[] = [
  'null',
  '[]',
  '{}',
  'true',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '-0',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"constructor"',
  '"__proto__"',
  '"\u202e"',
  `"${'x'.repeat(15_000)}"`,
  lists(JSON_DEPTH_MAX - 1),
  objects(JSON_DEPTH_MAX - 1),
  `[${'0,'.repeat(7_000)}0]`,
]
const ODD: readonly string[] = [
  '',
  ' ',
  '{',
  '"',
  '\\',
  '[1,]',
  'NaN',
  'undefined',
  '\ufeff{}',
  "{'a':1}",
  '{}{}',
  '\u0000',
  ...VALUES,
  `{${Array.from({ length: 1_500 }, (_, at) => `"k${at}":1`).join(',')}}`,
  '{"__proto__":{"op":"add","message":"a","id":"i_a"}}',
  '{"__proto__":null,"constructor":{"prototype":{}},"toString":1,"hasOwnProperty":1}',
  '{"op":"add","op":"remove","op":[]}',
  '{"message":"a","message":{"a":1},"id":1,"id":"i_a"}',
  ...FIELDS.flatMap(name => VALUES.map(value => `{"${name}":${value}}`)),
  ...VALUES.flatMap(value => [
    `{"op":"add","position":{"kind":${value},"legs":${value},"entry":${value}}}`,
    `{"op":"add","position":{"kind":"strangle","legs":{"sp":${value},"sc":6050},"entry":"10:30"}}`,
    `{"op":"add","line":{"kind":"price","price":${value}}}`,
    `{"op":"add","rule":${value},"list":${value}}`,
    `{"message":"At 10:00 sell the straddle","id":${value}}`,
    `{"id":"i_a","action":"set","on":${value},"draw":${value}}`,
    `{"spec":{"v":1,"core":${value},"when":[${value}]},"assume":{"fee_usd":${value}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${value}}`,
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"orders_find","arguments":${value}}}`,
    `{"jsonrpc":"2.0","id":${value},"method":"ping"}`,
  ]),
]

/** A part of them for a path; all in the deep tests. */
const oddBodies = (path: string): readonly string[] => {
  const step = Math.round(ODD.length / runs(ODD.length))
  return ODD.filter((_, index) => (index + path.length) % step === 0)
}

const send = (path: string, product: string, body: string) =>
  api.call(path, {
    method: 'POST',
    key: keys[product]!,
    body,
    headers: { 'content-type': 'application/json' },
  })

test.each(POSTS)('$path refuses what is nested too deep as what is no JSON', async sent => {
  for (const body of TOO_DEEP) {
    const { status, json } = await send(sent.path, sent.product!, body)
    const sentence = sent.product === 'lab' ? json.error : json.error.message
    expect([body.slice(0, 60), status, sentence]).toEqual([
      body.slice(0, 60),
      400,
      expect.stringMatching(
        /^the body is nested over 64 levels deep; send (an object such as )?\{/,
      ),
    ])
    if (sent.product !== 'lab') expect(json.error.code).toBe('bad_json')
  }
})

test.each(POSTS)('$path returns a server fault for no odd body', async sent => {
  for (const body of oddBodies(sent.path)) {
    const { status, json } = await send(sent.path, sent.product!, body)
    expect([body.slice(0, 80), status < 500]).toEqual([body.slice(0, 80), true])
    if (status === 200) continue
    const isSentence = typeof json.error === 'string'
    expect([body.slice(0, 80), isSentence]).toEqual([body.slice(0, 80), sent.product === 'lab'])
  }
})

/** The OpenAPI file does not describe MCP. */
async function sendMessage(path: string, product: string, body: string) {
  const headers = {
    'content-type': 'application/json',
    authorization: `Bearer ${keys[product]!}`,
    accept: 'application/json',
  }
  const response = await fetch(api.url + path, { method: 'POST', headers, body })
  const text = await response.text()
  return { status: response.status, json: text === '' ? null : JSON.parse(text) }
}

test.each(SERVERS)('$path rejects them in the words of JSON-RPC', async ({ path, product }) => {
  for (const body of TOO_DEEP) {
    const { status, json } = await sendMessage(path, product, body)
    expect([body.slice(0, 60), status, json.error]).toEqual([
      body.slice(0, 60),
      400,
      {
        code: -32_700,
        message:
          'the body is nested over 64 levels deep; send one JSON-RPC message, such as tools/list.',
      },
    ])
  }
  for (const body of oddBodies(path)) {
    const { status, json } = await sendMessage(path, product, body)
    expect([body.slice(0, 80), status < 500]).toEqual([body.slice(0, 80), true])
    // what is not read is refused as everywhere, before it is a message
    if (status === 413) continue
    for (const one of [json].flat()) {
      if (one !== null) expect(one).toMatchObject({ jsonrpc: '2.0' })
    }
  }
})
