import { findTradingSession, listMinutes, type SessionDate } from '../../core/market/calendar.ts'
import { levelsPicture, patterns } from '../../platform/html/levelsPicture.ts'
import { type Html, html } from '../../platform/html/template.ts'
import type { SessionMinutes, StateRow } from '../finding/minutes.ts'
import type { PreviewedEvent } from '../preview.ts'
import { isLevelMinute } from '../rules/hours.ts'

/**
 * Chart of a day in the measured book, index points, with a mark at each minute that has an event.
 * Order events after the last state have no mark.
 */
export function previewPicture(
  { findState }: Pick<SessionMinutes, 'findState'>,
  { day, events }: { readonly day: SessionDate; readonly events: readonly PreviewedEvent[] },
): Html {
  const minutes = listMinutes(findTradingSession(day)!)
    .map(({ minute }) => minute)
    .filter(minute => isLevelMinute(day, minute))
  const states = minutes.map(minute => findState(minute, 'measured'))
  const listValues = (name: 'spot' | 'flip' | 'flip_lo' | 'flip_hi' | 'call_wall' | 'put_wall') =>
    states.map(state => state?.[name] ?? null)
  const levels = {
    spot: listValues('spot'),
    flip: listValues('flip'),
    flip_lo: listValues('flip_lo'),
    flip_hi: listValues('flip_hi'),
    call_wall: listValues('call_wall'),
    put_wall: listValues('put_wall'),
    net_gamma: states.map((state: StateRow | null) => state?.net_gamma_musd_per_point ?? null),
  }
  const indexes = new Set(events.map(({ t }) => minutes.indexOf(t)).filter(index => index >= 0))
  return html`${patterns()}<figure>${levelsPicture(minutes, levels, [...indexes])}
<figcaption class="quiet">The index, the measured flip and walls; a dashed line at each minute that
tells something.</figcaption></figure>`
}
