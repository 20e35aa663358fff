import type { AccountRequest } from '../../accounts/accountPage.ts'
import { planAt } from '../../accounts/products.ts'
import type { Viewed } from '../desk/views.ts'
import type { LabIdea } from '../schema.ts'
import type { DrawnIdea } from './deskPart.ts'
import type { LabPageDeps } from './pageDeps.ts'

/** Sessions for the pages of LAB: who may see which, and the paths of their own pages. */

type AccountRef = Pick<AccountRequest, 'account'>

/** True when an account may see today's session, by the same rule as the session's page. */
export const mayBeToday = (
  { account }: AccountRef,
  { nowMs }: Pick<LabPageDeps, 'nowMs'>,
): boolean =>
  (['live', 'orders'] as const).some(one => planAt(account.products, one, nowMs()) !== null)

/** Returns the picture of an idea on the desk; null: nothing is drawn. */
export async function drawnIdea(
  deps: LabPageDeps,
  request: AccountRef,
  { id, stage, draw, spec }: LabIdea,
): Promise<DrawnIdea | null> {
  if (stage !== 'desk' || draw === 'off' || spec === null) return null
  const viewed = await deps.views.newest(spec, mayBeToday(request, deps))
  const sessionPath = await findSessionPath(deps, viewed)
  const isSealed = draw === 'trades' && (await isSealedDay(deps, request.account.id, id, viewed))
  // the levels have the entries, without what came after them
  return { draw: isSealed ? 'levels' : draw, isSealed, spec, viewed, sessionPath }
}

/** True when the drawn session is one of the sealed ones of an idea's tests. */
async function isSealedDay(
  { accounts: { lab } }: Pick<LabPageDeps, 'accounts'>,
  accountId: string,
  ideaId: string,
  viewed: Viewed,
): Promise<boolean> {
  if ('reason' in viewed) return false
  const run =
    (await lab.findDone(accountId, ideaId, 'quant')) ??
    (await lab.findDone(accountId, ideaId, 'backtest'))
  if (!run?.sealedTo || viewed.view.day > run.sealedTo) return false
  return (await lab.findTradesKey(accountId, run.id)) === null
}

/** Returns the path of a drawn session's page; null when it has none. */
export async function findSessionPath(deps: LabPageDeps, viewed: Viewed): Promise<string | null> {
  if ('reason' in viewed) return null
  const { day } = viewed.view
  try {
    const finished = await deps.asks.archive.listSessions()
    const own = finished.find(one => one.day === day)
    // a session with minutes alone has no page; today's is visible to accounts with access
    const hasPage = own ? own.reason === null : viewed.isToday
    return hasPage ? `/sessions/${day}` : null
  } catch {
    // the session's own page reports the error
    return null
  }
}
