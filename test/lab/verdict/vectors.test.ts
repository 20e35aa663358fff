// Statistics against statsmodels, scipy and the papers: test/vectors/lab_stats.json.

import { expect, test } from 'vitest'
import { studentP } from '../../../src/core/market/student.ts'
import {
  computeShape,
  deflatedSharpe,
  luckySharpe,
} from '../../../src/lab/optimize/deflatedSharpe.ts'
import { drawPath, realityCheck } from '../../../src/lab/optimize/optimize.ts'
import { listSplits, overfitShare } from '../../../src/lab/optimize/overfitting.ts'
import { effectiveCount, testDifference, testMean } from '../../../src/lab/verdict/clustered.ts'
import { createDraws } from '../../../src/lab/verdict/draws.ts'
import { probLoss20, runsZ } from '../../../src/lab/verdict/era.ts'
import { readVectors } from '../../support/shared.ts'

const vectors = readVectors('lab_stats')
/** Names of sessions as numbers, in the order they come. */
const numbered = (names: readonly string[]) => names.map(name => [...new Set(names)].indexOf(name))
const isNear = (seen: number | null, due: number, within = 1e-9) =>
  expect(Math.abs(seen! - due) / Math.max(1, Math.abs(due))).toBeLessThan(within)
const { clustered_t: clustered, difference_vs_core: difference } = vectors
const bySession = (r: readonly number[], names: readonly string[]) =>
  [...Map.groupBy(r.keys(), index => names[index]!).values()].map(group => group.map(i => r[i]!))

test('the clustered t of a mean is that of statsmodels', () => {
  const found = testMean(clustered.r, numbered(clustered.sessions))
  isNear(found.value, clustered.mean)
  isNear(found.error, clustered.se)
  isNear(found.t, clustered.t)
  isNear(found.p, clustered.p_two_sided)
  expect(found.dof).toBe(clustered.G - 1)
})

test('the t of rule less core is that of the vector', () => {
  const { r, sessions, in_rule: inRule } = difference
  const found = testDifference(
    r,
    numbered(sessions),
    inRule.map((one: number) => one === 1),
  )
  isNear(found.value, difference.diff)
  isNear(found.error, difference.se)
  isNear(found.t, difference.t)
  expect(found.dof).toBe(difference.G - 1)
  isNear(found.p, studentP(difference.t, difference.G - 1))
})

test('trades of alike sessions count for fewer', () => {
  const { n_eff: apart, n_eff_correlated: alike } = vectors
  isNear(effectiveCount(clustered.r, numbered(clustered.sessions)), apart.n_eff)
  isNear(effectiveCount(alike.r, numbered(alike.sessions)), alike.n_eff)
  const { t, error } = testMean(alike.r, numbered(alike.sessions))
  isNear(t, alike.t_cluster)
  isNear(error, alike.se_cluster)
})

test('runs are those of statsmodels, and null on one side', () => {
  isNear(runsZ(clustered.r), vectors.runs_z.z)
  for (const { r, z } of vectors.runs_z.cases) {
    if (z === null) expect(runsZ(r)).toBeNull()
    else isNear(runsZ(r), z)
  }
})

test('20 trades lose in 2763 of 10,000 series of the seed', () => {
  const { seed, p, first_draws: first } = vectors.prob_loss_20.session_block_bootstrap
  expect(probLoss20(bySession(clustered.r, clustered.sessions), BigInt(seed))).toBe(p)
  const draws = createDraws(BigInt(seed))
  expect(first.map(() => draws.index(clustered.G))).toEqual(first)
})

test('the deflated Sharpe ratio is that of the formula and of the paper', () => {
  const due = vectors.deflated_sharpe
  const shape = computeShape(clustered.r)!
  isNear(shape.sharpe, due.sr)
  isNear(shape.skew, due.skew)
  isNear(shape.kurtosis, due.kurt)
  isNear(deflatedSharpe(shape, due.T, 0), due.psr0)
  for (const one of due.cases) {
    const benchmark = luckySharpe(one.variants_tried, one.var_of_trial_sharpes ?? 0)
    isNear(benchmark, one.benchmark_sr0)
    isNear(deflatedSharpe(shape, due.T, benchmark), one.dsr)
  }
  const paper = due.paper_example
  const benchmark = luckySharpe(paper.N, paper.V_annual / 250)
  isNear(benchmark, paper.sr0_nonannual)
  const sharpe = paper.sr_annual / Math.sqrt(250)
  isNear(
    deflatedSharpe({ sharpe, skew: paper.skew, kurtosis: paper.kurt }, paper.T, benchmark),
    paper.dsr,
  )
})

test('the reality check draws the path of the vector and comes to its p', () => {
  const { f, q, B, seed, V, p, first_index_path: path } = vectors.reality_check
  const gains = f[0].map((_: number, k: number) => f.map((row: number[]) => row[k]))
  const found = realityCheck({ gains, q, drawn: B, seed: BigInt(seed) })
  isNear(found.best, V)
  expect(found.p).toBe(p)
  expect([...drawPath(f.length, q, createDraws(BigInt(seed)))]).toEqual(path)
})

test('the share of overfitted picks is that of the vector, split by split', () => {
  const { M, S, pbo, combos } = vectors.pbo_cscv
  const results = M[0].map((_: number, k: number) => M.map((row: number[]) => row[k]))
  const splits = listSplits(results, S)
  expect(overfitShare(splits)).toBe(pbo)
  expect(splits.length).toBe(combos.length)
  splits.forEach(({ trainBlocks, best, rankOut, logit }, index) => {
    const due = combos[index]
    expect({ trainBlocks, best, rankOut }).toEqual({
      trainBlocks: due.train_blocks,
      best: due.best,
      rankOut: due.rank_out,
    })
    isNear(logit, due.logit)
  })
})
