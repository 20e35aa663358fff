import escapeHtml from 'escape-html'
import { gapText } from '../published/freshness.ts'
import type { DatasetStatus, DayStatus, Status } from './judge.ts'

/** Gaps a row shows before it only counts them. */
const GAPS_SHOWN = 3

/** The state of the data as a page: no scripts, nothing from elsewhere, read anew every 30 s. */
export function statusPage(status: Status): string {
  const { now_et, expected_session, problems, warnings, newest, datasets, days } = status
  const severity = escapeHtml(status.status)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="30">
<title>Tapefold status: ${severity}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Tapefold status <span class="${severity}">${severity}</span></h1>
<p>${escapeHtml(now_et)} ET. The newest session that is due is ${escapeHtml(expected_session)}.</p>
${list('Problems', problems)}${list('Warnings', warnings)}${newest ? newestSection(newest) : ''}
${datasets.length > 0 ? datasetTable(datasets) : ''}
<h2>The last 90 days</h2>
${dayTable(days)}
<p><a href="/status.json">status.json</a> <a href="/health">health</a> <a href="/docs">API</a></p>
</main>
</body>
</html>
`
}

function list(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return ''
  const items = lines.map(line => `<li>${escapeHtml(line)}</li>`).join('\n')
  return `<h2>${title}</h2>\n<ul>\n${items}\n</ul>\n`
}

function newestSection({ day, state, asof, last_minute, lag_s, gaps }: DayStatus): string {
  const lag = lag_s === null ? '' : `, ${lag_s} s ago`
  const facts = [
    ['state', state],
    ['known up to', asof === null ? 'nothing yet' : `${asof} ET${lag}`],
    ['last minute', last_minute ?? 'none'],
    ['gaps', gapsText(gaps, Number.POSITIVE_INFINITY) || 'none'],
  ]
  const rows = facts.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value!)}</dd>`)
  return `<h2>${escapeHtml(day)}</h2>\n<dl>\n${rows.join('\n')}\n</dl>`
}

function datasetTable(datasets: readonly DatasetStatus[]): string {
  const rows = datasets.map(({ dataset, rows: count, newest_at, lag_s }) => {
    const lag = lag_s === null ? '' : `${lag_s} s`
    return [dataset, count.toLocaleString('en-US'), newest_at ?? '', lag]
  })
  return table(['dataset', 'rows', 'newest row, UTC', 'lag'], rows)
}

function dayTable(days: readonly DayStatus[]): string {
  const rows = days.map(({ day, state, grade, simulated, asof, gaps, severity }) => {
    const words = [WORD_OF_STATE[state], grade, simulated ? 'simulated' : null]
    const told = words.filter(word => word !== null).join(', ')
    // nothing is judged of a day that has nothing to show
    const isJudged = !['holiday', 'not_due', 'not_kept'].includes(state)
    return [day, isJudged ? { severity, text: told } : told, asof ?? '', gapsText(gaps, GAPS_SHOWN)]
  })
  return table(['day', 'state', 'known up to, ET', 'minutes without prints'], rows)
}

const WORD_OF_STATE: Readonly<Record<DayStatus['state'], string>> = {
  published: 'published',
  open: 'open',
  missing: 'missing',
  damaged: 'damaged',
  not_due: 'not due',
  not_kept: 'not kept',
  holiday: 'holiday',
}

/** Gaps as text, such as 10:31-10:35. */
function gapsText(gaps: DayStatus['gaps'], shown: number): string {
  const named = gaps.slice(0, shown).map(gapText).join(', ')
  return gaps.length > shown ? `${named} and ${gaps.length - shown} more` : named
}

type Cell = string | { readonly severity: string; readonly text: string }

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = rows.map(cells => `<tr>${cells.map(cellOf).join('')}</tr>`)
  const names = head.map(name => `<th>${escapeHtml(name)}</th>`).join('')
  return `<table>
<thead><tr>${names}</tr></thead>
<tbody>
${lines.join('\n')}
</tbody>
</table>`
}

const cellOf = (cell: Cell): string =>
  typeof cell === 'string'
    ? `<td>${escapeHtml(cell)}</td>`
    : `<td><span class="${escapeHtml(cell.severity)}">${escapeHtml(cell.text)}</span></td>`

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b1f24; background: #fff; font-variant-numeric: tabular-nums; overflow-wrap: break-word }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
a { color: #0b57d0; margin-right: 1rem }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { text-align: left; padding: .2rem .9rem .2rem 0; border-bottom: 1px solid #d9dde2;
  vertical-align: top }
td:first-child { white-space: nowrap }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem } dd { margin: 0 }
.green, .amber, .red { padding: 0 .45em; border-radius: 4px; white-space: nowrap }
.green { background: #d7f0dd; color: #0f5323 }
.amber { background: #fdecc4; color: #6b4700 }
.red { background: #fbd9d7; color: #8c1d18 }
@media (prefers-color-scheme: dark) {
  body { color: #e6e6e6; background: #15181c } a { color: #8ab4f8 }
  th, td { border-color: #343a41 }
  .green { background: #123d20; color: #b6e6c4 }
  .amber { background: #4a3500; color: #f7dc9b }
  .red { background: #5c1512; color: #ffd0cc }
}
`
