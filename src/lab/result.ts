import { z } from 'zod'
import { flag, text, textOrNull, whole } from '../platform/http/fields.ts'
import { LEFT_OUT_REASONS, PASSED_OVER_REASONS } from './market/session.ts'

/** Result of a LAB run: JSON, byte-identical for the same rule, data and code. */

const date = text('ET trading day, YYYY-MM-DD.')
const count = z.int().min(0)
const number = z.number().nullable()

const LabAssumed = z.strictObject({
  delay_min: z.int().min(0).max(30).describe('Minutes from the decision to the fill.'),
  spread_factor: z.number().min(0).max(5).describe('Share of the half spread paid.'),
  fee_usd: z.number().min(0).max(50).describe('USD a contract and side.'),
})

const LabSample = z
  .strictObject({
    n: count.describe('Trades.'),
    mean: number.describe('Mean r; r is profit after costs / risk.'),
    median: number,
    win: number.describe('Share of trades with r above 0.'),
    sum_usd: number,
    drawdown_usd: number.describe('Deepest fall of the sum by session, at least 0.'),
    t: number.describe('Of the mean, clustered by session.'),
  })
  .meta({ id: 'LabSample' })

const LabEra = z
  .strictObject({
    from: date,
    to: date,
    sessions: count,
    days: count.describe('Sessions with a trade of the rule.'),
    n: count.describe('Trades of the rule.'),
    n_eff: number.describe('Trades that count, once those of a session are alike.'),
    runs_z: number,
    prob_loss_20: number.describe('Chance that 20 trades in a row lose money.'),
    rule: LabSample,
    core: LabSample.describe('The same trades without the conditions.'),
    net_rr: number.describe('Mean r of the rule less that of the core.'),
    net_rr_t: number,
    dof: number,
    p: number.describe('Two-sided, of net_rr_t, from Student t.'),
    unresolved: count,
    missed: z.record(z.string(), count).describe('Chances without a trade, by reason.'),
    reasons: z
      .record(z.string(), z.string())
      .describe('Why a figure is null, by its name: "12 days; 20 are needed".'),
  })
  .meta({ id: 'LabEra', description: 'A leg over a stretch of sessions.' })

const LabGate = z
  .strictObject({
    gate: z.string(),
    value: number,
    need: text('In words with its number: "at least 2".'),
    ok: z.boolean(),
    says: z.string(),
  })
  .meta({ id: 'LabGate' })

const LabVerdict = z
  .strictObject({
    interesting: z.boolean(),
    net_rr_t: number,
    placebo_p: number,
    bar: number.describe('What placebo_p may be at most.'),
    gates: z.array(LabGate),
    clears_cost: z
      .strictObject({ mean: number, t: number, p: number })
      .nullable()
      .describe('Of a rule without conditions, which has no baseline to beat.'),
    sentence: z.string(),
  })
  .meta({ id: 'LabVerdict' })

const LabPlacebo = z
  .strictObject({
    arrangements: count,
    shuffles: count,
    p: number,
    t: number.describe('Of the rule itself.'),
    quantiles: z
      .array(z.number())
      .describe('Of t over the arrangements: 0, .05, .25, .5, .75, .95, 1; or none.'),
    histogram: z.strictObject({ edges: z.array(z.number()), counts: z.array(count) }),
  })
  .meta({ id: 'LabPlacebo', description: 'The same triggers on other days.' })

const LabGroup = z
  .strictObject({
    name: z.string(),
    n: count.describe('Trades of the rule.'),
    mean: number,
    win: number,
    sum_usd: z.number(),
  })
  .meta({ id: 'LabGroup', description: 'Trades of a weekday, a month or a way to end.' })

const LabFigures = z
  .strictObject({
    average_win_usd: number,
    average_loss_usd: number.describe('Below 0.'),
    profit_factor: number.describe('All gains by all losses.'),
    largest_win_usd: number,
    largest_loss_usd: number.describe('Below 0.'),
    capital_usd: number.describe('Most USD at risk at one time.'),
    exits: z.array(LabGroup).describe('By how they ended.'),
    weekdays: z.array(LabGroup),
    months: z.array(LabGroup).describe('By YYYY-MM of the entry.'),
    reasons: z.record(z.string(), z.string()).describe('Why a figure is null.'),
  })
  .meta({ id: 'LabFigures', description: 'Trades of the rule in all sessions but sealed ones.' })
export type LabFigures = z.infer<typeof LabFigures>

const LabSeen = z
  .strictObject({
    sessions: count.describe('Of the holdout.'),
    effect: number.describe('Smallest effect that is seen in 4 of 5 cases, of the risk.'),
    wanted: number.describe('A smaller one: that before the holdout, or half.'),
    sessions_needed: count.nullable().describe('To see that one in 4 of 5 cases.'),
    reason: textOrNull('Why the figures are null.'),
    says: z.string(),
  })
  .meta({ id: 'LabSeen', description: 'The smallest effect that the holdout could show.' })
export type LabSeen = z.infer<typeof LabSeen>

const LabLeg = z
  .strictObject({
    title: z.string(),
    eras: z.strictObject({
      all: LabEra.describe('All sessions but the sealed ones.'),
      this_year: LabEra.nullable().describe('Null: all sessions of the year are sealed.'),
      holdout: LabEra.nullable(),
      since: LabEra.nullable().optional().describe('Sessions after the first test.'),
    }),
    verdict: LabVerdict.nullable().describe('Null in a struct, which has none.'),
    series: z
      .strictObject({
        day: z.array(date),
        n: z.array(count),
        r: z.array(z.number()),
        usd: z.array(z.number()),
        total_usd: z.array(z.number()),
        drawdown_usd: z.array(z.number()),
        core_usd: z.array(z.number()).describe('Mean trade of the core, USD.'),
      })
      .describe('One value a session; 0 on days without a trade.'),
    histogram: z.strictObject({
      edges: z.array(z.number()),
      rule: z.array(count),
      core: z.array(count),
    }),
    placebo: LabPlacebo.nullable(),
    figures: LabFigures.optional(),
    seen: LabSeen.optional(),
  })
  .meta({ id: 'LabLeg', description: 'One trade of the rule with its conditions.' })

const LabVariant = z
  .strictObject({
    params: z.array(z.union([z.number(), z.string()])).describe('One value an axis.'),
    is_own: flag('The rule as it stands.'),
    n: count,
    days: count,
    mean: number,
    median: number,
    win: number,
    t: number,
    drawdown_usd: number,
    net_rr: number.describe(
      'Mean r less that of the core; of two trades each beside its own core.',
    ),
    neighbours: z.strictObject({ n: count, mean: number, share_above_0: number }),
  })
  .meta({ id: 'LabVariant' })

const LabOptimize = z
  .strictObject({
    axes: z.array(
      z.strictObject({
        field: text('Such as core.width or when.0.v.'),
        label: z.string(),
        unit: z.string(),
        values: z.array(z.union([z.number(), z.string()])),
        own: z.int(),
      }),
    ),
    is_full_grid: z.boolean(),
    variants_tried: count,
    variants: z.array(LabVariant).describe('All of them, in the order of parameters.'),
    planes: z.array(
      z.strictObject({
        x: whole('Place of the axis.'),
        y: z.int(),
        mean: z.array(z.array(number)).describe('A row each value of y.'),
        n: z.array(z.array(count)),
      }),
    ),
    deflated_sharpe: number,
    pbo: number,
    reality_check_p: number,
    luck_t: z.number().describe('sqrt(2 ln N): the best t expected from luck.'),
    reasons: z.record(z.string(), z.string()),
    says: z.array(z.string()),
  })
  .meta({ id: 'LabOptimize', description: 'Every variant; none is picked.' })

export const LabResult = z
  .strictObject({
    kind: z.enum(['backtest', 'quant', 'struct']),
    job: z.string(),
    rule_hash: z.string(),
    say: z.string(),
    data: z.strictObject({
      kind: z.enum(['real', 'simulated']),
      from: date,
      to: date,
      used: count.describe('Sessions.'),
      hash: z.string(),
      left_out: z.array(z.strictObject({ day: date, reason: z.enum(LEFT_OUT_REASONS) })),
      passed_over: z
        .array(z.strictObject({ reason: z.enum(PASSED_OVER_REASONS), sessions: count }))
        .optional()
        .describe(
          'Published sessions of which nothing is used, as they are of another kind or symbol; ' +
            'absent where there are none.',
        ),
      unknown_positions: z
        .strictObject({ minutes: count, sessions: count })
        .optional()
        .describe(
          "Minutes in which the dealers' positions are not known (inventory_unknown), and the " +
            'sessions that have any: no flip and no net gamma is known then, and mostly no wall. ' +
            'Absent where there are none.',
        ),
      index_by_parity: z
        .strictObject({ minutes: count, sessions: count })
        .optional()
        .describe(
          'Minutes whose index the tape lacks, so that it follows from the quotes by put-call ' +
            'parity, and the sessions that have any. Absent where there are none.',
        ),
    }),
    assume: LabAssumed,
    legs: z.array(LabLeg),
    holdout: z
      .strictObject({ from: date, to: date, sessions: count })
      .nullable()
      .describe('Sealed at the first test; null under 120 sessions, and in a struct.'),
    sealed: z
      .strictObject({ from: date, to: date, sessions: count })
      .nullable()
      .optional()
      .describe(
        'Sessions whose trades no figure but the verdict counts, until the idea is on the desk ' +
          'and they are opened; null: none.',
      ),
    lineage: z
      .strictObject({
        versions: count,
        trials: count,
        looks: count,
        family_trials: count,
        family_looks: count,
      })
      .describe('How often this idea, and all of its kind, were tried.'),
    sensitivity: z.array(
      z.strictObject({
        changed: text('Such as "spread_factor 2"; "nothing" is the test on the same sessions.'),
        leg: z.int(),
        n: count,
        mean: number,
        t: number,
      }),
    ),
    optimize: LabOptimize.optional(),
    words: z
      .array(z.strictObject({ word: z.string(), means: z.string() }))
      .optional()
      .describe('Each statistical word of the result, in one plain sentence.'),
    says: z.array(z.string()).describe('The result in plain sentences.'),
  })
  .meta({ id: 'LabResult', description: 'What a run of LAB found.' })
export type LabResult = z.infer<typeof LabResult>
export type LabEra = z.infer<typeof LabEra>
export type LabLeg = z.infer<typeof LabLeg>
