import { describe, expect, test } from 'vitest'
import { formatMinute } from '../../../src/core/market/calendar.ts'
import { chooseSlotMinutes } from '../../../src/lab/engine/chances.ts'
import type {
  RuleCondition,
  RuleCore,
  RuleEntry,
  RuleSpec,
} from '../../../src/lab/language/spec.ts'
import { findLedger, findMarket, findState, rule, type SessionSetup, SPOT } from './market.ts'

const DAY = '2026-10-14'
type Row = { session: number; minute: string; slot: number; fixed: boolean; inRule: boolean }

/** Entries of a rule over sessions of which half, or the given number, are the design part. */
function entered(
  entry: RuleEntry,
  setups: readonly Partial<SessionSetup>[],
  rest: Partial<RuleSpec> & { core?: Partial<RuleCore>; design?: number } = {},
): Row[] {
  const { core, design, ...spec } = rest
  const market = findMarket(...setups.map(setup => ({ date: DAY, ...setup })))
  const { trades, missed } = findLedger(market, rule({ entry, ...core }, spec), {}, design)
  expect(missed).toEqual([])
  return trades.map(one => ({
    session: one.session,
    minute: formatMinute(one.decidedAt),
    slot: one.slot,
    fixed: one.isFixed,
    inRule: one.isInRule,
  }))
}
const minutesIn = (rows: readonly Row[]) => rows.filter(row => row.inRule).map(row => row.minute)

/** A session in which net gamma is above zero in the minutes that are named. */
const positiveAt = (...minutes: readonly string[]): Partial<SessionSetup> => ({
  columns: { netGamma: state => (minutes.some(one => findState(one) === state) ? 1 : -1) },
})
const positiveFrom = (from: string, to: string): Partial<SessionSetup> => ({
  columns: {
    netGamma: state => (state >= findState(from) && state <= findState(to) ? 1 : -1),
  },
})
const POSITIVE: RuleCondition = { f: 'net_gamma', op: '>', v: 0, u: 'musd_pt' }
const WINDOW: ['10:00', '14:00'] = ['10:00', '14:00']

describe('at a time of the clock', () => {
  test('the core trades at it, and the rule where its conditions hold', () => {
    const rows = entered({ at: '10:00' }, [positiveAt('10:00'), positiveAt('10:01')], {
      when: [POSITIVE],
    })
    expect(rows).toEqual([
      { session: 0, minute: '10:00', slot: 600, fixed: true, inRule: true },
      { session: 1, minute: '10:00', slot: 600, fixed: true, inRule: false },
    ])
  })

  test('the first and the last minute of a session can be entered', () => {
    expect(entered({ at: '09:31' }, [{}])).toHaveLength(1)
    expect(entered({ at: '15:59' }, [{}])).toHaveLength(1)
  })

  test.each([
    [60, ['10:00', '11:00', '12:00', '13:00', '14:00']],
    [70, ['10:00', '11:10', '12:20', '13:30']],
    [240, ['10:00', '14:00']],
  ])('every %d minutes of a window that ends with it', (every_min, minutes) => {
    const rows = entered({ window: WINDOW, every_min }, [{}])
    expect(rows.map(row => row.minute)).toEqual(minutes)
    expect(
      rows.every(row => row.fixed && row.inRule && formatMinute(row.slot) === row.minute),
    ).toBe(true)
  })

  test('only on the weekdays of the rule, also of its second leg', () => {
    // Monday to Friday
    const week = ['12', '13', '14', '15', '16'].map(day => ({ date: `2026-10-${day}` }))
    const more = [{ core: rule({ entry: { at: '11:00' } }).core, when: [] }]
    const rows = entered({ at: '10:00' }, week, { days: ['tue', 'fri'], more })
    expect(rows.map(({ session, minute }) => [session, minute])).toEqual([
      [1, '10:00'],
      [4, '10:00'],
      [1, '11:00'],
      [4, '11:00'],
    ])
  })
})

describe('in a window', () => {
  const first = { window: WINDOW }
  const each = { window: WINDOW, times: 'each' } as const

  test.each([
    ['09:59', []],
    ['10:00', ['10:00']],
    ['14:00', ['14:00']],
    ['14:01', []],
  ])('what holds at %s alone enters at %o', (minute, expected) => {
    expect(minutesIn(entered(first, [positiveAt(minute)], { when: [POSITIVE] }))).toEqual(expected)
  })

  test('the first minute that meets all is taken, once', () => {
    const setup = positiveAt('11:00', '11:01', '12:00')
    expect(minutesIn(entered(first, [setup], { when: [POSITIVE] }))).toEqual(['11:00'])
  })

  test('what holds since before the window is taken at its first minute', () => {
    const setup = positiveFrom('09:40', '10:30')
    expect(minutesIn(entered(first, [setup], { when: [POSITIVE] }))).toEqual(['10:00'])
    expect(minutesIn(entered(each, [setup], { when: [POSITIVE] }))).toEqual(['10:00'])
  })

  test('each time is when it begins to hold again', () => {
    const setup = positiveAt('11:00', '11:01', '11:03', '12:00')
    expect(minutesIn(entered(each, [setup], { when: [POSITIVE] }))).toEqual([
      '11:00',
      '11:03',
      '12:00',
    ])
  })

  test.each([
    [30, ['11:00', '11:30', '12:00']],
    [31, ['11:00', '11:31', '12:05']],
    [29, ['11:00', '11:29', '11:58']],
  ])('with a gap of %d minutes, at any minute at which it holds', (gap_min, minutes) => {
    const setup = {
      columns: {
        netGamma: (state: number) =>
          (state >= findState('11:00') && state <= findState('12:00')) ||
          state === findState('12:05')
            ? 1
            : -1,
      },
    }
    const rows = entered({ ...each, gap_min }, [setup], { when: [POSITIVE] })
    expect(minutesIn(rows)).toEqual(minutes)
  })

  test('without a condition it is the first minute, and all are of the rule', () => {
    expect(entered(first, [{}, {}])).toEqual([
      { session: 0, minute: '10:00', slot: 0, fixed: true, inRule: true },
      { session: 1, minute: '10:00', slot: 0, fixed: true, inRule: true },
    ])
  })
})

describe('at an event', () => {
  const order: RuleCondition = { f: 'order', premium_musd_min: 25, gamma: 'removes' }
  const on = { window: WINDOW, on: 'order' } as const
  const seen = (minute: string, extra: object = {}) => ({
    from: findState(minute),
    premiumUsd: 30e6,
    gamma: -1,
    ...extra,
  })
  const enteredOn = (
    orders: NonNullable<SessionSetup['orders']>,
    entry: RuleEntry = on,
    when: RuleCondition[] = [order],
  ) => minutesIn(entered(entry, [{ orders }], { when }))

  test.each([
    ['09:59', []],
    ['10:00', ['10:00']],
    ['14:00', ['14:00']],
    ['14:01', []],
  ])('an order that is first known at %s enters at %o', (minute, expected) => {
    expect(enteredOn([seen(minute)])).toEqual(expected)
  })

  test('an order enters when a version fits, and not while it goes on counting', () => {
    const versions = [
      seen('10:10', { gamma: 1, until: findState('10:20') }),
      seen('10:20', { gamma: Number.NaN, until: findState('10:30') }),
      seen('10:30', { gamma: -1 }),
    ]
    expect(enteredOn(versions, { ...on, times: 'each' })).toEqual(['10:30'])
  })

  test('a version that is replaced at once is no event', () => {
    expect(enteredOn([seen('10:10', { until: findState('10:10') })])).toEqual([])
  })

  test('each order enters, and with a gap not one that comes too soon', () => {
    const orders = [seen('10:10'), seen('10:11'), seen('10:40'), seen('10:41')]
    expect(enteredOn(orders)).toEqual(['10:10'])
    expect(enteredOn(orders, { ...on, times: 'each' })).toEqual([
      '10:10',
      '10:11',
      '10:40',
      '10:41',
    ])
    expect(enteredOn(orders, { ...on, times: 'each', gap_min: 30 })).toEqual(['10:10', '10:40'])
    expect(enteredOn(orders, { ...on, times: 'each', gap_min: 31 })).toEqual(['10:10', '10:41'])
  })

  test('the other conditions have to hold at the minute of the order', () => {
    const setup = { orders: [seen('10:10'), seen('10:40')], ...positiveAt('10:40') }
    expect(minutesIn(entered(on, [setup], { when: [order, POSITIVE] }))).toEqual(['10:40'])
    const old = { ...order, since_min: 5 }
    const late = [seen('10:40', { printed: findState('10:35') })]
    expect(enteredOn(late, on, [old])).toEqual([])
    expect(enteredOn([seen('10:40', { printed: findState('10:36') })], on, [old])).toEqual([
      '10:40',
    ])
  })

  /** A session whose spot is above the flip in every second stretch between the minutes. */
  const crossing = (...minutes: readonly string[]): Partial<SessionSetup> => ({
    columns: {
      flip: state =>
        minutes.filter(one => findState(one) <= state).length % 2 === 0 ? SPOT + 1 : SPOT - 1,
    },
  })
  const cross = (nth: number): RuleCondition => ({ f: 'cross_flip', dir: 'above', nth })
  const onCross = { window: WINDOW, on: 'cross' } as const
  // above at the first, third and fifth
  const DAY_OF_CROSSES = crossing('09:40', '09:50', '10:20', '10:30', '11:00')

  test.each([
    [1, []],
    [2, ['10:20']],
    [3, ['11:00']],
    [4, []],
  ])('cross number %d of the session enters at %o', (nth, minutes) => {
    expect(minutesIn(entered(onCross, [DAY_OF_CROSSES], { when: [cross(nth)] }))).toEqual(minutes)
  })

  test('each cross is the nth and all later ones', () => {
    const rows = (nth: number) =>
      minutesIn(entered({ ...onCross, times: 'each' }, [DAY_OF_CROSSES], { when: [cross(nth)] }))
    expect(rows(1)).toEqual(['10:20', '11:00'])
    expect(rows(3)).toEqual(['11:00'])
  })
})

describe('the core of a window', () => {
  test('the grid holds the values at the sixteenths of all triggers, each once', () => {
    const minutes = Array.from({ length: 16 }, (_, index) => 600 + index)
    expect(chooseSlotMinutes(minutes)).toEqual([601, 603, 605, 607, 609, 611, 613, 615])
    // of three minutes the first up to a third, and so on
    expect(chooseSlotMinutes([630, 600, 610])).toEqual([600, 610, 630])
    expect(chooseSlotMinutes([700])).toEqual([700])
    expect(chooseSlotMinutes([])).toEqual([])
  })

  test('each session has all grid values, and its trigger, which may be one of them', () => {
    const sessions = [positiveAt('10:30'), positiveAt('11:30'), positiveAt('11:00'), {}]
    const rows = entered({ window: WINDOW }, sessions, {
      when: [POSITIVE],
      design: 2,
    }).map(row => [row.session, row.minute, row.slot, row.fixed, row.inRule])
    expect(rows).toEqual([
      [0, '10:30', 0, true, true],
      [0, '11:30', 1, true, false],
      [1, '10:30', 0, true, false],
      [1, '11:30', 1, true, true],
      [2, '10:30', 0, true, false],
      // as near to both
      [2, '11:00', 0, false, true],
      [2, '11:30', 1, true, false],
      // net gamma is above zero all day: the first minute of the window
      [3, '10:00', 0, false, true],
      [3, '10:30', 0, true, false],
      [3, '11:30', 1, true, false],
    ])
  })

  test('sessions after the design part do not move the grid', () => {
    const design = [positiveAt('10:30'), positiveAt('11:30')]
    const indexes = (...later: Partial<SessionSetup>[]) =>
      entered({ window: WINDOW }, [...design, ...later], { when: [POSITIVE], design: 2 })
        .filter(row => row.fixed && row.session < 2)
        .map(row => row.minute)
    expect(indexes(positiveAt('13:00'), positiveAt('13:30'))).toEqual(indexes(positiveAt('10:00')))
  })

  test('without a trigger in the design part a trigger has grid index 0', () => {
    const rows = entered({ window: WINDOW }, [positiveAt('15:00'), positiveAt('11:00')], {
      when: [POSITIVE],
      design: 1,
    })
    expect(rows).toEqual([{ session: 1, minute: '11:00', slot: 0, fixed: false, inRule: true }])
  })

  test('days that the rule leaves out add no grid values', () => {
    const sessions = [
      { date: '2026-10-13', ...positiveAt('10:30') },
      { date: '2026-10-14', ...positiveAt('11:30') },
    ]
    const rows = entered({ window: WINDOW }, sessions, { when: [POSITIVE], days: ['tue'] })
    expect(rows.map(row => row.minute)).toEqual(['10:30'])
  })
})
