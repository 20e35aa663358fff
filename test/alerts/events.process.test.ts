// Events sent to an account, their deliveries, and those sent on demand.

import { afterEach, beforeEach, expect, test } from 'vitest'
import { AlertBody, PositionBody } from '../../src/alerts/bodies/schema.ts'
import { DELIVERIES_MAX, EVENTS_MAX } from '../../src/alerts/limits.ts'
import { readBodyVectors } from '../support/alertBodies.ts'
import { type CallOptions, startTestApi, type TestApi } from '../support/api.ts'
import { beginAll, eventId, findEnd, findMinute, single, went } from '../support/outbox.ts'

let api: TestApi
const PATH = '/api/alerts'
const vectors = readBodyVectors()

beforeEach(async () => {
  api = await startTestApi()
})
afterEach(() => api.close())

const events = async (query = '', options: CallOptions = {}) =>
  (await api.call(`${PATH}/events${query}`, options)).json
const deliveries = async (query = '') => (await api.call(`${PATH}/deliveries${query}`)).json
const send = (body: object, options: CallOptions = {}) =>
  api.call(PATH, { method: 'POST', body: JSON.stringify(body), ...options })

/** An event as it is queued, with the body of the first vector. */
const queued = (id: number, accountId: string, more: Parameters<typeof single>[2] = {}) => {
  const { id: _, ...body } = JSON.parse(vectors[0]!.body)
  return single(id, accountId, { body: JSON.stringify(body), ...more })
}

/** A stored event of each vector, under the vector's id. */
async function queueVectors(accountId = api.accountId): Promise<void> {
  for (const [index, { body }] of vectors.entries()) {
    const { id, ...shared } = JSON.parse(body)
    const owner = shared.position_id === undefined ? 'alerts' : shared.position_id
    const stored = { id, owner, type: shared.type, day: shared.day, body: JSON.stringify(shared) }
    await api.accounts.outbox.queueEvent(queued(index, accountId, stored))
  }
}

const saveEndpoint = (owner: 'alerts' | `p_${string}` = 'alerts', accountId = api.accountId) =>
  api.accounts.outbox.saveEndpoint({
    accountId,
    owner,
    url: 'https://hook.example.com/in',
    atMs: 1,
  })
const saveSecret = (accountId = api.accountId) =>
  api.accounts.outbox.putSecret({ accountId, sealed: 'sealed', atMs: 1 })

test('events are reported whole, as the vectors write them, also without a webhook', async () => {
  await queueVectors()
  const response = await events()
  const bodies = response.events.map((one: { body: object }) => JSON.stringify(one.body))
  // the clock of the test is before the last day of put_support
  expect(bodies).toEqual(vectors.map(({ body }) => body))
  expect([response.more, response.last]).toEqual([false, response.events.at(-1).seq])
  expect(await events(`?after=${response.last}`)).toEqual({
    events: [],
    last: response.last,
    more: false,
  })
  expect((await events('?after=999')).last).toBe(999)
})

test('put_support is sent until its last day in New York, and not after it', async () => {
  await queueVectors()
  const levels = async () => (await events('?limit=1')).events[0].body.levels
  api.clock.atMs = Date.parse('2026-12-01T04:59:59.999Z')
  expect(await levels()).toHaveProperty('put_support')
  api.clock.atMs += 1
  expect(await levels()).not.toHaveProperty('put_support')
})

test.each([1, 2, 5, 13, 500])('by pages of %i every event comes once, in order', async limit => {
  await queueVectors()
  const seen: string[] = []
  let after = 0
  for (let more = true; more; ) {
    const page = await events(`?after=${after}&limit=${limit}`)
    expect(page.events.length).toBeLessThanOrEqual(limit)
    seen.push(...page.events.map((one: { body: { id: string } }) => one.body.id))
    more = page.more
    after = page.last
    // a late one is behind what was read
    if (seen.length === limit && limit < 13) {
      await api.accounts.outbox.queueEvent(queued(900 + limit, api.accountId))
    }
  }
  const vectorIds = vectors.map(({ body }) => JSON.parse(body).id)
  expect(seen).toEqual(limit < 13 ? [...vectorIds, eventId(900 + limit)] : vectorIds)
})

test('a day and a type choose; replays and other accounts are not among them', async () => {
  await queueVectors()
  const { accountId, key } = await api.newKey()
  const { outbox } = api.accounts
  await outbox.queueEvent(queued(900, accountId))
  await outbox.queueEvent(queued(901, api.accountId, { run: 'replay_000000000000' }))
  await outbox.queueEvent(queued(902, api.accountId, { day: '2026-11-24' }))
  const ids = (response: { events: { body: { id: string } }[] }) =>
    response.events.map(({ body }) => body.id)
  expect(ids(await events('', { key }))).toEqual([eventId(900)])
  expect(ids(await events('?day=2026-11-24'))).toEqual([eventId(902)])
  expect(ids(await events('?day=2026-11-24&type=order'))).toEqual([])
  const tests = vectors.filter(({ body }) => JSON.parse(body).type === 'test')
  expect(ids(await events('?type=test'))).toEqual(tests.map(({ body }) => JSON.parse(body).id))
  expect(ids(await events())).not.toContain(eventId(901))
})

test('a delivery reports every attempt: when, how long, the status or why not, and where', async () => {
  await saveEndpoint()
  await saveSecret()
  await api.accounts.outbox.queueEvent(queued(1, api.accountId, { minuteEndMs: null }))
  const [first] = went(await beginAll(api.accounts.outbox))
  const nowMs = Date.parse('2026-11-25T15:38:04Z')
  const failed = { ...findEnd(first!, 'retry', nowMs), outcome: TIMEOUT }
  await api.accounts.outbox.endAttempts({ nowMs, ends: [failed] })
  const [waiting] = (await deliveries()).deliveries
  expect(waiting).toMatchObject({ state: 'waiting', next_try_at: '2026-11-25T10:38:04-05:00' })
  const [second] = went(await beginAll(api.accounts.outbox, nowMs))
  await api.accounts.outbox.endAttempts({ nowMs, ends: [findEnd(second!, 'sent')] })
  const response = await deliveries(`?event=${eventId(1)}`)
  expect(response.deliveries).toEqual([
    {
      delivery: waiting.delivery,
      event: eventId(1),
      type: 'flip_cross',
      position: null,
      channel: 'webhook',
      state: 'sent',
      reason: null,
      next_try_at: null,
      queued_at: '2026-11-25T10:38:03-05:00',
      ended_at: '2026-11-25T10:38:04-05:00',
      attempts: [
        {
          number: 1,
          started: '2026-11-25T10:38:03-05:00',
          result: 'retry',
          ms: 3000,
          status: null,
          error: 'timeout',
          address: null,
        },
        {
          number: 2,
          started: '2026-11-25T10:38:04-05:00',
          result: 'sent',
          ms: 12,
          status: 200,
          error: null,
          address: '203.0.113.7',
        },
      ],
    },
  ])
})
const TIMEOUT = {
  result: 'retry',
  status: null,
  error: 'timeout',
  ms: 3000,
  address: null,
} as const

test('deliveries are newest first, and before leads to the older ones, each once', async () => {
  await saveEndpoint()
  for (let id = 1; id <= 5; id++) {
    await api.accounts.outbox.queueEvent(queued(id, api.accountId))
  }
  const seen: string[] = []
  let before = ''
  for (;;) {
    const page = (await deliveries(`?limit=2${before}`)).deliveries
    if (page.length === 0) break
    seen.push(...page.map((one: { event: string }) => one.event))
    before = `&before=${page.at(-1).delivery}`
  }
  expect(seen).toEqual([5, 4, 3, 2, 1].map(eventId))
})

test("another account's event is as unknown as one that nobody has, byte for byte", async () => {
  const { accountId } = await api.newKey()
  await saveEndpoint('alerts', accountId)
  await api.accounts.outbox.queueEvent(queued(7, accountId))
  const listDeliveries = (id: string) => api.call(`${PATH}/deliveries?event=${id}`)
  const again = (id: string) => send({ op: 'redeliver', id })
  for (const request of [listDeliveries, again]) {
    const [foreign, none] = [await request(eventId(7)), await request(eventId(8))]
    expect([foreign.status, none.status]).toEqual([404, 404])
    expect(foreign.body.toString()).toBe(none.body.toString())
    expect(foreign.json.error.code).toBe('not_found')
  }
  await saveEndpoint('p_1', accountId)
  const [foreign, none] = [
    await send({ op: 'test', position: 'p_1' }),
    await send({ op: 'test', position: '../x' }),
  ]
  expect([foreign.status, foreign.body.toString()]).toEqual([404, none.body.toString()])
})

test('a test goes to the webhook with the body of the vectors, also while it is off', async () => {
  const refused = await send({ op: 'test' })
  expect([refused.status, refused.json.error.code]).toEqual([400, 'invalid'])
  expect(refused.json.error.message).toBe(
    'this account has no webhook for alerts; save its address on the account page.',
  )
  await saveEndpoint()
  await saveEndpoint('p_4fQ8sK2mZx0T')
  await saveSecret()
  api.clock.atMs = Date.parse('2026-11-25T16:40:12Z')
  const { json, status } = await send({ op: 'test', position: null })
  expect([status, json]).toEqual([
    200,
    { ok: true, id: expect.stringMatching(/^evt_[0-9a-f]{32}$/) },
  ])
  const ofPosition = await send({ op: 'test', position: 'p_4fQ8sK2mZx0T' })
  const begun = went(await beginAll(api.accounts.outbox, api.clock.atMs))
  expect(begun.map(({ eventId: id, owner }) => [id, owner])).toEqual([
    [json.id, 'alerts'],
    [ofPosition.json.id, 'p_4fQ8sK2mZx0T'],
  ])
  const [alerts, position] = begun.map(({ body }) => body.toString())
  const vector = vectors.find(({ body }) => JSON.parse(body).type === 'test')!.body
  expect(alerts).toBe(vector.replace(JSON.parse(vector).id, json.id))
  expect(AlertBody.parse(JSON.parse(alerts!))).toMatchObject({ type: 'test' })
  expect(PositionBody.parse(JSON.parse(position!))).toMatchObject({ type: 'test' })
})

test('an event is sent again under its id, once while it is under way', async () => {
  await saveEndpoint()
  await saveSecret()
  await api.accounts.outbox.queueEvent(queued(1, api.accountId))
  const id = eventId(1)
  const underway = await send({ op: 'redeliver', id })
  expect([underway.status, underway.json.error.message]).toEqual([
    400,
    'the event is being delivered; wait until that has ended.',
  ])
  const [first] = went(await beginAll(api.accounts.outbox))
  const nowMs = Date.parse('2026-11-25T15:40:00Z')
  await api.accounts.outbox.endAttempts({ nowMs, ends: [findEnd(first!, 'failed')] })
  const responses = await Promise.all([1, 2, 3].map(() => send({ op: 'redeliver', id })))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  const [second] = went(await beginAll(api.accounts.outbox, api.clock.atMs + 1))
  expect(second?.body.toString()).toBe(first!.body.toString())
  expect((await deliveries(`?event=${id}`)).deliveries).toHaveLength(2)
  const listed = findMinute([], { run: 'replay_000000000000' })
  await api.accounts.outbox.takeMinute(listed)
  await api.accounts.outbox.queueEvent(queued(2, api.accountId, { channels: [] }))
  const notSent = await send({ op: 'redeliver', id: eventId(2) })
  expect(notSent.json.error.message).toMatch(/^the event was only listed/)
})

test('with an Idempotency-Key a test and a redelivery are sent once', async () => {
  await saveEndpoint()
  const headers = { 'idempotency-key': 'k' }
  const first = await send({ op: 'test' }, { headers })
  const again = await send({ op: 'test', position: null }, { headers })
  expect([again.status, again.json]).toEqual([200, first.json])
  expect(again.headers.get('idempotency-replayed')).toBe('true')
  const other = await send({ op: 'redeliver', id: first.json.id }, { headers })
  // its fault is reported first
  expect([other.status, other.json.error.code]).toEqual([400, 'invalid'])
  const line = { op: 'add', line: { kind: 'price', price: 6000 } }
  expect((await send(line, { headers })).status).toBe(422)
  expect((await events()).events).toHaveLength(1)
})

test.each([
  ['/events?after=-1', 'after is "-1"; give a whole number from 0 on, such as after=20.'],
  [
    '/events?limit=0',
    `limit is "0"; give a whole number from 1 to ${EVENTS_MAX}, such as limit=20.`,
  ],
  [`/events?limit=${EVENTS_MAX + 1}`, `limit is "${EVENTS_MAX + 1}"; give a whole number from 1 `],
  ['/events?type=trade', 'type is "trade"; give one of flip_cross, wall_break, regime_change, '],
  ['/events?day=26-11-25', 'day is "26-11-25"; give a date written YYYY-MM-DD, such as day='],
  [`/deliveries?limit=${DELIVERIES_MAX + 1}`, `limit is "${DELIVERIES_MAX + 1}"; give a whole nu`],
  ['/deliveries?before=0', 'before is "0"; give a whole number from 1 on, such as before=20.'],
])('%s is refused in one sentence', async (path, message) => {
  const { status, json } = await api.call(PATH + path)
  expect(status).toBe(400)
  expect(json.error.message.slice(0, message.length)).toBe(message)
})

test.each([
  [{ op: 'test', position: 7 }, 'position is 7; give the id of a position, such as "p_4fQ8s'],
  [{ op: 'test', id: 'x' }, 'id is unknown; the fields are op, position.'],
  [{ op: 'redeliver' }, 'id is missing; give the id of an event, such as "evt_9f2c4e7a1b3d5f6'],
  [{ op: 'redeliver', event: 'x' }, 'event is unknown; the fields are op, id.'],
])('%j is refused in one sentence', async (body, message) => {
  const { status, json } = await send(body)
  expect(status).toBe(400)
  expect(json.error.message.slice(0, message.length)).toBe(message)
})
