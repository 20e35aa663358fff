import { levelsPicture, patterns } from '../../html/sessionPictures.ts'
import { type Html, html } from '../../html/template.ts'
import { minutesOf, type SessionDate, sessionOf } from '../../market/calendar.ts'
import type { SessionMinutes, StateRow } from '../finding/minutes.ts'
import type { PreviewedEvent } from '../preview.ts'
import { isLevelMinute } from '../rules/hours.ts'

/**
 * A day by the measured book, index points, with a mark at each minute that would have told
 * something. Orders that are told after the last state have none.
 */
export function previewPicture(
  { stateOf }: Pick<SessionMinutes, 'stateOf'>,
  { day, events }: { readonly day: SessionDate; readonly events: readonly PreviewedEvent[] },
): Html {
  const minutes = minutesOf(sessionOf(day)!)
    .map(({ minute }) => minute)
    .filter(minute => isLevelMinute(day, minute))
  const states = minutes.map(minute => stateOf(minute, 'measured'))
  const valuesOf = (name: 'spot' | 'flip' | 'flip_lo' | 'flip_hi' | 'call_wall' | 'put_wall') =>
    states.map(state => state?.[name] ?? null)
  const levels = {
    ...{ spot: valuesOf('spot'), flip: valuesOf('flip') },
    ...{ flip_lo: valuesOf('flip_lo'), flip_hi: valuesOf('flip_hi') },
    ...{ call_wall: valuesOf('call_wall'), put_wall: valuesOf('put_wall') },
    net_gamma: states.map((state: StateRow | null) => state?.net_gamma_musd_per_point ?? null),
  }
  const places = new Set(events.map(({ t }) => minutes.indexOf(t)).filter(place => place >= 0))
  return html`${patterns()}<figure>${levelsPicture(minutes, levels, [...places])}
<figcaption class="quiet">The index, the measured flip and walls; a dashed line at each minute that
tells something.</figcaption></figure>`
}
