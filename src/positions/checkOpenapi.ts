import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { Day, Minute } from '../platform/http/fields.ts'
import { keyedOperation, streamOperation } from '../platform/http/openapi.ts'
import { Checks, Track } from './checkSchema.ts'
import { EntryLog } from './lookbackSchema.ts'
import { REPLAY_DEFAULT, REPLAY_MAX } from './replayLimit.ts'

const TAG = 'Positions'
const ID = 'p_4fQ8sK2mZx0T'

const day = Day.optional().meta({
  description: 'Today in New York, when left out; `note` says why it has no minute.',
  param: { example: '2026-10-14' },
})
const t = Minute.optional().meta({
  description: 'ET minute, 09:31 to 15:59 (12:59 on half days); the latest one when left out.',
  param: { example: '13:00' },
})
const id = z.string().meta({ description: 'One position.', param: { example: ID } })

const KNOWN = `Only what was known before the minute counts: the answer about a past minute is the
one that was given then. A condition whose value nobody can know is \`unknown\`, never on; when
more than half of those that count are unknown there is no label and \`error\` says so. As many on
as \`label_counts.skip\` is SKIP, as many as \`caution\` is CAUTION, fewer is TRADE.`

/** The operations that judge an account's positions. */
export const checksPaths: ZodOpenApiPathsObject = {
  '/api/positions/check': {
    get: keyedOperation({
      operationId: 'readChecks',
      tag: TAG,
      summary: 'Positions judged at one minute',
      description: `Every position of the account, or one. \`levels\` tells how far the flip, the
ends of its interval and both walls are from the index, and in each of \`shorts\` from that
strike. ${KNOWN} Distances only: no answer holds the index, a level or a strike.`,
      query: z.object({ day, t, id: id.optional() }),
      response: Checks,
      errors: ['bad_day', 'bad_time', 'invalid', 'not_found', 'damaged'],
    }),
  },
  '/api/positions/stream': {
    get: streamOperation({
      operationId: 'readChecksStream',
      tag: TAG,
      summary: 'The positions of the account judged at each new state',
      description: 'The event `checks` of a state has what `check` answers of its minute.',
      example:
        'id: 2026-10-15T11:14\nevent: checks\n' +
        'data: {"day":"2026-10-15","t":"11:14","live":true,"checks":[]}\n\n',
      errors: ['damaged'],
    }),
  },
  '/api/positions/track': {
    get: keyedOperation({
      operationId: 'readTrack',
      tag: TAG,
      summary: 'The label of one position over the hour up to a minute',
      description: `Up to 60 minutes, the last being \`t\`: each as \`check\` judges it. ${KNOWN}`,
      query: z.object({ id, day, t }),
      response: Track,
      errors: ['bad_day', 'bad_time', 'invalid', 'not_found', 'damaged'],
    }),
  },
  '/api/positions/entries': {
    get: keyedOperation({
      operationId: 'readEntries',
      tag: TAG,
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
        replay: z.coerce
          .number()
          .int()
          .min(0)
          .max(REPLAY_MAX)
          .optional()
          .meta({
            description: `Sessions to replay; ${REPLAY_DEFAULT} when left out.`,
            param: { example: 60 },
          }),
      }),
      response: EntryLog,
      errors: ['invalid', 'not_found'],
    }),
  },
}
