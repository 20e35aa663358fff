/** Orders of one evidence at one place of the quote, and how many went the way they leaned. */
export type SideSample = {
  readonly evidence: string
  /** Tenths of the half spread from the middle; 10 at the quote, 11 outside. */
  readonly place: number
  readonly orders: number
  readonly right_orders: number
}

/** One row of the calibration. */
export type SideRow = {
  readonly evidence: string
  readonly place: number
  /** Probability that the order went the way it leaned. */
  readonly probability: number
  /** Simulated orders the row rests on. */
  readonly orders: number
}

const PACKAGES = ['', ' against singles', ' floor', ' floor combo', ' without condition']
const SINGLES = ['', ' auction', ' floor', ' without condition']
const TICKS = ['one tick', 'wider']
const SHOWN = ['size not shown', 'size as shown', 'size above shown', 'size below shown']
const STORIES = ['one print', 'several prints', 'sweep']
const INSIDE = [0, 1, 2, 3, 4, 5, 6, 7, 8]
const AT_QUOTE = 10
const OUTSIDE = 11
/** A row leans on the orders of its family as if they had given it this many. */
const FAMILY_WEIGHT = 100
/** The widest family leans on one half. */
const EVEN_WEIGHT = 20

/** A series along the quote whose probabilities must not fall. */
type Series = {
  readonly evidence: string
  /** Wider and wider sets of series that a place with few orders leans on. */
  readonly families: readonly string[]
  readonly places: readonly number[]
}

/** Everything `fold.side_evidence` can say, so that no order is without a row. */
function listSeries(): Series[] {
  const packages = PACKAGES.map(kind => ({
    evidence: `package${kind}`,
    families: ['package'],
    places: [...INSIDE, 9, AT_QUOTE, ...(kind === ' floor combo' ? [OUTSIDE] : [])],
  }))
  const inside = SINGLES.map(kind => ({
    evidence: `single${kind}`,
    families: ['single'],
    places: [...INSIDE, 9],
  }))
  const atQuote = SINGLES.flatMap(kind =>
    TICKS.flatMap(tick =>
      SHOWN.flatMap(shown =>
        STORIES.map(story => ({
          evidence: `single${kind}: ${tick}: ${shown}: ${story}`,
          families: [`${tick}: ${shown}: ${story}`, `${shown}: ${story}`, story],
          places: [AT_QUOTE],
        })),
      ),
    ),
  )
  return [...packages, ...inside, ...atQuote]
}

/**
 * The calibration of sides from counted orders. A row of few orders leans on wider and wider
 * families: all kinds of order with the same evidence, then any spread, then any size shown. Along
 * the quote the probabilities of a series never fall (pool adjacent violators).
 */
export function fitSides(samples: readonly SideSample[]): SideRow[] {
  const series = listSeries()
  const counts = countAll(samples, series)
  return series.flatMap(({ evidence, families, places }) => {
    const points = places.map(place => {
      const own = counts.get(`${evidence} ${place}`) ?? NONE
      let value = 0.5
      families.toReversed().forEach((family, index) => {
        const kin = counts.get(`family ${family} ${place}`) ?? NONE
        const weight = index === 0 ? EVEN_WEIGHT : FAMILY_WEIGHT
        value = (kin.right + weight * value) / (kin.orders + weight)
      })
      value = (own.right + FAMILY_WEIGHT * value) / (own.orders + FAMILY_WEIGHT)
      // what no order was seen of has no say in what its neighbours are
      const kin = counts.get(`family ${families[0]} ${place}`) ?? NONE
      const weight = Math.max(1, own.orders + Math.min(FAMILY_WEIGHT, kin.orders))
      return { orders: own.orders, weight, value }
    })
    const values = neverFalling(points)
    return places.map((place, index) => ({
      evidence,
      place,
      probability: Math.round(values[index]! * 10_000) / 10_000,
      orders: points[index]!.orders,
    }))
  })
}

type Count = { readonly orders: number; readonly right: number }

const NONE: Count = { orders: 0, right: 0 }

/** Orders of every series and family, by place. */
function countAll(
  samples: readonly SideSample[],
  series: readonly Series[],
): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>()
  const familiesOf = new Map(series.map(({ evidence, families }) => [evidence, families]))
  for (const { evidence, place, orders, right_orders: right } of samples) {
    const families = familiesOf.get(evidence)
    if (!families) throw new Error(`no calibration series for evidence ${evidence}`)
    for (const key of [evidence, ...families.map(family => `family ${family}`)]) {
      const before = counts.get(`${key} ${place}`) ?? NONE
      const sum = { orders: before.orders + orders, right: before.right + right }
      counts.set(`${key} ${place}`, sum)
    }
  }
  return counts
}

/** The nearest series that never falls: neighbours that do are replaced by their mean. */
function neverFalling(points: readonly { weight: number; value: number }[]): number[] {
  const pools: { weight: number; value: number; length: number }[] = []
  for (const { weight, value } of points) {
    let pool = { weight, value, length: 1 }
    for (let last = pools.at(-1); last && last.value > pool.value; last = pools.at(-1)) {
      pools.pop()
      const sum = last.weight + pool.weight
      const mean = (last.weight * last.value + pool.weight * pool.value) / sum
      pool = { weight: sum, value: mean, length: last.length + pool.length }
    }
    pools.push(pool)
  }
  return pools.flatMap(({ value, length }) => Array<number>(length).fill(value))
}
