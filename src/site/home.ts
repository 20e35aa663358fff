import type { ListedSession, SessionLevels } from '../archive/ask.ts'
import { findTradingSession, wallTimeEt } from '../core/market/calendar.ts'
import { CONVENTION, describeReason } from '../data/published/reasons.ts'
import { countText, pointsText } from '../platform/html/figures.ts'
import { term } from '../platform/html/glossary.ts'
import { renderPage, type Shared } from '../platform/html/layout.ts'
import { levelsPicture, patterns } from '../platform/html/levelsPicture.ts'
import { type Html, html } from '../platform/html/template.ts'
import type { DataState } from '../status/ask.ts'
import { dayText, gradeMark, halfDayClose, simulatedMark } from './sessionParts.ts'
import { isUnknownAllDay } from './shareFacts.ts'

/** Home page: a description of the service, and the current state of the data. */
export const homePage = (
  state: DataState | null,
  newest: Glance | null,
  publicUrl: string | null,
): string =>
  renderPage({
    title: '',
    path: '/',
    ...(newest && { share: describeShare(newest, publicUrl) }),
    main: html`<div class="text">
<h1>Every large SPX options order, rebuilt from the tape</h1>
<p class="lead">Tapefold puts the ${term('print', 'prints')} of a ${term('session')} together into
the ${term('order', 'orders')} that customers sent. It estimates what each did to the
${term('gamma')} of the dealers, and where the index stood from the ${term('flip')} at that minute.
Every estimate says how sure it is, and <a href="/accuracy">how often such estimates are right</a>
is measured.</p>
${state && stateNow(state)}
${newest && renderGlance(newest)}
<ul class="cards">
<li class="card"><h2><a href="/sessions">Sessions</a></h2>
<p>Every finished session, free: its levels by minute, its orders, its tape.</p></li>
<li class="card"><h2><a href="/methodology">How it works</a></h2>
<p>How prints become orders, how the side is told, and what an estimate cannot say.</p></li>
<li class="card"><h2><a href="/docs">API</a></h2>
<p>Every operation, to read and to try. For machines:
<a href="/openapi.json">openapi.json</a>.</p></li>
<li class="card"><h2><a href="/datasets">Datasets</a></h2>
<p>What each Parquet file has, for what it is, and what it does not say.</p></li>
<li class="card"><h2><a href="/charts">Charts</a></h2>
<p>Levels in TradingView, NinjaTrader, Sierra Chart and thinkorswim.</p></li>
<li class="card"><h2><a href="/pricing">Plans and limits</a></h2>
<p>What each product opens, and how much of it.</p></li>
<li class="card"><h2><a href="/account">Account</a></h2>
<p>Make and revoke keys, and see how much of your limits is used.</p></li>
</ul>
<p>A call needs a ${term('key')}, in the header <code>Authorization: Bearer ordk_…</code>. The
<a href="/account">account page</a> makes one, and shows a call that works.</p>
</div>`,
  })

const describeShare = (
  { session: { day, simulated } }: Glance,
  publicUrl: string | null,
): Shared => ({
  description: `Every large SPX options order, rebuilt from the tape. ${
    simulated ? 'SIMULATED: ' : 'The newest finished session: '
  }${dayText(day)}.`,
  publicUrl,
  path: '/',
  picture: `/sessions/${day}/picture.png`,
})

function stateNow({ status, newest, problems, delayMinutes }: DataState): Html {
  const words = { green: 'as expected', amber: 'with gaps', red: 'not as expected' }
  const known =
    newest === null
      ? 'No session is published yet.'
      : html`The newest session is ${newest.day}, ${
          newest.isFinished
            ? 'finished'
            : html`known up to ${newest.lastMinute ?? 'no minute yet'}${newest.lastMinute && ' ET'}${
                delayMinutes > 0 && `, ${delayMinutes} minutes late by its source`
              }`
        }.`
  const [problem] = problems
  // a fault of the newest session already names it
  const isNamed = problem?.startsWith('the newest session is ') ?? false
  return html`<div class="note">
<p><span class="${status}">${status}</span> The data are ${words[status]}. ${!isNamed && known}
${problem !== undefined && html`${formatSentence(problem)} `}<a href="/status">More</a></p>
</div>`
}

const formatSentence = (problem: string) => `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`

/** The newest finished session, and its levels if known. */
export type Glance = { readonly session: ListedSession; readonly levels: SessionLevels | null }

/** The flip at the close; where none is known, why, and that of the convention by its name. */
function flipSentence({ day, flip_close }: ListedSession, levels: SessionLevels | null): string {
  if (flip_close !== null) return `The flip stood at ${pointsText(flip_close)} at the close.`
  const { minute: close } = wallTimeEt(findTradingSession(day)!.pmExpiresAtMs)
  const at = levels?.minutes.indexOf(close) ?? -1
  const reason = levels?.books.measured.reason[at] ?? null
  const convention = levels?.books.oi.flip[at] ?? null
  return [
    `No flip is known at the close${reason === null ? '' : `: ${describeReason(reason)}`}.`,
    ...(convention === null
      ? []
      : [`The convention flip (${CONVENTION}) stood at ${pointsText(convention)}.`]),
  ].join(' ')
}

function renderGlance({ session, levels }: Glance): Html {
  const { day, grade, simulated, orders, open, close } = session
  const half = halfDayClose(day)
  return html`<section class="part" aria-labelledby="newest-title">
<h2 id="newest-title"><a href="/sessions/${day}">The newest finished session:
${dayText(day)}</a></h2>
<p>${gradeMark(grade)} ${simulatedMark(simulated)} ${half !== null && `Half day, to ${half}.`}
The index went from ${pointsText(open)} to ${pointsText(close)}. ${flipSentence(session, levels)} <a href="/sessions/${day}/orders">${countText(orders)} large
orders</a> were rebuilt.</p>
${
  levels &&
  html`${patterns()}<figure>${levelsPicture(levels.minutes, levels.books.measured, [])}</figure>
<p class="small quiet">${
    isUnknownAllDay(levels)
      ? 'The index. Its flip and regime are not drawn, as the dealers’ positions are not known.'
      : `The index (solid), the flip (dashed) with its error bar, the call wall (dotted), the put
wall (dashed and dotted), and where the net gamma was negative (hatched).`
  }
<a href="/sessions/${day}">Every minute as a table</a></p>`
}</section>`
}
