import { expect, test } from 'vitest'
import type { HttpSpeed } from '../../../pipelines/bench/http.ts'
import { barsOf, gammasOf, type Measured } from '../../../pipelines/bench/report.ts'

const took = (seconds: number) => ({ seconds, cpu_seconds: 2 * seconds })
const FULL = { prints: 1_000_000, contracts: 20_000 }

const built = (printCount: number, seconds: number, peakMib = 3072) => ({
  ...{ print_count: printCount, contract_count: 20_000, order_count: 1, steps: [] },
  ...{ ...took(seconds), peak_mib: peakMib },
})

const served = (api: number, bare: number): HttpSpeed => ({
  ...{ body_bytes: 1, connections: 32, open_requests_per_second: 200, accounts: 32 },
  ...{ rounds: 5, round_seconds: 3, counted_calls: 1, answered_calls: 1 },
  api: { requests_per_second: api, cpu_us_per_request: 1, p50_ms: 1, p99_ms: 9 },
  bare: { requests_per_second: bare, cpu_us_per_request: 1, p50_ms: 1, p99_ms: 3 },
})

const levels = {
  ...{ surface: took(1), book: took(10), levels: took(1) },
  ...{ chain_gammas: took(0.5), chain_gamma_count: 8_000_000, grid_points: 601 },
}

const MEASURED: Measured = {
  fold: {
    ...{ print_count: 1_000_000, fold: took(21), two_sorts: took(1) },
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
  const judged = barsOf(MEASURED, FULL).map(bar => [bar.measured, bar.limit, bar.is_met])
  expect(judged).toEqual([
    [21, 20, false],
    [24 / 601, 6, true],
    [1.5, 1.5, true],
    [30.1, 30, false],
    [3072, 3072, true],
    [2.2, 2.2, true],
    [48.5 / 22, 2.2, false],
    // the short ledger has no demand
    [0.7, 0.7, true],
    [3, 3, true],
  ])
})

test('the levels are told against one evaluation, too: grid points flatter nobody', () => {
  expect(gammasOf(levels)).toBe(24)
})

test('a session of another size is not judged by seconds and bytes', () => {
  const units = (prints: number) => barsOf(MEASURED, { ...FULL, prints }).map(({ unit }) => unit)
  expect(units(1_000_000)).toContain('s')
  expect(units(999_999).filter(unit => unit !== 'x')).toEqual([])
})

test('what was not measured is not judged', () => {
  expect(barsOf({}, FULL)).toEqual([])
})
