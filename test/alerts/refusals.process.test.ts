import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallOptions, startTestApi, type TestApi } from '../support/api.ts'

// Bodies that the alerts API refuses, in words.

let api: TestApi
const PATH = '/api/alerts'
const LINE = { kind: 'price', price: 6000 }

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const send = (body: unknown, options: CallOptions = {}) =>
  api.call(PATH, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...options,
  })

test.each([
  ['{}', 'bad_op', 'op is missing; give one of set, add, update, remove, arm, test, redeliver.'],
  [
    '{"op": "Set"}',
    'bad_op',
    'op is "Set"; give one of set, add, update, remove, arm, test, redeliver.',
  ],
  ['{"op": "set"}', 'invalid', 'entry is missing; give an object such as {"type":"flip_cross"'],
  ['{"op": "set", "entry": []}', 'invalid', 'entry is an empty list; give an object such as'],
  ['{"op": "set", "line": {}}', 'invalid', 'line is unknown; the fields are op, entry.'],
  ['{"op": "set", "entry": {}}', 'invalid', 'entry.type is missing; give one of flip_cross, '],
  [
    '{"op": "set", "entry": {"type": "flip_cross", "book": "vol", "certain": true}}',
    'invalid',
    'entry.certain is true; the interval of the flip is mostly open in the book volume, give f',
  ],
  [
    '{"op": "set", "entry": {"type": "flip_cross", "book": "oi", "certain": true}}',
    'invalid',
    'entry.certain is true; the book open_interest is a convention without an interval, give f',
  ],
  [
    '{"op": "set", "entry": {"type": "wall_break", "certain": true}}',
    'invalid',
    'entry.certain is unknown; the fields are type, book, symbol, on, walls, confirm, margin_po',
  ],
  [
    '{"op": "set", "entry": {"type": "wall_break", "walls": ["call_wall", "call_wall"]}}',
    'invalid',
    'entry.walls has "call_wall" twice; give each once, as in ["call_wall"].',
  ],
  ['{"op": "add"}', 'invalid', 'line or rule is missing; give a line such as {"kind":"price"'],
  ['{"op": "add", "line": {}, "rule": {}}', 'invalid', 'line and rule are both given; send one'],
  ['{"op": "add", "line": {}}', 'invalid', 'line.kind is missing; give one of price, level,'],
  [
    '{"op": "add", "line": {"kind": "price", "price": 6000, "offset": 10}}',
    'invalid',
    'line.offset is 10, which only lines of kind level have; leave it out, or give "kind": "level"',
  ],
  [
    '{"op": "add", "line": {"kind": "price", "price": 6000, "armed": true}}',
    'invalid',
    'line.armed is answered, not set: send op arm with its id to arm a line; leave it out.',
  ],
  ['{"op": "add", "line": {"id": "l_1"}}', 'invalid', 'line.id is given by add; leave it out, or'],
  ['{"op": "update", "line": {}}', 'invalid', 'line.id is missing; give the id of a line, such'],
  ['{"op": "add", "rule": {}}', 'invalid', 'rule.name is missing; give 1 to 60 printable charact'],
  [
    '{"op": "add", "rule": {"name": "x", "kinds": ["back_spread"]}}',
    'invalid',
    'rule.kinds[0] is "back_spread": an alert never asks which way a customer traded; give "rati',
  ],
  [
    '{"op": "add", "rule": {"name": "x", "dte_min": 8, "dte_max": 7}}',
    'invalid',
    'rule.dte_min is 8 and rule.dte_max is 7; give dte_min <= dte_max, such as 0 and 7.',
  ],
  [
    '{"op": "add", "rule": {"name": "x", "from_t": "15:30", "to_t": "10:00"}}',
    'invalid',
    'rule.from_t is "15:30" and rule.to_t is "10:00"; give from_t <= to_t, such as',
  ],
  [
    '{"op": "add", "rule": {"name": "x", "wall": "any"}}',
    'invalid',
    'rule.wall is "any", but rule.wall_within is missing; give index points such as 15.',
  ],
  ['{"op": "remove"}', 'invalid', 'id is missing; give the id of a line, such as "l_7Qd2mX0aZ9Ke"'],
  ['{"op": "remove", "id": 7}', 'invalid', 'id is 7; give the id of a line, such as'],
  ['{"op": "remove", "id": ""}', 'not_found', 'this account keeps no line or rule with this id;'],
  ['{"op": "arm", "id": "r_1"}', 'not_found', 'this account keeps no line with this id;'],
  ['{"op": "update", "line": {"id": "l_1"}}', 'not_found', 'this account keeps no line with this'],
  ['{"op": "update", "rule": {"id": "r_1"}}', 'not_found', 'this account keeps no rule with this'],
  // what is wrong whatever there is comes before what there is
  ['{"op": "update", "line": {"id": "l_1", "price": 0}}', 'invalid', 'line.price is 0; give a'],
  [
    '{"op": "update", "line": {"id": "l_1", "kind": "price", "level": "flip"}}',
    'invalid',
    'line.level is "flip", which only lines of kind level have;',
  ],
  [
    '{"op": "update", "rule": {"id": "r_1", "dte_min": 2, "dte_max": 1}}',
    'invalid',
    'rule.dte_min is 2 and rule.dte_max is 1;',
  ],
])('the body %s is refused: %s', async (body, code, message) => {
  const { status, json } = await send(body)
  expect(json.error.code).toBe(code)
  expect(json.error.message.slice(0, message.length)).toBe(message)
  expect(status).toBe(code === 'not_found' ? 404 : 400)
})

test('a 51st line and a 21st rule are refused in words, until one is removed', async () => {
  const ids = { line: '', rule: '' }
  const parts = { line: LINE, rule: { name: 'big' } }
  for (const [part, most] of [
    ['line', 50],
    ['rule', 20],
  ] as const) {
    const body = { op: 'add', [part]: parts[part] }
    for (let count = 0; count < most; count++) {
      const { status, json } = await send(body)
      expect(status).toBe(200)
      ids[part] = json.id
    }
    const over = await send(body)
    expect([over.status, over.json.error]).toEqual([
      400,
      {
        code: 'invalid',
        message: `the account keeps ${most} ${part}s, which is the limit; remove one first.`,
      },
    ])
  }
  expect((await send({ op: 'remove', id: ids.line })).status).toBe(200)
  expect((await send({ op: 'add', line: LINE })).status).toBe(200)
  const { lines, rules, max } = (await api.call(PATH)).json
  expect([lines.length, rules.length, max]).toEqual([50, 20, { lines: 50, rules: 20 }])
})
