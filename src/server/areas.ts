import type { Area } from '../accounts/area.ts'
import { ALERTS_AREA } from '../alerts/area.ts'
import { ARCHIVE_AREA } from '../archive/area.ts'
import type { ArchiveAsk } from '../archive/ask.ts'
import { GEO_AREA } from '../geo/area.ts'
import type { GeoAsk } from '../geo/ask.ts'
import { LAB_AREA } from '../lab/area.ts'
import type { LabAsk } from '../lab/ask.ts'
import { LEVELS_AREA } from '../levels/area.ts'
import type { LevelsAsk } from '../levels/ask.ts'
import { LAB_MCP_AREA, ORDERS_MCP_AREA } from '../mcp/area.ts'
import { ORDERS_AREA } from '../orders/area.ts'
import type { OrdersAsk } from '../orders/ask.ts'
import type { RequestScheduler } from '../platform/pool/requestScheduler.ts'
import { POSITIONS_AREA } from '../positions/area.ts'
import type { PositionsAsk } from '../positions/ask.ts'
import { SITE_AREA } from '../site/area.ts'
import { STATUS_AREA } from '../status/area.ts'
import type { StatusAsk } from '../status/ask.ts'
import type { ServerStore } from './accountStore.ts'

/** Queries that areas serve to each other. */
export type Asks = {
  readonly archive: ArchiveAsk
  readonly geo: GeoAsk
  readonly lab: LabAsk
  readonly levels: LevelsAsk
  readonly orders: OrdersAsk
  readonly positions: PositionsAsk
  readonly status: StatusAsk
}

export type ServedArea = Area<RequestScheduler, ServerStore, Asks, Partial<Asks>>

/** All areas of this server: each is a folder and one line here. */
export const AREAS: readonly ServedArea[] = [
  ORDERS_AREA,
  POSITIONS_AREA,
  ALERTS_AREA,
  LEVELS_AREA,
  ARCHIVE_AREA,
  STATUS_AREA,
  SITE_AREA,
  LAB_AREA,
  ORDERS_MCP_AREA,
  LAB_MCP_AREA,
  GEO_AREA,
]

/** Products of the areas, for the key check. */
export const listProducts = (areas: readonly ServedArea[]) =>
  areas.flatMap(({ apiProduct }) => apiProduct ?? [])

/** Tables of the areas in the account database, each after those its rows refer to. */
export const areaTables = AREAS.flatMap(({ tables }) => tables)
