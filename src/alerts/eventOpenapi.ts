import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { Day } from '../platform/http/fields.ts'
import { keyedOperation } from '../platform/http/openapi.ts'
import { Deliveries, EVENT_TYPES, Events } from './eventSchema.ts'
import { RETENTION_DAYS } from './events.ts'
import { DELIVERIES_MAX, DELIVERIES_USUAL, EVENTS_MAX, EVENTS_USUAL } from './limits.ts'

const whole = (min: number, max: number, description: string, example: number) =>
  z.coerce.number().int().min(min).max(max).optional().meta({ description, param: { example } })

const ANY = Number.MAX_SAFE_INTEGER

/** The operations on an account's events and deliveries. */
export const eventPaths: ZodOpenApiPathsObject = {
  '/api/alerts/events': {
    get: keyedOperation({
      operationId: 'readAlertEvents',
      tag: 'Alerts',
      summary: 'What the account was told, oldest first',
      description: `Every event of the account, also where it has no webhook. Ask first without
\`after\`, then with \`last\` of the answer before: every event comes once, in the order in which
events can be read. Events are kept for ${RETENTION_DAYS} days.`,
      query: z.object({
        after: whole(0, ANY, '`last` of the answer before; 0 when left out.', 4711),
        limit: whole(1, EVENTS_MAX, `How many at most; ${EVENTS_USUAL} when left out.`, 100),
        day: Day.optional().meta({
          description: 'Those of one day.',
          param: { example: '2026-11-25' },
        }),
        type: z
          .enum(EVENT_TYPES as [string, ...string[]])
          .optional()
          .meta({ description: 'Those of one type.', param: { example: 'flip_cross' } }),
      }),
      response: Events,
      errors: ['bad_day', 'invalid'],
    }),
  },
  '/api/alerts/deliveries': {
    get: keyedOperation({
      operationId: 'readAlertDeliveries',
      tag: 'Alerts',
      summary: 'How events got to their places, newest first',
      description: `A delivery is one event on its way to one place, with every try. Without
\`event\` those of all events; \`before\` leads to older ones.`,
      query: z.object({
        event: z
          .string()
          .optional()
          .meta({
            description: 'Id of an event.',
            param: { example: 'evt_9f2c4e7a1b3d5f60718293a4b5c6d7e8' },
          }),
        before: whole(1, ANY, 'Those before the delivery of this number.', 902),
        limit: whole(1, DELIVERIES_MAX, `How many at most; ${DELIVERIES_USUAL} when left out.`, 50),
      }),
      response: Deliveries,
      errors: ['invalid', 'not_found'],
    }),
  },
}
