// A clock that is put back or forward is seen, logged once, and shown for an hour.

import { expect, test } from 'vitest'
import { faultText } from '../../src/data/published/sight.ts'
import { watchClock } from '../../src/server/clockWatch.ts'

const START_MS = Date.parse('2026-11-25T15:30:00Z')

function openWatch() {
  const logged: [object, string][] = []
  const time = { wallMs: START_MS, elapsedMs: 0 }
  const watch = watchClock({
    wallMs: () => time.wallMs,
    monotonicMs: () => time.elapsedMs,
    log: { info: () => {}, error: (fields, text) => logged.push([fields, text]) },
  })
  const pass = (ms: number, putMs = 0) => {
    time.wallMs += ms + putMs
    time.elapsedMs += ms
    watch.look()
  }
  return { watch, logged, pass }
}

test.each([
  [-3_600_000, 'put back by 3600 s', '2026-11-25 09:30:01 ET'],
  [-2_000, 'put back by 2 s', '2026-11-25 10:29:59 ET'],
  [3_600_000, 'put forward by 3600 s', '2026-11-25 11:30:01 ET'],
])('put by %i ms it is logged once, and shown for an hour', (putMs, code, since) => {
  const { watch, logged, pass } = openWatch()
  pass(1_000, putMs)
  for (let second = 0; second < 10; second++) pass(1_000)
  const toMs = START_MS + 1_000 + putMs
  expect(logged).toEqual([[{ fromMs: toMs - putMs, toMs }, `the clock was ${code}`]])
  expect(watch.faults().map(faultText)).toEqual([
    `since ${since} the server cannot count on its clock (${code})`,
  ])
  pass(3_600_000 - 10_001)
  expect(watch.faults()).toHaveLength(1)
  pass(1)
  expect(watch.faults()).toEqual([])
})

test('what time servers do to a clock, and a process that was stopped, is nothing', () => {
  const { watch, logged, pass } = openWatch()
  for (let count = 0; count < 100; count++) pass(1_000, count % 2 === 0 ? -500 : 400)
  pass(600_000)
  expect([logged, watch.faults()]).toEqual([[], []])
})
