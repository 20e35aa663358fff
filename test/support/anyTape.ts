import fc from 'fast-check'
import type { Row } from '../../src/core/engine/database.ts'
import { findInstant } from './adjacentTapes.ts'
import { readConditions } from './conditionLetters.ts'

/**
 * Tapes that know nothing of how they will be folded: packages of any legs, ratios, prices,
 * letters and venues, filled in parts and split, repeated, cancelled and reported late. Not a
 * likeness of the market: what holds for these holds for every tape.
 */

/** Microseconds from 09:30 ET to where a tape that is folded alone begins, each as likely. */
const STARTS_US = [1_800e6, 1_800e6, 1_800e6, 9_000e6, -2e6, 24_299e6]
const QUEUES = ['C', 'C', 'C', '5', null]
const EXPIRIES = [
  ['SPXW', '2026-10-14'],
  ['SPXW', '2026-10-13'],
  ['SPX', '2026-10-16'],
  ['SPXW', '2026-10-16'],
] as const
/** Of how many contracts a tape is made: few meet often, many seldom. */
const BREADTHS = [4, 8, 40]
const PACKAGE_WAITS_US = [0, 20, 800, 15_000, 400_000, 6e6]
const LEG_GAPS_US = [0, 1, 60, 900, 6_000, 500_000]
const FILL_WAITS_US = [0, 300, 20_000, 700_000, 20e6]

type AnyLeg = {
  readonly contract: number
  readonly ratio: number
  readonly cents: number
  /** Thousandths of the tape's leg gap. */
  readonly gap: number
  readonly parts: number
  readonly quote: (typeof QUOTES)[number]
}

type AnyFill = { readonly units: number; readonly wait: number; readonly drift: number }

type AnyPackage = {
  readonly legs: readonly AnyLeg[]
  readonly fills: readonly AnyFill[]
  readonly letter: string | null
  readonly lane: string | null
  readonly wait: number
  /** Trades the legs of an earlier package again, at its prices. */
  readonly repeats: number | null
  readonly isTurned: boolean
  readonly lateSeconds: number
}

type AnyCancel = {
  readonly of: number
  readonly letter: string
  readonly wait: number
  readonly surplus: number
}

type AnyTapeParts = {
  readonly packages: readonly AnyPackage[]
  readonly cancels: readonly AnyCancel[]
  readonly start: number
  readonly breadth: number
  readonly packageWait: number
  readonly legGap: number
  readonly fillWait: number
  readonly hasQuotes: boolean
  readonly hasIds: boolean
  readonly isNumberedAsKnown: boolean
}

const QUOTES = ['around', 'above', 'below', 'crossed', 'bidless', 'none'] as const

const thousandths = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(1_000))

const cents = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 400 }).map(steps => steps * 5) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(1, 2, 5, 10, 100) },
)

const leg: fc.Arbitrary<AnyLeg> = fc.record({
  contract: fc.nat(39),
  ratio: fc.oneof({ weight: 6, arbitrary: fc.constantFrom(1, 1, 1, 2, 3) }, fc.nat(15).map(more)),
  cents,
  gap: thousandths,
  parts: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, fc.integer({ min: 2, max: 5 })),
  quote: fc.constantFrom(...QUOTES, 'around', 'around'),
})

/** Legs in contracts of their own at one instant, in ratios that brokers take. */
const plainLegs: fc.Arbitrary<readonly AnyLeg[]> = fc.uniqueArray(
  fc.record({
    contract: fc.nat(39),
    ratio: fc.constantFrom(1, 1, 1, 2, 2, 3),
    cents,
    gap: fc.constant(0),
    parts: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, fc.constant(2)),
    quote: fc.constantFrom(...QUOTES, 'around', 'around'),
  }),
  { selector: ({ contract }) => contract, minLength: 2, maxLength: 4, size: 'max' },
)

const fill: fc.Arbitrary<AnyFill> = fc.record({
  units: fc.constantFrom(1, 1, 2, 3, 5, 7, 10, 15, 25, 50, 100, 333),
  wait: thousandths,
  drift: fc.constantFrom(0, 0, 0, 0, 0, 1, 5, -5),
})

const { letters, cancelLetters, multiLegLetters } = readConditions()

const letter = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...multiLegLetters) },
  { weight: 3, arbitrary: fc.constantFrom('f', 'j', 'I') },
  { weight: 2, arbitrary: fc.constantFrom(...letters) },
  { weight: 1, arbitrary: fc.constant(null) },
)

const anyPackage: fc.Arbitrary<AnyPackage> = fc.record({
  legs: fc.oneof(
    { weight: 4, arbitrary: fc.array(leg, { minLength: 1, maxLength: 6, size: 'max' }) },
    { weight: 6, arbitrary: plainLegs },
  ),
  fills: fc.oneof(
    { weight: 2, arbitrary: fc.array(fill, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(fill, { minLength: 2, maxLength: 5 }) },
  ),
  letter,
  lane: fc.constantFrom(...QUEUES),
  wait: thousandths,
  repeats: fc.option(fc.nat(50), { freq: 2 }),
  isTurned: fc.boolean(),
  lateSeconds: fc.oneof(
    { weight: 12, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 2_400 }) },
    { weight: 1, arbitrary: fc.constant(100_000) },
  ),
})

/** The rows of a tape of at most so many packages, in the order of their sequence. */
export const anyTape = (packages: { readonly min?: number; readonly max: number }) =>
  fc
    .record({
      packages: fc.array(anyPackage, {
        minLength: packages.min ?? 1,
        maxLength: packages.max,
        size: 'max',
      }),
      cancels: fc.array(
        fc.record({
          of: fc.nat(10_000),
          letter: fc.constantFrom(...cancelLetters),
          wait: thousandths,
          surplus: fc.constantFrom(0, 0, 0, 0, 1),
        }),
        { maxLength: Math.ceil(packages.max / 5), size: 'max' },
      ),
      start: fc.constantFrom(...STARTS_US),
      breadth: fc.constantFrom(...BREADTHS),
      packageWait: fc.constantFrom(...PACKAGE_WAITS_US),
      legGap: fc.constantFrom(...LEG_GAPS_US),
      fillWait: fc.constantFrom(...FILL_WAITS_US),
      hasQuotes: fc.boolean(),
      hasIds: fc.boolean(),
      isNumberedAsKnown: fc.boolean(),
    })
    .map(rowsOfTape)

type Unnumbered = {
  readonly atUs: number
  readonly knownUs: number
  readonly row: Row
}

function rowsOfTape(tape: AnyTapeParts): Row[] {
  const printed = listPrints(tape)
  const all = [...printed, ...tape.cancels.map(cancel => findCancel(cancel, printed, tape))]
  const orderUs = (print: Unnumbered) => (tape.isNumberedAsKnown ? print.knownUs : print.atUs)
  return all
    .map((print, index) => ({ print, index }))
    .sort((a, b) => orderUs(a.print) - orderUs(b.print) || a.index - b.index)
    .map(({ print }, index) => ({
      ...print.row,
      sequence: index + 1,
      printed_at: findInstant(print.atUs),
      known_at: findInstant(print.knownUs),
    }))
}

function listPrints(tape: AnyTapeParts): Unnumbered[] {
  const prints: Unnumbered[] = []
  let clock = tape.start
  for (const one of tape.packages) {
    clock += share(one.wait, tape.packageWait)
    const legs = one.repeats === null ? one.legs : tape.packages[one.repeats]?.legs
    let at = clock
    for (const fill of one.fills) {
      at += share(fill.wait, tape.fillWait)
      pushFill(prints, tape, { one, fill, legs: legs ?? one.legs, at })
    }
  }
  return prints
}

type FillOfPackage = {
  readonly one: AnyPackage
  readonly fill: AnyFill
  readonly legs: readonly AnyLeg[]
  readonly at: number
}

function pushFill(prints: Unnumbered[], tape: AnyTapeParts, context: FillOfPackage): void {
  const { one, fill, legs } = context
  let at = context.at
  for (const [index, leg] of (one.isTurned ? legs.toReversed() : legs).entries()) {
    at += share(leg.gap, tape.legGap)
    const price = Math.max(1, leg.cents + (index === 0 ? fill.drift : 0)) / 100
    for (const size of listParts(fill.units * leg.ratio, leg.parts)) {
      const row = {
        ...findContract(leg.contract % tape.breadth),
        exchange: one.lane,
        size,
        price,
        condition: one.letter,
        trade_id: tape.hasIds ? `t${prints.length}` : null,
        ...findQuote(tape.hasQuotes ? leg.quote : 'none', price),
      }
      prints.push({ atUs: at, knownUs: at + one.lateSeconds * 1e6, row })
    }
  }
}

/** Repeats what it cancels, unless one contract more makes it a cancel of nothing. */
function findCancel(cancel: AnyCancel, prints: readonly Unnumbered[], tape: AnyTapeParts) {
  const target = prints[cancel.of % prints.length]!
  const atUs = target.atUs + share(cancel.wait, Math.max(tape.packageWait, 1_000) * 20)
  const size = Number(target.row.size) + cancel.surplus
  const knownUs = Math.max(atUs, target.knownUs)
  return { atUs, knownUs, row: { ...target.row, size, condition: cancel.letter } }
}

function findContract(index: number) {
  const [root, expiry] = EXPIRIES[(index >> 3) % EXPIRIES.length]!
  const strike = 5_980 + 5 * ((index >> 1) % 4) + (index >= 32 ? 50 : 0)
  return { root, expiry, strike, option_type: index % 2 === 0 ? 'C' : 'P' }
}

function findQuote(quote: AnyLeg['quote'], price: number) {
  const sides = {
    around: [price - 0.05, price + 0.1],
    above: [price + 0.05, price + 0.2],
    below: [price - 0.2, price],
    crossed: [price + 0.1, price - 0.1],
    bidless: [null, price + 0.05],
    none: [null, null],
  }
  const [bid, ask] = sides[quote]
  const inCents = (value: number | null | undefined) =>
    value === null || value === undefined || value < 0 ? null : Math.round(value * 100) / 100
  return { best_bid: inCents(bid), best_ask: inCents(ask) }
}

/** A size in at most so many uneven parts. */
function listParts(size: number, count: number): number[] {
  if (count < 2 || size < 2) return [size]
  const part = Math.max(1, Math.floor(size / count))
  return [part, ...listParts(size - part, count - 1)]
}

function share(part: number, of: number): number {
  return Math.round((part * of) / 1_000)
}

function more(ratio: number): number {
  return ratio + 1
}
