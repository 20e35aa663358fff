// Random steps of deliveries, and one lifecycle for each outcome.

import fc from 'fast-check'
import { LATE_MS } from '../../src/outbox/store/addDeliveries.ts'
import type { Owner, Priority } from '../../src/outbox/store/types.ts'

export const OWNERS = ['alerts', 'p_4fQ8'] as const satisfies Owner[]
export const HOLDERS = ['one', 'two']

const LONG = { maxLength: 25, size: 'max' } as const

// most of it happens to one endpoint: ten of its events must fail in a row
const account = fc.constantFrom<number[]>(0, 0, 0, 0, 0, 1, 2)
const owner = fc.constantFrom<Owner[]>('alerts', 'alerts', 'alerts', 'alerts', 'p_4fQ8')
const holder = fc.constantFrom(...HOLDERS)
export const event = fc.record({
  account,
  owner,
  priority: fc.constantFrom<Priority[]>(0, 1, 2, 3),
  type: fc.constantFrom('flip_cross', 'flip_cross', 'flip_cross', 'test'),
  isTimed: fc.boolean(),
})
const result = fc.constantFrom<Result[]>('sent', 'retry', 'failed', 'failed')
export type Result = 'sent' | 'retry' | 'failed'
/** Most often all end alike, as when a receiver is down. */
const ended = fc.oneof(
  result.chain(one => fc.array(fc.record({ pick: fc.nat(), result: fc.constant(one) }), LONG)),
  fc.array(fc.record({ pick: fc.nat(), result }), LONG),
)

export const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('queue'), events: fc.array(event, LONG) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('save'), account, owner }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), account, owner }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('claim'),
      holder,
      limit: fc.integer({ min: 1, max: 40 }),
      accountMax: fc.integer({ min: 1, max: 20 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('begin'), holder }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('end'), ends: ended }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait'),
      ms: fc.constantFrom<number[]>(1, 1_000, 4_000, 9_999, 10_000, 59_999, 60_000, 300_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('redeliver'), pick: fc.nat() }) },
)
export type Step = typeof step extends fc.Arbitrary<infer Kind> ? Kind : never

const queued = (count: number, isTimed: boolean): Step => ({
  kind: 'queue',
  events: Array.from({ length: count }, () => ({
    account: 0,
    owner: 'alerts',
    priority: 1,
    type: 'flip_cross',
    isTimed,
  })),
})
const claimed = (limit: number): Step[] => [
  { kind: 'claim', holder: 'one', limit, accountMax: 40 },
  { kind: 'begin', holder: 'one' },
]
const ends = (result: Result): Step => ({
  kind: 'end',
  ends: Array.from({ length: 40 }, () => ({ pick: 1, result })),
})
const wait = (ms: number): Step => ({ kind: 'wait', ms })
/** A lifecycle for each outcome that chance finds too seldom. */
export const FATES = [
  // a receiver that is down until its endpoint is disabled, while two wait
  [queued(12, false), ...claimed(10), ends('failed')],
  // more than an account's events of a minute
  [queued(40, false), ...claimed(40), ends('sent')],
  [queued(1, true), wait(LATE_MS + 1), ...claimed(1)],
  [queued(2, false), { kind: 'remove', account: 0, owner: 'alerts' }, ...claimed(2)],
] satisfies Step[][]
