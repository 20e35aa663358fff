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
export type EventDraft = {
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
export type EventCollector = {
  /** The place of a body that accounts share; equal ones have one place. */
  readonly find: (body: BodyPart) => number
  readonly add: (findingIndex: number, draft: EventDraft) => void
  readonly collected: () => Pick<FoundMinute, 'findings' | 'events'>
}

const VERSION = 1
const ALL_CHANNELS: readonly Channel[] = ['webhook', 'email', 'telegram']

export function openEventCollector(question: MinuteQuestion): EventCollector {
  const { run, facts, minuteEndMs } = question
  const { day, minute } = facts.input
  const findingIndexes = new Map<string, number>()
  const events: FoundEvent[] = []
  return {
    find: body => {
      const text = JSON.stringify({ version: VERSION, ...body })
      const known = findingIndexes.get(text)
      if (known !== undefined) return known
      findingIndexes.set(text, findingIndexes.size)
      return findingIndexes.size - 1
    },
    add: (finding, { source, subject, isOfDay, extra, channels = ALL_CHANNELS, ...draft }) => {
      const { accountId, type } = draft
      const parts = { run: run.id, accountId, source, type, day, subject }
      events.push({
        ...draft,
        id: eventId({ ...parts, minute: isOfDay ? null : minute }),
        extra: extra && JSON.stringify(extra),
        finding,
        minuteEndMs,
        channels: run.isDelivered ? channels : [],
      })
    },
    collected: () => ({ findings: [...findingIndexes.keys()].map(body => ({ body })), events }),
  }
}
