/** Orders with one evidence at one position in the quote, and how many went the way they leaned. */
export type SideSample = {
  readonly evidence: string
  /** Twentieths of the half spread from the middle; 20 at the quote, 21 outside. */
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
  /** Simulated orders that the row is estimated from. */
  readonly orders: number
}

const PACKAGES = [
  '',
  ' against singles',
  ' floor',
  ' floor combo',
  ' without condition',
  ' without condition: large',
]
const SINGLES = ['', ' auction', ' floor', ' without condition']
const INSIDE_TICKS = ['one tick', 'few ticks', 'some ticks', 'many ticks']
const TICKS = ['one tick', 'wider']
const ABOVE_SHOWN = 'size above shown'
const BELOW_SHOWN = 'size below shown'
const SHOWN = ['size not shown', 'size as shown', ABOVE_SHOWN, BELOW_SHOWN]
const STORIES = ['one print', 'few prints', 'many prints', 'sweep']
const SIZES = ['small', 'medium', 'large']
/** Packages are read by tenths; in the first one, the middle, they lean nowhere. */
const PACKAGE_TWENTIETHS = [2, 4, 6, 8, 10, 12, 14, 16, 18, 20]
/** A single order leans to the smaller size shown in the middle; from 18 on it is at the quote. */
const INSIDE_TWENTIETHS = Array.from({ length: 18 }, (_, twentieths) => twentieths)
const AT_QUOTE = 20
const OUTSIDE = 21
/** A row leans on the orders of its family as if they had given it this many. */
const FAMILY_WEIGHT = 30
/** The widest family leans on one half. */
const EVEN_WEIGHT = 20
/** The surest that either way may be called: simulated customers are not those of the market. */
const SUREST = 0.99
/** The surest between the bid and the ask: orders called .96 there are right in .85 on other tapes. */
const SUREST_INSIDE = 0.85

/** A series along the quote whose probabilities must not fall. */
type Series = {
  readonly evidence: string
  /** Ever wider sets of series, the prior of a position with few orders. */
  readonly families: readonly string[]
  readonly places: readonly number[]
}

/** Everything `fold.side_evidence` can say, so that no order is without a row. */
function listSeries(): Series[] {
  const packages = PACKAGES.map(kind => ({
    evidence: `package${kind}`,
    families: ['package'],
    places: kind === ' floor combo' ? [...PACKAGE_TWENTIETHS, OUTSIDE] : PACKAGE_TWENTIETHS,
  }))
  const inside = SINGLES.flatMap(kind =>
    INSIDE_TICKS.flatMap(ticks =>
      ['', ': large'].map(size => ({
        evidence: `single${kind}: ${ticks}${size}`,
        families: [`single${kind}: ${ticks}: any size`, `inside: ${ticks}`, 'inside'],
        places: INSIDE_TWENTIETHS,
      })),
    ),
  )
  const atQuote = SINGLES.flatMap(kind =>
    TICKS.flatMap(tick =>
      SHOWN.flatMap(shown =>
        STORIES.flatMap(story =>
          SIZES.map(size => ({
            evidence: `single${kind}: ${tick}: ${shown}: ${story}: ${size}`,
            families: [
              `single${kind}: ${shown}: ${story}: ${size}`,
              `single${kind}: ${shown}: ${story}`,
              `${shown}: ${story}`,
              story,
            ],
            places: [AT_QUOTE],
          })),
        ),
      ),
    ),
  )
  return [...packages, ...inside, ...atQuote]
}

/**
 * The calibration of sides from counted orders. A row of few orders leans on wider and wider
 * families: at the quote on any spread, then any size, then any kind of order, then any size shown.
 * Along the quote the probabilities of a series never fall (pool adjacent violators). None is
 * beyond 0.01 or 0.99 at the quote, nor beyond 0.15 or 0.85 inside it, whatever the orders say. An
 * order larger than the size shown reads as one below it: a waiting order is the quote, so nothing
 * larger than what is shown can be one, and simulated takers of that size only ever sweep.
 */
export function fitSides(samples: readonly SideSample[]): SideRow[] {
  const series = listSeries()
  const counts = countAll(samples, series)
  const rows = series.flatMap(({ evidence, families, places }) => {
    const points = places.map(twentieths => {
      const own = counts.get(`${evidence} ${twentieths}`) ?? NONE
      let value = 0.5
      families.toReversed().forEach((family, index) => {
        const kin = counts.get(`family ${family} ${twentieths}`) ?? NONE
        const weight = index === 0 ? EVEN_WEIGHT : FAMILY_WEIGHT
        value = (kin.right + weight * value) / (kin.orders + weight)
      })
      value = (own.right + FAMILY_WEIGHT * value) / (own.orders + FAMILY_WEIGHT)
      // a position without orders must not influence its neighbours
      const kin = counts.get(`family ${families[0]} ${twentieths}`) ?? NONE
      const weight = Math.max(1, own.orders + Math.min(FAMILY_WEIGHT, kin.orders))
      return { orders: own.orders, weight, value }
    })
    const values = neverFalling(points)
    return places.map((twentieths, index) => ({
      evidence,
      place: twentieths,
      probability: statedProbability(values[index]!, twentieths < AT_QUOTE),
      orders: points[index]!.orders,
    }))
  })
  return readAboveAsBelow(rows)
}

/** Gives each row of orders larger than the size shown what the row of orders below it says. */
function readAboveAsBelow(rows: readonly SideRow[]): SideRow[] {
  const rowsAtQuote = rows.filter(row => row.place === AT_QUOTE)
  const atQuote = new Map(rowsAtQuote.map(row => [row.evidence, row]))
  return rows.map(row => {
    if (!row.evidence.includes(ABOVE_SHOWN)) return row
    const below = atQuote.get(row.evidence.replace(ABOVE_SHOWN, BELOW_SHOWN))!
    return { ...below, evidence: row.evidence }
  })
}

/** Clamps a probability to the range that may be stated, to four decimals. */
function statedProbability(value: number, isInside: boolean): number {
  const surest = isInside ? SUREST_INSIDE : SUREST
  return Math.round(Math.min(surest, Math.max(1 - surest, value)) * 10_000) / 10_000
}

type Count = { readonly orders: number; readonly right: number }

const NONE: Count = { orders: 0, right: 0 }

/** Counts the orders of every series and family, by position. */
function countAll(
  samples: readonly SideSample[],
  series: readonly Series[],
): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>()
  const familiesByEvidence = new Map(series.map(({ evidence, families }) => [evidence, families]))
  for (const { evidence, place: twentieths, orders, right_orders: right } of samples) {
    const families = familiesByEvidence.get(evidence)
    if (!families) throw new Error(`no calibration series for evidence ${evidence}`)
    for (const key of [evidence, ...families.map(family => `family ${family}`)]) {
      const before = counts.get(`${key} ${twentieths}`) ?? NONE
      const sum = { orders: before.orders + orders, right: before.right + right }
      counts.set(`${key} ${twentieths}`, sum)
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
