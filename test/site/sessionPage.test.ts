// Sessions that are not like the others look like what they are, and text of any kind stays text.

import { expect, test } from 'vitest'
import type { SessionLevels } from '../../src/archive/ask.ts'
import type { FlowResponse } from '../../src/levels/ask.ts'
import type { DetailedOrder, FoundOrders } from '../../src/orders/ask.ts'
import type { WireOrder } from '../../src/orders/schema.ts'
import { FRESHNESS_EXAMPLE } from '../../src/platform/http/fields.ts'
import { orderPage } from '../../src/site/orderPage.ts'
import { ordersPage } from '../../src/site/ordersPage.ts'
import { type SessionContent, sessionPage } from '../../src/site/sessionPage.ts'
import { readOrders } from '../../src/site/sessionQuery.ts'
import { sessionsPage } from '../../src/site/sessionsPage.ts'
import { formatFacts, isUnknownAllDay } from '../../src/site/shareFacts.ts'
import { sharePicture } from '../../src/site/shareRoutes.ts'
import { tapePage } from '../../src/site/tapePage.ts'

const MARKUP = '"><img src=x onerror=document.title=1><script>1</script>'
const MINUTES = ['09:31', '09:32', '09:33', '09:34']
const list = <Value>(value: Value) => MINUTES.map(() => value)
const BOOK = {
  spot: [5900, 5901, 5902, 5903],
  flip: list(5890),
  flip_lo: list(5880),
  flip_hi: list(5900),
  call_wall: list(6000),
  put_wall: list(5800),
  net_gamma: list(12.5),
  reason: list(null),
}
const REPORTED: SessionLevels = {
  day: '2026-10-15',
  revision: 'r',
  simulated: false,
  asof: '16:15:00',
  minutes: MINUTES,
  tape: { grade: 'good', reasons: [], gaps: [] },
  books: { measured: BOOK, vol: BOOK, oi: BOOK },
}
const ORDER: WireOrder = {
  oid: '20261015-093100000000-1',
  t: '09:31',
  g: -3.25,
  g_null: null,
  kind: 'vertical',
  legs: '5900/5910C',
  lg: [
    [5900, 'C', 1],
    [5910, 'C', -1],
  ],
  exp: '2026-10-15',
  size: 10,
  contracts: 20,
  net: 0.25,
  flip: 10,
  side: 'over',
  confidence: 0.98,
  fold: 'conditions',
  flags: [],
  p: 0.83,
  rule: 'island',
  prints: 2,
}
const FOUND: FoundOrders = {
  revision: 'r',
  asof: '16:15:00',
  simulated: false,
  total: 1,
  matched: 1,
  orders: [ORDER],
  kinds: ['vertical'],
  exps: ['2026-10-15'],
  stats: null,
}
const CLOSED = { isOpen: false, delayMinutes: 0, publicUrl: null }
const CURVES = { minutes: MINUTES, from: 5880, step: 10, net: MINUTES.map(() => [-1, 0.5, 2]) }

const FLOW: FlowResponse = {
  day: '2026-10-15',
  time: MINUTES.at(-1)!,
  live: false,
  simulated: false,
  next_update_at: null,
  sym: 'SPX',
  part: 'all',
  span: 'day',
  minutes: [...MINUTES],
  spot: list(5900),
  delta: list(-120),
  delta_lo: list(-300),
  delta_hi: list(60),
  delta_reason: list(null),
  gamma: list(null),
  gamma_lo: list(null),
  gamma_hi: list(null),
  gamma_reason: list('unpriced'),
  orders: list(7),
  contracts: list(70),
  reason: null,
}

const LADDERS = {
  minutes: MINUTES,
  strikes: [5880, 5890, 5900],
  reason: null,
  calls: list([1.5, null, 200]),
  puts: list([-1.5, null, 0]),
}

const page = (reported: Partial<SessionLevels>, more: Partial<SessionContent> = {}) =>
  sessionPage({
    view: { book: 'measured', t: null },
    sessionLevels: { ...REPORTED, ...reported },
    curves: CURVES,
    ladders: LADDERS,
    flow: FLOW,
    releases: [],
    found: FOUND,
    at: 1,
    before: null,
    after: null,
    isOpen: false,
    delayMinutes: 0,
    publicUrl: null,
    ...more,
  })
const findText = (markup: string) => markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
const measured = (change: Partial<typeof BOOK> | object) => ({
  books: { ...REPORTED.books, measured: { ...BOOK, ...change } },
})

test('what customers bought stands under the index, or not where nobody knows it', () => {
  const text = findText(page({}))
  expect(text).toContain('What customers bought: delta, $M of index')
  expect(page({})).toContain(`by ${MINUTES.at(-1)} customers had bought delta of −120 $M`)
  expect(page({}, { flow: null })).not.toContain('flow-picture')
  expect(page({}, { flow: { ...FLOW, delta: list(null) } })).not.toContain('flow-picture')
})

test('a day like any other has no remark', () => {
  const html = page({})
  expect(html).toContain('tape good')
  expect(html).not.toMatch(/class="note|SIMULATED|half day/)
})

test('a half day says when it closes, also in the list', () => {
  const half = page({ day: '2026-11-27' })
  expect(findText(half)).toContain('A half day: the session closes at 13:00.')
  const session = {
    day: '2026-11-27',
    revision: 'r',
    grade: 'bad',
    simulated: true,
    orders: 3,
    open: 5900,
    close: 5910,
    flip_close: null,
    reason: null,
    ...FRESHNESS_EXAMPLE,
    conditions: ['partial', 'degraded', 'late'] as const,
  }
  const list = findText(sessionsPage([session], { page: 1, today: null }))
  expect(list).toMatch(
    /Fri 2026-11-27 bad 3 5,900\.00 5,910\.00 – SIMULATED half day, to 13:00 partial, late/,
  )
})

test('a bad tape says so above everything else, with each reason', () => {
  const tape = { grade: 'bad', reasons: ['cancels without a target 12 %, limit 5 %'], gaps: [] }
  const note = 'The tape of 2026-10-15 is bad: do not rely on this ledger.'
  const html = page({ tape, note })
  expect(html.indexOf('class="note bad"')).toBeLessThan(html.indexOf('id="levels-title"'))
  for (const shown of [html, tapePage({ ...REPORTED, tape, note }, null)]) {
    expect(findText(shown)).toContain('do not rely on this ledger')
    expect(findText(shown)).toContain('cancels without a target 12 %, limit 5 %')
    expect(shown).toContain('<span class="red">tape bad</span>')
  }
})

test('a simulated session says so, and one with gaps names them', () => {
  expect(findText(page({ simulated: true }))).toContain(
    'Simulated: no real trade is in this session.',
  )
  const gaps = [
    { from: '10:01', to: '10:01', minutes: 1 },
    { from: '11:00', to: '11:30', minutes: 31 },
  ]
  const html = page({ tape: { grade: 'good', gaps } })
  expect(findText(html)).toContain('Nothing was printed at 10:01, from 11:00 to 11:30.')
})

test('of many gaps the longest are shown, and the tape report has them all', () => {
  const gaps = Array.from({ length: 60 }, (_, index) => {
    const minute = `1${Math.floor(index / 30)}:${String((2 * index) % 60).padStart(2, '0')}`
    return { from: minute, to: minute, minutes: index === 7 ? 9 : 1 }
  })
  const tape = {
    grade: 'doubtful',
    reasons: ['longest_gap_minutes is 9, doubtful from 5: x y'],
    gaps,
  }
  const text = findText(page({ tape }))
  expect(text).toMatch(
    /Nothing was printed in 68 minutes, longest (at \d\d:\d\d, ){4}at \d\d:\d\d\./,
  )
  expect(text).toContain('at 10:14')
  expect(text).toContain('X y (longest gap minutes 9, doubtful from 5)')
  const report = tapePage({ ...REPORTED, tape }, null)
  expect(report.match(/<tr><td>/g)).toHaveLength(60)
})

test('a ledger of a bad tape says so on the pages of its orders, too', () => {
  const note = 'The tape of 2026-10-15 is bad: do not rely on this ledger.'
  const offered = { revision: 'r', simulated: false, order: ORDER, legs: [], prints: [], note }
  const view = readOrders({ kind: [], side: [], exp: [], min_premium: [], sort: [], page: [] })
  for (const html of [
    ordersPage('2026-10-15', view, { ...FOUND, note }, false),
    orderPage('2026-10-15', { ...offered, revisions: [], hasPrices: false }, CLOSED),
  ]) {
    expect(findText(html)).toContain('do not rely on this ledger')
  }
})

const UNKNOWN = {
  flip: list(null),
  flip_lo: list(null),
  flip_hi: list(null),
  net_gamma: list(-12.5),
  reason: list('inventory_unknown'),
  p_positive: list(0.36),
}
const CONVENTION = { ...BOOK, flip: list(5895), flip_lo: list(null), flip_hi: list(null) }
const unknownDay = { books: { measured: { ...BOOK, ...UNKNOWN }, vol: BOOK, oi: CONVENTION } }

test('where the dealers are unknown the convention stands under its name, and no sign is drawn', () => {
  const html = page({ ...unknownDay, sessions_carried: 7 })
  expect(findText(html)).toContain(
    'The dealers’ positions are not known at 09:32: 7 of about 60 sessions are carried',
  )
  expect(findText(html)).toContain('it is positive with a probability of 36 %.')
  expect(findText(html)).toMatch(/The flip of the convention is 5,895\.00 \(calls \+, puts −\)\./)
  expect(html).toContain('class="line flip" d=""')
  expect(html).toContain('no flip was known. Net gamma was negative in 0 of 4 minutes. The dealers')
  const levels = /id="levels-figure".*?<\/figure>/s.exec(html)![0]
  expect(levels).not.toContain('url(#hatch)')
  expect(levels).not.toMatch(/NaN|null/)
})

test('an index that follows from the quotes stands with its error, and the page says so', () => {
  const html = page(measured({ spot_source: list('parity'), spot_error: list(0.3125) }))
  expect(findText(html)).toMatch(/5,90\d\.00 ± 0\.31 by parity/)
  expect(findText(html)).toContain(
    'The tape has no index at 09:32: it follows from the quotes of its options, by put-call parity.',
  )
  const other = page(measured({ spot_source: list('index'), spot_error: list(null) }))
  expect(findText(other)).not.toContain('parity')
})

test('an order without a flip has the distance to that of the convention, under its name', () => {
  const order = { ...ORDER, flip: null, side: null, flip_convention: 5.5, side_convention: 'over' }
  const found = { ...FOUND, orders: [order as WireOrder, ORDER] }
  const table = page(unknownDay, { found })
  expect(findText(table)).toMatch(/ 5\.50 over\* .* 10\.00 over 83 %/)
  expect(findText(table)).toContain('* from the convention flip (calls +, puts −)')
  expect(page({})).not.toContain('convention flip')
  const detailed: DetailedOrder = {
    revision: 'r',
    simulated: false,
    order: order as WireOrder,
    hasPrices: false,
    legs: [],
    prints: [],
    revisions: [],
  }
  const text = (more: Partial<DetailedOrder>) =>
    findText(orderPage('2026-10-15', { ...detailed, ...more }, CLOSED))
  expect(text({ flipReason: 'inventory_unknown', conventionFlip: 5895.25 })).toContain(
    'none: the dealers&#39; positions are not known; 5.50 points over the convention flip 5,895.25 ' +
      '(calls +, puts −)',
  )
  expect(text({})).toContain('there was none; 5.50 points over the convention flip (calls +,')
  expect(text({ order: { ...ORDER, flip: null, side: null } })).toContain('there was none ')
})

test('the value of an order is drawn with its strikes, or says why not', () => {
  const detailed: DetailedOrder = {
    revision: 'r',
    simulated: false,
    order: ORDER,
    hasPrices: false,
    legs: [],
    prints: [],
    revisions: [],
  }
  const text = (payoff: NonNullable<DetailedOrder['payoff']>) =>
    orderPage('2026-10-15', { ...detailed, payoff }, CLOSED)
  const line = { points: [5800, 5900, 6000], spot: 5900, values_musd: [-0.002, 0.001, 0.004] }
  const lines = [0, 0.5, 1].map(elapsed_share => ({ ...line, elapsed_share }))
  expect(text(lines)).toContain('id="payoff-picture"')
  expect(findText(text(lines))).toContain('Value over the index')
  expect(text(lines)).not.toMatch(/NaN|undefined/)
  const unpriced = lines.map(one => ({ ...one, values_musd: [null, null, null] }))
  expect(findText(text(unpriced))).toContain('the value cannot be drawn')
  expect(text([])).not.toContain('Value over the index')
})

test('a shared picture never draws a flip that is not known, and says what is not', () => {
  const reported = { ...REPORTED, ...unknownDay }
  expect(formatFacts(reported, 312)).toBe(
    'Index 5,900.00 to 5,903.00, no known flip (convention 5,895.00), 312 large orders.',
  )
  expect(isUnknownAllDay(reported)).toBe(true)
  expect([formatFacts(REPORTED, 1), isUnknownAllDay(REPORTED)]).toEqual([
    'Index 5,900.00 to 5,903.00, flip at last 5,890.00, 1 large orders.',
    false,
  ])
  const picture = sharePicture({
    title: 'SPX',
    facts: formatFacts(reported, 312),
    mark: null,
    note: '',
    minutes: MINUTES,
    levels: reported.books.measured,
    at: null,
  })
  expect(picture).not.toMatch(/NaN|null|url\(#hatch\)/)
  expect(picture).toContain('<path d="" fill="none" stroke="#8a3ffc"')
})

test('a day without a flip says why, and draws what there is', () => {
  const none = { flip: list(null), flip_lo: list(null), flip_hi: list(null) }
  const html = page(measured({ ...none, reason: list('no_flip') }))
  expect(findText(html)).toContain('This book has no flip')
  expect(findText(html)).toContain('all day: no flip.')
  expect(html).toContain('class="line spot" d="M0 ')
  expect(html).toContain('class="line flip" d=""')
})

test('a minute without an index is dotted, and its values are dashes with a reason', () => {
  const html = page(
    measured({
      spot: [5900, null, 5902, 5903],
      flip: [5890, null, 5890, 5890],
      flip_lo: [1, null, 1, 1],
      net_gamma: [1, null, -1, 1],
      reason: [null, 'no_spot', null, null],
    }),
  )
  expect(html).toContain('url(#dots)')
  const now = html.split('id="now"')[1]!.split('</dl>')[0]!
  expect(now).toContain('data-name="spot">–<')
  expect(now).toContain('data-name="regime">no spot<')
})

test('a session without minutes, or with one, is a page all the same', () => {
  const empty = { minutes: [], from: null, step: null, net: [] }
  const nothing = Object.fromEntries(Object.keys(BOOK).map(name => [name, []])) as never
  const books = { measured: nothing, vol: nothing, oi: nothing }
  const none = { minutes: [], strikes: null, calls: [], puts: [], reason: 'empty_book' as const }
  const html = page({ minutes: [], books }, { curves: empty, ladders: none, at: 0 })
  expect(findText(html)).toContain('No minute of this session is known yet.')
  expect(html).not.toContain('<script')
  expect(page({ minutes: ['09:31'] }, { at: 0 })).toContain('value="09:31"')
})

test('markup in any text of a session stays text', () => {
  const order = {
    ...ORDER,
    kind: MARKUP,
    legs: MARKUP,
    flags: [MARKUP],
    rule: MARKUP,
    sign_null: MARKUP,
    g_null: MARKUP,
    g: null,
    exp: MARKUP,
    oid: MARKUP,
  }
  const found = { ...FOUND, orders: [order], kinds: [MARKUP], exps: [MARKUP] }
  const offered: DetailedOrder = {
    revision: 'r',
    simulated: false,
    order,
    hasPrices: false,
    legs: [
      {
        leg_number: 1,
        root: MARKUP,
        expiry: MARKUP,
        strike: 1,
        option_type: MARKUP,
        ratio: 1,
        contracts: 1,
        customer_sign: 1,
        average_price: null,
        implied_vol: null,
        gamma: null,
        side_probability: null,
      },
    ],
    prints: [
      {
        sequence: 1,
        leg_number: 1,
        printed_et: '09:31:00.000000',
        size: 1,
        exchange: MARKUP,
        condition: MARKUP,
        price: null,
        best_bid: null,
        best_ask: null,
      },
    ],
    revisions: [
      {
        revision_number: 1,
        visible_et: '09:31',
        superseded_et: '09:32',
        structure: MARKUP,
        superseded_by: MARKUP,
        legs_text: MARKUP,
        contracts: 1,
        sign: 1,
        gamma: null,
        legs: [],
      },
    ],
  }
  const view = readOrders({ kind: [], side: [], exp: [], min_premium: [], sort: [], page: [] })
  const tape = {
    grade: MARKUP,
    reasons: [MARKUP],
    gaps: [{ from: MARKUP, to: MARKUP, minutes: 1 }],
  }
  for (const html of [
    page({ tape, note: MARKUP, ...measured({ reason: list(MARKUP) }) }, { found }),
    ordersPage('2026-10-15', view, found, false),
    orderPage('2026-10-15', offered, CLOSED),
    tapePage({ ...REPORTED, tape, note: MARKUP }, { grade: MARKUP, quote_age_null_reason: MARKUP }),
  ]) {
    expect(html).not.toContain('<img')
    expect(html).not.toContain('<script>')
    expect(html).toContain('&lt;img')
  }
})

test('each version that ended stands next to the following one, and differences stand out', () => {
  const leg = (leg_number: number, strike: number, option_type: string, contracts: number) => ({
    leg_number,
    root: 'SPXW',
    expiry: '2026-10-15',
    strike,
    option_type,
    ratio: 1,
    contracts,
    customer_sign: 1,
    average_price: null,
    implied_vol: null,
    gamma: null,
    side_probability: null,
  })
  const wings = [leg(2, 5915, 'P', 600), leg(3, 6050, 'C', 600), leg(4, 6085, 'C', 600)]
  const version = {
    structure: 'iron_condor',
    legs_text: '5885/5915P 6050/6085C',
    contracts: 2400,
    sign: 1,
    gamma: -3.25,
    superseded_by: 'cancel',
    legs: [leg(1, 5885, 'P', 600), ...wings],
  }
  const revisions = [
    { ...version, revision_number: 1, visible_et: '09:32:29.05', superseded_et: '09:40:12.33' },
    {
      ...version,
      revision_number: 2,
      visible_et: '09:41',
      superseded_et: '09:50',
      structure: 'custom',
      legs: wings,
      superseded_by: 'late_print',
    },
  ]
  const now = wings.map(one => ({ ...one, contracts: 448 }))
  const order = { ...ORDER, kind: 'custom' }
  const offered = { revision: 'r', simulated: false, order, legs: now, prints: [], revisions }
  const html = orderPage('2026-10-15', { ...offered, hasPrices: false }, CLOSED)
  const parts = html.split('id="revisions-title"')[1]!.split('<h3>').slice(1)
  const listLines = (part: string) =>
    [...part.matchAll(/<tr><td>(.*?)<\/td><td>(.*?)<\/td><td>(.*?)<\/td><\/tr>/gs)].map(cells =>
      cells.slice(1).map(cell => cell!.replace(/<\/?span[^>]*>/g, '')),
    )
  expect(findText(parts[0]!)).toContain('from 09:32:29.05 to 09:40:12.33')
  expect(findText(parts[0]!)).toContain('A cancel changed that')
  expect(listLines(parts[0]!)).toEqual([
    ['kind', 'iron condor', '<strong>custom</strong>'],
    ['effect, $M a point', '−3.25', '−3.25'],
    ['SPXW 2026-10-15 5,885 P', '600, bought', '<strong>–</strong>'],
    ['SPXW 2026-10-15 5,915 P', '600, bought', '600, bought'],
    ['SPXW 2026-10-15 6,050 C', '600, bought', '600, bought'],
    ['SPXW 2026-10-15 6,085 C', '600, bought', '600, bought'],
  ])
  expect(findText(parts[1]!)).toContain('A late print changed that')
  expect(listLines(parts[1]!)[2]).toEqual([
    'SPXW 2026-10-15 5,915 P',
    '600, bought',
    '<strong>448, bought</strong>',
  ])
})

test('without the right to share them, no price of a print is shown', () => {
  const print = {
    sequence: 7,
    leg_number: 1,
    printed_et: '09:31:00.000123',
    size: 3,
    exchange: 'CBOE',
    condition: 'f',
    price: null,
    best_bid: null,
    best_ask: null,
  }
  const offered = { revision: 'r', simulated: false, order: ORDER, legs: [], revisions: [] }
  const hidden = orderPage('2026-10-15', { ...offered, prints: [print], hasPrices: false }, CLOSED)
  expect(findText(hidden)).toContain('Prices of prints belong to the vendor of the tape')
  expect(hidden).not.toContain('>price<')
  expect(hidden).toContain('09:31:00.000123')
  const reported = { ...print, price: 12.34 }
  const shown = orderPage('2026-10-15', { ...offered, prints: [reported], hasPrices: true }, CLOSED)
  expect(shown).toContain('12.34')
})

test('a running session whose source is late says by how much; a finished one does not', () => {
  const delayed = findText(page({}, { isOpen: true, delayMinutes: 15 }))
  expect(delayed).toContain('Its source gives the market of 15 minutes ago.')
  expect(findText(page({}, { isOpen: true }))).not.toContain('Its source gives')
  expect(findText(page({}))).not.toContain('Its source gives')
})
