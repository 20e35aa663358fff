import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { Day } from '../platform/http/fields.ts'
import { keyedOperation, streamOperation } from '../platform/http/openapi.ts'
import { TABLE_TYPES } from '../platform/http/tableForms.ts'
import { Asof, Ledger, Sessions } from './schema.ts'

const TAG = 'Orders'
const FORMATS = `JSON by default; also \`text/csv\`, Parquet and an Arrow stream by the Accept
header, with the same orders row by row. A null is an empty field in CSV.`

/** The operations of the Orders API. */
export const ordersPaths: ZodOpenApiPathsObject = {
  '/orders/api/day': keyedOperation(TAG, {
    operationId: 'readDay',
    since: '2026-09-24',
    summary: 'The ledger of one session',
    description: `Every large order of the session, sorted by what it did to the dealers' gamma.
A day without a ledger answers 200 with no orders and a note. With \`asof\` you get the ledger as it
was known at that minute. Orders that changed later are shown as they were, later orders are absent,
and \`tape\` has no grade, only the gaps known then. ${FORMATS}`,
    query: z.object({
      day: Day.meta({ param: { example: '2026-10-14' } }),
      asof: Asof.optional(),
    }),
    response: Ledger,
    otherTypes: TABLE_TYPES.slice(1),
    errors: ['bad_day', 'bad_time', 'damaged'],
  }),
  '/orders/api/latest': keyedOperation(TAG, {
    operationId: 'readLatest',
    since: '2026-09-24',
    summary: 'The ledger of the newest session',
    description: `Today's while the market is open, the last finished one after the close.
${FORMATS}`,
    response: Ledger,
    otherTypes: TABLE_TYPES.slice(1),
    errors: ['damaged'],
  }),
  '/orders/api/stream': streamOperation(TAG, {
    operationId: 'readOrdersStream',
    since: '2026-11-27',
    summary: 'The changes of the ledger as each state is published',
    description: `The event \`orders\` of a state has \`orders\`, those that are new or known otherwise than
at the minute \`from\`, as the ledger has them, and \`ended\`, the ids of those that are no order any more.
\`from\` is the state before, or the last one that a client has which comes back; null: the event has the whole ledger.`,
    example:
      'id: 2026-10-15T11:14\nevent: orders\n' +
      'data: {"day":"2026-10-15","t":"11:14","from":"11:13","orders":[],"ended":[]}\n\n',
    errors: ['damaged'],
  }),
  '/orders/api/sessions': keyedOperation(TAG, {
    operationId: 'readSessions',
    since: '2026-09-24',
    summary: 'The sessions that have a ledger',
    description: 'Every day for which `/orders/api/day` answers orders, oldest first.',
    response: Sessions,
  }),
}
