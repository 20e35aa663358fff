import type { Request, Response } from 'express'
import type { ArchiveAsk, WantedSession } from '../archive/ask.ts'
import type { GeoAsk } from '../geo/ask.ts'
import type { LevelsAsk } from '../levels/ask.ts'
import type { OrdersAsk } from '../orders/ask.ts'
import { ApiError } from '../platform/http/error.ts'
import type { StatusAsk } from '../status/ask.ts'

/** Dependencies of the session pages, and their visitor. */

/** Queries of areas whose data the pages draw. */
export type SiteAsks = {
  readonly archive: ArchiveAsk
  readonly geo: GeoAsk
  readonly levels: LevelsAsk
  readonly orders: OrdersAsk
  readonly status: StatusAsk
}

/** A finished session, whose pages are cached; or today's, for this visitor only. */
type Seen = { readonly wanted: WantedSession; readonly isOpen: boolean }

export type SessionResponder = (seen: Seen, req: Request, res: Response) => Promise<void>

export const notHere = () => new ApiError('no_route', { message: 'there is no such page.' })
