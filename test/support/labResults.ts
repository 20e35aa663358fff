// Results of LAB as a run would return them, made by chance: whole, and valid by the schema.

import { addDays, findTradingSession } from '../../src/core/market/calendar.ts'
import { type LabEra, type LabLeg, LabResult } from '../../src/lab/result.ts'
import { randomNumbers } from './random.ts'

export type MadeResult = {
  readonly seed?: number
  readonly kind?: LabResult['kind']
  readonly sessions?: number
  readonly legs?: number
  readonly interesting?: boolean
  readonly job?: string
  readonly say?: string
  readonly axes?: number
}

const SAY =
  'At 10:00, sell the 0DTE 10-wide put spread 30 points below spot, if net gamma is positive.'

/** A result of so many sessions up to 2026-10-15. */
export function madeResult(made: MadeResult = {}): LabResult {
  const { seed = 1, kind = 'backtest', sessions = 300, legs = 1, interesting = false } = made
  const random = randomNumbers(seed)
  const days = daysBefore('2026-10-15', sessions)
  const sealed = sessions >= 120 ? Math.max(60, Math.round(sessions / 5)) : 0
  const from = days[sessions - sealed]
  const holdout = sealed > 0 ? { from: from!, to: days.at(-1)!, sessions: sealed } : null
  return LabResult.parse({
    kind,
    job: made.job ?? 'j_4fQ8sK2mZx0T',
    rule_hash: 'ab'.repeat(32),
    say: made.say ?? SAY,
    data: {
      kind: 'simulated',
      from: days[0],
      to: days.at(-1),
      used: sessions,
      hash: 'c'.repeat(64),
      left_out: [
        { day: '2026-10-05', reason: 'bad_tape' },
        ...daysBefore('2024-01-05', 8).map(day => ({ day, reason: 'not_published' })),
      ],
    },
    assume: { delay_min: 0, spread_factor: 1, fee_usd: 1.3 },
    legs: Array.from({ length: legs }, (_, index) =>
      findLeg({ random, days, sealed, interesting, hasVerdict: kind !== 'struct', index }),
    ),
    holdout: kind === 'struct' ? null : holdout,
    lineage: { versions: 3, trials: 451, looks: 2, family_trials: 902, family_looks: 4 },
    sensitivity: ['spread_factor 0', 'spread_factor 0.5', 'spread_factor 2', 'delay_min 1'].flatMap(
      changed =>
        Array.from({ length: legs }, (_, leg) => {
          return { changed, leg, n: 200, mean: random() - 0.5, t: 3 * random() }
        }),
    ),
    ...(kind === 'quant' ? { optimize: findOptimize(random, made.axes ?? 3) } : {}),
    says: ['The rule made 4.2 % of the risk a trade after costs.', 'It was tried twice before.'],
  })
}

/** Trading days up to one of them, oldest first. */
export function daysBefore(last: string, count: number): string[] {
  const days: string[] = []
  for (let day = last; days.length < count; day = addDays(day, -1)) {
    if (findTradingSession(day)) days.unshift(day)
  }
  return days
}

type LegOf = {
  readonly random: () => number
  readonly days: readonly string[]
  readonly sealed: number
  readonly interesting: boolean
  readonly hasVerdict: boolean
  readonly index: number
}

function findLeg({ random, days, sealed, interesting, hasVerdict, index }: LegOf): LabLeg {
  const n = days.map(() => (random() < 0.6 ? 1 : 0))
  const usd = n.map(count => (count === 0 ? 0 : Math.round(900 * (random() - 0.47))))
  const core = days.map(() => Math.round(700 * (random() - 0.5)))
  const total: number[] = []
  const fall: number[] = []
  let [sum, best] = [0, 0]
  for (const value of usd) {
    sum += value
    best = Math.max(best, sum)
    total.push(sum)
    fall.push(best - sum)
  }
  const era = (from: number, to: number) => findEra(random, days.slice(from, to))
  const count = days.length
  const t = interesting ? 2.6 : 0.7
  const gate = (gate: string, value: number | null, need: string, ok: boolean, says: string) => {
    return { gate, value, need, ok, says }
  }
  return {
    title: index === 0 ? 'Sell the 10-wide put spread' : 'Buy the straddle',
    eras: {
      all: era(0, count),
      this_year: era(Math.floor(count / 2), count),
      holdout: sealed > 0 ? { ...era(count - sealed, count), net_rr_t: t } : null,
      ...(index === 0 && sealed > 0 ? { since: findEra(random, days.slice(-5)) } : {}),
    },
    verdict: hasVerdict
      ? {
          interesting,
          net_rr_t: t,
          placebo_p: interesting ? 0.004 : 0.31,
          bar: 0.0125,
          gates: [
            gate('mean', 0.0421, 'above 0', true, 'A trade made +4.2% of its risk after costs.'),
            gate('net_rr_t', t, 'at least 2', t >= 2, 'How far it is above the baseline.'),
            gate('placebo_p', interesting ? 0.004 : 0.31, 'at most 0.0125', interesting, 'Chance.'),
            gate('days_on', null, 'at least 20', interesting, '12 days; 20 are needed.'),
          ],
          clears_cost: index === 1 ? { mean: 0.01, t: 1.2, p: 0.23 } : null,
          sentence: interesting
            ? 'Interesting. All hold.'
            : 'Not interesting. 12 days; 20 are needed.',
        }
      : null,
    series: {
      day: [...days],
      n,
      r: usd.map(value => value / 700),
      usd,
      total_usd: total,
      drawdown_usd: fall,
      core_usd: core,
    },
    histogram: {
      edges: Array.from({ length: 21 }, (_, at) => -1 + at / 10),
      rule: Array.from({ length: 20 }, () => Math.floor(12 * random())),
      core: Array.from({ length: 20 }, () => Math.floor(30 * random())),
    },
    figures: {
      average_win_usd: 310,
      average_loss_usd: index === 0 ? -280 : null,
      profit_factor: index === 0 ? 1.17 : null,
      largest_win_usd: 900,
      largest_loss_usd: index === 0 ? -423 : null,
      capital_usd: 1400,
      exits: [{ name: 'profit', n: 40, mean: 0.2, win: 1, sum_usd: 4000 }],
      weekdays: [{ name: 'Monday', n: 12, mean: null, win: null, sum_usd: -120 }],
      months: [{ name: '2026-01', n: 12, mean: 0.01, win: 0.5, sum_usd: 12 }],
      reasons:
        index === 0
          ? {}
          : Object.fromEntries(
              ['average_loss_usd', 'profit_factor', 'largest_loss_usd'].map(name => [
                name,
                '0 losing trades; 1 is needed',
              ]),
            ),
    },
    seen: {
      sessions: 60,
      effect: 0.091,
      wanted: 0.0455,
      sessions_needed: 240,
      reason: null,
      says:
        'With 60 sessions an effect of 9.1% of the risk is seen in 4 of 5 cases; to see 4.5% you ' +
        'need 240 sessions.',
    },
    placebo: hasVerdict
      ? {
          arrangements: 2 * sealed,
          shuffles: index === 0 ? 0 : 500,
          p: 0.31,
          t,
          quantiles: [-3.1, -1.7, -0.6, 0.02, 0.7, 1.6, 2.9],
          histogram: {
            edges: Array.from({ length: 13 }, (_, at) => -3 + at / 2),
            counts: Array.from({ length: 12 }, (_, at) => Math.round(40 / (1 + (at - 5.5) ** 2))),
          },
        }
      : null,
  }
}

function findEra(random: () => number, days: readonly string[]): LabEra {
  const n = Math.round(days.length * 0.6)
  const isFew = n < 20
  const sample = (count: number) => ({
    n: count,
    mean: random() - 0.5,
    median: random(),
    win: random(),
    sum_usd: 5000 * (random() - 0.4),
    drawdown_usd: 3000 * random(),
    t: 2 * random(),
  })
  return {
    from: days[0]!,
    to: days.at(-1)!,
    sessions: days.length,
    days: n,
    n,
    n_eff: isFew ? null : 0.8 * n,
    runs_z: isFew ? null : random(),
    prob_loss_20: isFew ? null : random(),
    rule: sample(n),
    core: sample(days.length),
    net_rr: random() - 0.5,
    net_rr_t: 2 * random(),
    dof: days.length - 1,
    p: random(),
    unresolved: 0,
    missed: n > 50 ? { no_price: 3, half_day: 1 } : { no_price: 1 },
    reasons: isFew
      ? { n_eff: '12 days; 20 are needed', prob_loss_20: '12 days; 20 are needed' }
      : {},
  }
}

function findOptimize(random: () => number, count: number): NonNullable<LabResult['optimize']> {
  const axes = [
    { field: 'core.width', label: 'width', unit: 'pt', values: [5, 10, 15], own: 1 },
    { field: 'core.strike.offset', label: 'strike', unit: 'pt', values: [-45, -30, -15], own: 1 },
    {
      field: 'core.entry.at',
      label: 'entry',
      unit: '',
      own: 2,
      values: ['09:31', '09:45', '10:00', '10:30', '11:00'],
    },
    { field: 'core.exit.0', label: 'profit', unit: '%', values: ['off', 25, 50], own: 2 },
  ].slice(0, count)
  const grid = axes.reduce<(number | string)[][]>(
    (rows, { values }) => rows.flatMap(row => values.map(value => [...row, value])),
    [[]],
  )
  const isOwn = (row: readonly (number | string)[]) =>
    row.every((value, at) => value === axes[at]!.values[axes[at]!.own])
  const indexes = axes.map((_, at) => at)
  return {
    axes,
    is_full_grid: true,
    variants_tried: grid.length,
    variants: grid.map(params => ({
      params,
      is_own: isOwn(params),
      n: 180,
      days: 120,
      mean: random() - 0.5,
      median: random() - 0.4,
      win: random(),
      t: 3 * random() - 1,
      drawdown_usd: 3000 * random(),
      net_rr: random() - 0.5,
      neighbours: { n: 3, mean: random() - 0.5, share_above_0: random() },
    })),
    planes: indexes.flatMap(x =>
      indexes
        .filter(y => y > x)
        .map(y => ({
          x,
          y,
          mean: axes[y]!.values.map(() =>
            axes[x]!.values.map(() => (random() < 0.05 ? null : random() - 0.5)),
          ),
          n: axes[y]!.values.map(() => axes[x]!.values.map(() => Math.floor(200 * random()))),
        })),
    ),
    deflated_sharpe: 0.42,
    pbo: null,
    reality_check_p: 0.21,
    luck_t: Math.sqrt(2 * Math.log(grid.length)),
    reasons: { pbo: '48 sessions; 64 are needed' },
    says: [`With ${grid.length} variants the best t expected from luck is about 2.6.`],
  }
}
