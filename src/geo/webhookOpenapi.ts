import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { text } from '../platform/http/fields.ts'
import { DELIVERY_RULES } from '../platform/webhooks/delivery.ts'
import { RecordEvent } from './schema.ts'

const header = (description: string) => text(description)

/** OpenAPI description of the webhook of public records. */
export const geoWebhooks = {
  geo: {
    post: {
      operationId: 'geoEvent',
      tags: ['Geo'],
      summary: 'Public records that became known, or a test',
      description: DELIVERY_RULES,
      security: [],
      requestParams: {
        header: z.object({
          'X-Geo-Event': header('Type of the event.'),
          'X-Geo-Event-Id': header('Id of the event, as in the body.'),
          'X-Geo-Signature': header(
            '`t=`, when this try was signed in Unix seconds, `,v1=` and the HMAC-SHA256, in ' +
              'hexadecimal, of that time, a dot and the raw body; its key is the whole secret.',
          ),
        }),
      },
      requestBody: {
        required: true,
        content: { 'application/json': { schema: RecordEvent } },
      },
      responses: {
        '2XX': { description: 'Taken.' },
        '4XX': { description: 'Refused: it is not tried again, but for 429.' },
      },
    },
  },
} satisfies ZodOpenApiPathsObject
