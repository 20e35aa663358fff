/**
 * Ten books of options with the signs and sizes of their exposures, for anybody's own code:
 * `docs/vectors/signs.json`. The values are those of the models that a build runs.
 */

import { openDatabase } from '../../src/core/engine/database.ts'

export const SIGNS_FILE = 'docs/vectors/signs.json'

type Leg = {
  readonly option_type: 'C' | 'P'
  readonly strike: number
  /** Contracts of 100; dealers long above zero. */
  readonly dealers: number
}

type Market = {
  readonly spot: number
  readonly forward: number
  readonly discount: number
  /** Time to expiry, ACT/365. */
  readonly years: number
  /** Volatility a year. */
  readonly vol: number
}

export type Exposures = {
  readonly delta_musd: number
  readonly gamma_musd_per_point: number
  readonly vanna_musd_per_vol_point: number
  readonly charm_musd_per_day: number
}

export type SignVector = {
  readonly name: string
  readonly says: string
  readonly market: Market
  readonly legs: readonly Leg[]
  readonly expected: Exposures
}

const HALF_DAY: Market = {
  spot: 6000,
  forward: 6000.5,
  discount: 0.99995,
  years: 0.0005,
  vol: 0.12,
}
const MONTH: Market = { spot: 6000, forward: 6018, discount: 0.9967, years: 0.0822, vol: 0.15 }
const YEAR: Market = { spot: 6000, forward: 6180, discount: 0.961, years: 1, vol: 0.18 }
/** Dividends are above interest: the forward is below the index. */
const DIVIDENDS: Market = { spot: 6000, forward: 5960, discount: 0.995, years: 0.5, vol: 0.17 }

const leg = (option_type: 'C' | 'P', strike: number, dealers: number): Leg => ({
  option_type,
  strike,
  dealers,
})

const CASES: readonly Omit<SignVector, 'expected'>[] = [
  {
    name: 'a customer buys calls at the money',
    says: 'Dealers are short them: delta and gamma below zero. As the index rises they buy.',
    market: MONTH,
    legs: [leg('C', 6000, -1000)],
  },
  {
    name: 'a customer sells calls at the money',
    says: 'Dealers are long them: gamma above zero. As the index rises they sell.',
    market: MONTH,
    legs: [leg('C', 6000, 1000)],
  },
  {
    name: 'a customer buys puts below the index',
    says: 'Dealers are short: delta and vanna above zero, gamma and charm below. They buy back hedges as time passes.',
    market: MONTH,
    legs: [leg('P', 5700, -1000)],
  },
  {
    name: 'a customer buys calls above the index',
    says: 'Dealers are short: vanna below zero, charm above.',
    market: MONTH,
    legs: [leg('C', 6300, -1000)],
  },
  {
    name: 'a customer buys a put spread',
    says: 'The put that is nearer has more gamma: what dealers are short outweighs what they are long.',
    market: MONTH,
    legs: [leg('P', 5900, -500), leg('P', 5800, 500)],
  },
  {
    name: 'a customer sells an iron condor on its last day',
    says: 'Dealers are long the inner strikes: gamma above zero near the index.',
    market: HALF_DAY,
    legs: [leg('P', 5960, -200), leg('P', 5980, 200), leg('C', 6020, 200), leg('C', 6040, -200)],
  },
  {
    name: 'a customer buys a straddle on its last day',
    says: 'Dealers are short: gamma far below zero, delta almost none.',
    market: HALF_DAY,
    legs: [leg('C', 6000, -300), leg('P', 6000, -300)],
  },
  {
    name: 'a call and a put of one strike have the same gamma and vanna',
    says: 'Long the call and short the put is a future: no gamma, no vanna, delta of the forward.',
    market: YEAR,
    legs: [leg('C', 6200, 100), leg('P', 6200, -100)],
  },
  {
    name: 'a customer sells puts of a year',
    says: 'Dealers are long them: delta below zero, gamma above.',
    market: YEAR,
    legs: [leg('P', 5500, 400)],
  },
  {
    name: 'a forward below the index, by dividends',
    says: 'Delta is that of the index: the forward moves with it in proportion.',
    market: DIVIDENDS,
    legs: [leg('C', 5900, -250), leg('P', 5900, -250)],
  },
]

/** The vectors, with the exposures that the models of a build compute. */
export async function makeSignVectors(): Promise<SignVector[]> {
  const rows = CASES.flatMap(({ market, legs }, number) =>
    legs.map(({ option_type: type, strike, dealers }) => {
      const { spot, forward, discount, years, vol } = market
      return `(${number}, '${type}', ${[strike, dealers, spot, forward, discount, years, vol].map(value => `${value}::double`).join(', ')})`
    }),
  )
  const db = await openDatabase()
  try {
    const found = await db.rows(`select number,
        sum(dealers * 1e-4 * spot
          * black76_delta(spot, forward, strike, discount, vol, years, option_type)) as delta,
        sum(gamma_musd_per_point(
          dealers, black76_gamma(spot, forward, strike, discount, vol, years), spot)) as gamma,
        sum(dealers * vanna_musd_per_vol_point(forward, discount,
          black76_d1(forward, strike, vol, years), vol * sqrt(years), years)) as vanna,
        sum(dealers * 1e-4 * spot
          * black76_charm(spot, forward, strike, discount, vol, years, option_type) / 365) as charm
      from (values ${rows.join(', ')})
        as legs (number, option_type, strike, dealers, spot, forward, discount, years, vol)
      group by number order by number`)
    return CASES.map((each, number) => {
      const { delta, gamma, vanna, charm } = found[number] as Record<string, number>
      // ten digits: enough to tell a formula from another, and the same on every machine
      const expected = {
        delta_musd: round(delta!),
        gamma_musd_per_point: round(gamma!),
        vanna_musd_per_vol_point: round(vanna!),
        charm_musd_per_day: round(charm!),
      }
      return { ...each, expected }
    })
  } finally {
    db.close()
  }
}

const round = (value: number) => Number(value.toFixed(10)) + 0

export const writeSignVectors = (vectors: readonly SignVector[]): string =>
  `${JSON.stringify({ tolerance: 1e-8, vectors }, null, 1)}\n`
