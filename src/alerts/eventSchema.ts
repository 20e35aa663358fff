import { z } from 'zod'
import { flag, type Named, text, textOrNull, whole, wholeOrNull } from '../platform/http/fields.ts'
import { EVENTS_PER_MINUTE_MAX } from '../platform/webhooks/delivery.ts'
import { AlertBody, PositionBody } from './bodies/schema.ts'

/** Schemas of the responses about events and deliveries, for the OpenAPI file and for tests. */

/** Every type of event, as in `type` of a body. */
export const EVENT_TYPES: readonly string[] = [
  ...new Set(
    [AlertBody, PositionBody].flatMap(({ options }) => options.map(one => one.shape.type.value)),
  ),
]

const EventBody = z
  .union([AlertBody, PositionBody])
  .describe('What is sent to a webhook: see `webhooks`. Whole, also where there is no webhook.')

const time = (description: string) => text(description)

const Event = z
  .looseObject({
    seq: whole('Rises in the order in which events can be read.'),
    queued_at: time('When it was found or asked for, ISO 8601 in New York time.'),
    body: EventBody,
  })
  .meta({ id: 'AlertEvent', description: 'What the account was told.' })

const EXAMPLE_EVENT = {
  seq: 4711,
  queued_at: '2026-11-25T10:37:03-05:00',
  body: AlertBody.meta()!.example,
}

export const Events = z
  .looseObject({
    events: z.array(Event).describe('Oldest first.'),
    last: whole('Give it as `after` to get those behind these.'),
    more: flag('Whether there are more by now.'),
  })
  .meta({ id: 'AlertEvents', example: { events: [EXAMPLE_EVENT], last: 4711, more: false } })

const Attempt = z
  .looseObject({
    number: z.int().min(1),
    started: time('When it began, ISO 8601 in New York time.'),
    result: z
      .enum(['unknown', 'sent', 'retry', 'failed'])
      .describe(
        '`retry`: no answer in time, a 429 or a 5xx. `unknown`: it is under way, or its end was ' +
          'never written.',
      ),
    ms: wholeOrNull('Until the answer began; null: none is known.'),
    status: wholeOrNull('Status of the answer; null: there was none.'),
    error: textOrNull(
      'Why there was no answer, such as `timeout`, `dns`, `tls`, `connection` and ' +
        '`refused_address`; of Telegram also what it said: `moved`, `no_chat`, `no_rights`.',
    ),
    address: textOrNull('IP address that was dialled.'),
  })
  .meta({ id: 'AlertAttempt', description: 'One try to deliver an event.' })

const Delivery = z
  .looseObject({
    delivery: whole('Its number; `before` takes it.'),
    event: text('Id of the event.'),
    type: text('Type of the event.'),
    position: textOrNull('Whose event it is; null: alerts.'),
    channel: z.enum(['webhook', 'email', 'telegram']),
    state: z.enum(['waiting', 'trying', 'sent', 'failed', 'dropped']),
    reason: textOrNull(
      `Why it was dropped: \`rate\` over ${EVENTS_PER_MINUTE_MAX} in a minute, ` +
        '`off` the webhook is, `late` over ' +
        '300 s, `removed`, `no_contact`, `no_secret`, `interrupted`.',
    ),
    queued_at: time('When it was queued, ISO 8601 in New York time.'),
    next_try_at: textOrNull('Null unless it waits.'),
    ended_at: textOrNull('Null until it has ended.'),
    attempts: z.array(Attempt).describe('Oldest first.'),
  })
  .meta({ id: 'AlertDelivery', description: 'An event on its way to one place.' })

export const Deliveries = z
  .looseObject({ deliveries: z.array(Delivery).describe('Newest first.') })
  .meta({
    id: 'AlertDeliveries',
    example: {
      deliveries: [
        {
          delivery: 902,
          event: 'evt_9f2c4e7a1b3d5f60718293a4b5c6d7e8',
          type: 'flip_cross',
          position: null,
          channel: 'webhook',
          state: 'sent',
          reason: null,
          queued_at: '2026-11-25T10:37:03-05:00',
          next_try_at: null,
          ended_at: '2026-11-25T10:37:05-05:00',
          attempts: [
            {
              number: 1,
              started: '2026-11-25T10:37:03-05:00',
              result: 'retry',
              ms: 41,
              status: 503,
              error: null,
              address: '203.0.113.7',
            },
            {
              number: 2,
              started: '2026-11-25T10:37:04-05:00',
              result: 'sent',
              ms: 38,
              status: 204,
              error: null,
              address: '203.0.113.7',
            },
          ],
        },
      ],
    },
  })

export type EventWire = Named<typeof Event>
export type AttemptWire = Named<typeof Attempt>
export type DeliveryWire = Named<typeof Delivery>
