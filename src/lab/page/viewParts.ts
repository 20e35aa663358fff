import { pointsText } from '../../platform/html/figures.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html } from '../../platform/html/template.ts'
import type { LabSessionView, ViewedTrade } from '../desk/sessionView.ts'
import type { NoView } from '../desk/views.ts'
import type { LevelRef } from '../language/spec.ts'
import { type DrawnView, farStrikes, LEVEL_LOOKS, viewPicture } from './viewPicture.ts'

/** Elements around the picture of a session, shared by the pages that show one. */

const SAYS: Readonly<Record<NoView, (day: string) => string>> = {
  none: () => 'No session is published yet: there is nothing to draw.',
  not_published: day => `The session of ${day} is not published any more: it cannot be drawn.`,
  held: day =>
    `The session of ${day} is drawn here after midnight in New York; ` +
    'before that with LIVE or ORDERS.',
  early: day => `No minute of the session of ${day} is known yet.`,
  no_minutes: day =>
    `The session of ${day} was published without the minutes that rules are replayed on: ` +
    'it cannot be drawn.',
  unread: () => 'The session cannot be drawn now: its files cannot be read. Try again in a minute.',
  busy: () => 'Too many sessions are being drawn now. Load the page again in a few seconds.',
}

/** Explains why nothing is drawn. */
export const noPicture = ({
  reason,
  day,
}: {
  readonly reason: NoView
  readonly day: string | null
}): Html => html`<p class="note">${SAYS[reason](day ?? '')}</p>`

/** Picture with its legend, and below it a list of what it omits. */
export function viewFigure(drawn: DrawnView): Html {
  const picture = viewPicture(drawn)
  if (!picture) return html`<p class="note">No index value of this session is known.</p>`
  const far = farStrikes(drawn)
  return html`${legend(drawn)}
<figure>${picture}</figure>
${
  far.length > 0 &&
  html`<p class="quiet small">Too far from the index to be drawn: ${far
    .map(strike => pointsText(strike).replace('.00', ''))
    .join(', ')}.</p>`
}`
}

function legend({ levels, trades, isToTheEnd }: DrawnView): Html {
  const options = trades.flatMap(({ trade: { options, isInRule } }) =>
    options.map(({ sign }) => ({ isSold: sign < 0, isInRule })),
  )
  const has = (isSold: boolean) => options.some(one => one.isInRule && one.isSold === isSold)
  const shown = trades.filter(({ trade }) => trade.isInRule).map(({ trade }) => trade)
  return html`<ul class="legend">${lineItem('spot', 'index')}${levels.map(level =>
    lineItem(LEVEL_LOOKS[level].look, LEVEL_LOOKS[level].name),
  )}${has(true) && strikeItem('sold', 'strike sold')}${
    has(false) && strikeItem('bought', 'strike bought')
  }${
    options.some(({ isInRule }) => !isInRule) && strikeItem('sold left-out', 'strike not traded')
  }${
    shown.some(({ entry }) => entry.at !== null) &&
    eventItem(html`<circle cx="8" cy="8" r="5.5"/>`, 'entry')
  }${
    !isToTheEnd &&
    shown.some(({ exit }) => exit !== null && exit.at !== null) &&
    eventItem(html`<rect x="3" y="3" width="10" height="10"/>`, 'exit')
  }</ul>`
}

const lineItem = (look: string, text: string): Html =>
  html`<li><svg width="26" height="10" aria-hidden="true"><path class="line ${look}"
d="M0 5H26"/></svg> ${text}</li>\n`

const strikeItem = (look: string, text: string): Html =>
  html`<li><svg width="26" height="10" aria-hidden="true"><line class="strike ${look}" x1="0"
x2="26" y1="5" y2="5"/></svg> ${text}</li>\n`

const eventItem = (shape: Html, text: string): Html =>
  html`<li><svg class="moment" width="16" height="16"
aria-hidden="true">${shape}</svg> ${text}</li>\n`

/** Interval of the table in minutes; minutes with an event are added. */
const TABLE_EVERY = 15

/** The index and the levels as a table. */
export function minutesTable(
  view: LabSessionView,
  levels: readonly LevelRef[],
  trades: readonly ViewedTrade[],
): Html {
  const happened = new Set(trades.flatMap(({ entry, exit }) => [entry.at, exit?.at ?? null]))
  const shownMinutes = Array.from({ length: view.known }, (_, at) => at).filter(
    at =>
      at === view.known - 1 ||
      happened.has(at) ||
      Number(view.minutes[at]!.slice(3)) % TABLE_EVERY === 0,
  )
  const number = (head: string) => ({ head, isNumber: true })
  return html`<details><summary>The index ${
    levels.length > 0 && 'and the levels '
  }as a table</summary>${renderTable({
    caption: 'Each quarter of an hour, and each minute of an entry or exit; index points',
    isCaptionHidden: false,
    columns: ['minute', number('index'), ...levels.map(level => number(LEVEL_LOOKS[level].name))],
    rows: shownMinutes.map(at => [
      view.minutes[at]!,
      pointsText(view.spot[at]),
      ...levels.map(level => pointsText(view.levels[level][at])),
    ]),
  })}</details>`
}

/** "Thu 2026-10-15". */
export function dayText(day: string): string {
  const weekday = new Date(`${day}T12:00:00Z`).getUTCDay()
  return `${['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][weekday]} ${day}`
}
