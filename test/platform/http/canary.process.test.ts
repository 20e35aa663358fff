import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallOptions, startTestApi, type TestApi } from '../../support/api.ts'
import { findText } from '../../support/openapi.ts'
import { runs } from '../../support/runs.ts'
import { anySecret, disguised, expectNoPart, expectNoParts } from '../../support/secrets.ts'

// A key or a secret that was pasted somewhere comes back from nowhere: not in a response's
// headers, not in its body, not in the log.

const SEED = 20261125
const CALLS = runs(3_000)
const CONNECTIONS = 16

let api: TestApi
let key: string

beforeAll(async () => {
  api = await startTestApi()
  key = (await api.newKey('orders_team')).key
})
afterAll(() => api.close())

type Placed = { readonly path: string; readonly options?: CallOptions }

const posted = (body: unknown, headers: CallOptions['headers'] = {}): Placed => ({
  path: '/api/positions',
  options: { method: 'POST', body: JSON.stringify(body), headers: { ...headers! } },
})
const alerted = (body: unknown): Placed => ({ ...posted(body), path: '/api/alerts' })
const getting = (path: string, headers: CallOptions['headers'] = {}): Placed => ({
  path,
  options: { headers: { ...headers! } },
})
const SPREAD = { kind: 'put_spread', legs: { lp: 5930, sp: 5950 }, entry: '10:30' }

/** Where a client may put it; `raw` is for positions that are not part of an address. */
const PLACES: Readonly<Record<string, (text: string, raw: string) => Placed>> = {
  'path of nothing': text => getting(`/${text}`),
  'path of orders': text => getting(`/orders/api/${text}`),
  'path of positions': text => getting(`/api/positions/${text}`),
  'behind a good path': text => getting(`/orders/api/day/${text}?day=x`),
  'user info': text => getting(`/orders/api/https://desk:${text}@host/`),
  'name of a parameter': text => getting(`/orders/api/sessions?a${text}=1`),
  'name without a value': text => getting(`/orders/api/latest?${text}`),
  'value of an ignored one': text => getting(`/orders/api/latest?key=${text}`),
  day: text => getting(`/orders/api/day?day=${text}`),
  asof: text => getting(`/orders/api/day?day=2026-10-14&asof=${text}`),
  'day of a check': text => getting(`/api/positions/check?day=${text}`),
  t: text => getting(`/api/positions/check?day=2026-10-14&t=x${text}`),
  id: text => getting(`/api/positions?id=${text}`),
  replay: text => getting(`/api/positions/entries?id=p_0&replay=${text}`),
  'name of a parameter of a change': text => ({ ...posted({}), path: `/api/positions?${text}` }),
  accept: (_, raw) => getting('/orders/api/latest', { accept: `image/${raw}` }),
  'request id': (_, raw) => getting('/orders/api/latest', { 'x-request-id': raw.slice(0, 64) }),
  'Idempotency-Key': (_, raw) => posted({}, { 'idempotency-key': raw }),
  'long Idempotency-Key': (_, raw) => posted({}, { 'idempotency-key': raw.repeat(20) }),
  'content type': (_, raw) => posted({}, { 'content-type': `application/json;v=${raw}` }),
  'content encoding': (_, raw) => posted({}, { 'content-encoding': raw }),
  op: (_, raw) => posted({ op: raw }),
  'unknown field': (_, raw) => posted({ op: 'add', position: {}, [raw]: 1 }),
  'unknown field inside': (_, raw) => posted({ op: 'add', position: { [`x ${raw}`]: 1 } }),
  'field of a position': (_, raw) => posted({ op: 'add', position: { ...SPREAD, entry: raw } }),
  'session of a position': (_, raw) => posted({ op: 'add', position: { ...SPREAD, session: raw } }),
  'condition of a position': (_, raw) =>
    posted({ op: 'add', position: { ...SPREAD, conditions: [{ id: raw }] } }),
  'address of a webhook': (_, raw) =>
    posted({ op: 'add', position: { ...SPREAD, alert: { url: `http://a:${raw}@localhost/` } } }),
  'id of a removal': (_, raw) => posted({ op: 'remove', position: { id: raw } }),
  'op of alerts': (_, raw) => alerted({ op: raw }),
  'unknown field of a line': (_, raw) => alerted({ op: 'add', line: { [`x ${raw}`]: 1 } }),
  'kind of a line': (_, raw) => alerted({ op: 'add', line: { kind: raw } }),
  'symbol of an entry': (_, raw) =>
    alerted({ op: 'set', entry: { type: 'flip_cross', symbol: raw } }),
  'kinds of a rule': (_, raw) => alerted({ op: 'add', rule: { name: 'x', kinds: [raw] } }),
  'line to arm': (_, raw) => alerted({ op: 'arm', id: raw }),
  health: text => getting(`/health?${text}=${text}`),
  status: text => getting(`/status/${text}`),
}

const placed = fc.record({
  secret: anySecret,
  place: fc.constantFrom(...Object.keys(PLACES)),
  dice: fc.infiniteStream(fc.nat(99)),
  isKeyed: fc.boolean(),
})

test(`${CALLS} secrets pasted all over the interface: none comes back`, async () => {
  const sample = fc.sample(placed, { seed: SEED, numRuns: CALLS })
  const seen = new Set<string>()
  const client = async () => {
    for (let next = sample.pop(); next; next = sample.pop()) {
      const { secret, place: index, dice, isKeyed } = next
      const { path, options } = PLACES[index]!(disguised(secret, dice), secret)
      const response = await api.call(path, { ...options, key: isKeyed ? key : null })
      const headers = [...response.headers].map(pair => pair.join(': ')).join('\n')
      expectNoPart(secret, `${headers}\n${findText(response)}`)
      seen.add(index)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, client))
  expect([...seen].sort()).toEqual(Object.keys(PLACES).sort())
  expect(api.logged.length).toBeGreaterThanOrEqual(CALLS)
  const log = api.logged.map(line => JSON.stringify(line)).join('\n')
  const pasted = fc.sample(placed, { seed: SEED, numRuns: CALLS }).map(({ secret }) => secret)
  expectNoParts(pasted, log)
})
