// Every refusal of a test of an idea, each in one sentence with its fields.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LabAccount, type LabApi, startLabApi } from '../../support/labApi.ts'
import { BEHAVIOURS } from '../../support/labBehaviours.ts'

let lab: LabApi
let account: LabAccount
let id: string

beforeAll(async () => {
  lab = await startLabApi()
  account = await lab.newAccount()
  id = await account.idea()
})
afterAll(async () => {
  lab.letGo()
  await lab.api.close()
})

const GOOD_SPEC = {
  v: 1,
  core: {
    action: 'sell',
    structure: 'put_spread',
    width: 10,
    dte: 0,
    qty: 1,
    strike: { ref: 'spot', offset: -30 },
    entry: { at: '10:00' },
    exit: [{ at: 'expiry' }],
  },
  when: [],
}
const ACTION = '/api/lab/idea'
const RUN = '/api/lab/run'
const STRUCT = '/api/struct/run'

test.each([
  [RUN, '{}', 400, /^kind is missing; send backtest or quant/],
  [RUN, '{"id": "i_1", "kind": "struct"}', 400, /^kind is "struct"; send backtest or quant/],
  [RUN, '{"kind": "quant"}', 400, /^id is missing; send an idea, such as "i_/],
  [RUN, '{"id": 7, "kind": "quant"}', 400, /^id is 7; send an idea/],
  [
    RUN,
    '{"id": "i_1", "kind": "quant", "qty": 1}',
    400,
    /^"qty" is no field; send id, kind, drop\.$/,
  ],
  [RUN, '{"id": "i_000000000000", "kind": "quant"}', 404, /^there is no idea "i_000000000000"/],
  [RUN, '{"id": "i_1", "kind": "backtest", "drop": 7}', 400, /^drop is 7; send the idea on the/],
  [ACTION, '{"id": "i_1"}', 400, /^action is missing; send one of desk, drop, delete, open, set/],
  [ACTION, '{"id": "i_1", "action": "sell"}', 400, /^action is "sell"; send one of desk/],
  [ACTION, '{"id": "i_1", "action": "desk", "on": true}', 400, /^on is only of the action set/],
  [ACTION, '{"id": "i_1", "action": "set"}', 400, /^the action set changes nothing; send on/],
  [ACTION, '{"id": "i_1", "action": "set", "on": 1}', 400, /^on is 1; send true or false/],
  [ACTION, '{"id": "i_1", "action": "set", "draw": "x"}', 400, /^draw is "x"; send one of off, l/],
  [ACTION, '{"id": "i_1", "action": "set", "alert": null}', 400, /^alert is null; send one of/],
  [ACTION, '{"id": "i_000000000000", "action": "drop"}', 404, /^there is no idea/],
  [STRUCT, '{}', 400, /^spec is missing; send the spec of an idea/],
  [STRUCT, '{"spec": "sell"}', 400, /^spec is "sell"/],
  [STRUCT, JSON.stringify({ spec: GOOD_SPEC, assume: { fee: 1 } }), 400, /^assume: .*fee/],
  [
    STRUCT,
    JSON.stringify({ spec: GOOD_SPEC, assume: { delay_min: -1 } }),
    400,
    /assume\.delay_min/,
  ],
  [STRUCT, '{"spec": {"v": 2}}', 422, /^not a rule: spec\./],
  [STRUCT, JSON.stringify({ spec: { ...GOOD_SPEC, x: 1 } }), 422, /^not a rule: spec/],
])('%s with %s is %i', async (path, body, status, sentence) => {
  const response = await account.post(path, { body })
  expect([response.status, response.json.error]).toEqual([status, expect.stringMatching(sentence)])
  const others = status === 422 ? ['error', 'refunded'] : ['error']
  expect(Object.keys(response.json)).toEqual(others)
})

test('steps out of order are 409, and say what comes next', async () => {
  const sentence = async (response: ReturnType<LabAccount['get']>) => {
    const { status, json } = await response
    expect([status, Object.keys(json)]).toEqual([409, ['error']])
    return json.error
  }
  const next = 'what comes next is the run backtest.'
  expect(await sentence(account.run(id, 'quant'))).toContain(next)
  expect(await sentence(account.act({ id, action: 'desk' }))).toContain(next)
  expect(await sentence(account.act({ id, action: 'set', on: true }))).toContain(next)
})

test('another idea that holds the conveyor is named', async () => {
  const own = await lab.newAccount()
  const [first, second] = [await own.idea(), await own.idea()]
  await own.run(first, 'backtest')
  const held = await own.run(second, 'backtest')
  expect([held.status, held.json]).toEqual([
    409,
    {
      error:
        `the idea ${first} is on the conveyor; put it on the desk, or send "drop": "${first}" with ` +
        'this test to take it off.',
      holder: first,
    },
  ])
  await own.act({ id: first, action: 'delete' })
  expect((await own.run(second, 'backtest')).status).toBe(200)
})

test('a test takes the idea that failed off the conveyor, and drops none that is not there', async () => {
  const own = await lab.newAccount()
  const [first, second, third] = [await own.idea(), await own.idea(), await own.idea()]
  const drop = async (id: string, dropped: string) => {
    const { status, json } = await own.post('/api/lab/run', {
      body: JSON.stringify({ id, kind: 'backtest', drop: dropped }),
    })
    return [status, json.holder ?? json.state?.conveyor]
  }
  await own.run(first, 'backtest')
  // it is not the one that holds it
  expect(await drop(second, third)).toEqual([409, first])
  expect(await drop(second, first)).toEqual([200, second])
  const { ideas } = (await own.get('/api/lab/state')).json
  const stages = new Map(ideas.map(({ id, stage }: { id: string; stage: string }) => [id, stage]))
  expect([first, second, third].map(id => stages.get(id))).toEqual(['rule', 'tested', 'rule'])
  // dropped already, and itself
  expect(await drop(second, first)).toEqual([409, undefined])
  await own.act({ id: second, action: 'drop' })
  expect(await drop(second, second)).toEqual([200, second])
  // of a test that does not begin nothing is dropped
  const open = await own.post('/api/lab/chat', {
    body: JSON.stringify({ message: 'Sell the 10-wide put spread at 10:00.' }),
  })
  expect(await drop(open.json.id, second)).toEqual([422, undefined])
  expect((await own.get('/api/lab/state')).json.conveyor).toBe(second)
})

test('without credits, or without a rule, nothing runs', async () => {
  const own = await lab.newAccount()
  const requested = { body: JSON.stringify({ message: 'Sell the 10-wide put spread at 10:00.' }) }
  const open = (await own.post('/api/lab/chat', requested)).json.id
  const noRule = await own.run(open, 'backtest')
  expect([noRule.status, noRule.json.refunded]).toEqual([422, true])
  const poor = await lab.newAccount()
  const idea = await poor.idea()
  await lab.api.accounts.removeProduct(poor.accountId, 'lab')
  expect((await poor.run(idea, 'backtest')).json).toEqual({ error: 'no credits', buy: 'lab' })
})

test('more than eight that wait of one account are 502, and cost nothing', async () => {
  const own = await lab.newAccount()
  const body = JSON.stringify({
    spec: { ...GOOD_SPEC, core: { ...GOOD_SPEC.core, qty: BEHAVIOURS.waits } },
  })
  const statuses: number[] = []
  for (let index = 0; index < 12; index++) {
    statuses.push((await own.post(STRUCT, { body })).status)
  }
  // two of them are computed, or are about to be
  expect(statuses.filter(status => status === 202).length).toBeLessThanOrEqual(10)
  expect(statuses.at(-1)).toBe(502)
  const begun = statuses.filter(status => status === 202).length
  expect((await own.get('/api/lab/state')).json.balance.total).toBe(30 - begun)
})

test('a number that is none is refused by its parameter', async () => {
  const own = await lab.newAccount()
  const { json } = await own.get('/api/lab/trades?job=j_000000000000&start=-1')
  expect(json.error).toBe('start is "-1"; give a number of up to six digits, such as start=100.')
})
