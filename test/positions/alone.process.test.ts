import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '../../src/platform/http/error.ts'
import { CONDITIONS } from '../../src/positions/catalogue.ts'
import { completePosition } from '../../src/positions/completePosition.ts'
import { LEG_NAMES, LEGS_OF_KIND, POSITION_KINDS } from '../../src/positions/kinds.ts'
import type { PositionInput } from '../../src/positions/parseChange.ts'
import { judgeAlone } from '../../src/positions/routes.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { complete } from '../support/position.ts'
import { runs } from '../support/runs.ts'

// An update of a position that nobody keeps: `invalid` comes before `not_found`.

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

test.each<[string, object, string | null]>([
  [
    'session',
    { session: '2026-10-17' },
    'position.session is "2026-10-17", which is not a trading',
  ],
  ['session and entry', { session: '2026-11-27', entry: '13:00' }, 'position.entry is "13:00"; 20'],
  ['order', { legs: { sp: 6000, sc: 5950 } }, 'position.legs.sc is 5950 and sp is 6000; strikes r'],
  ['label', { label: { caution: 5, skip: 4 } }, 'position.label has caution 5 and skip 4; give 1'],
  ['default of a label', { label: { caution: null, skip: 2 } }, 'position.label has caution 3 and'],
  ['no url', { alert: { channel: 'webhook', url: null } }, 'position.alert.url is missing; the ch'],
  // what depends on the position is not judged without it
  ['nothing', {}, null],
  ['another kind', { kind: 'condor' }, null],
  ['some legs', { legs: { sp: 5950, lc: 6000, sc: null } }, null],
  ['any entry', { entry: '15:59' }, null],
  ['a label', { label: { skip: 5 } }, null],
  ['a channel', { alert: { channel: 'webhook' } }, null],
  ['defaults', { conditions: null, label: null, alert: null, session: null }, null],
])('%s of a position that nobody keeps: %o', async (_, position, message) => {
  const body = JSON.stringify({ op: 'update', position: { id: 'p_0', ...position } })
  const { status, json } = await api.call('/api/positions', { method: 'POST', body })
  const expected = message === null ? [404, 'not_found'] : [400, 'invalid']
  expect([status, json.error.code]).toEqual(expected)
  expect(json.error.message).toContain(message ?? 'this account keeps no position with this id')
})

test('a position of another account is judged as one that nobody keeps', async () => {
  const position = { kind: 'strangle', legs: { sp: 5950, sc: 6050 }, entry: '10:30' }
  const post = (body: object, key: string) =>
    api.call('/api/positions', { method: 'POST', body: JSON.stringify(body), key })
  const { id } = (await post({ op: 'add', position }, api.key)).json
  const { key } = await api.newKey()
  for (const change of [{ legs: { lp: 5900 } }, { legs: { sp: 6060 } }, { entry: 'x' }]) {
    const responses = await Promise.all(
      [id, 'p_0'].map(one => post({ op: 'update', position: { id: one, ...change } }, key)),
    )
    const [existing, unknown] = responses.map(({ status, json }) => [status, json])
    expect(existing).toEqual(unknown)
  }
})

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })
const strike = maybe(fc.option(fc.integer({ min: 1190, max: 1200 }).map(step => step * 5)))
const input = fc.record({
  kind: maybe(fc.constantFrom(...POSITION_KINDS)),
  legs: maybe(fc.record({ lp: strike, sp: strike, sc: strike, lc: strike })),
  entry: maybe(fc.constantFrom('09:30', '09:31', '12:59', '13:00', '15:59')),
  conditions: maybe(
    fc.option(
      fc.array(
        fc.record({
          id: fc.constantFrom(...CONDITIONS.map(({ id }) => id)),
          on: fc.option(fc.boolean()),
          threshold: fc.option(fc.integer({ min: 0, max: 4 })),
        }),
        { maxLength: 3 },
      ),
    ),
  ),
  label: maybe(
    fc.option(fc.record({ caution: maybe(fc.option(fc.nat(6))), skip: maybe(fc.nat(16)) })),
  ),
  alert: maybe(
    fc.record({
      channel: maybe(fc.constantFrom('off' as const, 'webhook' as const)),
      url: maybe(fc.option(fc.constantFrom('https://example.com/', 'http://localhost/'))),
    }),
  ),
  session: maybe(fc.constantFrom('2026-10-14', '2026-11-27', '2026-11-28', null)),
})
const stored = fc
  .tuple(
    fc.constantFrom(...POSITION_KINDS),
    fc.uniqueArray(fc.integer({ min: 1190, max: 1200 }), { minLength: 4, maxLength: 4 }),
    fc.constantFrom('2026-10-14', '2026-11-27', null),
  )
  .map(([kind, steps, session]) => {
    const rising = steps.toSorted((a, b) => a - b).map(step => step * 5)
    const legs = LEG_NAMES.filter(name => LEGS_OF_KIND[kind].includes(name))
    const strikes = Object.fromEntries(legs.map((name, index) => [name, rising[index]]))
    return complete({ kind, legs: strikes, entry: '10:30', session })
  })

const isRefused = (judge: () => unknown): boolean => {
  try {
    judge()
    return false
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid') return true
    throw error
  }
}

test('what is refused alone is refused of every position; the rest is taken of some', () => {
  const counts = { refused: 0, taken: 0 }
  const check = fc.property(
    input,
    fc.array(stored, { minLength: 8, maxLength: 8 }),
    (raw, existing) => {
      const sent: PositionInput = JSON.parse(JSON.stringify(raw))
      const takenBy = existing.filter(one => !isRefused(() => completePosition('p_1', sent, one)))
      const refused = isRefused(() => judgeAlone(sent))
      if (refused) expect(takenBy).toEqual([])
      if (takenBy.length > 0) counts.taken++
      if (refused) counts.refused++
    },
  )
  fc.assert(check, { numRuns: runs(3000), seed: 20261125 })
  expect(counts.refused).toBeGreaterThan(runs(500))
  expect(counts.taken).toBeGreaterThan(runs(100))
})
