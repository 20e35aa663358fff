import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { simulateSessions, type TestHistory } from '../support/history.ts'

// Every call checks its response against the OpenAPI file: status, headers, type and body.

const SEED = 20261204
const REQUEST_COUNT = 20_000
const CONNECTIONS = 16
const UNTIL = '2026-11-30'

let history: TestHistory
let api: TestApi
let key: string
const ids: string[] = []

beforeAll(async () => {
  history = await simulateSessions(UNTIL, 6)
  api = await startTestApi({ dataFolder: history.dataFolder })
  api.clock.atMs = Date.parse('2026-12-01T05:00:00Z')
  key = (await api.newKey('orders_team')).key
  const kinds = [
    { kind: 'condor', legs: { lp: 5900, sp: 5950, sc: 6050, lc: 6100 } },
    { kind: 'strangle', legs: { sp: 5975, sc: 6025 }, entry: '15:59' },
    { kind: 'put_spread', legs: { lp: 5, sp: 10 }, session: '2026-11-27' },
    { kind: 'call_spread', legs: { sc: 6010, lc: 6015 }, entry: '09:31' },
  ]
  for (const position of kinds) {
    const body = JSON.stringify({ op: 'add', position: { entry: '10:30', ...position } })
    const { json } = await api.call('/api/positions', { method: 'POST', key, body })
    ids.push(json.id)
  }
})
afterAll(async () => {
  await api.close()
  history.remove()
})

const DAYS = [UNTIL, '2026-11-27', '2026-11-26', '2026-11-25', '2026-12-01', '2020-01-02']
const TIMES = ['09:30', '09:31', '10:17', '12:59', '13:00', '15:59', '16:00', '24:00', '9:31']
const odd = fc.constantFrom('', '%', '%zz', '%00', '%ff', '+', '0', '-1', 'null', '1e3', 'p_', '💥')
const text = fc
  .array(fc.integer({ min: 0x21, max: 0xff }), { maxLength: 12 })
  .map(codes => String.fromCharCode(...codes.filter(code => code !== 0x23 && code !== 0x5c)))
const value = (usual: readonly string[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...usual) }, odd, text)
// an entry log costs a replay: most of them are of few sessions
const replays = value(['0', '1', '2', '5', '1000', '1001', '20'])
const time = fc.oneof(
  value(TIMES),
  fc.integer({ min: 571, max: 959 }).map(total => {
    const parts = [Math.floor(total / 60), total % 60]
    return parts.map(part => String(part).padStart(2, '0')).join(':')
  }),
)

/** A request whose `id` is a number: the index of a stored position. */
const params = fc.record(
  {
    day: value(DAYS),
    t: time,
    id: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 0, max: 3 }) }, odd, text),
    more: fc.constantFrom('day', 't', 'id', 'x'),
  },
  { requiredKeys: [] },
)
const request = fc.record({
  path: fc.oneof(
    { weight: 8, arbitrary: fc.constant('check') },
    { weight: 4, arbitrary: fc.constant('track') },
    { weight: 1, arbitrary: fc.constant('entries') },
    { weight: 1, arbitrary: fc.constantFrom('check/', 'Track', 'entry', '') },
  ),
  params,
  replay: fc.option(replays),
  method: fc.oneof(
    { weight: 20, arbitrary: fc.constant('GET') },
    fc.constantFrom('HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'),
  ),
})

test('20,000 generated requests: no 5xx, every response as described', async () => {
  const requests = fc.sample(request, { seed: SEED, numRuns: REQUEST_COUNT })
  const statuses = new Map<number, number>()
  let next = 0
  const work = async () => {
    for (let one = requests[next++]; one; one = requests[next++]) {
      const { id, more, ...given } = one.params
      const query = Object.entries({ ...given, replay: one.replay }).flatMap(([name, sent]) =>
        sent === null || sent === undefined ? [] : [`${name}=${escapeUrl(String(sent))}`],
      )
      if (id !== undefined) query.push(`id=${typeof id === 'number' ? ids[id] : escapeUrl(id)}`)
      if (more !== undefined) query.push(`${more}=1`)
      const path = `/api/positions/${one.path}?${query.join('&')}`
      const { status } = await api.call(path, { method: one.method, key })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  expect(api.logged.filter(({ message }) => message === 'internal')).toEqual([])
  expect([...statuses.keys()].filter(status => status >= 500)).toEqual([])
  for (const status of [200, 400, 404, 405])
    expect(statuses.get(status), `${status}`).toBeGreaterThan(100)
})

// a client escapes what a request line cannot hold; a broken escape stays broken
const escapeUrl = (sent: string): string => sent.replace(/[^\x21-\x7e]/gu, encodeURIComponent)
