// The parts of a rule in any order, each in one of the ways in which traders write it.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reply } from '../../../src/lab/language/dialog.ts'
import {
  canonicalSpec,
  type RuleCondition,
  type RuleExit,
  type RuleSpec,
} from '../../../src/lab/language/spec.ts'
import { runs } from '../../support/runs.ts'

/** A part of a rule, with a way to write it. */
type Part<T> = { readonly v: T; readonly text: string }

const part = <T>(v: T, ways: readonly string[]): fc.Arbitrary<Part<T>> =>
  fc.constantFrom(...ways).map(text => ({ v, text }))

const parts = <T>(rows: readonly (readonly [T, readonly string[]])[]): fc.Arbitrary<Part<T>> =>
  fc.oneof(...rows.map(([v, ways]) => part(v, ways)))

const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })

const core = fc
  .record({
    action: parts([
      ['sell', ['sell', 'short', 'selling', 'STO', 'I sell']],
      ['buy', ['buy', 'long', 'buying', 'BTO', 'I buy']],
    ] as const),
    width: fc
      .constantFrom(5, 10, 15, 20, 25)
      .chain(n =>
        part(n, [`${n} wide`, `${n}-wide`, `${n} points wide`, `width ${n}`, `${n}pt wide`]),
      ),
    structure: parts([
      ['put_spread', ['put spread', 'put vertical', 'PS']],
      ['call_spread', ['call spread', 'call vertical']],
      ['iron_condor', ['iron condor', 'IC', 'condor']],
      ['strangle', ['strangle']],
    ] as const),
    delta: fc.constantFrom(10, 12, 16, 20).chain(n => {
      const ways = [`${n} delta`, `at ${n} delta`, `.${n} delta`, `${n}d`]
      return part(n / 100, ways)
    }),
    isNamedFirst: fc.boolean(),
  })
  .map(({ action, width, structure, delta, isNamedFirst }) => {
    const isWide = structure.v !== 'strangle'
    const named = isWide
      ? isNamedFirst
        ? [structure.text, width.text]
        : [width.text, structure.text]
      : [structure.text]
    return {
      v: {
        action: action.v,
        structure: structure.v,
        ...(isWide ? { width: width.v } : {}),
        strike: { ref: 'delta' as const, value: delta.v },
      },
      text: [action.text, ...named, delta.text].join(' '),
    }
  })

const entry = parts([
  ['10:00', ['at 10:00', 'at 10am', '@ 10', 'entry 10:00', 'Entry: 10am', 'enter at 10:00 ET']],
  ['12:30', ['at 12:30', 'at 12:30pm', 'entry 12:30 PM', 'enter at 12:30', 'at half past twelve']],
])
const out = parts<RuleExit>([
  [{ at: '15:00' }, ['exit 15:00', 'out at 3pm', 'close at 3:00 PM', 'out by 15:00', 'exit at 3']],
  [{ at: '14:45' }, ['exit 14:45', 'out at 2:45', 'close at 2:45pm', 'out by 14:45']],
])
const profit = fc
  .constantFrom(25, 40, 50)
  .chain(n =>
    part<RuleExit>({ profit_pct: n }, [
      `TP ${n}%`,
      `take profit at ${n}%`,
      `${n}% profit target`,
      `close at ${n}% profit`,
    ]),
  )
const condition = parts<RuleCondition>([
  [{ f: 'net_gamma', op: '>', v: 0, u: 'musd_pt' }, ['gamma is positive', 'gamma > 0']],
  [{ f: 'net_gamma', op: '<', v: 0, u: 'musd_pt' }, ['net gamma is negative', "gamma's negative"]],
  [{ f: 'abs_gap', op: '<', v: 0.5, u: 'pct' }, ['the gap is under 0.5%', 'gap < 0.5%']],
  [{ f: 'spot_minus_flip', op: '>', v: 0, u: 'pt' }, ['spot is above the flip', 'SPX > flip']],
])
const days = parts([
  [['mon'], ['on Mondays', 'Mon only', 'on Monday']],
  [
    ['tue', 'thu'],
    ['on Tuesdays and Thursdays', 'Tue/Thu only', 'Tue, Thu'],
  ],
] as [RuleSpec['days'], string[]][])

const rule = fc
  .record({
    core,
    entry,
    out: maybe(out),
    profit: maybe(profit),
    condition: maybe(condition),
    days: maybe(days),
    head: fc.constantFrom('if', 'when', 'only when', 'as long as'),
    join: fc.constantFrom(', ', ' | ', '; ', '. ', '\n'),
    order: fc.infiniteStream(fc.nat()),
  })
  .map(({ core: traded, entry: at, head, join, order, ...may }) => {
    const exits = [may.out, may.profit].filter(one => one !== null)
    const texts = [
      traded.text,
      at.text,
      ...exits.map(({ text }) => text),
      ...(may.condition ? [`${head} ${may.condition.text}`] : []),
      ...(may.days ? [may.days.text] : []),
    ].map(text => ({ text, rank: order.next().value }))
    const spec = canonicalSpec({
      v: 1,
      core: {
        ...traded.v,
        dte: 0,
        qty: 1,
        entry: { at: at.v },
        exit: exits.length > 0 ? exits.map(({ v }) => v) : [{ at: 'expiry' }],
      },
      when: may.condition ? [may.condition.v] : [],
      ...(may.days?.v ? { days: may.days.v } : {}),
    })
    const sorted = texts.toSorted((a, b) => Number(a.rank) - Number(b.rank))
    return { spec, text: sorted.map(({ text }) => text).join(join) }
  })

test(`${runs(5_000)} rules come out the same, whatever the order and the words of their parts`, () => {
  fc.assert(
    fc.property(rule, ({ spec, text }) => {
      expect(reply(text, null), text).toMatchObject({ kind: 'spec', spec })
    }),
    { numRuns: runs(5_000) },
  )
})
