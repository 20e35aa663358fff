import type { AccountPageRequest, AccountPageResponse } from '../../accounts/accountPage.ts'
import { refuseWhileUnavailable } from '../../accounts/auth.ts'
import { counted } from '../../core/text/counts.ts'
import { assetPath } from '../../platform/html/assets.ts'
import { countText, numberText } from '../../platform/html/figures.ts'
import { renderTable } from '../../platform/html/table.ts'
import { type Html, html, type Piece } from '../../platform/html/template.ts'
import { onlyOne } from '../../platform/http/query.ts'
import { shown } from '../../platform/http/request.ts'
import { type LabRequester, state } from '../ask.ts'
import { labError } from '../errors.ts'
import { RuleSpec, ruleHash } from '../language/spec.ts'
import type { LabResult } from '../result.ts'
import { doneRun, readIdeaResult } from '../runs/queryRuns.ts'
import type { TradeForm, TradesPage } from '../runs/renderTrades.ts'
import type { TradeRow } from '../runs/tradeTable.ts'
import { findSessionPath, mayBeToday } from './drawing.ts'
import { nameOfMissed } from './eraParts.ts'
import { variantsTable } from './optimizePart.ts'
import { ideaPath, type LabPageDeps, noSuchIdea, readRequester, type TestKind } from './pageDeps.ts'
import { pagesNav, resultHead, resultPage, type ShownResult } from './resultPage.ts'
import { type ShownRow, toViewedOption } from './shownRow.ts'
import { EXIT_NAMES, optionText, percentText, usdText } from './texts.ts'
import { tradePage } from './tradePage.ts'

/** Rows per page. */
const TRADES_SHOWN = 100

/** Ledger of a test in pages: every trade, and every chance without one. */
function tradesPage(of: ShownResult, page: number, read: TradesPage): AccountPageResponse {
  const { total } = read
  const rows = read.trades as readonly (TradeRow & ShownRow)[]
  const pages = Math.max(1, Math.ceil(total / TRADES_SHOWN))
  if (page > pages) return null
  const listed: Listed = {
    isTwo: of.result.legs.length > 1,
    path: `${of.path}/trades`,
    start: (page - 1) * TRADES_SHOWN,
  }
  return {
    page: {
      title: `Trades of ${of.name}`,
      styles: [assetPath('lab.css')],
      main: html`<div class="text lab">${resultHead(of, 'trades')}
<h1>Trades</h1>
<p>${counted(total, 'row')}: each trade of the rule and of its baseline, and each chance that was
none, with its reason. A session leads to its picture, with both quotes of each option and what each
condition said; all of that is also in the <a href="${of.path}/trades.csv">CSV</a> and the
<a href="${of.path}/trades.parquet">Parquet</a>
file.${
        of.result.sealed &&
        html` Of the ${counted(of.result.sealed.sessions, 'session')} from ${of.result.sealed.from} to
${of.result.sealed.to} nothing is shown that came after an entry: they are sealed.`
      }</p>
${rows.length === 0 ? html`<p>There is no trade.</p>` : tradesTable(rows, listed)}
${pagesNav(`${of.path}/trades`, page, pages)}</div>`,
    },
  }
}

const number = (head: string) => ({ head, isNumber: true })

type Listed = {
  readonly isTwo: boolean
  /** Path of the pages of single trades, and the number of trades before the first row. */
  readonly path: string
  readonly start: number
}

const tradesTable = (rows: readonly ShownRow[], { isTwo, path, start }: Listed): Html =>
  renderTable({
    caption: 'Trades, by session and minute; received above zero, paid below',
    columns: [
      'session',
      'options',
      ...['points in', 'points out'].map(number),
      'out',
      ...['fees', 'profit', 'of the risk'].map(number),
      'in the rule',
      ...(isTwo ? ['trade'] : []),
    ],
    rows: rows.map((row, index) => [
      html`<a href="${path}/${start + index + 1}">${row.session_date}</a><br>
<span class="quiet small">${row.era} ${row.decided_et}</span>`,
      ...renderCells(row),
      row.in_rule ? 'yes' : 'no',
      ...(isTwo ? [countText(row.rule_leg + 1)] : []),
    ]),
  })

function renderCells(row: ShownRow): Piece[] {
  if (row.missed !== null) {
    const why = html`<span class="name">none: ${nameOfMissed(row.missed)}</span>`
    return [why, '–', '–', '', '–', '–', '–']
  }
  if (row.is_sealed) {
    const points = numberText(row.net, 2)
    return [renderOptions(row), points, '–', SEALED, '–', '–', '–']
  }
  const day = row.exit_date === row.session_date ? '' : ` ${row.exit_date}`
  return [
    renderOptions(row),
    numberText(row.net, 2),
    numberText(row.close_net, 2),
    html`<span class="one-line">${EXIT_NAMES[row.exit_reason!]}</span><br>
<span class="quiet small">${row.exit_et}${day}</span>`,
    row.fees_usd === null ? '–' : `$${numberText(row.fees_usd, 2)}`,
    usdText(row.pnl_usd),
    percentText(row.r),
  ]
}

/** Shown instead of the end of a trade of a sealed session. */
const SEALED = html`<span class="quiet">sealed</span>`

const renderOptions = ({ legs }: ShownRow): Html =>
  html`<span class="options">${legs.map(
    leg => html`<span class="one-line">${optionText(toViewedOption(leg))}</span> `,
  )}</span>`

const PAGE_SIZE = 100

/** Every tested variant, in the order of their parameters, in pages. */
export function variantsPage(of: ShownResult, page: number): AccountPageResponse {
  const { optimize } = of.result
  if (!optimize) return null
  const { variants } = optimize
  const pages = Math.max(1, Math.ceil(variants.length / PAGE_SIZE))
  if (page > pages) return null
  const rows = variants.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return {
    page: {
      title: `Variants of ${of.name}`,
      styles: [assetPath('lab.css')],
      main: html`<div class="text lab">${resultHead(of, 'variants')}
<h1>Variants</h1>
<p>All ${counted(optimize.variants_tried, 'variant')} on the design sessions, none left out and none
picked. Mean, median and the two means beside it are in percent of the risk, after costs.</p>
${variantsTable(optimize, rows)}
${pagesNav(`${of.path}/variants`, page, pages)}</div>`,
    },
  }
}

type ResultPageRequest = {
  readonly id: string
  readonly kind: TestKind
  /** Rest of the path, such as `trades`; empty: the result itself. */
  readonly rest: readonly string[]
}

/** Pages and files of a result of an idea. Fails with 404 when there is none. */
export async function showResult(
  deps: LabPageDeps,
  request: AccountPageRequest,
  { id, kind, rest }: ResultPageRequest,
): Promise<AccountPageResponse> {
  const requester = readRequester(request, deps)
  const { ideas } = await refuseWhileUnavailable(() => state(deps, requester))
  const idea = ideas.find(one => one.id === id)
  if (!idea) throw noSuchIdea()
  const text = await refuseWhileUnavailable(() => readIdeaResult(deps, requester, { id, kind }))
  const result = JSON.parse(text) as LabResult
  const of: ShownResult = {
    name: idea.name,
    ideaPath: ideaPath(id),
    path: `${ideaPath(id)}/${kind}`,
    result,
    isOfNow: idea.spec !== null && ruleHash(idea.spec) === result.rule_hash,
  }
  return showPart(deps, request, of, rest)
}

/** Part of a result: itself, its variants, its trades, one of them, or a file of them. */
export async function showPart(
  deps: LabPageDeps,
  request: AccountPageRequest,
  of: ShownResult,
  rest: readonly string[],
): Promise<AccountPageResponse> {
  const requester = readRequester(request, deps)
  const { job } = of.result
  const [part, number] = rest
  if (rest.length > 2 || (number !== undefined && part !== 'trades')) return null
  if (part === undefined) return resultPage(of)
  if (part === 'variants') return variantsPage(of, pageNumber(request))
  if (part === 'trades' && number !== undefined) return showTrade(deps, request, of, number)
  if (part === 'trades') {
    const page = pageNumber(request)
    const start = (page - 1) * TRADES_SHOWN
    const wanted = { job, form: 'json', start, count: TRADES_SHOWN } as const
    return tradesPage(of, page, parsePage(await readTrades(deps, requester, wanted)))
  }
  const form = (['csv', 'parquet'] as const).find(one => part === `trades.${one}`)
  if (!form) return null
  const bytes = await readTrades(deps, requester, { job, form, start: 0, count: 0 })
  const type = form === 'csv' ? 'text/csv; charset=utf-8' : 'application/vnd.apache.parquet'
  return { file: { name: `trades-${job}.${form}`, type, bytes } }
}

/** One trade by its index in the list of all, with its sessions drawn. */
async function showTrade(
  deps: LabPageDeps,
  request: AccountPageRequest,
  of: ShownResult,
  position: string,
): Promise<AccountPageResponse> {
  if (!/^[1-9]\d{0,5}$/.test(position)) return null
  const number = Number(position)
  const requester = readRequester(request, deps)
  const { job } = of.result
  const wanted = { job, form: 'json', start: number - 1, count: 1 } as const
  const { total, trades } = parsePage(await readTrades(deps, requester, wanted))
  const [row] = trades as unknown as readonly ShownRow[]
  if (!row) return null
  const { rule } = await refuseWhileUnavailable(() => doneRun(deps, requester, job))
  // the picture of a session goes on after the entry
  const days = row.is_sealed
    ? []
    : [...new Set([row.session_date, row.exit_date ?? row.session_date])]
  const sessions = []
  for (const day of days) {
    const viewed = await deps.views.session(day, mayBeToday(request, deps))
    sessions.push({ viewed, path: await findSessionPath(deps, viewed) })
  }
  return tradePage(of, {
    number,
    total,
    row,
    sessions,
    spec: RuleSpec.parse(JSON.parse(rule.spec)),
  })
}

type TradesPageRequest = {
  readonly job: string
  readonly form: TradeForm
  readonly start: number
  readonly count: number
}

const parsePage = (bytes: Uint8Array): TradesPage =>
  JSON.parse(Buffer.from(bytes).toString()) as TradesPage

async function readTrades(
  deps: LabPageDeps,
  requester: LabRequester,
  { job, ...wanted }: TradesPageRequest,
): Promise<Uint8Array> {
  const run = await refuseWhileUnavailable(() => doneRun(deps, requester, job))
  const question = { runId: job, sha256: run.tradesSha256, key: run.tradesKey }
  return await deps.trades.render({ ...question, ...wanted })
}

export function pageNumber({ query }: AccountPageRequest): number {
  const text = onlyOne('page', query(['page']).page) ?? '1'
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw labError('invalid', { message: `page is ${shown(text)}; give a page, such as page=2.` })
}
