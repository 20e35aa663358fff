import type { SessionLevels } from '../archive/ask.ts'
import { TAPE_REPORT } from '../data/dictionary/tapeReport.ts'
import { spellOut } from '../platform/html/figures.ts'
import { term } from '../platform/html/glossary.ts'
import { renderPage } from '../platform/html/layout.ts'
import { renderTable } from '../platform/html/table.ts'
import { type Html, html, type Piece } from '../platform/html/template.ts'
import {
  belowSession,
  dayText,
  gapsText,
  gradeMark,
  simulatedMark,
  tapeNote,
} from './sessionParts.ts'

/** Number of gaps above which the table is closed at first. */
const GAPS_OPEN = 12

/** Shown above the table, or not about the tape. */
const NOT_MEASURES = ['session_date', 'grade', 'grade_reasons']

/** Quality of a session's tape: its grade and every measure. */
export function tapePage(
  sessionLevels: SessionLevels,
  report: Readonly<Record<string, unknown>> | null,
): string {
  const { day, simulated, tape = {}, note } = sessionLevels
  const gaps = tape.gaps ?? []
  return renderPage({
    title: `Tape of ${day}`,
    path: '/sessions',
    main: html`<div class="wide">
${belowSession(day, 'tape')}
<h1>Tape of ${dayText(day)}</h1>
<p>${gradeMark(tape.grade)} ${simulatedMark(simulated)}</p>
${tapeNote(tape, note)}
<p>How far the ${term('tape')} of this session can be trusted. Measures that have a limit make the
grade; those beyond it are named with the grade.</p>
${gaps.length === 0 ? html`<p>Something was printed in every minute.</p>` : gapsPart(gaps)}
${
  report === null
    ? html`<p>The measures of this session were not kept.</p>`
    : renderTable({
        caption: 'Every measure of the tape',
        columns: ['measure', { head: 'value', isNumber: true }, 'what it is'],
        rows: TAPE_REPORT.columns
          .filter(({ name }) => !NOT_MEASURES.includes(name))
          .map(({ name, meaning }): Piece[] => [
            spellOut(name),
            valueText(report[name]),
            html`<span class="long">${meaning}</span>`,
          ]),
      })
}</div>`,
  })
}

function gapsPart(gaps: NonNullable<NonNullable<SessionLevels['tape']>['gaps']>): Html {
  const table = renderTable({
    caption: 'Minutes without a print, New York',
    columns: ['from', 'to', { head: 'minutes', isNumber: true }],
    rows: gaps.map(({ from, to, minutes }): Piece[] => [from, to, minutes]),
  })
  return html`<p>${gapsText(gaps)}</p>
<details${gaps.length <= GAPS_OPEN && html` open`}><summary>Every gap as a table</summary>
${table}</details>`
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'number') {
    const shown = Number.isInteger(value) ? value : Number(value.toPrecision(4))
    return shown.toLocaleString('en-US', { maximumFractionDigits: 6 })
  }
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return spellOut(String(value))
}
