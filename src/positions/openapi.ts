import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { Day, Minute, param } from '../platform/http/fields.ts'
import {
  keyedChange,
  keyedOperation,
  REPEAT_WORDS,
  streamOperation,
} from '../platform/http/openapi.ts'
import { Checks, Track } from './checkSchema.ts'
import { EntryLog } from './lookbackSchema.ts'
import { ChangeInput } from './parseChange.ts'
import { Changed, Positions } from './positionWire.ts'
import { REPLAY_DEFAULT, REPLAY_MAX } from './replayLimit.ts'

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
    ...keyedOperation(TAG, {
      operationId: 'readPositions',
      since: '2026-10-04',
      summary: 'The positions of the account, or one of them',
      description: `Without \`id\` all of them, how many there may be, and the catalogue of kinds
and conditions; with \`id\` one. HEAD answers 405.`,
      query: z.object({
        id: param(z.string().optional(), 'One position.', ID),
      }),
      response: Positions,
      errors: ['invalid', 'not_found'],
    }),
    ...keyedChange(TAG, {
      operationId: 'changePositions',
      since: '2026-10-04',
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

const day = param(
  Day.optional(),
  'Today in New York, when left out; `note` says why it has no minute.',
  '2026-10-14',
)
const t = param(
  Minute.optional(),
  'ET minute, 09:31 to 15:59 (12:59 on half days); the latest one when left out.',
  '13:00',
)
const id = param(z.string(), 'One position.', ID)

const KNOWN = `Only what was known before the minute counts: the answer about a past minute is the
one that was given then. A condition whose value nobody can know is \`unknown\`, never on; when
more than half of those that count are unknown there is no label and \`error\` says so. As many on
as \`label_counts.skip\` is SKIP, as many as \`caution\` is CAUTION, fewer is TRADE.`

/** The operations that judge an account's positions. */
export const checksPaths: ZodOpenApiPathsObject = {
  '/api/positions/check': keyedOperation(TAG, {
    operationId: 'readChecks',
    since: '2026-10-04',
    summary: 'Positions judged at one minute',
    description: `Every position of the account, or one. \`levels\` tells how far the flip, the
ends of its interval and both walls are from the index, and in each of \`shorts\` from that
strike. ${KNOWN} Distances only: no answer holds the index, a level or a strike.`,
    query: z.object({ day, t, id: id.optional() }),
    response: Checks,
    errors: ['bad_day', 'bad_time', 'invalid', 'not_found', 'damaged'],
  }),
  '/api/positions/stream': streamOperation(TAG, {
    operationId: 'readChecksStream',
    since: '2026-11-27',
    summary: 'The positions of the account judged at each new state',
    description: 'The event `checks` of a state has what `check` answers of its minute.',
    example:
      'id: 2026-10-15T11:14\nevent: checks\n' +
      'data: {"day":"2026-10-15","t":"11:14","live":true,"checks":[]}\n\n',
    errors: ['damaged'],
  }),
  '/api/positions/track': keyedOperation(TAG, {
    operationId: 'readTrack',
    since: '2026-10-05',
    summary: 'The label of one position over the hour up to a minute',
    description: `Up to 60 minutes, the last being \`t\`: each as \`check\` judges it. ${KNOWN}`,
    query: z.object({ id, day, t }),
    response: Track,
    errors: ['bad_day', 'bad_time', 'invalid', 'not_found', 'damaged'],
  }),
  '/api/positions/entries': keyedOperation(TAG, {
    operationId: 'readEntries',
    since: '2026-10-05',
    summary: 'The entry minutes of one position, with past sessions replayed',
    description: `The entry minute of the last \`replay\` sessions as it was judged then, and
apart from it, in \`outcome\`, what happened after. In sessions other than \`base_session\` the
strikes stand as far from the index as they did at the entry minute of that one, which is the
position's \`session\`, else the newest with an index at that minute; all of them move by the same
whole number of 5-point steps, a half step going up. A session that cannot be judged is listed with
its \`error\`. \`summary\` grades the labels: how often the short strikes held under
each. ${KNOWN}`,
    query: z.object({
      id,
      replay: param(
        z.coerce.number().int().min(0).max(REPLAY_MAX).optional(),
        `Sessions to replay; ${REPLAY_DEFAULT} when left out.`,
        60,
      ),
    }),
    response: EntryLog,
    errors: ['invalid', 'not_found'],
  }),
}
