import type {
  Channel,
  FoundEvent,
  FoundMinute,
  Owner,
  Priority,
} from '../../accounts/outbox/types.ts'
import type { BodyPart } from '../bodies/bodyPart.ts'
import { eventId } from '../bodies/eventId.ts'
import type { MinuteQuestion } from './question.ts'

/** An account that is told what was found. */
export type Told = {
  readonly accountId: string
  readonly type: string
  /** `list`, or the id of the line, the rule or the position. */
  readonly source: string
  readonly subject: string
  /** True of what is told once a session, whenever it was found. */
  readonly isOfDay?: true
  readonly owner: Owner
  readonly priority: Priority
  readonly extra: BodyPart | null
  /** Where it goes; left out, wherever alerts of the account go. */
  readonly channels?: readonly Channel[]
}

/** Gathers what a minute found, and who is told. */
export type Telling = {
  /** The place of a body that accounts share; equal ones have one place. */
  readonly find: (body: BodyPart) => number
  readonly tell: (place: number, told: Told) => void
  readonly told: () => Pick<FoundMinute, 'findings' | 'events'>
}

const VERSION = 1
const ALL_CHANNELS: readonly Channel[] = ['webhook', 'email', 'telegram']

export function openTelling(question: MinuteQuestion): Telling {
  const { run, facts, minuteEndMs } = question
  const { day, minute } = facts.input
  const places = new Map<string, number>()
  const events: FoundEvent[] = []
  return {
    find: body => {
      const text = JSON.stringify({ version: VERSION, ...body })
      const known = places.get(text)
      if (known !== undefined) return known
      places.set(text, places.size)
      return places.size - 1
    },
    tell: (finding, { source, subject, isOfDay, extra, channels = ALL_CHANNELS, ...told }) => {
      const { accountId, type } = told
      const parts = { run: run.id, accountId, source, type, day, subject }
      events.push({
        ...told,
        id: eventId({ ...parts, minute: isOfDay ? null : minute }),
        extra: extra && JSON.stringify(extra),
        finding,
        minuteEndMs,
        channels: run.isDelivered ? channels : [],
      })
    },
    told: () => ({ findings: [...places.keys()].map(body => ({ body })), events }),
  }
}
