import type { Request, Response } from 'express'
import { ApiError } from '../platform/http/error.ts'
import type { Offers, WantedSession } from '../platform/http/offers.ts'
import type { AccountDeps } from './accountDeps.ts'

/** Dependencies of the session pages, and their visitor. */

type SessionOffers = Omit<Offers, 'state'>

/** Combines the offers of this server's areas; one area serves each. */
export function findSessionOffers({ others }: Pick<AccountDeps, 'others'>): SessionOffers {
  const offers = Object.assign({}, ...others().map(({ open }) => open.offers)) as Partial<Offers>
  const { sessions, levels, curves, ladders, tape, orders, ordersCsv, order } = offers
  const { releases = async () => [] } = offers
  if (sessions && levels && curves && ladders && tape && orders && ordersCsv && order) {
    return { sessions, levels, curves, ladders, releases, tape, orders, ordersCsv, order }
  }
  throw new ApiError('no_route', { message: 'this server has no sessions.' })
}

/** A finished session, whose pages are cached; or today's, for this visitor only. */
type Seen = { readonly wanted: WantedSession; readonly isOpen: boolean }

export type SessionResponder = (seen: Seen, req: Request, res: Response) => Promise<void>

export const notHere = () => new ApiError('no_route', { message: 'there is no such page.' })
