import { planAt } from '../../accounts/products.ts'
import type { AccountRequest } from '../../html/account.ts'
import type { Offers } from '../../http/offers.ts'
import type { Viewed } from '../desk/views.ts'
import type { LabIdea } from '../schema.ts'
import type { DrawnIdea } from './deskPart.ts'
import type { LabPageDeps } from './pageDeps.ts'

/** Sessions for the pages of LAB: which may be seen by whom, and where their own pages are. */

type AccountRef = Pick<AccountRequest, 'account'>

/** Whether an account may see the session of today, as its page tells it. */
export const mayBeToday = (
  { account }: AccountRef,
  { nowMs }: Pick<LabPageDeps, 'nowMs'>,
): boolean =>
  (['live', 'orders'] as const).some(one => planAt(account.products, one, nowMs()) !== null)

/** What an idea of the desk draws; null: nothing. */
export async function drawnIdea(
  deps: LabPageDeps,
  request: AccountRef,
  { stage, draw, spec }: LabIdea,
): Promise<DrawnIdea | null> {
  if (stage !== 'desk' || draw === 'off' || spec === null) return null
  const viewed = await deps.views.newest(spec, mayBeToday(request, deps))
  return { draw, spec, viewed, sessionPath: await findSessionPath(deps, viewed) }
}

/** The page of a session that was drawn; null where it has none. */
export async function findSessionPath(deps: LabPageDeps, viewed: Viewed): Promise<string | null> {
  if ('reason' in viewed) return null
  const { day } = viewed.view
  const offers = Object.assign(
    {},
    ...deps.others().map(({ open }) => open.offers),
  ) as Partial<Offers>
  try {
    const finished = await offers.sessions?.()
    const own = finished?.find(one => one.day === day)
    // one of minutes alone has no page; one of today is told to who may see it
    const hasPage = own ? own.reason === null : viewed.isToday && finished !== undefined
    return hasPage ? `/sessions/${day}` : null
  } catch {
    // what the page of the session would say, it says there
    return null
  }
}
