import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { errorResponses, KEYLESS_ERRORS, pageResponses } from '../platform/http/openapi.ts'
import type { Status } from './judge.ts'
import { DAYS_LISTED_MAX, StatusResponse } from './schema.ts'

/** Public fields of a status: all but the id of its alarm, and the defects that `/health` shows. */
export const wireStatus = ({ alarm: _, defects: __, ...facts }: Status) => facts

/** The status operation of the OpenAPI file. */
export const statusPaths: ZodOpenApiPathsObject = {
  '/status.json': {
    get: {
      operationId: 'readStatus',
      tags: ['Service'],
      summary: 'How old the data are, session by session',
      description:
        'Needs no key. What the page `/status` shows: the newest session with its last minute, ' +
        `lag, gaps and datasets, and each weekday of the last ${DAYS_LISTED_MAX} days. ` +
        'Always 200, so a monitor of the data compares `status`. Judged once a second for all who ask.',
      security: [],
      responses: {
        ...pageResponses('The state of the data.', StatusResponse),
        ...errorResponses(KEYLESS_ERRORS, { isCounted: false }),
      },
    },
  },
}
