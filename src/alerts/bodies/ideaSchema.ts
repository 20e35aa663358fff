import { z } from 'zod'
import { Day, Minute, number } from '../../platform/http/fields.ts'
import { eventHead, origin, priceIfKnown, symbol, text, ts } from './fields.ts'
import { IDEA_EXITS } from './ideas.ts'

/** Schemas of the bodies of ideas on the desk. */

const ideaHead = {
  ...eventHead,
  symbol,
  ts,
  day: Day,
  minute: Minute,
  price: priceIfKnown,
  idea: z.looseObject({ id: z.string() }).describe('An idea on the desk of LAB.'),
  text,
  ...origin,
}

const paperTrade = {
  structure: z.string(),
  strikes: z.array(z.number()),
  entry_day: Day,
  entry: Minute.describe('When it was entered, on paper.'),
}

export const IdeaTriggered = z.looseObject({
  ...ideaHead,
  type: z.literal('idea_triggered'),
  trade: z.looseObject(paperTrade),
})

export const IdeaClosed = z.looseObject({
  ...ideaHead,
  type: z.literal('idea_closed'),
  trade: z.looseObject({
    ...paperTrade,
    exit: z.enum(IDEA_EXITS),
    r: number('Profit after costs / risk.').optional(),
  }),
})
