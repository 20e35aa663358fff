import type { Channel, FoundEvent, FoundMinute, Owner, Priority } from '../../outbox/store/types.ts'
import type { BodyPart } from '../bodies/bodyPart.ts'
import { eventId } from '../bodies/eventId.ts'
import type { MinuteQuestion } from './question.ts'

/** An event for one account. */
export type EventDraft = {
  readonly accountId: string
  readonly type: string
  /** `list`, or the id of the line, the rule or the position. */
  readonly source: string
  readonly subject: string
  /** True for an event that is sent once a session, at whichever minute it is found. */
  readonly isOfDay?: true
  readonly owner: Owner
  readonly priority: Priority
  readonly extra: BodyPart | null
  /** Channels to send it to; default: all channels of the account's alerts. */
  readonly channels?: readonly Channel[]
}

/** Collects the findings of a minute and the accounts to notify. */
export type EventCollector = {
  /** Index of a body shared by accounts; equal bodies have one index. */
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
