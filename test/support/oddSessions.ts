// Pages of sessions that are not like the others, with every text and number as long as it can be.

import type { SessionLevels } from '../../src/archive/ask.ts'
import type { FoundOrders } from '../../src/orders/ask.ts'
import type { WireOrder } from '../../src/orders/schema.ts'
import { FRESHNESS_EXAMPLE } from '../../src/platform/http/fields.ts'
import { homePage } from '../../src/site/home.ts'
import { ordersPage } from '../../src/site/ordersPage.ts'
import { sessionPage } from '../../src/site/sessionPage.ts'
import { readOrders } from '../../src/site/sessionQuery.ts'
import { sessionsPage } from '../../src/site/sessionsPage.ts'
import { tapePage } from '../../src/site/tapePage.ts'

const minutesUntil = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const at = 571 + index
    return `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
  })

type Made = {
  readonly day?: string
  readonly minutes?: number
  readonly reported?: Partial<SessionLevels>
  readonly hasFlip?: boolean
  readonly isKnown?: boolean
  readonly isOpen?: boolean
  readonly at?: number
  readonly orders?: readonly WireOrder[]
}

const ORDER: WireOrder = {
  oid: '20261015-093100000000-1',
  t: '09:31',
  g: -12_345.67,
  g_null: null,
  kind: 'ratio_risk_reversal',
  legs: '2026-10-15 10,005.5P 2026-10-22 10,010.5C 2026-12-18 10,100C 2027-06-17 10,200P 4x3x2x1',
  lg: [
    [10_005.5, 'P', 1],
    [10_010.5, 'C', -1],
    [10_100, 'C', 0],
    [10_200, 'P', 1],
  ],
  exp: '2026-10-15',
  size: 123_456,
  contracts: 1_234_567,
  net: 1234.56,
  flip: 1234.56,
  side: 'under',
  confidence: 0.98,
  fold: 'conditions',
  flags: [],
  p: 1,
  rule: 'island',
  prints: 12_345,
}
const UNKNOWN: WireOrder = {
  ...ORDER,
  g: null,
  g_null: 'no_side',
  p: null,
  flip: null,
  exp: null,
}

const findFound = (orders: readonly WireOrder[]): FoundOrders => ({
  revision: 'r',
  asof: '16:15:00',
  simulated: true,
  kinds: ['ratio_risk_reversal'],
  total: orders.length,
  matched: orders.length,
  orders: [...orders],
  exps: ['2026-10-15'],
  stats: null,
})

/** A session of index levels around 10,000, which swing through the whole picture. */
function findContent(made: Made) {
  const { day = '2026-10-15', hasFlip = true, isKnown = true, isOpen = false } = made
  const minutes = minutesUntil(made.minutes ?? 390)
  const { at = Math.max(0, minutes.length - 1), orders = [ORDER, UNKNOWN] } = made
  const swing = (size: number, slow: number) =>
    minutes.map((_, index) =>
      isKnown ? Math.round(1e6 + 1e4 * size * Math.sin(index / slow)) / 100 : null,
    )
  const flip = minutes.map((_, index) => (hasFlip ? (swing(0.2, 70)[index] ?? null) : null))
  const moved = (by: number) => flip.map(value => (value === null ? null : value + by))
  const gamma = minutes.map((_, index) => (isKnown ? 12_345.67 * Math.cos(index / 40) : null))
  const book = {
    spot: swing(0.4, 30),
    flip,
    flip_lo: moved(-20),
    flip_hi: moved(20),
    net_gamma: gamma,
    call_wall: flip.map(value => value && 10_050),
    put_wall: flip.map(() => 9_950),
    reason: minutes.map(() => (hasFlip ? null : 'no_crossing')),
  }
  const reported: SessionLevels = {
    day,
    revision: 'r',
    simulated: true,
    asof: isOpen ? '11:14:59' : '16:15:00',
    minutes,
    tape: { grade: 'good', reasons: [], gaps: [] },
    books: { measured: book, vol: book },
    ...made.reported,
  } as SessionLevels
  Object.assign(reported.books, { oi: book })
  const points = Array.from({ length: 41 }, (_, index) => 9_800 + 10 * index)
  const curve = (minute: number) => points.map((_, index) => 900 * Math.sin(minute / 90 + index))
  const has = isKnown && minutes.length > 0
  const curves = {
    minutes,
    from: has ? 9_800 : null,
    step: has ? 10 : null,
    net: has ? minutes.map((_, minute) => curve(minute)) : [],
  }
  const ladders = {
    minutes,
    strikes: has ? points : null,
    reason: has ? null : ('not_published' as const),
    calls: has ? curves.net : [],
    puts: has ? curves.net.map(list => list.toReversed()) : [],
  }
  const releases = [
    { label: 'a release with a long name of many words', country: 'US', simulated: true },
    { label: 'another one', country: 'DE', simulated: true },
  ].map((release, index) => ({
    ...release,
    time: `0${8 + index}:30`,
    known_at: '2026-10-15T12:30:00Z',
    url: null,
    minute: minutes[120 * index] ?? null,
  }))
  // of a day on which customers sold far more than they bought: the labels are as wide as they get
  const sold = (share: number) =>
    minutes.map((_, index) => (isKnown ? share * 120_000 * Math.sin(index / 150) : null))
  const flow = {
    minutes,
    delta: sold(-1),
    delta_lo: sold(-1.2),
    delta_hi: sold(-0.8),
    delta_reason: minutes.map(() => (isKnown ? null : 'unpriced')),
    gamma: sold(-0.01),
    gamma_lo: sold(-0.012),
    gamma_hi: sold(-0.008),
    gamma_reason: minutes.map(() => (isKnown ? null : 'unpriced')),
    orders: minutes.map((_, index) => 100 * index),
  }
  return {
    view: { book: 'measured' as const, t: null },
    sessionLevels: reported,
    curves,
    ladders,
    flow,
    releases,
    at,
    found: findFound(orders),
    before: '2026-10-14',
    after: '2026-10-16',
    isOpen,
    publicUrl: null,
  }
}

const BAD = {
  tape: {
    grade: 'bad',
    reasons: Array.from(
      { length: 6 },
      (_, at) =>
        `share_of_cancels_${at} is 0.123456: more than a tenth of all prints were taken off`,
    ),
    gaps: Array.from({ length: 30 }, (_, at) => {
      const minute = `1${at % 6}:${String(at + 10)}`
      return { from: minute, to: minute, minutes: 1 + (at % 4) }
    }),
  },
  note: 'The tape of 2026-10-15 is bad: do not rely on this ledger.',
}

const listed = (day: string) => ({
  day,
  revision: 'r',
  grade: 'doubtful',
  simulated: true,
  orders: 123_456,
  open: 10_000.25,
  close: 10_100.75,
  flip_close: null,
  reason: null,
  ...FRESHNESS_EXAMPLE,
  conditions: ['partial', 'degraded', 'restated'] as const,
})

/** Pages by a name; none has scripts, so that each shows what the server draws. */
export function oddPages(): Readonly<Record<string, string>> {
  const session = (made: Made) => sessionPage(findContent(made) as never)
  const whole = findContent({})
  const glance = { session: listed('2026-10-15'), levels: whole.sessionLevels }
  const state = {
    status: 'red' as const,
    delayMinutes: 0 as const,
    problems: ['the newest session is 2026-10-13; 2026-10-14 should be there'],
    newest: { day: '2026-10-13', isFinished: false, lastMinute: '11:14' },
  }
  const query = { kind: [], side: [], exp: [], sort: [], min_premium: [], page: [] }
  const view = readOrders(query)
  const pages = {
    'whole day': session({}),
    'half day': session({ day: '2026-11-27', minutes: 210 }),
    'bad tape': session({ reported: BAD }),
    'no flip all day': session({ hasFlip: false }),
    'nothing known': session({ isKnown: false, orders: [] }),
    'no minute': session({ minutes: 0, orders: [] }),
    'one minute': session({ minutes: 1, isOpen: true }),
    'running in the morning': session({ minutes: 34, isOpen: true }),
    'first minute marked': session({ at: 0 }),
    'orders of a bad tape': ordersPage(
      '2026-10-15',
      view,
      { ...findFound([ORDER, UNKNOWN]), note: BAD.note },
      false,
    ),
    'a bad tape in full': tapePage({ ...whole.sessionLevels, ...BAD }, null),
    'a list of sessions': sessionsPage([listed('2026-10-15'), listed('2026-11-27')], {
      page: 1,
      today: '2026-11-30',
    }),
    'no session at all': sessionsPage([], { page: 1, today: null }),
    'home with a problem': homePage(state, glance as never, null),
    'home without data': homePage(null, null, null),
  }
  const isScript = /<script[^>]*><\/script>/g
  return Object.fromEntries(
    Object.entries(pages).map(([name, html]) => [name, html.replace(isScript, '')]),
  )
}
