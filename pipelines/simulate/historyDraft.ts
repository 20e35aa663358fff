import { systemClock } from '../../src/core/clock.ts'
import { codeVersion } from '../../src/core/engine/version.ts'
import {
  findTradingSession,
  MINUTE_MS,
  neighbourSession,
  type Session,
} from '../../src/core/market/calendar.ts'
import { MIN_PREMIUM_USD } from '../../src/core/market/minPremium.ts'
import type { Draft } from '../../src/data/published/publish.ts'
import { EXTENSION_OF_FORM, LEDGER_FORMS, renderLedgerFiles } from '../../src/orders/render.ts'

/** The trading days up to one, oldest first. */
export function sessionsUntil(until: string, count: number): Session[] {
  const sessions = [findTradingSession(until)!]
  while (sessions.length < count) sessions.push(neighbourSession(sessions.at(-1)!.date, -1))
  return sessions.reverse()
}

/** Makes the manifest of a session that was simulated by the minute: no print, no order. */
export function makeHistoryDraft(session: Session, grade: 'good' | 'bad' = 'good'): Draft {
  const expected = (session.closesAtMs - session.opensAtMs) / MINUTE_MS
  const asof = session.isHalfDay ? '13:15:00' : '16:15:00'
  const tape = { grade, reasons: grade === 'good' ? [] : ['simulated as a bad tape'] }
  const shared = { min_premium_usd: MIN_PREMIUM_USD, asof }
  const forms = renderLedgerFiles({
    ...shared,
    day: session.date,
    symbol: 'SPX',
    is_simulated: true,
    tape,
    gaps: [],
    orders: [],
    stats: NO_STATS,
  }).then(files =>
    Object.fromEntries(
      LEDGER_FORMS.map(form => [form, { ...files[form], extension: EXTENSION_OF_FORM[form] }]),
    ),
  )
  return {
    ...shared,
    session_date: session.date,
    symbol: 'SPX',
    simulated: true,
    code_version: codeVersion(),
    minutes: { expected, present: expected, missing: [] },
    inputs: [],
    tape: {},
    tape_grade: tape,
    forms,
    nowMs: systemClock.nowMs,
  }
}

const NO_STATS = {
  order_count: 0,
  net_premium_usd: 0,
  no_side_count: 0,
  no_gamma_count: 0,
  gamma_up_count: 0,
  gamma_down_count: 0,
  gamma_flat_count: 0,
}
