// Time that goes on only when a test says so.

import type { Timers } from '../../src/outbox/sending/timers.ts'

export type FakeTime = {
  readonly nowMs: () => number
  readonly timers: Timers
  /** Settles at a later instant of this time. */
  readonly sleep: (ms: number) => Promise<void>
  /** Lets so much time go by: timers run in their order, each as soon as all else is at rest. */
  readonly advance: (ms: number) => Promise<void>
  /** Puts the clock, but not what timers count. */
  readonly putClock: (nowMs: number) => void
  /** Timers that wait. */
  readonly waiting: () => number
}

export function fakeTime(startMs: number): FakeTime {
  let elapsedMs = 0
  let offsetMs = startMs
  const timers = new Set<{ readonly atMs: number; readonly run: () => void }>()
  const after: Timers['after'] = (ms, run) => {
    const timer = { atMs: elapsedMs + ms, run }
    timers.add(timer)
    return () => timers.delete(timer)
  }
  return {
    nowMs: () => offsetMs + elapsedMs,
    timers: { after },
    sleep: ms => new Promise(done => after(ms, done)),
    advance: async ms => {
      const endMs = elapsedMs + ms
      await atRest()
      for (;;) {
        const next = [...timers].filter(one => one.atMs <= endMs).sort((a, b) => a.atMs - b.atMs)[0]
        if (!next) break
        timers.delete(next)
        elapsedMs = Math.max(elapsedMs, next.atMs)
        next.run()
        await atRest()
      }
      elapsedMs = endMs
    },
    putClock: nowMs => {
      offsetMs = nowMs - elapsedMs
    },
    waiting: () => timers.size,
  }
}

/** Statements of a file are promises alone: no more than a few of these wait for each other. */
async function atRest(): Promise<void> {
  for (let batch = 0; batch < 25; batch++) await new Promise(setImmediate)
}
