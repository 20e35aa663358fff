import { HISTORY, LEVELS } from './levelTools.ts'
import { FIND, GET } from './orderTools.ts'
import { CHECK, LIST } from './positionTools.ts'
import type { ToolServer } from './protocol.ts'
import { SESSIONS, SUMMARY } from './sessionTools.ts'

/** The tools over ledgers, levels and positions. */
export const ORDERS_SERVER: ToolServer = {
  name: 'tapefold-orders',
  title: 'Tapefold orders',
  instructions:
    'Large SPX options orders rebuilt from the public trade tape. Days are New York sessions, ' +
    'YYYY-MM-DD; minutes are ET, HH:MM. Sides, gamma and levels are estimates. Null is not zero. ' +
    'Quote `summary`; go on with `next_cursor` until it is null.',
  tools: [SESSIONS, SUMMARY, FIND, GET, LEVELS, HISTORY, LIST, CHECK],
}
