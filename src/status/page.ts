import { grouped } from '../core/text/counts.ts'
import type { Condition } from '../data/published/condition.ts'
import { gapText } from '../data/published/freshness.ts'
import { term } from '../platform/html/glossary.ts'
import { renderPage } from '../platform/html/layout.ts'
import { renderTable } from '../platform/html/table.ts'
import { type Html, html, type Piece } from '../platform/html/template.ts'
import { backfillText } from './backfill.ts'
import { BEFORE_DATA, partDays } from './beforeData.ts'
import type { Severity, Status } from './judge.ts'
import {
  type AlertsStatus,
  type BackfillStatus,
  DAYS_LISTED_MAX,
  type DatasetStatus,
  type DayStatus,
  type SourceStatus,
} from './schema.ts'

/** Gaps listed in a row before they are only counted. */
const GAPS_SHOWN = 3

/** Shown when no row of a dataset has a time of its own, such as the yields of a day. */
export const NO_TIME = 'no time of day'

/** The state of the data as a page. */
export function statusPage(status: Status): string {
  const { now_et, expected_session, problems, warnings, newest, datasets, alerts, days } = status
  const { sources, backfill } = status
  return renderPage({
    title: `Status: ${status.status}`,
    path: '/status',
    main: html`<div class="text">
<h1>Status ${marked(status.status, status.status)}</h1>
<p>${now_et} ET. The newest session that is due is ${expected_session}.</p>
${list('Problems', problems)}${list('Warnings', warnings)}${newest && newestSection(newest)}
${datasets.length > 0 && datasetTable(datasets)}
${alerts && alertsSection(alerts)}
${backfill && backfillSection(backfill)}
${sources.length > 0 && sourceTable(sources)}
<h2>The last ${DAYS_LISTED_MAX} days</h2>
${dayTable(days)}
<p>For programs: <a href="/status.json">status.json</a>; for monitors: <a href="/health">health</a>,
which answers 503 when something is broken, and <a href="/health/ready">ready</a>, when this server
cannot answer.</p>
</div>`,
  })
}

const marked = (severity: Severity, text: string): Html =>
  html`<span class="${severity}">${text}</span>`

function list(title: string, lines: readonly string[]): Html | null {
  if (lines.length === 0) return null
  return html`<h2>${title}</h2>
<ul>
${lines.map(line => html`<li>${line}</li>\n`)}</ul>
`
}

function newestSection({ day, state, asof, last_minute, lag_s, gaps }: DayStatus): Html {
  const lag = lag_s === null ? '' : `, ${lag_s} s ago`
  const facts = [
    ['state', state],
    ['known up to', asof === null ? 'nothing yet' : `${asof} ET${lag}`],
    ['last minute', last_minute ?? 'none'],
    ['gaps', gapsText(gaps, Number.POSITIVE_INFINITY) || 'none'],
  ] as const
  return html`<h2>${day}</h2>
<dl class="facts">
${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>`
}

function alertsSection(alerts: AlertsStatus): Html {
  const { day, minute, lag_s, waiting, trying, oldest_due_s } = alerts
  const watched = day === null ? 'no session yet' : `${day} ${minute ?? ''}`.trim()
  const due = oldest_due_s === null ? '' : `, the oldest due ${oldest_due_s} s ago`
  const facts = [
    ['watched up to', lag_s ? `${watched}, ${lag_s} s behind` : watched],
    ['to be sent', `${waiting + trying}${due}`],
    ['last hour', `${alerts.sent_last_hour} sent, ${alerts.failed_last_hour} failed`],
  ] as const
  return html`<h2>Alerts</h2>
<dl class="facts">
${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>\n`)}</dl>`
}

function backfillSection(backfill: BackfillStatus): Html {
  return html`<h2>Backfill</h2>
<p>${backfillText(backfill)}.</p>
${list(
  'Sessions that failed',
  backfill.failed.map(({ day, reason }) => `${day}: ${reason}`),
)}`
}

function sourceTable(sources: readonly SourceStatus[]): Html {
  return renderTable({
    caption: 'Sources of market data',
    columns: ['source', 'state', 'newest day', 'came, UTC'],
    rows: sources.map(({ source, severity, newest_day, responded_at, delay_s }): Piece[] => {
      const late = delay_s > 0 ? `, ${delay_s / 60} minutes late by itself` : ''
      const state = severity === 'green' ? 'responds' : 'late or failing'
      const at = responded_at?.slice(0, 16).replace('T', ' ') ?? ''
      return [source, marked(severity, `${state}${late}`), newest_day ?? '', at]
    }),
  })
}

function datasetTable(datasets: readonly DatasetStatus[]): Html {
  return renderTable({
    caption: 'Datasets of the newest session',
    columns: [
      'dataset',
      { head: 'rows', isNumber: true },
      'newest row, UTC',
      { head: 'lag', isNumber: true },
    ],
    rows: datasets.map(({ dataset, rows, newest_at, lag_s }) => {
      const lag = lag_s === null ? '' : `${lag_s} s`
      return [dataset, grouped(rows), newest_at ?? NO_TIME, lag]
    }),
  })
}

function dayTable(days: readonly DayStatus[]): Html {
  const { listed, before } = partDays(days)
  const rows = listed.map((row): Piece[] => {
    const { day, state, grade, simulated, asof, gaps, severity } = row
    const marks = row.conditions.filter(word => NOT_SHOWN_ELSEWHERE.includes(word))
    const words = [WORD_OF_STATE[state], grade, ...marks, simulated ? 'simulated' : null]
    const text = words.filter(word => word !== null).join(', ')
    // days without data to judge have no severity
    const isJudged = !['holiday', 'not_due', 'not_kept'].includes(state)
    const shown = isJudged ? marked(severity, text) : text
    return [day, shown, asof ?? '', gapsText(gaps, GAPS_SHOWN)]
  })
  const [newest, oldest] = [before[0], before.at(-1)]
  const span = newest && newest !== oldest ? `${oldest!.day} to ${newest.day}` : newest?.day
  return renderTable({
    caption: `Sessions of the last ${DAYS_LISTED_MAX} days`,
    columns: [
      'day',
      { head: html`state, ${term('tape grade')}` },
      'known up to, ET',
      { head: html`minutes without ${term('print', 'prints')}` },
    ],
    rows: span === undefined ? rows : [...rows, [span, BEFORE_DATA, '', '']],
  })
}

/** Words of the condition that no other column of the table says. */
const NOT_SHOWN_ELSEWHERE: readonly Condition[] = ['partial', 'restated', 'late', 'backfilled']

const WORD_OF_STATE: Readonly<Record<DayStatus['state'], string>> = {
  published: 'published',
  open: 'open',
  missing: 'missing',
  damaged: 'damaged',
  not_due: 'not due',
  not_kept: BEFORE_DATA,
  holiday: 'holiday',
}

/** Gaps as text, such as 10:31-10:35. */
function gapsText(gaps: DayStatus['gaps'], shown: number): string {
  const named = gaps.slice(0, shown).map(gapText).join(', ')
  return gaps.length > shown ? `${named} and ${gaps.length - shown} more` : named
}
