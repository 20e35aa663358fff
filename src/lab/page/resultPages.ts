import type { AccountPageRequest, AccountPageResponse } from '../../accounts/accountPage.ts'
import { refuseWhileUnavailable } from '../../accounts/auth.ts'
import { onlyOne } from '../../platform/http/query.ts'
import { shown } from '../../platform/http/request.ts'
import { type LabRequester, state } from '../ask.ts'
import { labError } from '../errors.ts'
import { RuleSpec, ruleHash } from '../language/spec.ts'
import type { LabResult } from '../result.ts'
import { doneRun, readIdeaResult } from '../runs/queryRuns.ts'
import type { TradeForm, TradesPage } from '../runs/renderTrades.ts'
import { findSessionPath, mayBeToday } from './drawing.ts'
import { ideaPath, type LabPageDeps, noSuchIdea, readRequester, type TestKind } from './pageDeps.ts'
import { resultPage, type ShownResult } from './resultPage.ts'
import type { ShownRow } from './shownRow.ts'
import { tradePage } from './tradePage.ts'
import { TRADES_SHOWN, tradesPage } from './tradesPage.ts'
import { variantsPage } from './variantsPage.ts'

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
