// The rows of the interface's table of positions operations: the response of each, and how it
// fails.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { simulateSessions } from '../support/history.ts'

const DAY = '2026-10-15'
const STRANGLE = { kind: 'strangle', legs: { sp: 5900, sc: 6100 }, entry: '10:30' }
const SPENT = { product: 'orders', dayEt: '2026-10-16', calls: 20_000 } as const

let api: TestApi
let id = ''

beforeAll(async () => {
  api = await startTestApi({ dataFolder: (await simulateSessions(DAY, 3)).dataFolder })
  api.clock.atMs = Date.parse('2026-10-16T16:00:00Z')
  id = (await post({ op: 'add', position: STRANGLE })).json.id
})
afterAll(() => api.close())

const post = (body: unknown) =>
  api.call('/api/positions', { method: 'POST', body: JSON.stringify(body) })

type Operation = {
  readonly name: string
  readonly path: string
  readonly body?: () => object
  /** Top-level fields of a success. */
  readonly fields: readonly string[]
  /** Methods that are not taken. */
  readonly otherMethod: string
}

const OPERATIONS: readonly Operation[] = [
  {
    name: 'list',
    path: '/api/positions',
    otherMethod: 'DELETE',
    fields: ['positions', 'max', 'catalogue'],
  },
  {
    name: 'one',
    path: '/api/positions?id=ID',
    otherMethod: 'PUT',
    fields: ['position'],
  },
  {
    name: 'change',
    path: '/api/positions',
    otherMethod: 'PATCH',
    body: () => ({ op: 'update', position: { id, entry: '10:31' } }),
    fields: ['ok', 'id', 'position'],
  },
  {
    name: 'check',
    path: `/api/positions/check?day=${DAY}`,
    otherMethod: 'POST',
    fields: ['day', 't', 'live', 'checks'],
  },
  {
    name: 'track',
    path: `/api/positions/track?id=ID&day=${DAY}`,
    otherMethod: 'POST',
    fields: ['day', 't', 'id', 'from', 'points'],
  },
  {
    name: 'entries',
    path: '/api/positions/entries?id=ID',
    otherMethod: 'POST',
    fields: ['id', 'entry', 'replay', 'base_session', 'entries', 'summary'],
  },
]

describe.each(OPERATIONS)('$name', ({ path, body, fields, otherMethod }) => {
  const send = (options: { key?: string | null; method?: string } = {}) => {
    const sent = body ? { method: 'POST', body: JSON.stringify(body()) } : {}
    return api.call(path.replace('ID', id), { ...sent, ...options })
  }
  const readRefusal = async (options: { key?: string | null; method?: string }) => {
    const { status, json } = await send(options)
    return [status, json.error.code]
  }

  test('returns 200 with what the interface names', async () => {
    const { status, json } = await send()
    expect(status).toBe(200)
    expect(Object.keys(json).sort()).toEqual([...fields].sort())
  })

  test('is 401 without a key and 403 without the plan', async () => {
    expect(await readRefusal({ key: null })).toEqual([401, 'no_key'])
    const { key } = await api.newKey('none')
    expect(await readRefusal({ key })).toEqual([403, 'plan'])
  })

  test('is 429 once the calls of the day are spent, until midnight ET', async () => {
    const { key, accountId } = await api.newKey()
    await api.accounts.countCalls([{ ...SPENT, accountId }])
    const { status, json, headers } = await send({ key })
    expect([status, json.error.code]).toEqual([429, 'rate'])
    // noon of an ordinary day
    expect(headers.get('retry-after')).toBe(String(12 * 3600))
    expect(json.error.retry_after_s).toBe(12 * 3600)
  })

  test('is 405 for another method', async () => {
    expect(await readRefusal({ method: otherMethod })).toEqual([405, 'method'])
  })

  test('is 404 for a position of nobody, where it names one', async () => {
    if (path.includes('ID')) {
      const { status, json } = await api.call(path.replace('ID', 'p_nobody'))
      expect([status, json.error.code]).toEqual([404, 'not_found'])
    } else if (body) {
      const { status, json } = await post({ op: 'remove', position: { id: 'p_nobody' } })
      expect([status, json.error.code]).toEqual([404, 'not_found'])
    } else {
      expect((await send()).status).toBe(200)
    }
  })
})

test.each([
  ['{', 400, 'bad_json'],
  ['[]', 400, 'bad_json'],
  [JSON.stringify({ op: 'buy', position: {} }), 400, 'bad_op'],
  [JSON.stringify({ op: 'add', position: { ...STRANGLE, entry: '09:30' } }), 400, 'invalid'],
])('a change of %s is %i %s', async (sent, status, code) => {
  const { json, ...response } = await api.call('/api/positions', { method: 'POST', body: sent })
  expect([response.status, json.error.code]).toEqual([status, code])
  expect(json.error.message.length).toBeGreaterThan(20)
})
