import type { Contract, Expiry, Market } from './otherMarket.ts'
import { normal } from './otherMarket.ts'

/** Packages that customers trade, as legs and how many of each make one unit. */

export type PackageLeg = { readonly contract: Contract; readonly quantity: number }

export type Package = { readonly kind: string; readonly legs: readonly PackageLeg[] }

const EXPIRIES: readonly (Expiry & { readonly weight: number })[] = [
  { root: 'SPXW', expiry: '2026-10-13', weight: 48 },
  { root: 'SPXW', expiry: '2026-10-14', weight: 14 },
  { root: 'SPXW', expiry: '2026-10-15', weight: 6 },
  { root: 'SPXW', expiry: '2026-10-16', weight: 8 },
  { root: 'SPX', expiry: '2026-10-16', weight: 4 },
  { root: 'SPXW', expiry: '2026-10-19', weight: 4 },
  { root: 'SPXW', expiry: '2026-10-30', weight: 6 },
  { root: 'SPX', expiry: '2026-11-20', weight: 6 },
  { root: 'SPXW', expiry: '2026-11-30', weight: 2 },
  { root: 'SPX', expiry: '2026-12-18', weight: 2 },
]

type Random = () => number
type Leg = readonly [strike: number, type: 'C' | 'P', quantity: number, expiry?: Expiry]
type Draw = {
  readonly expiry: Expiry
  readonly later: Expiry
  /** A strike about the money, and widths in points. */
  readonly at: number
  readonly width: number
  readonly gap: number
  readonly type: 'C' | 'P'
}

const line = ({ at, width, type }: Draw, quantities: readonly number[]): Leg[] =>
  quantities.map((quantity, index) => [at + index * width, type, quantity] as const)

const KINDS: readonly (readonly [string, number, (draw: Draw) => readonly Leg[]])[] = [
  ['vertical', 34, draw => line(draw, [1, -1])],
  ['ratio 1x2', 5, draw => line(draw, [1, -2])],
  ['ratio 1x3', 1.5, draw => line(draw, [1, -3])],
  ['ratio 2x3', 1, draw => line(draw, [2, -3])],
  ['butterfly', 6, draw => line(draw, [1, -2, 1])],
  ['butterfly 1x3x2', 1, draw => line(draw, [1, -3, 2])],
  ['condor', 3, draw => line(draw, [1, -1, -1, 1])],
  ['straddle', 3, ({ at }) => [[at, 'C', 1] as const, [at, 'P', 1] as const]],
  ['strangle', 4, ({ at, gap }) => [[at - gap, 'P', 1] as const, [at + gap, 'C', 1] as const]],
  ['reversal', 5, ({ at, gap }) => [[at - gap, 'P', -1] as const, [at + gap, 'C', 1] as const]],
  ['synthetic', 2, ({ at }) => [[at, 'C', 1] as const, [at, 'P', -1] as const]],
  [
    'iron condor',
    10,
    ({ at, gap, width }) => [
      [at - gap - width, 'P', 1],
      [at - gap, 'P', -1],
      [at + gap, 'C', -1],
      [at + gap + width, 'C', 1],
    ],
  ],
  [
    'iron butterfly',
    4,
    ({ at, width }) => [
      [at - width, 'P', 1],
      [at, 'P', -1],
      [at, 'C', -1],
      [at + width, 'C', 1],
    ],
  ],
  [
    'box',
    1.5,
    ({ at, width }) => [
      [at, 'C', 1],
      [at, 'P', -1],
      [at + 2 * width, 'C', -1],
      [at + 2 * width, 'P', 1],
    ],
  ],
  [
    'calendar',
    7,
    ({ at, type, expiry, later }) => [
      [at, type, -1, expiry],
      [at, type, 1, later],
    ],
  ],
  [
    'diagonal',
    4,
    ({ at, width, type, expiry, later }) => [
      [at, type, -1, expiry],
      [at + width, type, 1, later],
    ],
  ],
  [
    'double calendar',
    1,
    ({ at, gap, expiry, later }) => [
      [at - gap, 'P', -1, expiry],
      [at - gap, 'P', 1, later],
      [at + gap, 'C', -1, expiry],
      [at + gap, 'C', 1, later],
    ],
  ],
  [
    'spread against an option',
    4,
    ({ at, gap, width }) => [
      [at - gap - width, 'P', -1],
      [at - gap, 'P', 1],
      [at + gap, 'C', -1],
    ],
  ],
  [
    'five legs',
    0.7,
    ({ at, gap, width }) => [
      [at - gap - width, 'P', 1],
      [at - gap, 'P', -1],
      [at, 'C', 1],
      [at + gap, 'C', -1],
      [at + gap + width, 'C', 1],
    ],
  ],
  [
    'six legs',
    0.7,
    ({ at, gap, width }) => [
      [at - gap - 2 * width, 'P', 1],
      [at - gap - width, 'P', -2],
      [at - gap, 'P', 1],
      [at + gap, 'C', 1],
      [at + gap + width, 'C', -2],
      [at + gap + 2 * width, 'C', 1],
    ],
  ],
]

/** A package about the money of the instant; `leastLegs` where the floor demands so many. */
export function drawPackage(
  random: Random,
  { market, us, leastLegs = 2 }: { market: Market; us: number; leastLegs?: number },
): Package {
  const first = pickWeighted(
    random,
    EXPIRIES.map(({ weight }) => weight),
  )
  const expiry = EXPIRIES[first]!
  const last = EXPIRIES.length - 1
  const laterIndex = Math.min(last, first + 1 + Math.floor(3 * random() ** 2))
  const deviation = Math.max(12, market.findDeviation(expiry, us))
  const step = deviation > 150 ? 25 : 5
  const onStep = (points: number) => Math.max(step, Math.round(points / step) * step)
  const draw: Draw = {
    expiry,
    later: EXPIRIES[laterIndex]!,
    at: onStep(market.spotAt(us) + 0.7 * deviation * normal(random)),
    width: onStep(deviation * (0.1 + 0.5 * random() ** 2)),
    gap: onStep(deviation * (0.3 + random())),
    type: random() < 0.58 ? 'P' : 'C',
  }
  const kinds = KINDS.filter(([, , make]) => {
    const legs = make(draw)
    const isOfOneExpiry = first === last && legs.some(leg => leg[3] !== undefined)
    return legs.length >= leastLegs && !isOfOneExpiry
  })
  const weights = kinds.map(([, weight]) => weight)
  const [kind, , make] = kinds[pickWeighted(random, weights)]!
  const sign = random() < 0.5 ? 1 : -1
  const legs = make(draw).map(([strike, type, quantity, own = expiry]) => ({
    contract: { root: own.root, expiry: own.expiry, strike, type },
    quantity: quantity * sign,
  }))
  return { kind, legs: random() < 0.5 ? legs : legs.toReversed() }
}

/** A contract that single orders trade. */
export function drawContract(random: Random, market: Market, us: number): Contract {
  return drawPackage(random, { market, us }).legs[0]!.contract
}

/** An index, as often as its weight says. */
export function pickWeighted(random: Random, weights: readonly number[]): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0)
  for (const [index, weight] of weights.entries()) {
    left -= weight
    if (left < 0) return index
  }
  return weights.length - 1
}
