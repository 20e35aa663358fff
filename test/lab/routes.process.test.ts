import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallOptions, startTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
let key: string

beforeAll(async () => {
  api = await startTestApi()
  ;({ key } = await api.newKey('lab', 'lab'))
})
afterAll(() => api.close())

const call = (path: string, options: CallOptions = {}) => api.call(path, { key, ...options })
const say = (message: string, id?: string) =>
  call('/api/lab/chat', { method: 'POST', body: JSON.stringify({ message, id }) })

const SENTENCE = 'At 10:00 sell the 10-wide put spread 30 points below spot.'

test('a sentence becomes an idea with a rule, which state and thread have', async () => {
  const { status, json } = await say(SENTENCE)
  expect(status).toBe(200)
  expect(json).toMatchObject({
    kind: 'spec',
    idea: { id: expect.stringMatching(/^i_\w{12}$/), name: 'Sell 10-wide put spread, 10:00' },
    say: 'At 10:00 ET, sell the 0DTE 10-wide put spread 30 points below spot, hold to expiry.',
    version: 1,
    rule_hash: '6c2b05cf3454e24c36a58379f50e0d77383e8260ed2a1a7fd4c7ebc02545c865',
  })
  const { id, spec } = json.idea
  const state = (await call('/api/lab/state')).json
  expect(state).toMatchObject({ conveyor: null, balance: { monthly: 30, purchased: 0, total: 30 } })
  expect(state.ideas).toContainEqual(
    expect.objectContaining({ id, stage: 'rule', spec, results: null }),
  )
  const { messages } = (await call(`/api/lab/thread?id=${id}`)).json
  expect(messages).toMatchObject([
    { n: 1, from: 'you', text: SENTENCE },
    { n: 2, from: 'lab', kind: 'spec', version: 1, rule_hash: json.rule_hash },
  ])
})

test('a question stores an idea without a rule; a reply, a change and undo follow', async () => {
  const requested = (await say('Sell the 10-wide put spread at 10:00.')).json
  expect(requested).toMatchObject({ kind: 'chat', missing: [{ slot: 'strike', unit: 'points' }] })
  const { id } = requested
  const stored = async () =>
    (await call('/api/lab/state')).json.ideas.find((idea: { id: string }) => idea.id === id)
  expect(await stored()).toMatchObject({ spec: null, missing: ['strike'] })
  expect((await say('30', id)).json).toMatchObject({ kind: 'spec', version: 1, changed: [] })
  expect((await say('make it 15 wide', id)).json).toMatchObject({
    version: 2,
    changed: [{ field: 'width', from: '10', to: '15' }],
  })
  expect((await say('only Mondays', id)).json).toMatchObject({ version: 3 })
  expect((await say('undo', id)).json).toMatchObject({ kind: 'spec', version: 2 })
  expect((await say('undo', id)).json).toMatchObject({
    version: 1,
    changed: [{ field: 'width', from: '15', to: '10' }],
  })
  expect((await say('undo', id)).json).toMatchObject({
    kind: 'error',
    errors: ['there is nothing to undo'],
  })
  // versions stay: the next one is new, and goes back to the first
  expect((await say('make it 20 wide', id)).json).toMatchObject({ version: 4 })
  expect((await say('undo', id)).json).toMatchObject({ version: 1 })
  // undo drops an open question, and keeps the rule
  expect((await say('wider', id)).json).toMatchObject({ kind: 'chat', id })
  expect((await say('undo', id)).json).toMatchObject({ kind: 'spec', version: 1 })
  expect(await stored()).not.toHaveProperty('missing')
})

test('a rule with unread words is proposed, and taken only when it is accepted', async () => {
  const proposed = (await say('sell the 16 delta strangle at 10 zorb')).json
  const { id } = proposed
  expect(proposed).toMatchObject({
    kind: 'chat',
    missing: [{ slot: 'unread words', options: ['yes'] }],
    unread: [{ from: 33, to: 37, text: 'zorb' }],
    proposal: { say: 'At 10:00 ET, sell the 0DTE strangle at 16 delta, hold to expiry.' },
  })
  const stored = async () =>
    (await call('/api/lab/state')).json.ideas.find((idea: { id: string }) => idea.id === id)
  expect(await stored()).toMatchObject({ spec: null, missing: ['unread words'] })
  const run = await call('/api/lab/run', {
    method: 'POST',
    body: JSON.stringify({ id, kind: 'backtest' }),
  })
  expect(run.status).toBe(422)
  const body = JSON.stringify({ id, accept: true })
  const accepted = (await call('/api/lab/chat', { method: 'POST', body })).json
  expect(accepted).toMatchObject({
    kind: 'spec',
    version: 1,
    idea: { spec: proposed.proposal.spec },
  })
  expect(accepted.assumptions).toContainEqual({
    field: 'unread words',
    value: 'zorb',
    why: 'left out, as accepted',
  })
  // a change with unread words keeps the rule until it is accepted
  expect((await say('stop at 3x credit zorb', id)).json).toMatchObject({
    kind: 'chat',
    proposal: { changed: [{ field: 'exit', to: 'stop at 3x credit' }] },
  })
  expect((await stored()).spec).toEqual(accepted.idea.spec)
  expect((await say('undo', id)).json).toMatchObject({ kind: 'spec', version: 1 })
})

test('a message that is no rule gets its words back, and stores no idea', async () => {
  const before = (await call('/api/lab/state')).json.ideas.length
  expect((await say('Sell the put spread if the moon is full')).json).toMatchObject({
    kind: 'error',
    errors: ['moon is not in the data'],
  })
  expect((await say('Colourless green ideas sleep furiously.')).json).toMatchObject({
    kind: 'error',
    errors: ['not understood: colourless green ideas sleep furiously'],
    unread: [
      { from: 0, to: 10, text: 'colourless' },
      { from: 11, to: 16, text: 'green' },
      { from: 17, to: 22, text: 'ideas' },
      { from: 23, to: 28, text: 'sleep' },
      { from: 29, to: 38, text: 'furiously' },
    ],
  })
  expect((await say('hello')).json).toMatchObject({ kind: 'chat', missing: [] })
  expect((await say('x'.repeat(2_001))).json).toMatchObject({ kind: 'error' })
  expect((await call('/api/lab/state')).json.ideas).toHaveLength(before)
})

test.each([
  ['no message', '{}', 400],
  ['an empty message', '{"message": " "}', 400],
  ['a message that is a number', '{"message": 3}', 400],
  ['half a character', '{"message": "\\ud800"}', 400],
  ['another field', '{"message": "hello", "text": "x"}', 400],
  ['accept without an idea', '{"accept": true}', 400],
  ['accept that is a word', '{"id": "i_000000000000", "accept": "yes"}', 400],
  ['accept with a message', '{"id": "i_000000000000", "accept": true, "message": "yes"}', 400],
  ['accept for an idea of nobody', '{"id": "i_000000000000", "accept": true}', 404],
  ['an id that is a number', '{"message": "hello", "id": 3}', 400],
  ['an idea of nobody', '{"message": "hello", "id": "i_000000000000"}', 404],
])('a body with %s: %s is %i, one sentence', async (_, body, status) => {
  const response = await call('/api/lab/chat', { method: 'POST', body })
  expect(response.status).toBe(status)
  expect(Object.keys(response.json)).toEqual(['error'])
})

test.each([
  [{ message: '' }, 'message is ""; send an idea in words, such as'],
  [{ message: 5 }, 'message is 5; send an idea in words, such as'],
  [{ message: 'hello', id: 3 }, 'id is 3; send an idea, such as'],
  [{ accept: 'yes' }, 'accept is "yes"; send true, such as'],
])('%j is refused with the value as it was sent', async (body, sentence) => {
  const { json } = await call('/api/lab/chat', { method: 'POST', body: JSON.stringify(body) })
  expect(json.error).toContain(sentence)
})

test('an idea is its account’s alone', async () => {
  const { id } = (await say('Sell the 10-wide put spread at 10:00.')).json
  const other = (await api.newKey('lab', 'lab')).key
  const body = JSON.stringify({ message: '30', id })
  expect((await api.call('/api/lab/chat', { key: other, method: 'POST', body })).status).toBe(404)
  expect((await api.call(`/api/lab/thread?id=${id}`, { key: other })).status).toBe(404)
  expect((await api.call('/api/lab/state', { key: other })).json.ideas).toEqual([])
})

test('every example of the vocabulary is a rule', async () => {
  const { json } = await call('/api/lab/vocabulary')
  for (const example of json.examples) {
    expect((await say(example)).json, example).toMatchObject({ kind: 'spec' })
  }
})
