import type { LabLeg } from '../result.ts'
import { createDraws } from './draws.ts'
import { countBins, edgesOf } from './histogram.ts'
import { createPairs, type Pairs } from './pairs.ts'
import type { ResolvedTrade } from './sample.ts'

/** Sessions of a block that a shuffle keeps together: a week. */
const BLOCK = 5
/** Shuffles for each arrangement that a bar lets do as well as the rule; and at most. */
const SHUFFLES = { aPlace: 20, max: 20_000 } as const
/** Two values of t closer than this are the same. */
const ROUNDING = 1e-9

/**
 * The same triggers on other days: those of session i are put on session i + k, round and round,
 * for all k, and in reverse. A trigger takes the fixed trade of the core in its slot of the other
 * session; a session without one gives none. `p` is the share of arrangements with a t as high as
 * the rule's own, which is one of them; those too few trades are left in for a t are not counted.
 * Where they are too few for the bar, weeks are shuffled as well.
 */
export function placeboOf(options: {
  /** Resolved trades of the core in the holdout. */
  readonly core: readonly ResolvedTrade[]
  /** Sessions of the holdout on which the rule may trade, in their order. */
  readonly sessions: readonly number[]
  readonly ownT: number | null
  /** What p may be at most. */
  readonly bar: number
  readonly seed: bigint
}): NonNullable<LabLeg['placebo']> {
  const { core, sessions, ownT, bar, seed } = options
  if (ownT === null) {
    const histogram = { edges: [], counts: [] }
    return { arrangements: 0, shuffles: 0, p: null, t: null, quantiles: [], histogram }
  }
  const count = sessions.length
  const pairs = createPairs(core, sessions)
  const known = (values: readonly (number | null)[]) => values.filter(value => value !== null)
  const moved = known(movedOf(pairs, count))
  const isCoarse = 1 > 2 * count * bar * (1 + ROUNDING)
  const shuffled = isCoarse ? known(shuffledOf(pairs, count, shufflesFor(bar), seed)) : []
  const all = [ownT, ...moved, ...shuffled]
  const limit = ownT - ROUNDING * Math.max(1, Math.abs(ownT))
  const edges = edgesOf(all)
  return {
    arrangements: 1 + moved.length,
    shuffles: shuffled.length,
    p: all.filter(t => t >= limit).length / all.length,
    t: ownT,
    quantiles: quantilesOf(all),
    histogram: { edges, counts: countBins(all, edges) },
  }
}

const shufflesFor = (bar: number) => Math.min(SHUFFLES.max, Math.ceil(SHUFFLES.aPlace / bar))

/** Every arrangement but the rule's own. */
function movedOf(pairs: Pairs, count: number): (number | null)[] {
  const out: (number | null)[] = []
  const targets = new Int32Array(count)
  for (let shift = 0; shift < count; shift++) {
    if (shift > 0) out.push(pairs.tOf(targets.map((_, place) => (place + shift) % count)))
    out.push(pairs.tOf(targets.map((_, place) => (shift - place + count) % count)))
  }
  return out
}

function shuffledOf(pairs: Pairs, count: number, shuffles: number, seed: bigint) {
  const draws = createDraws(seed)
  const blocks = Array.from({ length: Math.ceil(count / BLOCK) }, (_, block) => block)
  const targets = new Int32Array(count)
  return Array.from({ length: shuffles }, () => {
    for (let left = blocks.length - 1; left > 0; left--) {
      const other = draws.index(left + 1)
      const moved = blocks[left]!
      blocks[left] = blocks[other]!
      blocks[other] = moved
    }
    let place = 0
    for (const block of blocks) {
      const end = Math.min((block + 1) * BLOCK, count)
      for (let session = block * BLOCK; session < end; session++) targets[session] = place++
    }
    return pairs.tOf(targets)
  })
}

const SHARES = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1]

/** Between two values in proportion. */
function quantilesOf(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b)
  return SHARES.map(share => {
    const place = share * (sorted.length - 1)
    const low = sorted[Math.floor(place)]!
    const high = sorted[Math.ceil(place)]!
    return low + (high - low) * (place - Math.floor(place))
  })
}
