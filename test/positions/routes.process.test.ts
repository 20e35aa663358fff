import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CONDITIONS } from '../../src/positions/catalogue.ts'
import { POSITION_KINDS } from '../../src/positions/kinds.ts'
import { catalogue } from '../../src/positions/positionWire.ts'
import { accountFilePath, openAccountStore } from '../../src/server/accountStore.ts'
import { type CallOptions, startTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
const PATH = '/api/positions'
const CONDOR = {
  kind: 'condor',
  legs: { lp: 5930, sp: 5950, sc: 6050, lc: 6070 },
  entry: '10:30',
}

beforeEach(async () => {
  api = await startTestApi()
})
afterEach(() => api.close())

const list = (options: CallOptions = {}) => api.call(PATH, options)
const one = (id: string) => api.call(`${PATH}?id=${id}`)
const send = (body: unknown, options: CallOptions = {}) =>
  api.call(PATH, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...options,
  })
const change = (op: string, position: unknown, options: CallOptions = {}) =>
  send({ op, position }, options)
const add = async (position: object = CONDOR) => (await change('add', position)).json.id as string

test('a new account keeps nothing, may keep 5, and sees the catalogue', async () => {
  const { status, json, headers } = await list()
  expect(status).toBe(200)
  expect(json).toEqual({ positions: [], max: 5, catalogue })
  expect(json.catalogue.kinds.map((row: { kind: string }) => row.kind)).toEqual(POSITION_KINDS)
  expect(json.catalogue.conditions.map((row: { id: string }) => row.id)).toEqual(
    CONDITIONS.map(({ id }) => id),
  )
  expect(json.catalogue.label).toEqual({ caution: 3, skip: 5 })
  expect(headers.get('cache-control')).toBe('private, no-cache')
})

test('add returns the position with its defaults and an id, under which it is stored', async () => {
  const { status, json, headers } = await change('add', CONDOR)
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(json).toEqual({
    ok: true,
    id: expect.stringMatching(/^p_[0-9A-Za-z]{12}$/),
    position: {
      id: json.id,
      ...CONDOR,
      conditions: CONDITIONS.map(({ id, default: threshold }) => ({ id, on: true, threshold })),
      label: { caution: 3, skip: 5 },
      alert: { channel: 'off', url: null, before: 30 },
      session: null,
    },
  })
  expect((await one(json.id)).json).toEqual({ position: json.position })
  expect((await list()).json.positions).toEqual([json.position])
})

test('a returned position can be added again as it is, but for its id', async () => {
  const { position } = (await one(await add())).json
  const { id, ...copy } = position
  const { json } = await change('add', copy)
  expect(json.position).toEqual({ ...position, id: json.id })
  expect(json.id).not.toBe(id)
})

test('positions are listed in the order they were added, five at most', async () => {
  const ids: string[] = []
  for (let count = 0; count < 5; count++) ids.push(await add())
  const listed = async () =>
    (await list()).json.positions.map((position: { id: string }) => position.id)
  expect(await listed()).toEqual(ids)
  const sixth = await change('add', CONDOR)
  expect([sixth.status, sixth.json.error.code]).toEqual([400, 'invalid'])
  expect(sixth.json.error.message).toBe(
    'the account keeps 5 positions, which is the limit; remove one first.',
  )
  await change('remove', { id: ids[1] })
  const added = await add()
  expect(await listed()).toEqual([ids[0], ids[2], ids[3], ids[4], added])
})

test('update changes what it names and leaves the rest', async () => {
  const id = await add({
    ...CONDOR,
    conditions: [{ id: 'gap', on: false }],
    alert: { channel: 'webhook', url: 'https://example.com/hook', before: 10 },
    session: '2026-10-14',
  })
  const before = (await one(id)).json.position
  const { json } = await change('update', {
    id,
    legs: { sp: 5945 },
    conditions: [{ id: 'skew', threshold: 9 }],
    label: { skip: 7 },
    alert: { channel: 'off' },
  })
  const threshold = (name: string) => (row: { id: string }) => row.id === name
  expect(json).toEqual({
    ok: true,
    id,
    position: {
      ...before,
      legs: { ...before.legs, sp: 5945 },
      conditions: before.conditions.map((row: { id: string }) =>
        threshold('skew')(row) ? { id: 'skew', on: true, threshold: 9 } : row,
      ),
      label: { caution: 3, skip: 7 },
      alert: { channel: 'off', url: 'https://example.com/hook', before: 10 },
    },
  })
  expect(before.conditions.find(threshold('gap'))).toMatchObject({ on: false })
  expect((await one(id)).json.position).toEqual(json.position)
})

test('a null in an update is the default again', async () => {
  const id = await add({
    ...CONDOR,
    conditions: [{ id: 'gap', on: false, threshold: 2 }],
    label: { caution: 1, skip: 2 },
    alert: { channel: 'email', before: 10 },
    session: '2026-10-14',
  })
  const nothing = { conditions: null, label: null, alert: null, session: null }
  const { json } = await change('update', { id, ...nothing })
  const usual = (await one(await add())).json.position
  expect(json.position).toEqual({ ...usual, id })
})

test('another kind keeps the legs and conditions that it takes, and no others', async () => {
  const id = await add({ ...CONDOR, conditions: [{ id: 'gap', on: false }] })
  const { json } = await change('update', { id, kind: 'call_spread' })
  expect(json.position.legs).toEqual({ sc: 6050, lc: 6070 })
  const names = json.position.conditions.map((row: { id: string }) => row.id)
  expect(names).toHaveLength(CONDITIONS.length - 2)
  expect(names).not.toContain('skew')
  expect(json.position.conditions).toContainEqual({ id: 'gap', on: false, threshold: 0.6 })
  const back = await change('update', { id, kind: 'condor' })
  expect(back.json.error.message).toBe(
    'position.legs.lp is missing: a condor has the legs lp, sp, sc, lc; ' +
      'give a strike such as 5950.',
  )
})

test('what was refused leaves a position as it was', async () => {
  const id = await add()
  const before = (await one(id)).json
  expect((await change('update', { id, legs: { sp: 5951 } })).status).toBe(400)
  expect((await change('update', { id, entry: '16:00', label: { skip: 4 } })).status).toBe(400)
  expect((await one(id)).json).toEqual(before)
})

test('remove takes a position away, once', async () => {
  const id = await add()
  expect((await change('remove', { id })).json).toEqual({ ok: true, id })
  expect((await one(id)).status).toBe(404)
  const again = await change('remove', { id })
  expect([again.status, again.json.error.code]).toEqual([404, 'not_found'])
})

test('an account store that fails while positions are read or changed is 503', async () => {
  const id = await add()
  const database = new DatabaseSync(accountFilePath(api.dataFolder))
  database.exec('alter table positions rename to away')
  for (const response of [await list(), await one(id), await change('remove', { id })]) {
    expect([response.status, response.json.error.code]).toEqual([503, 'unavailable'])
    expect(response.headers.get('retry-after')).toBe('1')
  }
  database.exec('alter table away rename to positions')
  database.close()
  expect((await one(id)).status).toBe(200)
})

test('a stored position that cannot be read is 500, with its reason in the log alone', async () => {
  const id = await add()
  const database = new DatabaseSync(accountFilePath(api.dataFolder))
  database.exec("update positions set body = '{}'")
  database.close()
  for (const response of [await list(), await one(id), await change('update', { id })]) {
    expect([response.status, response.json.error.code]).toEqual([500, 'internal'])
  }
  const line = api.logged.find(entry => entry.message === 'internal')!
  expect(line.fields.err).toContain('ZodError')
  expect((await change('remove', { id })).status).toBe(200)
})

test('a condition that is newer than a position does not count for it', async () => {
  const id = await add()
  const store = await openAccountStore(accountFilePath(api.dataFolder))
  const { body } = (await store.findPosition(api.accountId, id))!
  const { conditions, ...rest } = JSON.parse(body)
  const older = conditions.filter((row: { id: string }) => row.id !== 'gap')
  const gone = { id: 'gone', on: true, threshold: 1 }
  await store.changePositions({
    accountId: api.accountId,
    atMs: 0,
    repeat: null,
    decide: () => ({
      put: { id, body: JSON.stringify({ ...rest, conditions: [...older, gone] }) },
      response: '',
    }),
  })
  await store.close()
  const { position } = (await one(id)).json
  expect(position.conditions).toHaveLength(CONDITIONS.length)
  expect(position.conditions).toContainEqual({ id: 'gap', on: false, threshold: 0.6 })
  expect((await change('update', { id, entry: '11:00' })).status).toBe(200)
})
