import { expect, test } from 'vitest'
import type { FairRound } from '../../../../pipelines/measure/bench/fair.ts'
import type { HttpSpeed } from '../../../../pipelines/measure/bench/http.ts'
import {
  judgeTargets,
  type Measured,
  yardstickRatio,
} from '../../../../pipelines/measure/bench/report.ts'
import { reportText } from '../../../../pipelines/measure/bench/text.ts'

const took = (seconds: number) => ({ seconds, cpu_seconds: 2 * seconds })
const FULL = { prints: 1_000_000, contracts: 20_000 }

const built = (printCount: number, seconds: number, peakMib = 3072) => ({
  print_count: printCount,
  contract_count: 20_000,
  order_count: 1,
  steps: [],
  ...took(seconds),
  peak_mib: peakMib,
})

const served = (api: number, bare: number): HttpSpeed => ({
  body_bytes: 1,
  connections: 32,
  open_requests_per_second: 200,
  accounts: 32,
  rounds: 5,
  round_seconds: 3,
  counted_calls: 1,
  answered_calls: 1,
  api: { requests_per_second: api, cpu_us_per_request: 1, p50_ms: 1, p99_ms: 9 },
  bare: { requests_per_second: bare, cpu_us_per_request: 1, p50_ms: 1, p99_ms: 3 },
})

const levels = {
  surface: took(1),
  book: took(10),
  levels: took(1),
  chain_gammas: took(0.5),
  chain_gamma_count: 8_000_000,
  grid_points: 601,
}

const MEASURED: Measured = {
  fold: {
    print_count: 1_000_000,
    fold: took(21),
    two_sorts: took(1),
    instants: { group_count: 9, duckdb: took(1), polars: null },
  },
  levels,
  iv: {
    quote_count: 4,
    ours: { ...took(3), solved_count: 4, worst_error: 1e-12 },
    prototype: { ...took(2), solved_count: 4, worst_error: 1e-12 },
  },
  build: built(1_000_000, 30.1),
  growth: [built(500_000, 10), built(1_000_000, 22), built(2_000_000, 48.5)],
  http: { session: served(7_000, 10_000), short: served(1_000, 10_000) },
}

test('every demand is judged by its quotient: met at its limit, not beyond', () => {
  const judged = judgeTargets(MEASURED, FULL).map(threshold => [
    threshold.measured,
    threshold.limit,
    threshold.is_met,
  ])
  expect(judged).toEqual([
    [21, 10, false],
    [24 / 601, 6, true],
    [1.5, 1.5, true],
    [30.1, 30, false],
    [3072, 3072, true],
    [30.1, 35, true],
    [2.2, 2.2, true],
    [48.5 / 22, 2.2, false],
    [0.7, 0.7, true],
    [3, 3, true],
    [0.1, 0.4, false],
  ])
})

test('the levels are compared with one evaluation, too: grid points flatter nobody', () => {
  expect(yardstickRatio(levels)).toBe(24)
})

test('a session of another size is not judged by seconds and bytes', () => {
  const units = (prints: number) =>
    judgeTargets(MEASURED, { ...FULL, prints }).map(({ unit }) => unit)
  expect(units(1_000_000)).toContain('s')
  expect(units(999_999).filter(unit => unit !== 'x')).toEqual([])
})

test('what was not measured is not judged', () => {
  expect(judgeTargets({}, FULL)).toEqual([])
})

const waited = (name: string, newMs: number, sameMs: number, latestMs: number): FairRound => ({
  name,
  others_answered: 1_234,
  others_refused: 7,
  resident_mib: 500,
  waits: {
    'check, new minute': { p50_ms: 1, p99_ms: newMs },
    'check, same minute': { p50_ms: 1, p99_ms: sameMs },
    latest: { p50_ms: 1, p99_ms: latestMs },
  },
})

test('careful accounts may wait five times as long in a crowd as alone', () => {
  const fair = {
    round_seconds: 20,
    peak_mib: 900,
    alone: waited('nobody', 100, 10, 8),
    beside: [waited('10 greedy accounts', 500, 51, 8)],
    equal: { checks: 200, one_ms: 50, last_ms: 151 },
    chat: {
      round_seconds: 10,
      messages_answered: 1_500,
      messages_refused: 3,
      alone: { p50_ms: 4, p99_ms: 10 },
      beside: { p50_ms: 12, p99_ms: 51 },
      read: { messages: 10_000, p50_ms: 2.5, worst_ms: 7.1 },
    },
  }
  const bars = judgeTargets({ fair }, FULL)
  expect(bars.map(threshold => [threshold.measured, threshold.limit, threshold.is_met])).toEqual([
    [5, 5, true],
    [5.1, 5, false],
    [1, 5, true],
    [151 / 50, 3, false],
    [5.1, 5, false],
  ])
  const machine = { cores: 2, processor: 'a', memory_gib: 8, node: 'v24' }
  const report = {
    format: 1,
    simulated: true,
    machine,
    asked: FULL,
    measured: { fair },
    bars,
  } as const
  const text = reportText(report)
  expect(text).toContain('the server held 900 MiB at most')
  expect(text).toContain('takes 2.5 ms of CPU, and the worst of them 7.1 ms')
  expect(text).toMatch(/^16 loops of one account +12\.0 \/ 51\.0 +1,500 +3/m)
  expect(text).toMatch(/^10 greedy accounts +1\.0 \/ 500\.0 +1\.0 \/ 51\.0 .* 1,234 +7 +500/m)
})

test('tests of ideas are judged on 1,000 sessions alone, their variants as 500', () => {
  const lab = {
    trades: 990,
    variants: 400,
    quotes_seconds: 0.4,
    backtest_seconds: 1,
    share_seconds: 16.1,
  }
  const barsOn = (sessions: number) => judgeTargets({ lab: { ...lab, sessions } }, FULL)
  expect(barsOn(999)).toEqual([])
  expect(barsOn(1_000).map(({ measured, is_met }) => [measured.toFixed(3), is_met])).toEqual([
    ['1.000', true],
    ['20.125', false],
  ])
})
