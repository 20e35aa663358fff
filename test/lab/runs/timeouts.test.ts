// A run that takes longer than its call waits, in time that the test moves.

import { expect, test } from 'vitest'
import { READING_MAX_MS, WAIT_MS, waitFor } from '../../../src/lab/runs/waiting.ts'
import type { RunEnd, StoredRun } from '../../../src/lab/store/runTypes.ts'
import { fakeTime } from '../../support/fakeTime.ts'

const RUN = { id: 'j_1', accountId: 'acc_1', state: 'running' } as StoredRun

/** A run, and who waits for it. */
function waited(waitMs: number | null = WAIT_MS.backtest, isReadingFirst = false) {
  const time = fakeTime(0)
  let now = RUN
  let isDown = false
  let isReading = isReadingFirst
  const ends: RunEnd[] = []
  const hearers = new Set<(run: StoredRun) => void>()
  const hangUp = new AbortController()
  let response: StoredRun | null | undefined
  const deps = {
    store: {
      findRun: async () => {
        if (isDown) throw new Error('locked')
        return now
      },
    },
    runner: {
      end: async (_: string, end: RunEnd) => {
        ends.push(end)
        if (now.state === 'running') now = { ...now, state: end.state }
        return now
      },
      isReading: () => isReading,
      onEnded: (_: string, hear: (run: StoredRun) => void) => {
        hearers.add(hear)
        return () => hearers.delete(hear)
      },
    },
    timers: time.timers,
  }
  const done = waitFor(deps, RUN, { waitMs, signal: hangUp.signal }).then(run => {
    response = run
  })
  return {
    time,
    ends,
    hearers,
    done,
    hangUp,
    response: () => response,
    become: (state: StoredRun['state']) => {
      now = { ...RUN, state }
    },
    reads: (does: boolean) => {
      isReading = does
    },
    fall: () => {
      isDown = true
    },
  }
}

test('a backtest is ended and refunded after 30 seconds, a quant after 120', async () => {
  expect(WAIT_MS).toEqual({ backtest: 30_000, quant: 120_000 })
  const one = waited()
  await one.time.advance(29_999)
  expect([one.response(), one.ends]).toEqual([undefined, []])
  await one.time.advance(1)
  await one.done
  expect(one.ends).toEqual([
    { state: 'failed', isRefusal: false, error: 'the engine took longer than 30 s; try again.' },
  ])
  expect(one.response()).toMatchObject({ state: 'failed' })
  expect([one.time.waiting(), one.hearers.size]).toEqual([0, 0])
})

test('while the sessions are read its time stands still', async () => {
  const one = waited()
  await one.time.advance(10_000)
  one.reads(true)
  await one.time.advance(60_000)
  one.reads(false)
  await one.time.advance(19_000)
  expect([one.response(), one.ends]).toEqual([undefined, []])
  await one.time.advance(1_500)
  await one.done
  expect(one.ends).toMatchObject([{ error: 'the engine took longer than 30 s; try again.' }])
})

test('sessions that take 90 seconds to read are reported, and the credit comes back', async () => {
  const one = waited(WAIT_MS.backtest, true)
  await one.time.advance(READING_MAX_MS - 1)
  expect([one.response(), one.ends]).toEqual([undefined, []])
  await one.time.advance(1)
  await one.done
  const error = 'the sessions are still being read, as after a start; try again in a minute.'
  expect(one.ends).toEqual([{ state: 'failed', isRefusal: false, error }])
  expect([READING_MAX_MS, one.time.waiting()]).toEqual([90_000, 0])
})

test('a run that another server ended is seen within half a second', async () => {
  const one = waited()
  await one.time.advance(10_000)
  one.become('done')
  await one.time.advance(499)
  await one.time.advance(1)
  await one.done
  expect([one.response()?.state, one.ends.length, one.time.waiting()]).toEqual(['done', 0, 0])
})

test('a run that ended here is heard at once, and its time is over', async () => {
  const one = waited()
  for (const hear of one.hearers) hear({ ...RUN, state: 'done' })
  await one.done
  expect([one.response()?.state, one.time.waiting()]).toEqual(['done', 0])
})

test('who hangs up ends nothing; without an end there is no time', async () => {
  const one = waited()
  one.hangUp.abort()
  await one.done
  await one.time.advance(60_000)
  expect([one.response(), one.ends, one.time.waiting()]).toEqual([null, [], 0])
  const patient = waited(null)
  await patient.time.advance(3_600_000)
  expect([patient.response(), patient.ends]).toEqual([undefined, []])
  patient.hangUp.abort()
  await patient.done
})

test('a database that does not respond does not stop the time', async () => {
  const one = waited()
  one.fall()
  await one.time.advance(30_000)
  await one.done
  expect(one.ends).toHaveLength(1)
})
