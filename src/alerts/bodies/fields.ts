import { z } from 'zod'
import { number } from '../../platform/http/fields.ts'

/** Fields common to bodies of several kinds. */

export const eventHead = {
  version: z.literal(1).describe('Version of the body.'),
  id: z
    .string()
    .regex(/^evt_[0-9a-f]{32}$/)
    .describe('Every try of one event has the same id: drop ids you have seen.'),
}

export const ts = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[45]:00$/)
  .meta({
    description: 'When the event was found: New York time with its offset.',
    example: '2026-11-25T10:37:03-05:00',
  })

export const text = z.string().describe('The event in one line.')

export const origin = {
  replay: z.literal(true).optional().describe('Of a session that is replayed.'),
  simulated: z.literal(true).optional().describe('Of a simulated session.'),
}

export const symbol = z.literal('SPX')
export const price = number('The index at the minute, points.')
// a level may move while the index is not known
export const priceIfKnown = price.optional()
