import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type BenchReport, judgeTargets } from '../../../../pipelines/measure/bench/report.ts'
import { atLeast, atMost } from '../../../../pipelines/measure/bench/section.ts'

const { measured, bars } = JSON.parse(readFileSync('docs/bench.json', 'utf8')) as BenchReport

type Figures = Record<string, Record<string, Record<string, number>>>

/** The recorded figures. Those of the archive lack CPU times: as if each server had taken a core. */
function figures(): Figures {
  const copy = structuredClone(measured) as Figures
  for (const row of Object.values(copy.archive!)) {
    if (row.requests_per_second) row.cpu_us_per_request = 1e6 / row.requests_per_second
  }
  return copy
}

test('the recorded figures are judged as they were recorded', () => {
  const judged = judgeTargets(figures())
  expect(judged.map(({ measured: _, ...target }) => target)).toEqual(
    bars.map(({ measured: _, ...target }) => target),
  )
  for (const [index, target] of judged.entries()) {
    // requests a second were recorded by time, and are judged by CPU
    expect(target.measured / bars[index]!.measured, target.what).toBeCloseTo(1, 1)
  }
})

test('a demand is met at its limit, not beyond', () => {
  expect([10, 10.1].map(value => atMost('a fold', value, 10).is_met)).toEqual([true, false])
  expect([0.7, 0.69].map(value => atLeast('requests', value, 0.7).is_met)).toEqual([true, false])
})

test('more CPU for a request is fewer requests a second', () => {
  const copy = figures()
  copy.http!['short: the API']!.cpu_us_per_request! *= 2
  const findShort = (all: Figures) =>
    judgeTargets(all).find(({ what }) => what.startsWith('a short ledger'))!.measured
  expect(findShort(copy)).toBeCloseTo(findShort(figures()) / 2, 9)
})

test('a session of another size is not judged by seconds and memory', () => {
  const { build } = figures()
  expect(judgeTargets({ build: build! }).map(({ unit }) => unit)).toEqual(['s', 'MiB'])
  build!['whole process']!.prints = 500_251
  expect(judgeTargets({ build: build! })).toEqual([])
})

test('what was not measured is not judged', () => {
  expect(judgeTargets({})).toEqual([])
  const { fold, ...rest } = figures()
  const whats = judgeTargets(rest).map(({ what }) => what)
  expect(whats).not.toContain('whole build, over the same two sorts, CPU')
})

test('tests of ideas are judged on 1,000 sessions alone, their variants as 500', () => {
  const { lab } = figures()
  Object.assign(lab!['half of the variants, by one of two processes']!, { seconds: 16.1 })
  Object.assign(lab!['half of the variants, by one of two processes']!, { variants: 400 })
  const judged = judgeTargets({ lab: lab! })
  expect(judged.map(({ measured: value }) => value.toFixed(3))).toEqual(['0.130', '20.125'])
  lab!['a test, with all its figures']!.sessions = 999
  expect(judgeTargets({ lab: lab! })).toEqual([])
})
