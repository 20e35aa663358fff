import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { USUAL_LIST } from '../../src/alerts/catalogue.ts'
import { catalogue } from '../../src/alerts/schema.ts'
import { accountFilePath } from '../../src/server/accountStore.ts'
import { type CallOptions, startTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
const PATH = '/api/alerts'

beforeEach(async () => {
  api = await startTestApi()
})
afterEach(() => api.close())

const read = async (options: CallOptions = {}) => (await api.call(PATH, options)).json
const send = (body: unknown, options: CallOptions = {}) =>
  api.call(PATH, { method: 'POST', body: JSON.stringify(body), ...options })
const add = async (part: 'line' | 'rule', value: object) =>
  (await send({ op: 'add', [part]: value })).json
const PRICE = { kind: 'price', price: 6_000.25 }

/** Runs statements on the database next to the server. */
function run(text: string): void {
  const database = new DatabaseSync(accountFilePath(api.dataFolder))
  database.exec(text)
  database.close()
}

test('a new account has the usual list, nothing else, and sees the catalogue', async () => {
  const { status, json, headers } = await api.call(PATH)
  expect(status).toBe(200)
  expect(json).toEqual({
    list: USUAL_LIST,
    lines: [],
    rules: [],
    webhook: null,
    max: { lines: 50, rules: 20 },
    catalogue,
  })
  expect(headers.get('cache-control')).toBe('private, no-cache')
})

test('an entry that is set is one of its type and book; the rest of the list stays', async () => {
  const entry = { type: 'flip_cross', book: 'vol', on: true, confirm: 4 }
  const { json, headers } = await send({ op: 'set', entry })
  const whole = {
    type: 'flip_cross',
    book: 'volume',
    symbol: 'SPX',
    on: true,
    confirm: 4,
    margin_points: 'auto',
    certain: false,
  }
  expect(json).toEqual({ ok: true, entry: whole })
  expect(headers.get('cache-control')).toBe('no-store')
  await send({ op: 'set', entry: { type: 'flip_cross', margin_points: 2.5, on: false } })
  await send({ op: 'set', entry: { type: 'flip_cross', book: 'volume', confirm: null } })
  const list = USUAL_LIST.map(usual => {
    if (usual.type !== 'flip_cross' || usual.book === 'open_interest') return usual
    if (usual.book === 'volume') return { ...whole, confirm: 2 }
    return { ...usual, margin_points: 2.5, on: false }
  })
  expect((await read()).list).toEqual(list)
})

test('add returns a line with its defaults and an id, under which it is stored', async () => {
  const rest = { mode: 'once', direction: 'any', note: null, armed: true, fired_at: null }
  const { ok, id, line } = await add('line', PRICE)
  expect([ok, id]).toEqual([true, expect.stringMatching(/^l_[0-9A-Za-z]{12}$/)])
  expect(line).toEqual({ id, ...PRICE, ...rest })
  const level = { kind: 'level', level: 'put_wall', book: 'oi', offset: -7.5 }
  const followed = await add('line', { ...level, mode: 'repeat', direction: 'below', note: '<b>' })
  const expected = { ...level, book: 'open_interest', mode: 'repeat', direction: 'below' }
  expect(followed.line).toEqual({ id: followed.id, ...expected, note: '<b>', ...fresh })
  expect((await read()).lines).toEqual([line, followed.line])
  expect(Object.keys(line)).toEqual([
    'id',
    'kind',
    'price',
    'mode',
    'direction',
    'note',
    'armed',
    'fired_at',
  ])
})
const fresh = { armed: true, fired_at: null }

test('an update of a line changes what it names; another kind drops the old fields', async () => {
  const { id, line } = await add('line', { ...PRICE, note: 'a', mode: 'repeat' })
  const update = async (change: object) =>
    (await send({ op: 'update', line: { id, ...change } })).json
  expect((await update({})).line).toEqual(line)
  expect((await update({ note: null })).line).toEqual({ ...line, note: null })
  const { price: _, ...others } = line
  const moved = await update({ kind: 'level', level: 'flip', offset: 5 })
  const level = { kind: 'level', level: 'flip', book: 'measured', offset: 5 }
  expect(moved.line).toEqual({ ...others, ...level, note: null })
  const back = await update({ kind: 'price' })
  expect(back.error.message).toMatch(/^line\.price is missing; give a number from 1 to 100000 /)
})

test('a line that fired says when in New York; arm and a move arm it', async () => {
  const { id } = await add('line', PRICE)
  const line = async () => (await read()).lines[0]
  // the day on which the clocks go back, an hour apart
  for (const [at, text] of [
    ['2026-11-01T05:30:00.999Z', '2026-11-01T01:30:00-04:00'],
    ['2026-11-01T06:30:00Z', '2026-11-01T01:30:00-05:00'],
  ] as const) {
    run(`delete from alert_line_states;
      insert into alert_line_states (run, line_id, account_id, is_armed, fired_at, updated_at)
      values ('live', '${id}', '${api.accountId}', 0, ${Date.parse(at)}, 1),
        ('replay_1', '${id}', '${api.accountId}', 1, 1, 1)`)
    expect(await line()).toMatchObject({ armed: false, fired_at: text })
  }
  const noted = await send({ op: 'update', line: { id, note: 'x', mode: 'repeat' } })
  expect(noted.json.line).toMatchObject({ armed: false })
  const armed = await send({ op: 'arm', id })
  const state = { armed: true, fired_at: '2026-11-01T01:30:00-05:00' }
  expect([armed.json.line, await line()]).toMatchObject([state, state])
  run(`update alert_line_states set is_armed = 0`)
  const moved = await send({ op: 'update', line: { id, direction: 'above' } })
  expect([moved.json.line, await line()]).toMatchObject([fresh, fresh])
})

test('a rule has what it names and nothing else; null takes a condition away', async () => {
  const { id, rule } = await add('rule', {
    name: '<script>alert(1)</script>',
    wall_within: 10,
    kinds: ['condor', 'vertical'],
    min_premium: null,
    to_t: '16:15',
    from_t: '09:30',
  })
  expect(rule).toEqual({
    id,
    name: '<script>alert(1)</script>',
    on: true,
    kinds: ['vertical', 'condor'],
    wall: 'any',
    wall_within: 10,
    from_t: '09:30',
    to_t: '16:15',
  })
  const change = { id, wall_within: null, kinds: null, on: false, min_net: 0 }
  const { json } = await send({ op: 'update', rule: change })
  expect(json.rule).toEqual({
    id,
    name: '<script>alert(1)</script>',
    on: false,
    min_net: 0,
    from_t: '09:30',
    to_t: '16:15',
  })
  const wrong = await send({ op: 'update', rule: { id, to_t: '09:29' } })
  expect(wrong.json.error.message).toMatch(/^rule\.to_t is "09:29"; give an ET minute from 09:30/)
  const crossed = await send({ op: 'update', rule: { id, from_t: '16:15', to_t: '16:14' } })
  expect(crossed.json.error.message).toMatch(/^rule\.from_t is "16:15" and rule\.to_t is "16:14"/)
  expect((await read()).rules).toEqual([json.rule])
})

test('a rule without a condition is one of every order', async () => {
  const { rule, id } = await add('rule', { name: 'every large order' })
  expect(rule).toEqual({ id, name: 'every large order', on: true })
})

test('a line of another account differs from a missing one by no byte', async () => {
  const ids = [(await add('line', PRICE)).id, (await add('rule', { name: 'x' })).id]
  const { key } = await api.newKey()
  for (const id of ids) {
    const part = id.startsWith('l_') ? 'line' : 'rule'
    for (const body of [
      { op: 'remove', id: 'ID' },
      { op: 'arm', id: 'ID' },
      { op: 'update', [part]: { id: 'ID' } },
    ]) {
      const sent = (one: string) => JSON.parse(JSON.stringify(body).replace('ID', one))
      const [foreign, none] = [await send(sent(id), { key }), await send(sent('l_0'), { key })]
      expect([foreign.status, foreign.body.toString()]).toEqual([404, none.body.toString()])
    }
  }
  expect((await read({ key })).lines).toEqual([])
  expect((await read()).lines).toHaveLength(1)
})

test('the webhook of alerts is shown without its address; one of a position is not', async () => {
  const { outbox } = api.accounts
  const url = 'https://secret.example/hook'
  const atMs = Date.parse('2026-11-25T15:37:03Z')
  await outbox.saveEndpoint({ accountId: api.accountId, owner: 'p_1', url, atMs })
  expect((await read()).webhook).toBeNull()
  await outbox.saveEndpoint({ accountId: api.accountId, owner: 'alerts', url, atMs })
  const response = await api.call(PATH)
  expect(response.json.webhook).toEqual({
    state: 'on',
    reason: null,
    failed_in_a_row: 0,
    since: '2026-11-25T10:37:03-05:00',
  })
  expect(response.body.toString()).not.toContain('secret.example')
  run(`update hooks set state = 'off', reason = 'ten failed', failed_in_a_row = 10`)
  const off = { state: 'off', reason: 'ten failed', failed_in_a_row: 10 }
  expect((await read()).webhook).toMatchObject(off)
})

test('a store that fails is 503; settings that cannot be read are 500', async () => {
  await add('rule', { name: 'x' })
  run('alter table alert_rules rename to away')
  for (const response of [await api.call(PATH), await send({ op: 'remove', id: 'r_1' })]) {
    expect([response.status, response.json.error.code]).toEqual([503, 'unavailable'])
  }
  run(`alter table away rename to alert_rules; update alert_rules set body = '{}'`)
  for (const response of [await api.call(PATH), await send({ op: 'remove', id: 'r_1' })]) {
    expect([response.status, response.json.error.code]).toEqual([500, 'internal'])
  }
  const line = api.logged.find(entry => entry.message === 'internal')!
  expect(line.fields.err).toContain('ZodError')
})

test('an entry without a newer parameter has its default; an old one is left out', async () => {
  await send({ op: 'set', entry: { type: 'wall_move', confirm: 9, on: true } })
  run(`update alert_settings set list =
    '[{"type":"wall_move","book":"measured","on":true,"confirm":9,"gone":1}]'`)
  const entry = (await read()).list.find(
    (one: { type: string; book: string }) => one.type === 'wall_move' && one.book === 'measured',
  )
  const usual = USUAL_LIST.find(({ type }) => type === 'wall_move')
  expect(entry).toEqual({ ...usual, on: true, confirm: 9 })
})
