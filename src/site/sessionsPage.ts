import type { ListedSession } from '../archive/ask.ts'
import { countText, pointsText, spellOut } from '../platform/html/figures.ts'
import { renderPage } from '../platform/html/layout.ts'
import { renderTable } from '../platform/html/table.ts'
import { type Html, html, type Piece } from '../platform/html/template.ts'
import { dayText, gradeWord, halfDayClose, MEASURED_PATH, simulatedMark } from './sessionParts.ts'

/** Sessions of one page of the list. */
export const SESSIONS_PAGE_SIZE = 100

/** The finished sessions, newest first, and the card of today's. */
export function sessionsPage(
  all: readonly ListedSession[],
  { page, today }: { readonly page: number; readonly today: string | null },
): string {
  const sessions = all.filter(one => !isOfMinutes(one))
  const minutesOnly = all.length - sessions.length
  const start = (page - 1) * SESSIONS_PAGE_SIZE
  const shown = sessions.toReversed().slice(start, start + SESSIONS_PAGE_SIZE)
  const pages = Math.max(1, Math.ceil(sessions.length / SESSIONS_PAGE_SIZE))
  return renderPage({
    title: 'Sessions',
    path: '/sessions',
    main: html`<div class="wide">
<h1>Sessions</h1>
<p>Finished sessions are free to read. One is finished when its day is over in New York.</p>
${today !== null && page === 1 && lockedCard(today)}
${
  sessions.length === 0
    ? html`<p>No session is finished yet.</p>`
    : renderTable({ caption: 'Finished sessions', columns: COLUMNS, rows: shown.map(renderRow) })
}
${
  shown.some(({ close, flip_close }) => close !== null && flip_close === null) &&
  html`<p class="small quiet">A dash for the flip: none was known at the close, such as where the
dealers’ positions are not known (<a href="${MEASURED_PATH}">how a book becomes
measured</a>).</p>`
}
${
  minutesOnly > 0 &&
  html`<p>${countText(minutesOnly)} simulated sessions have minutes alone, to test rules and
positions on: they have no page.</p>`
}
${
  pages > 1 &&
  html`<nav class="paging" aria-label="Pages"><ul>
<li>${page > 1 && html`<a href="/sessions?page=${page - 1}">newer</a>`}</li>
<li>page ${page} of ${pages}</li>
<li>${page < pages && html`<a href="/sessions?page=${page + 1}">older</a>`}</li></ul></nav>`
}</div>`,
  })
}

/** True when a session was simulated by the minute, without prints. */
const isOfMinutes = ({ simulated, reason }: ListedSession): boolean =>
  simulated && reason === 'not_kept'

const COLUMNS = [
  { head: 'session' },
  { head: 'tape' },
  { head: 'orders', isNumber: true },
  { head: 'open', isNumber: true },
  { head: 'close', isNumber: true },
  { head: 'flip at the close', isNumber: true },
  { head: 'remarks' },
]

const renderRow = (session: ListedSession): Piece[] => {
  const { day, grade, simulated, orders, open, close, flip_close, reason } = session
  // the grade has a column of its own
  const words = session.conditions.filter(word => word !== 'complete' && word !== 'degraded')
  const half = halfDayClose(day)
  return [
    html`<a href="/sessions/${day}">${dayText(day)}</a>`,
    gradeWord(grade),
    countText(orders),
    pointsText(open),
    pointsText(close),
    pointsText(flip_close),
    html`${simulatedMark(simulated)} ${half !== null && `half day, to ${half}`} ${
      reason !== null && spellOut(reason)
    } ${words.join(', ')}`,
  ]
}

/** Card of today's session, for visitors who may not see it. */
const lockedCard = (day: string): Html => html`<div class="card locked">
<h2><a href="/sessions/${day}">Today, ${dayText(day)}</a></h2>
<p>Free after midnight in New York. Now it is open to accounts with the plan LIVE or ORDERS:
<a href="/account/enter?to=/sessions/${day}">sign in</a> or see the
<a href="/pricing">plans</a>.</p>
</div>`

/** Page of today's session, for visitors who may not see it. */
export const lockedPage = (day: string): string =>
  renderPage({
    title: `SPX ${dayText(day)}`,
    path: '/sessions',
    main: html`<div class="text"><h1>SPX ${dayText(day)}</h1>
<p>This session is of today.</p>
${lockedCard(day)}
<p><a href="/sessions">Finished sessions</a></p></div>`,
  })
