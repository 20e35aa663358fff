// Compares the second forms themselves with statsmodels, scipy and the papers.

import { expect, test } from 'vitest'
import { readVectors } from '../../support/shared.ts'
import { expectAlike } from './alike.ts'
import { clusteredT } from './clusteredT.ts'
import { findShape, luckySharpe, sharpeChance } from './deflated.ts'
import { differenceT } from './differenceT.ts'
import { effectiveCount } from './effectiveCount.ts'
import { exactLossOfTwenty, lossesOfTwenty } from './lossOfTwenty.ts'
import { normalQuantile, normalShare } from './normal.ts'
import { overfit, splits } from './overfit.ts'
import { realityCheck, stationaryPath } from './reality.ts'
import { runsZ } from './runsZ.ts'
import { Splitmix } from './splitmix.ts'
import { twoSided } from './studentT.ts'

const vectors = readVectors('lab_stats')
const listRows = (names: readonly string[], r: readonly number[], isInRule?: readonly number[]) =>
  r.map((value, at) => ({
    session: [...new Set(names)].indexOf(names[at]!),
    r: value,
    isInRule: isInRule?.[at] === 1,
  }))
const { clustered_t: mean, difference_vs_core: difference } = vectors
const rows = listRows(mean.sessions, mean.r)

test('means, differences, counts and runs are those of statsmodels', () => {
  const found = clusteredT(rows)!
  expectAlike(found, { mean: mean.mean, error: mean.se, t: mean.t, dof: mean.G - 1 })
  expectAlike(twoSided(found.t, found.dof), mean.p_two_sided)
  const { sessions, r, in_rule: inRule, diff, se, t, G } = difference
  expectAlike(differenceT(listRows(sessions, r, inRule)), {
    difference: diff,
    error: se,
    t,
    dof: G - 1,
  })
  const { n_eff: apart, n_eff_correlated: alike } = vectors
  expectAlike(effectiveCount(rows), apart.n_eff)
  expectAlike(effectiveCount(listRows(alike.sessions, alike.r)), alike.n_eff)
  for (const one of vectors.runs_z.cases) expectAlike(runsZ(one.r), one.z)
})

test('losses of twenty are those of the convolution and of the seed', () => {
  const { iid_exact: exact, session_block_bootstrap: drawn } = vectors.prob_loss_20
  expectAlike(exactLossOfTwenty(mean.r.map((one: number) => Math.round(100 * one))), exact.p)
  expect(lossesOfTwenty(rows, drawn.B, new Splitmix(drawn.seed)).losses).toBe(drawn.losses)
})

test('Sharpe ratios, paths and splits are those of the papers', () => {
  const due = vectors.deflated_sharpe
  const shape = findShape(mean.r)
  expectAlike(shape, { sharpe: due.sr, skew: due.skew, kurtosis: due.kurt })
  for (const one of due.cases) {
    const lucky = luckySharpe(one.var_of_trial_sharpes ?? 0, one.variants_tried)
    expectAlike(lucky, one.benchmark_sr0)
    expectAlike(sharpeChance(shape, due.T, lucky), one.dsr)
  }
  const { f, q, B, seed, V, p, first_index_path: path } = vectors.reality_check
  expectAlike(realityCheck(f, q, B, new Splitmix(seed)), { best: V, p })
  expect(stationaryPath(f.length, q, new Splitmix(seed))).toEqual(path)
  const { M, S, pbo, combos } = vectors.pbo_cscv
  expect(overfit(M, S)).toBe(pbo)
  expect(splits(M, S).map(({ best, rank }) => [best, rank])).toEqual(
    combos.map((one: { best: number; rank_out: number }) => [one.best, one.rank_out]),
  )
})

test('the normal and the t distribution are those of tables', () => {
  expectAlike(
    [1, 1.96, -3, 6].map(normalShare),
    [0.8413447460685429, 0.9750021048517795, 0.0013498980316301, 0.9999999990134123],
  )
  expectAlike([0.5, 0.975, 0.01].map(normalQuantile), [0, 1.959963984540054, -2.326347874040841])
  // from scipy 1.17, stats.t.sf
  expectAlike(
    [twoSided(1, 1), twoSided(2, 2), twoSided(2.5, 7), twoSided(-2, 30)],
    [0.5, 0.18350341907227397, 0.04099221858575289, 0.054625044962983094],
  )
})
