/**
 * A seeded tape of multi-leg prints whose parents are known. Packages of thirteen kinds; six legs
 * in ten share the stamp of the leg before; arrivals come partly in bursts; orders fill in parts;
 * legs of electronic orders against single orders split into several prints. Leg prices are
 * pennies and the net is on its step of 0.05. A model of a tape, not a claim about the market.
 */

export type TapeShape = {
  readonly seed: number
  readonly parents: number
  /** Mean time between arrivals, microseconds. */
  readonly arrivalUs: number
  readonly burstShare: number
  readonly partialShare: number
  readonly floorShare: number
  /** Share of leg gaps that are ten times as long. */
  readonly longGapShare: number
  /** Stamps are rounded down to this many microseconds. */
  readonly stampUs: number
}

export const CALM: TapeShape = {
  seed: 1,
  parents: 3_000,
  arrivalUs: 330_000,
  burstShare: 0.3,
  partialShare: 0.3,
  floorShare: 0.02,
  longGapShare: 0.02,
  stampUs: 1,
}
export const BUSY: TapeShape = { ...CALM, arrivalUs: 95_000, burstShare: 0.5, partialShare: 0.4 }
export const NOISY: TapeShape = {
  ...CALM,
  arrivalUs: 130_000,
  burstShare: 0.4,
  partialShare: 0.4,
  floorShare: 0.05,
  longGapShare: 0.15,
}

export type ParentPrint = {
  readonly parent: number
  readonly printedUs: number
  readonly expiry: string
  readonly strike: number
  readonly optionType: 'C' | 'P'
  readonly size: number
  readonly cents: number
  readonly condition: string
}

type Leg = { expiry: number; strike: number; type: 'C' | 'P'; quantity: number }
type Random = () => number

/** The prints in tape order. */
export function tapeOfParents(shape: TapeShape): ParentPrint[] {
  const random = mulberry32(shape.seed)
  const prints: ParentPrint[] = []
  let clock = 0
  for (let parent = 0; parent < shape.parents; parent++) {
    const isBurst = random() < shape.burstShare
    clock += exponential(random, isBurst ? 2_500 : shape.arrivalUs / (1 - shape.burstShare))
    const legs = KINDS[pickIndex(random, KIND_WEIGHTS)]!(random)
    const size = SIZES[pickIndex(random, SIZE_WEIGHTS)]!
    const isFloor = random() < shape.floorShare
    const letter = isFloor ? pick(random, ['i', 'm', 't']) : pick(random, ['f', 'f', 'f', 'j', 'j'])
    const fills =
      random() < shape.partialShare ? parts(random, size, 1 + int(random, 1, 3)) : [size]
    let at = clock
    let shift = 0
    for (const fill of fills) {
      const fillLetter = letter === 'f' && random() < 0.1 ? 'j' : letter
      pushFill(prints, random, {
        shape,
        parent,
        at,
        legs,
        fill,
        letter: fillLetter,
        shift,
        isFloor,
      })
      at += exponential(random, isFloor ? 3_000_000 : 120_000)
      if (random() < 0.1) shift = 5
    }
  }
  return prints
    .map((print, index) => ({ print, index }))
    .sort((a, b) => a.print.printedUs - b.print.printedUs || a.index - b.index)
    .map(entry => entry.print)
}

type Fill = {
  shape: TapeShape
  parent: number
  at: number
  legs: readonly Leg[]
  fill: number
  letter: string
  shift: number
  isFloor: boolean
}

function pushFill(prints: ParentPrint[], random: Random, context: Fill): void {
  const { shape, parent, legs, fill, letter, shift, isFloor } = context
  const cents = legs.map(leg => fairCents(leg) + (letter === 'j' ? 0 : int(random, -2, 2)))
  if (letter === 'j') for (const i of cents.keys()) cents[i] = Math.round(cents[i]! / 5) * 5
  const net = legs.reduce((sum, leg, i) => sum + leg.quantity * cents[i]!, 0)
  const solo = legs.findIndex(leg => Math.abs(leg.quantity) === 1)
  const fairNet = legs.reduce((sum, leg) => sum + leg.quantity * fairCents(leg), 0)
  // one leg takes the remainder: every fill of an order has its net, on its step
  cents[solo] = cents[solo]! - legs[solo]!.quantity * (net - Math.round(fairNet / 5) * 5 - shift)
  let at = context.at
  for (const [index, leg] of legs.entries()) {
    if (index > 0 && random() >= 0.6) {
      const mean = (isFloor ? 60_000 : 150) * (random() < shape.longGapShare ? 10 : 1)
      at += exponential(random, mean)
    }
    const size = fill * Math.abs(leg.quantity)
    const isSplit = letter === 'j' && size > 2 && random() < 0.3
    for (const part of isSplit ? parts(random, size, int(random, 2, 3)) : [size]) {
      prints.push({
        parent,
        printedUs: Math.floor(at / shape.stampUs) * shape.stampUs,
        expiry: `2026-10-${14 + leg.expiry}`,
        strike: leg.strike,
        optionType: leg.type,
        size: part,
        cents: cents[index]!,
        condition: letter,
      })
    }
  }
}

/** A smooth value of the option around 6000, never below 0.50: the fold sees only sums. */
function fairCents({ expiry, strike, type }: Leg): number {
  const deviation = 40 * Math.sqrt(1 + expiry)
  const x = ((type === 'C' ? 1 : -1) * (6_003.7 - strike)) / deviation
  return 50 + Math.round(100 * deviation * Math.log1p(Math.exp(1.7 * x)) * 0.6)
}

const SIZES = [1, 2, 3, 5, 10, 15, 20, 25, 50, 60, 75, 100, 150, 200, 250, 300, 500, 1_000]
const SIZE_WEIGHTS = [20, 8, 5, 12, 14, 4, 7, 5, 10, 3, 3, 10, 4, 5, 3, 2, 3, 1]
const KIND_WEIGHTS = [30, 6, 6, 6, 7, 5, 10, 4, 3, 7, 4, 3, 4]

const findStrike = (random: Random) => 5_800 + 5 * int(random, 0, 80)
const findWidth = (random: Random) => 5 * int(random, 1, 10)
const findType = (random: Random): 'C' | 'P' => (random() < 0.6 ? 'P' : 'C')
const findExpiry = (random: Random) => pickIndex(random, [60, 15, 10, 5, 5, 5])

const inOneExpiry = (random: Random, legs: readonly [number, 'C' | 'P', number][]): Leg[] => {
  const expiry = findExpiry(random)
  return legs.map(([strike, type, quantity]) => ({ expiry, strike, type, quantity }))
}
const strip = (random: Random, quantities: readonly number[]): Leg[] => {
  const [type, strike, width] = [findType(random), findStrike(random), findWidth(random)]
  return inOneExpiry(
    random,
    quantities.map((quantity, i) => [strike + i * width, type, quantity] as const) as never,
  )
}

const KINDS: readonly ((random: Random) => Leg[])[] = [
  random => strip(random, [1, -1]),
  random => strip(random, [1, -2]),
  random =>
    ((k: number) =>
      inOneExpiry(random, [
        [k, 'C', 1],
        [k, 'P', 1],
      ]))(findStrike(random)),
  random =>
    ((k: number) =>
      inOneExpiry(random, [
        [k, 'P', 1],
        [k + 50, 'C', 1],
      ]))(findStrike(random)),
  random =>
    ((k: number) =>
      inOneExpiry(random, [
        [k, 'P', -1],
        [k + 60, 'C', 1],
      ]))(findStrike(random)),
  random => strip(random, [1, -2, 1]),
  random => {
    const [k, w, gap] = [findStrike(random), findWidth(random), findWidth(random)]
    return inOneExpiry(random, [
      [k, 'P', 1],
      [k + w, 'P', -1],
      [k + w + gap, 'C', -1],
      [k + 2 * w + gap, 'C', 1],
    ])
  },
  random => strip(random, [1, -1, -1, 1]),
  random => {
    const [k, w] = [findStrike(random), findWidth(random)]
    return inOneExpiry(random, [
      [k, 'C', 1],
      [k, 'P', -1],
      [k + w, 'C', -1],
      [k + w, 'P', 1],
    ])
  },
  random => {
    const [type, strike, expiry] = [findType(random), findStrike(random), findExpiry(random)]
    return [-1, 1].map((quantity, i) => ({ expiry: expiry + i, strike, type, quantity }))
  },
  random => {
    const [type, strike, expiry] = [findType(random), findStrike(random), findExpiry(random)]
    const width = findWidth(random)
    return [-1, 1].map((quantity, i) => ({
      expiry: expiry + i,
      strike: strike + i * width,
      type,
      quantity,
    }))
  },
  random => {
    const [k, w] = [findStrike(random), findWidth(random)]
    return inOneExpiry(random, [
      [k, 'P', -1],
      [k + w, 'P', 1],
      [k + w + 100, 'C', -1],
    ])
  },
  random =>
    ((k: number) =>
      inOneExpiry(random, [
        [k, 'C', 1],
        [k, 'P', -1],
      ]))(findStrike(random)),
]

function parts(random: Random, size: number, count: number): number[] {
  const cuts = Array.from({ length: Math.min(count, size) - 1 }, () => int(random, 1, size - 1))
  const edges = [0, ...new Set(cuts.toSorted((a, b) => a - b)), size]
  return edges.slice(1).map((edge, i) => edge - edges[i]!)
}

const int = (random: Random, low: number, high: number) =>
  low + Math.floor(random() * (high - low + 1))
const exponential = (random: Random, mean: number) => Math.round(-Math.log(1 - random()) * mean)
const pick = <T>(random: Random, from: readonly T[]): T => from[int(random, 0, from.length - 1)]!

function pickIndex(random: Random, weights: readonly number[]): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return index
  }
  return weights.length - 1
}

function mulberry32(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
