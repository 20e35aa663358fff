// Sources of market data in the status: late and failing ones, and the delay of a source.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { instantMs } from '../../src/core/market/calendar.ts'
import {
  listSourceStates,
  type SourceState,
  writeSourceState,
} from '../../src/data/fetched/responses.ts'
import { judgeStatus } from '../../src/status/judge.ts'
import { statusPage } from '../../src/status/page.ts'
import { publicStatus } from '../../src/status/publicStatus.ts'
import { findCatalog } from '../support/catalog.ts'
import { newFolder } from '../support/import.ts'

const DAY = '2026-10-15'

const state = (changes: Partial<SourceState> = {}): SourceState => ({
  format: 1,
  source: 'thetadata',
  requested_at: '2026-10-15T14:36:03.000Z',
  responded_at: '2026-10-15T14:36:03.000Z',
  newest_day: DAY,
  problem: null,
  due_at: '2026-10-15T14:39:03.000Z',
  delay_s: 0,
  ...changes,
})

/** The status at an ET time of the day, whose data end at 10:36:12. */
function statusAt(clock: string, sources: readonly SourceState[], isReplay = false) {
  const atMs = instantMs(DAY, clock.slice(0, 5)) + Number(clock.slice(6)) * 1000
  const catalog = findCatalog({ '2026-10-14': {}, [DAY]: { asof: '10:36:12' } }, {})
  return judgeStatus({
    catalog,
    nowMs: () => atMs,
    publishGraceMs: 0,
    isLive: true,
    isReplay,
    sources: () => sources,
  })
}

test('a source is amber once its response is overdue, and when its last request failed', () => {
  const intime = statusAt('10:37:00', [state()])
  expect([intime.status, intime.sources[0]!.severity, intime.warnings]).toEqual([
    'green',
    'green',
    [],
  ])
  expect(statusAt('10:39:04', [state()]).warnings).toContain(
    'thetadata is late: a response was due at 2026-10-15 14:39 UTC, and its newest came at ' +
      '2026-10-15 14:36 UTC',
  )
  const problem = 'thetadata has nothing of 10:35 to 10:36 ET.'
  const failed = statusAt('10:37:00', [state({ problem })])
  expect([failed.status, failed.warnings, failed.sources[0]!.problem]).toEqual([
    'amber',
    ['the last fetch of thetadata failed'],
    problem,
  ])
  // files and addresses are the operator's
  expect(publicStatus(failed).sources[0]!.problem).toBe('the last request failed')
  expect(publicStatus(intime).sources[0]!.problem).toBeNull()
  const never = statusAt('10:39:04', [state({ responded_at: null, newest_day: null })])
  expect(never.warnings).toContainEqual(
    expect.stringMatching(/^thetadata is late: .*, and nothing came yet$/),
  )
})

test.each([
  ['10:53:11', 'green'],
  ['10:53:12', 'amber'],
  ['10:56:11', 'amber'],
  ['10:56:12', 'red'],
])(
  'data of a source that is 15 minutes late are, at %s, %s: late beyond that alone',
  (clock, severity) => {
    const delayed = state({
      source: 'cboe-delayed',
      delay_s: 900,
      due_at: '2026-10-15T15:10:00.000Z',
    })
    const status = statusAt(clock, [delayed])
    expect([status.status, status.newest!.severity]).toEqual([severity, severity])
  },
)

test('a source of another day, or one without delay at the same time, allows no delay', () => {
  const delayed = state({ source: 'cboe-delayed', delay_s: 900 })
  expect(statusAt('10:53:00', [{ ...delayed, newest_day: '2026-10-14' }]).newest!.severity).toBe(
    'red',
  )
  expect(statusAt('10:53:00', [delayed, state()]).newest!.severity).toBe('red')
  expect(statusAt('10:53:00', [delayed]).newest!.severity).toBe('green')
})

test('a replay, which is of another day, says nothing of sources', () => {
  expect(statusAt('10:53:00', [state({ problem: 'no' })], true).sources).toEqual([])
})

test('the page lists the sources; without any it has no such table', () => {
  const delayed = state({ source: 'cboe-delayed', delay_s: 900, due_at: null })
  const page = statusPage(statusAt('10:53:00', [delayed, state({ problem: 'no' })]))
  const text = page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
  expect(text).toContain(
    'cboe-delayed responds, 15 minutes late by itself 2026-10-15 2026-10-15 14:36',
  )
  expect(text).toContain('thetadata late or failing 2026-10-15')
  expect(statusPage(statusAt('10:37:00', []))).not.toContain('Sources of market data')
})

test('states are read from the inbox; a damaged one is none, and hides no other', () => {
  const dataFolder = newFolder()
  expect(listSourceStates(dataFolder)).toEqual([])
  writeSourceState(dataFolder, state())
  mkdirSync(join(dataFolder, 'inbox/fred'))
  writeFileSync(join(dataFolder, 'inbox/fred/state.json'), '{"format": 1, "sou')
  expect(listSourceStates(dataFolder)).toEqual([state()])
  rmSync(dataFolder, { recursive: true })
})
