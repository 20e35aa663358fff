import type { PageAnswer, PageAsked } from '../../html/account.ts'
import { answering } from '../../http/auth.ts'
import { labError } from '../../http/errors/lab.ts'
import { onlyOne } from '../../http/query.ts'
import { shown } from '../../http/request.ts'
import { type LabAsker, state } from '../ask.ts'
import { ruleHash } from '../language/spec.ts'
import type { LabResult } from '../result.ts'
import { doneRun, resultOf } from '../runs/askRuns.ts'
import type { TradeForm, TradesPage } from '../runs/renderTrades.ts'
import { askerOf, ideaPath, type LabPageDeps, noSuchIdea, type TestKind } from './pageDeps.ts'
import { resultPage, type ShownResult } from './resultPage.ts'
import { TRADES_SHOWN, tradesPage } from './tradesPage.ts'
import { variantsPage } from './variantsPage.ts'

type ResultAsked = {
  readonly id: string
  readonly kind: TestKind
  /** What is asked of it, such as `trades`; null: the result itself. */
  readonly part: string | null
}

/** The pages and files of a result. Fails with 404 where there is none. */
export async function showResult(
  deps: LabPageDeps,
  asked: PageAsked,
  { id, kind, part }: ResultAsked,
): Promise<PageAnswer> {
  const asker = askerOf(asked, deps)
  const { ideas } = await answering(() => state(deps, asker))
  const idea = ideas.find(one => one.id === id)
  if (!idea) throw noSuchIdea()
  const text = await answering(() => resultOf(deps, asker, { id, kind }))
  const result = JSON.parse(text) as LabResult
  const of: ShownResult = {
    ...{ name: idea.name, ideaPath: ideaPath(id), path: `${ideaPath(id)}/${kind}`, result },
    isOfNow: idea.spec !== null && ruleHash(idea.spec) === result.rule_hash,
  }
  if (part === null) return resultPage(of)
  if (part === 'variants') return variantsPage(of, pageNumber(asked))
  if (part === 'trades') {
    const page = pageNumber(asked)
    const start = (page - 1) * TRADES_SHOWN
    const bytes = await tradesOf(deps, asker, { job: result.job, form: 'json', start })
    return tradesPage(of, page, JSON.parse(Buffer.from(bytes).toString()) as TradesPage)
  }
  const form = (['csv', 'parquet'] as const).find(one => part === `trades.${one}`)
  if (!form) return null
  const bytes = await tradesOf(deps, asker, { job: result.job, form, start: 0 })
  const type = form === 'csv' ? 'text/csv; charset=utf-8' : 'application/vnd.apache.parquet'
  return { file: { name: `trades-${result.job}.${form}`, type, bytes } }
}

type TradesAsked = { readonly job: string; readonly form: TradeForm; readonly start: number }

async function tradesOf(
  deps: LabPageDeps,
  asker: LabAsker,
  { job, form, start }: TradesAsked,
): Promise<Uint8Array> {
  const { tradesSha256: sha256 } = await answering(() => doneRun(deps, asker, job))
  return await deps.trades.render({ runId: job, sha256, form, start, count: TRADES_SHOWN })
}

function pageNumber({ query }: PageAsked): number {
  const text = onlyOne('page', query(['page']).page) ?? '1'
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw labError('invalid', { message: `page is ${shown(text)}; give a page, such as page=2.` })
}
