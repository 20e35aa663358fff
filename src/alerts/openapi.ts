import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { PUT_SUPPORT_LAST_DAY } from '../platform/http/deprecations.ts'
import { Day, param, text, textOrNull } from '../platform/http/fields.ts'
import { keyedChange, keyedOperation, REPEAT_WORDS } from '../platform/http/openapi.ts'
import { DELIVERY_RULES } from '../platform/webhooks/delivery.ts'
import { AlertBody, PositionBody } from './bodies/schema.ts'
import { ENTRY_FIELDS, LIST_ROWS } from './catalogue.ts'
import { Deliveries, EVENT_TYPES, Events } from './eventSchema.ts'
import { RETENTION_DAYS } from './events.ts'
import { inputValue } from './fieldSchema.ts'
import { type AlertField, formatAdvice } from './fields.ts'
import { DELIVERIES_MAX, DELIVERIES_USUAL, EVENTS_MAX, EVENTS_USUAL } from './limits.ts'
import { LINE_FIELDS } from './lineFields.ts'
import { RULE_FIELDS } from './ruleFields.ts'
import { Alerts, ChangedAlerts } from './schema.ts'

/** OpenAPI schemas of the changes of alerts, built from the catalogue. */

/** Schema of a field's values; a null is its default. */
function toInputSchema(field: AlertField): z.ZodType {
  const { meaning, isRequired, default: usual } = field
  const value = isRequired ? inputValue(field) : inputValue(field).nullable()
  const own = usual === null ? '' : ` By default ${JSON.stringify(usual)}.`
  return value.optional().describe(`${meaning}: ${formatAdvice(field)}.${own}`)
}

const toShape = (fields: readonly AlertField[]) =>
  Object.fromEntries(fields.map(field => [field.name, toInputSchema(field)]))

const ENTRY_INPUTS = LIST_ROWS.map(({ type, parameters }) =>
  z.strictObject({ ...toShape([...ENTRY_FIELDS, ...parameters]), type: z.literal(type) }),
)

const EntryInput = z
  .union(ENTRY_INPUTS)
  .meta({ id: 'AlertEntryInput', description: 'An entry of the list, and what changes of it.' })

const id = text('Needed by update; not by add.').optional()

const LineInput = z
  .strictObject({ id, ...toShape(LINE_FIELDS) })
  .meta({ id: 'AlertLineInput', description: 'A line to add, or what changes of one.' })

const RuleInput = z
  .strictObject({ id, ...toShape(RULE_FIELDS) })
  .meta({ id: 'AlertRuleInput', description: 'A rule to add, or what changes of one.' })

const changing = z.enum(['add', 'update'])

const AlertsChangeInput = z
  .union([
    z.strictObject({ op: z.literal('set'), entry: EntryInput }),
    z.strictObject({ op: changing, line: LineInput }),
    z.strictObject({ op: changing, rule: RuleInput }),
    z.strictObject({ op: z.enum(['remove', 'arm']), id: z.string() }),
    z.strictObject({
      op: z.literal('test'),
      position: textOrNull('Id of a position: its own webhook is tested.').optional(),
    }),
    z.strictObject({
      op: z.literal('redeliver'),
      id: text('Of an event.'),
    }),
  ])
  .meta({
    id: 'AlertsChange',
    description: 'One change of the alerts of an account, or an event to be sent.',
  })

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
    ...keyedOperation(TAG, {
      operationId: 'readAlerts',
      since: '2026-11-26',
      summary: 'What the account wants to be told of, and all that can be set',
      description: `The list of events of levels, the lines, the rules for orders, the state of the
webhook, how many there may be, and the catalogue of every field.`,
      response: Alerts,
    }),
    ...keyedChange(TAG, {
      operationId: 'changeAlerts',
      since: '2026-11-26',
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

const whole = (min: number, max: number, description: string, example: number) =>
  param(z.coerce.number().int().min(min).max(max).optional(), description, example)

const ANY = Number.MAX_SAFE_INTEGER

/** The operations on an account's events and deliveries. */
export const eventPaths: ZodOpenApiPathsObject = {
  '/api/alerts/events': keyedOperation('Alerts', {
    operationId: 'readAlertEvents',
    since: '2026-11-26',
    summary: 'Events of the account, oldest first',
    description: `Every event of the account, also where it has no webhook. Ask first without
\`after\`, then with \`last\` of the answer before: every event comes once, in the order in which
events can be read. Events are kept for ${RETENTION_DAYS} days.`,
    query: z.object({
      after: whole(0, ANY, '`last` of the answer before; 0 when left out.', 4711),
      limit: whole(1, EVENTS_MAX, `How many at most; ${EVENTS_USUAL} when left out.`, 100),
      day: param(Day.optional(), 'Those of one day.', '2026-11-25'),
      type: param(
        z.enum(EVENT_TYPES as [string, ...string[]]).optional(),
        'Those of one type.',
        'flip_cross',
      ),
    }),
    response: Events,
    errors: ['bad_day', 'invalid'],
  }),
  '/api/alerts/deliveries': keyedOperation('Alerts', {
    operationId: 'readAlertDeliveries',
    since: '2026-11-26',
    summary: 'How events got to their places, newest first',
    description: `A delivery is one event on its way to one place, with every try. Without
\`event\` those of all events; \`before\` leads to older ones.`,
    query: z.object({
      event: param(
        z.string().optional(),
        'Id of an event.',
        'evt_9f2c4e7a1b3d5f60718293a4b5c6d7e8',
      ),
      before: whole(1, ANY, 'Those before the delivery of this number.', 902),
      limit: whole(1, DELIVERIES_MAX, `How many at most; ${DELIVERIES_USUAL} when left out.`, 50),
    }),
    response: Deliveries,
    errors: ['invalid', 'not_found'],
  }),
}

/** OpenAPI description of the webhooks of alerts and positions. */

const header = (description: string) => text(description)

const Headers = z.object({
  'X-Service-Event': header('Type of the event.'),
  'X-Service-Event-Id': header('Id of the event, as in the body.'),
  'X-Service-Timestamp': header('When this try was signed, Unix seconds.'),
  'X-Service-Signature': header(
    '`sha256=` and the HMAC-SHA256, in hexadecimal, of the timestamp, a dot and the raw body; ' +
      'its key is the whole secret.',
  ),
  'webhook-id': header('Standard Webhooks: id of the event.'),
  'webhook-timestamp': header('Standard Webhooks: Unix seconds.'),
  'webhook-signature': header('Standard Webhooks: `v1,` and the signature as base64.'),
})

const LegacyHeaders = Headers.extend({
  'X-Service-Signature-V0': header(
    `\`sha256=\` and the HMAC-SHA256 of the raw body alone. Sent until ${PUT_SUPPORT_LAST_DAY}.`,
  )
    .optional()
    .meta({ deprecated: true }),
})

type Hooked = {
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly headers: z.ZodObject
  readonly body: z.ZodType
}

function hooked({ operationId, tag, summary, headers, body }: Hooked): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: [tag],
    summary,
    description: DELIVERY_RULES,
    security: [],
    requestParams: { header: headers },
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      '2XX': { description: 'Taken.' },
      '4XX': { description: 'Refused: it is not tried again, but for 429.' },
    },
  }
}

/** Webhooks of OpenAPI 3.1. */
export const alertWebhooks = {
  alert: {
    post: hooked({
      operationId: 'alertEvent',
      tag: 'Alerts',
      summary: 'An event of the list, of a line or of a rule',
      headers: Headers,
      body: AlertBody,
    }),
  },
  position: {
    post: hooked({
      operationId: 'positionEvent',
      tag: 'Positions',
      summary: 'An event of a position whose alert goes to a webhook',
      headers: LegacyHeaders,
      body: PositionBody,
    }),
  },
}
