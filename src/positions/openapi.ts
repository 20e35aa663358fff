import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { param } from '../platform/http/fields.ts'
import { keyedChange, keyedOperation, REPEAT_WORDS } from '../platform/http/openapi.ts'
import { ChangeInput } from './parseChange.ts'
import { Changed, Positions } from './positionWire.ts'

const TAG = 'Positions'
const ID = 'p_4fQ8sK2mZx0T'

const CHANGES = `\`add\` needs kind, legs and entry, and answers the id. Conditions, label and
alert that it does not name are as in the catalogue; conditions that count are those with \`on\`
true. A webhook's url must be https:// on a public host, without a name or password in it.

\`update\` needs the id and what changes: legs, conditions, label and alert are merged field by
field, a null is the default again, and the whole position is judged. With another kind, legs and
conditions that the kind does not take are left out. \`remove\` needs the id.

${REPEAT_WORDS}

Unknown fields are refused. The body is JSON in UTF-8, whatever its Content-Type, of at most 16 KiB,
without a Content-Encoding; JSON of a version or another character set is 415.`

/** The operations on an account's positions. */
export const positionsPaths: ZodOpenApiPathsObject = {
  '/api/positions': {
    get: keyedOperation({
      operationId: 'readPositions',
      since: '2026-10-04',
      tag: TAG,
      summary: 'The positions of the account, or one of them',
      description: `Without \`id\` all of them, how many there may be, and the catalogue of kinds
and conditions; with \`id\` one. HEAD answers 405.`,
      query: z.object({
        id: param(z.string().optional(), 'One position.', ID),
      }),
      response: Positions,
      errors: ['invalid', 'not_found'],
    }),
    post: keyedChange({
      operationId: 'changePositions',
      since: '2026-10-04',
      tag: TAG,
      summary: 'Add, update or remove a position',
      description: CHANGES,
      body: ChangeInput,
      examples: {
        add: {
          op: 'add',
          position: {
            kind: 'condor',
            legs: { lp: 5930, sp: 5950, sc: 6050, lc: 6070 },
            entry: '10:30',
            conditions: [
              { id: 'gap', on: false },
              { id: 'short_dist_pts', threshold: 25 },
            ],
            label: { caution: 2, skip: 4 },
            alert: { channel: 'webhook', url: 'https://example.com/hook', before: 15 },
            session: '2026-10-14',
          },
        },
        update: { op: 'update', position: { id: ID, legs: { sp: 5945 }, entry: '11:00' } },
        remove: { op: 'remove', position: { id: ID } },
      },
      response: Changed,
      errors: [
        'unsupported_media_type',
        'body_too_large',
        'bad_json',
        'bad_op',
        'invalid',
        'not_found',
        'idempotency_key_reused',
      ],
    }),
  },
}
