import { z } from 'zod'
import type { ZodOpenApiOperationObject } from 'zod-openapi'
import { PUT_SUPPORT_LAST_DAY } from '../platform/http/deprecations.ts'
import { text } from '../platform/http/fields.ts'
import { DELIVERY_RULES } from '../platform/webhooks/delivery.ts'
import { AlertBody, PositionBody } from './bodies/schema.ts'

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
