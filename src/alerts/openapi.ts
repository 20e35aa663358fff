import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { keyedChange, keyedOperation, REPEAT_WORDS } from '../platform/http/openapi.ts'
import { AlertsChangeInput } from './inputSchema.ts'
import { Alerts, ChangedAlerts } from './schema.ts'

const TAG = 'Alerts'

const CHANGES = `\`set\` changes an entry of the list: one a type and book. \`add\` and
\`update\` take a \`line\` or a \`rule\`; \`add\` answers its id, which \`update\` needs. \`remove\`
takes the \`id\` of either, \`arm\` that of a line. What an update or a set leaves out stays as it
is; a null is the default again, and no condition in a rule. The catalogue of GET has every field
with its unit and range.

\`test\` sends an event of type \`test\` to the webhook, or with \`position\` to the webhook of
that position; \`redeliver\` sends the event of an \`id\` again, with the same id. Both answer the
id of the event, which \`deliveries\` takes, before it is sent.

An update that moves a line, or turns its direction, arms it. No field asks which way a customer
traded.

${REPEAT_WORDS}

Unknown fields are refused. The body is JSON in UTF-8, whatever its Content-Type, of at most
16 KiB.`

/** The operations on an account's alert settings. */
export const alertsPaths: ZodOpenApiPathsObject = {
  '/api/alerts': {
    get: keyedOperation({
      operationId: 'readAlerts',
      since: '2026-11-26',
      tag: TAG,
      summary: 'What the account wants to be told of, and all that can be set',
      description: `The list of events of levels, the lines, the rules for orders, the state of the
webhook, how many there may be, and the catalogue of every field.`,
      response: Alerts,
    }),
    post: keyedChange({
      operationId: 'changeAlerts',
      since: '2026-11-26',
      tag: TAG,
      summary: 'Change the list, a line or a rule, or have an event sent',
      description: CHANGES,
      body: AlertsChangeInput,
      examples: {
        set: {
          op: 'set',
          entry: { type: 'flip_cross', book: 'measured', on: true, confirm: 3, certain: true },
        },
        add_line: {
          op: 'add',
          line: {
            kind: 'level',
            level: 'put_wall',
            offset: 10,
            mode: 'repeat',
            note: 'near my short put',
          },
        },
        add_rule: {
          op: 'add',
          rule: { name: 'big verticals', kinds: ['vertical'], min_premium: 2.5, wall_within: 15 },
        },
        update: { op: 'update', rule: { id: 'r_5Xk9bT3nW1Lp', on: false } },
        remove: { op: 'remove', id: 'l_7Qd2mX0aZ9Ke' },
        arm: { op: 'arm', id: 'l_7Qd2mX0aZ9Ke' },
        test: { op: 'test' },
        redeliver: { op: 'redeliver', id: 'evt_9f2c4e7a1b3d5f60718293a4b5c6d7e8' },
      },
      response: ChangedAlerts,
      errors: [
        'unsupported_media_type',
        'body_too_large',
        'bad_json',
        'bad_op',
        'invalid',
        'not_found',
        'idempotency_key_reused',
      ] as const,
    }),
  },
}
