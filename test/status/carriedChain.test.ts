import { expect, test } from 'vitest'
import { neighbourSession } from '../../src/core/market/calendar.ts'
import { explainBrokenChain } from '../../src/status/carriedChain.ts'
import { judgeStatus } from '../../src/status/judge.ts'
import { findCatalog, type Reported } from '../support/catalog.ts'

function explain(sessions: Record<string, Reported>, options = {}) {
  const catalog = findCatalog(sessions, options)
  return explainBrokenChain(catalog, { first: catalog.sessions()[0]!, newest: catalog.newest()! })
}

/** Consecutive published sessions that end on a day, each built after the one before. */
function listChain(count: number, last: string): Record<string, Reported> {
  const days = [last]
  while (days.length < count) days.push(neighbourSession(days.at(-1)!, -1).date)
  return Object.fromEntries(days.map(day => [day, {}]))
}

test('a missing session is named, with the backfill that mends the chain', () => {
  expect(explain({ '2026-10-13': {}, '2026-10-15': {}, '2026-10-16': {} })).toBe(
    "dealers' positions are carried over 1 session alone: 2026-10-14 of SPX is not published; " +
      'run backfill 2026-10-14 2026-10-16, or import positions of 2026-10-15',
  )
  expect(explain({ '2026-10-13': {}, '2026-10-15': {} })).toMatch(/^dealers' .* over 0 sessions /)
})

test('a session that was built before the one before it is named', () => {
  const late = { '2026-10-14': {}, '2026-10-15': { inputs: [] }, '2026-10-16': {} }
  expect(explain(late)).toBe(
    "dealers' positions are carried over 1 session alone: 2026-10-15 was built before 2026-10-14 " +
      'was; run backfill 2026-10-15 2026-10-16, or import positions of 2026-10-15',
  )
})

test('a chain may begin with the first session, with imported positions, or long ago', () => {
  expect(explain({ '2026-10-15': {} })).toBeNull()
  expect(explain(listChain(9, '2026-10-15'))).toBeNull()
  const imported = { '2026-10-13': {}, '2026-10-15': { inputs: ['dealer_positions'] } }
  expect(explain(imported)).toBeNull()
  const older = { '2025-01-03': {} }
  expect(explain({ ...older, ...listChain(61, '2026-10-15') })).toBeNull()
  expect(explain({ ...older, ...listChain(60, '2026-10-15') })).toMatch(/carried over 59 sessions/)
})

test('a session of another symbol carries nothing; a damaged one is an alarm of its own', () => {
  const other = { '2026-10-13': {}, '2026-10-14': { symbol: 'VIX' }, '2026-10-15': {} }
  expect(explain(other)).toMatch(/2026-10-14 of SPX is not published/)
  const damaged = { '2026-10-13': {}, '2026-10-15': {} }
  expect(explain(damaged, { unreadable: ['2026-10-14'] })).toBeNull()
})

test('the status warns of it, and is amber', () => {
  const catalog = findCatalog({ '2026-10-14': {}, '2026-10-15': { inputs: [] } })
  const nowMs = () => Date.parse('2026-10-16T01:00:00Z')
  const status = judgeStatus({ catalog, nowMs, publishGraceMs: 0, isLive: false })
  expect(status).toMatchObject({ status: 'amber', problems: [] })
  expect(status.warnings).toEqual([expect.stringMatching(/2026-10-15 was built before 2026-10-14/)])
})
