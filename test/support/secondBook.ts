/**
 * The dealer book of one minute a second time, in plain TypeScript and from what is published or on
 * the tape: forwards, quotes, inventory, orders. Nothing here comes from `sql/` or `pipelines/`.
 */

export type Term = {
  readonly root: string
  readonly expiry: string
  readonly years: number
  readonly forward: number
  readonly discount: number
}

/** A contract's quote just before the minute. */
export type Quoted = {
  readonly root: string
  readonly expiry: string
  readonly strike: number
  readonly option_type: string
  readonly best_bid: number | null
  readonly best_ask: number | null
}

/** Contracts that dealers hold, above zero long. */
export type Held = {
  readonly root: string
  readonly expiry: string
  readonly strike: number
  readonly option_type: string
  readonly quantity: number
}

type Point = { readonly logStrike: number; readonly variance: number }

/** One contract as the book prices it. */
type Priced = Held & { readonly term: Term; readonly deviation: number }

export type Ladder = ReadonlyMap<number, { readonly call: number; readonly put: number }>

const SQRT_2PI = Math.sqrt(2 * Math.PI)

/** The upper tail of the normal distribution: a series near zero, a continued fraction beyond. */
export function upperTail(x: number): number {
  if (x < 0) return 1 - upperTail(-x)
  const density = Math.exp((-x * x) / 2) / SQRT_2PI
  if (x < 3) {
    let term = x
    let sum = x
    for (let n = 1; Math.abs(term) > 1e-18 * Math.abs(sum); n++) {
      term *= (x * x) / (2 * n + 1)
      sum += term
    }
    return 0.5 - density * sum
  }
  let fraction = 0
  for (let n = 200; n >= 1; n--) fraction = n / (x + fraction)
  return density / (x + fraction)
}

/** Price of an option by Black's formula of 1976; s is volatility times the root of the years. */
function price(term: Term, strike: number, type: string, s: number): number {
  const { forward, discount } = term
  const d1 = Math.log(forward / strike) / s + s / 2
  return type === 'C'
    ? discount * (forward * upperTail(-d1) - strike * upperTail(s - d1))
    : discount * (strike * upperTail(d1 - s) - forward * upperTail(d1))
}

/** The deviation at which an option is worth so much, by halving. */
function findDeviation(term: Term, strike: number, type: string, worth: number): number | null {
  let [low, high] = [1e-6, 20]
  if (price(term, strike, type, high) <= worth) return null
  for (let step = 0; step < 200 && high - low > 1e-15 * high; step++) {
    const middle = (low + high) / 2
    if (price(term, strike, type, middle) < worth) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The smile of an expiry: total variance at the strikes whose out-of-the-money side has a bid. */
function findSmile(term: Term, quotes: readonly Quoted[]): Point[] {
  const points: Point[] = []
  for (const { strike, option_type, best_bid, best_ask } of quotes) {
    if (option_type !== (strike < term.forward ? 'P' : 'C')) continue
    if (best_bid === null || best_ask === null || best_bid <= 0 || best_ask < best_bid) continue
    const s = findDeviation(term, strike, option_type, (best_bid + best_ask) / 2)
    if (s !== null) points.push({ logStrike: Math.log(strike / term.forward), variance: s * s })
  }
  return points.sort((a, b) => a.logStrike - b.logStrike)
}

/** Straight lines between the points, level outside. */
function deviationAt(points: readonly Point[], logStrike: number): number {
  const after = points.findIndex(point => point.logStrike > logStrike)
  if (after === 0) return Math.sqrt(points[0]!.variance)
  if (after < 0) return Math.sqrt(points.at(-1)!.variance)
  const [a, b] = [points[after - 1]!, points[after]!]
  const share = (logStrike - a.logStrike) / (b.logStrike - a.logStrike)
  return Math.sqrt(a.variance + share * (b.variance - a.variance))
}

const findChain = (of: { readonly root: string; readonly expiry: string }) =>
  `${of.root} ${of.expiry}`

/** Makes what prices contracts of the minute; null for one without a forward or a smile. */
export function pricing(terms: readonly Term[], quotes: readonly Quoted[]) {
  const byChain = Map.groupBy(quotes, findChain)
  const smiles = new Map(
    terms.map(term => {
      const points = findSmile(term, byChain.get(findChain(term)) ?? [])
      return [findChain(term), { term, points }] as const
    }),
  )
  return (held: Held): Priced | null => {
    const found = smiles.get(findChain(held))
    if (!found || found.points.length === 0) return null
    const { term, points } = found
    return { ...held, term, deviation: deviationAt(points, Math.log(held.strike / term.forward)) }
  }
}

/** $M of index per index point at a level of the index, the forward moving in proportion. */
function gammaMusd(level: number, spot: number, { term, deviation, strike, quantity }: Priced) {
  const forward = (term.forward * level) / spot
  const d1 = Math.log(forward / strike) / deviation + deviation / 2
  const density = Math.exp((-d1 * d1) / 2) / SQRT_2PI
  const gamma = (term.discount * density * forward) / (level * level * deviation)
  return (quantity * 100 * gamma * level) / 1e6
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

export function findLadder(book: readonly Priced[], spot: number): Ladder {
  return new Map(
    [...Map.groupBy(book, ({ strike }) => strike)].map(([strike, held]) => {
      const of = (type: string) =>
        sum(held.filter(one => one.option_type === type).map(one => gammaMusd(spot, spot, one)))
      return [strike, { call: of('C'), put: of('P') }]
    }),
  )
}

export const findNet = (ladder: Ladder): number =>
  sum([...ladder.values()].map(({ call, put }) => call + put))

/** The strike with most call gamma, of equal ones the lower; with most put gamma, the higher. */
export function listWalls(ladder: Ladder) {
  const rows = [...ladder].sort(([a], [b]) => a - b)
  let [call, put, callMost, putMost] = [null as number | null, null as number | null, 0, 0]
  for (const [strike, row] of rows) {
    if (Math.abs(row.call) > callMost) [call, callMost] = [strike, Math.abs(row.call)]
    if (Math.abs(row.put) > 0 && Math.abs(row.put) >= putMost) {
      put = strike
      putMost = Math.abs(row.put)
    }
  }
  return { call, put }
}

/** The zero of net gamma nearest to the spot, without those next to a lobe of under 1 %. */
export function findFlip(book: readonly Priced[], spot: number): number | null {
  const scan: { point: number; gamma: number }[] = []
  for (let point = Math.ceil(spot - 300); point <= spot + 300; point++) {
    const gamma = sum(book.map(held => gammaMusd(point, spot, held)))
    // under a dollar a point there is no sign
    if (Math.abs(gamma) >= 1e-6) scan.push({ point, gamma })
  }
  const highest = Math.max(...scan.map(({ gamma }) => Math.abs(gamma)))
  type Lobe = { isPositive: boolean; most: number; root: number | null }
  const lobes: Lobe[] = []
  for (const [index, { point, gamma }] of scan.entries()) {
    const isPositive = gamma > 0
    const last = lobes.at(-1)
    if (last?.isPositive === isPositive) {
      last.most = Math.max(last.most, Math.abs(gamma))
      continue
    }
    const before = scan[index - 1]
    const share = before ? before.gamma / (before.gamma - gamma) : 0
    const root = before ? before.point + (point - before.point) * share : null
    lobes.push({ isPositive, most: Math.abs(gamma), root })
  }
  const stored = lobes.filter(
    ({ most }, index) => index === 0 || index === lobes.length - 1 || most >= 0.01 * highest,
  )
  const roots = stored.flatMap(({ isPositive, root }, index) =>
    index > 0 && stored[index - 1]!.isPositive !== isPositive ? [root!] : [],
  )
  return roots.sort((a, b) => Math.abs(a - spot) - Math.abs(b - spot) || a - b)[0] ?? null
}
