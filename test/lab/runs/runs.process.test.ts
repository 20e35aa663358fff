// Tests of ideas over the API, computed by processes of their own.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LabApi, startLabApi } from '../../support/labApi.ts'
import { BEHAVIOURS } from '../../support/labBehaviours.ts'

let lab: LabApi

beforeAll(async () => {
  lab = await startLabApi()
})
afterAll(() => lab.api.close())

test('an idea is tested, optimized and monitored; result and trades follow', async () => {
  const account = await lab.newAccount()
  const id = await account.idea()
  const tested = await account.run(id, 'backtest')
  expect(tested.status).toBe(200)
  const { idea, result, state } = tested.json
  expect(idea).toMatchObject({ id, stage: 'tested', on: false, draw: 'off', alert: 'off' })
  expect(state).toMatchObject({ conveyor: id, balance: { monthly: 29, total: 29 }, ideas: [idea] })
  expect(state).not.toHaveProperty('job')
  expect(result).toMatchObject({
    kind: 'backtest',
    job: expect.stringMatching(/^j_\w{12}$/),
    data: { used: 125 },
    lineage: { versions: 1, trials: 1, looks: 1, family_trials: 1, family_looks: 1 },
  })
  expect(idea.results.backtest).toMatchObject({ job: result.job, legs: [{ interesting: false }] })
  const optimized = (await account.run(id, 'quant')).json
  expect(optimized.idea).toMatchObject({ stage: 'ready', results: { quant: {}, backtest: {} } })
  expect(optimized.result.optimize.variants_tried).toBe(optimized.result.optimize.variants.length)
  // the seal of the first test holds
  expect(optimized.result.holdout).toEqual(result.holdout)
  expect((await account.act({ id, action: 'desk' })).json).toMatchObject({
    idea: { stage: 'desk' },
    state: { conveyor: null, balance: { total: 28 } },
  })
  const set = { id, action: 'set', on: true, draw: 'trades', alert: 'webhook' }
  expect((await account.act(set)).json.idea).toMatchObject({ on: true, draw: 'trades' })
  for (const kind of ['backtest', 'quant'] as const) {
    const read = await account.get(`/api/lab/result?id=${id}&kind=${kind}`)
    expect(read.json).toEqual(kind === 'backtest' ? result : optimized.result)
  }
  const { json } = await account.get(`/api/lab/trades?job=${result.job}`)
  expect(json.total).toBe(json.trades.length)
  const inRule = json.trades.filter((row: { in_rule: boolean; r: unknown }) => row.in_rule && row.r)
  expect(inRule).toHaveLength(result.legs[0].eras.all.n)
  const page = (await account.get(`/api/lab/trades?job=${result.job}&start=3&count=2`)).json
  expect(page).toEqual({ ...json, trades: json.trades.slice(3, 5) })
})

test('trades are JSON, CSV, Parquet and an Arrow stream by Accept', async () => {
  const account = await lab.newAccount()
  const { job } = (await account.run(await account.idea(), 'backtest')).json.result
  const types = [
    'text/csv',
    'application/vnd.apache.parquet',
    'application/vnd.apache.arrow.stream',
  ]
  for (const accept of types) {
    const sent = await account.get(`/api/lab/trades?job=${job}`, { headers: { accept } })
    expect([sent.status, sent.headers.get('content-type')!.split(';')[0]]).toEqual([200, accept])
    const etag = sent.headers.get('etag')!
    const headers = { accept, 'if-none-match': etag }
    expect((await account.get(`/api/lab/trades?job=${job}`, { headers })).status).toBe(304)
  }
  const other = { headers: { accept: 'image/png' } }
  expect((await account.get(`/api/lab/trades?job=${job}`, other)).status).toBe(406)
  writeFileSync(join(lab.api.dataFolder, 'lab', 'runs', `${job}.parquet`), 'nothing')
  expect((await account.get(`/api/lab/trades?job=${job}`)).status).toBe(503)
})

test('two runs in one millisecond: one runs, one hears who holds, credits move by 1', async () => {
  const account = await lab.newAccount()
  const ids = [await account.idea(), await account.idea()]
  const responses = await Promise.all(ids.map(id => account.run(id, 'backtest')))
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const held = responses.find(({ status }) => status === 409)!.json
  const holder = ids[responses.findIndex(({ status }) => status === 200)]
  expect(held).toEqual({
    error: `the idea ${holder} is being tested; wait for its job ${held.job}.`,
    holder,
    job: expect.stringMatching(/^j_/),
  })
  expect((await account.get('/api/lab/state')).json.balance.total).toBe(29)
})

test.each([
  ['fails', 502, 'the engine failed; try again.'],
  ['dies', 502, 'the engine failed; try again.'],
  ['refuses', 422, 'No session is published to test on.'],
] as const)(
  'an engine that %s is %i with the credit back, and the next run works',
  async (...row) => {
    const [how, status, error] = row
    const account = await lab.newAccount()
    const id = await account.idea(BEHAVIOURS[how])
    const failed = await account.run(id, 'backtest')
    expect([failed.status, failed.json]).toEqual([
      status,
      { error, refunded: true, job: expect.stringMatching(/^j_/) },
    ])
    const { json } = await account.get(`/api/struct/job?id=${failed.json.job}`)
    expect(json).toEqual({
      job: {
        id: failed.json.job,
        kind: 'backtest',
        idea: id,
        state: 'failed',
        error,
        refunded: true,
        progress: { done: 0, total: 0 },
      },
    })
    const state = (await account.get('/api/lab/state')).json
    expect(state).toMatchObject({
      conveyor: null,
      balance: { total: 30 },
      ideas: [{ stage: 'rule' }],
    })
    expect((await account.run(await account.idea(), 'backtest')).status).toBe(200)
  },
)

test('requested later, a run returns its job; a client that hung up finds it done', async () => {
  const account = await lab.newAccount()
  const id = await account.idea(BEHAVIOURS.waits)
  const headers = { prefer: 'respond-async, wait=10' }
  const begun = await account.run(id, 'backtest', { headers })
  expect([begun.status, begun.headers.get('preference-applied')]).toEqual([202, 'respond-async'])
  const { job, state } = begun.json
  expect(job).toMatchObject({ kind: 'backtest', idea: id, progress: { done: 0, total: 0 } })
  expect(state).toMatchObject({ job: { id: job.id }, conveyor: id, balance: { total: 29 } })
  const busy = await account.act({ id, action: 'drop' })
  expect([busy.status, busy.json.job, busy.json.holder]).toEqual([409, job.id, id])
  // the same request with its key waits for the same run; this one hangs up
  const gone = new AbortController()
  const other = await lab.newAccount()
  const otherId = await other.idea(BEHAVIOURS.waits)
  const left = fetch(`${lab.api.url}/api/lab/run`, {
    method: 'POST',
    signal: gone.signal,
    headers: { authorization: `Bearer ${other.key}` },
    body: JSON.stringify({ id: otherId, kind: 'backtest' }),
  }).catch(() => null)
  await other.until(now => now.job?.state === 'running')
  gone.abort()
  await left
  lab.letGo()
  for (const [who, idea] of [
    [account, id],
    [other, otherId],
  ] as const) {
    const after = await who.until(now => now.job === undefined)
    expect(after.ideas[0]).toMatchObject({ id: idea, stage: 'tested' })
    expect(after.balance.total).toBe(29)
  }
  const done = (await account.get(`/api/struct/job?id=${job.id}`)).json
  expect(done).toMatchObject({ job: { state: 'done' }, result: { job: job.id } })
})

test('the same run with its key is one run, whose response is given again', async () => {
  const account = await lab.newAccount()
  const id = await account.idea()
  const headers = { 'idempotency-key': 'one' }
  const both = await Promise.all([1, 2].map(() => account.run(id, 'backtest', { headers })))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const replays = both.filter(({ headers: sent }) => sent.get('idempotency-replayed') === 'true')
  expect(replays).toHaveLength(1)
  expect(both[0]!.json.result).toEqual(both[1]!.json.result)
  expect((await account.get('/api/lab/state')).json.balance.total).toBe(29)
  expect((await account.run(id, 'quant', { headers })).status).toBe(422)
  const text = { headers, body: JSON.stringify({ message: 'make it 15 wide', id }) }
  expect((await account.post('/api/lab/chat', text)).status).toBe(422)
  const own = { ...text, headers: { 'idempotency-key': 'two' } }
  const [first, second] = [
    await account.post('/api/lab/chat', own),
    await account.post('/api/lab/chat', own),
  ]
  expect(second.json).toEqual(first.json)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect((await account.get(`/api/lab/thread?id=${id}`)).json.messages).toHaveLength(4)
})

test('a rule alone is computed for a credit, without a verdict, and reported by its job', async () => {
  const account = await lab.newAccount()
  const { spec } = (await account.get('/api/lab/state')).json.ideas[0] ?? (await account.spec())
  const body = JSON.stringify({ spec, assume: { fee_usd: 0 } })
  const begun = await account.post('/api/struct/run', { body })
  expect([begun.status, begun.json.job.idea, begun.json.job.kind]).toEqual([202, null, 'struct'])
  const { id } = begun.json.job
  const done = await account.untilDone(id)
  expect(done.result).toMatchObject({ kind: 'struct', job: id, assume: { fee_usd: 0 } })
  expect(done.result.legs[0]).toMatchObject({ verdict: null })
  expect((await account.get('/api/lab/state')).json.balance.total).toBe(29)
  const stranger = await lab.newAccount()
  for (const path of [`/api/struct/job?id=${id}`, `/api/lab/trades?job=${id}`]) {
    expect((await account.get(path)).status).toBe(200)
    expect((await stranger.get(path)).status).toBe(404)
  }
})
