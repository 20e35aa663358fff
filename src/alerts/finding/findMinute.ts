import type { FoundMinute, LineState } from '../../outbox/store/types.ts'
import { listSubject } from '../bodies/eventId.ts'
import { levelBody } from '../bodies/levels.ts'
import { lineBody, openLineExtras } from '../bodies/lines.ts'
import type { LineEvent } from '../rules/lines.ts'
import { affectedLineRanges, judgeLine, viewLines } from '../rules/lines.ts'
import { stepMinute, type WatchStates } from '../rules/minute.ts'
import { findOrders } from './findOrders.ts'
import { findPositions } from './findPositions.ts'
import type { WatchedLine } from './lineIndex.ts'
import { type Memory, memoryText } from './memory.ts'
import { foundAt, type MinuteQuestion } from './question.ts'
import { type EventCollector, openEventCollector } from './recipients.ts'

export type MinuteResult = Omit<FoundMinute, 'states'> & { readonly memory: Memory }

/**
 * Returns everything that a minute yields: events by account, and the memory for the next minute.
 * Deterministic: the same minute, memory and settings yield the same events at any time.
 */
export function findMinute(before: Memory, question: MinuteQuestion): MinuteResult {
  const { facts, settings } = question
  const collector = openEventCollector(question)
  const found = foundAt(question)
  const { states, findings } = stepMinute(before.watch, facts.input, settings.groups())
  for (const finding of findings) {
    const findingIndex = collector.find(levelBody(finding, found))
    for (const accountId of settings.listRecipients(finding.group)) {
      const { type, book, subject } = finding
      collector.add(findingIndex, {
        accountId,
        type,
        source: 'list',
        subject: listSubject(book, subject),
        owner: 'alerts',
        priority: 0,
        extra: null,
      })
    }
  }
  const lineChanges = findLines(before.watch, question, collector)
  const positions = findPositions(before.positions, question, collector)
  findOrders(question, collector)
  return { ...collector.collected(), lineChanges, memory: { watch: states, positions } }
}

/** The same in the format of the store. */
export const foundMinute = ({ memory, ...found }: MinuteResult): FoundMinute => ({
  ...found,
  states: memoryText(memory),
})

/** Collects events of lines that the price reached, and lines that are rearmed. */
function findLines(
  before: WatchStates | null,
  question: MinuteQuestion,
  collector: EventCollector,
): LineState[] {
  const { facts, settings, atMs } = question
  const view = viewLines(before, facts.input)
  if (view === null) return []
  const collectLine = openLineCollector(question, collector)
  const changes: LineState[] = []
  for (const watched of settings.lines.find(affectedLineRanges(view))) {
    if (!settings.isNotified(watched.accountId)) continue
    const { line, accountId, firstMinute, armed, firedAtMs } = watched
    const judged = judgeLine(view, line, { armed, firstMinute })
    if (judged.event) collectLine(watched, judged.event)
    if (judged.armed === armed && !judged.event) continue
    const firedNow = judged.event ? atMs : firedAtMs
    changes.push({ lineId: line.id, accountId, isArmed: judged.armed, firedAtMs: firedNow })
  }
  return changes
}

/** Collects line events; the body shared by lines at one level, or at prices, is built once. */
function openLineCollector(question: MinuteQuestion, collector: EventCollector) {
  const found = foundAt(question)
  const shared = new Map<string, { type: string; findingIndex: number }>()
  const buildExtra = openLineExtras(found)
  const sharedBy = (key: string, event: LineEvent) => {
    const known = shared.get(key)
    if (known) return known
    const body = lineBody(event, found)
    const made = { type: String(body.type), findingIndex: collector.find(body) }
    shared.set(key, made)
    return made
  }
  return ({ line, accountId }: WatchedLine, event: LineEvent): void => {
    const level = event.level ? `${event.book} ${event.level.kind}` : ''
    const { type, findingIndex } = sharedBy(`${level} ${event.direction}`, event)
    collector.add(findingIndex, {
      accountId,
      type,
      source: line.id,
      subject: line.id,
      owner: 'alerts',
      priority: 1,
      extra: buildExtra(line, event),
    })
  }
}
