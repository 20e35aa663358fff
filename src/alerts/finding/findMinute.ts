import { toMinuteEt } from '../../data/published/messageMinutes.ts'
import type {
  Channel,
  FoundEvent,
  FoundMinute,
  LineState,
  Owner,
  Priority,
} from '../../outbox/store/types.ts'
import type { BodyPart } from '../bodies/bodyPart.ts'
import { eventId, listSubject } from '../bodies/eventId.ts'
import { levelBody } from '../bodies/levels.ts'
import { lineBody, openLineExtras } from '../bodies/lines.ts'
import { orderBody, orderExtra } from '../bodies/orders.ts'
import { positionBody } from '../bodies/positions.ts'
import { affectedLineRanges, judgeLine, type LineEvent, viewLines } from '../rules/lines.ts'
import { stepMinute, type WatchStates } from '../rules/minute.ts'
import { limitMatches, matchOrders, type OrderFacts, orderFacts } from '../rules/orders.ts'
import { type LabelState, stepLabel } from '../rules/positionLabel.ts'
import type { WatchedLine } from './lineIndex.ts'
import { type Memory, memoryText } from './memory.ts'
import { foundAt, type JudgedPosition, type MinuteQuestion } from './question.ts'
import type { RuleSubscriber, SubscribedRule } from './watched.ts'

/** An event for one account. */
type EventDraft = {
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
type EventCollector = {
  /** Index of a body shared by accounts; equal bodies have one index. */
  readonly find: (body: BodyPart) => number
  readonly add: (findingIndex: number, draft: EventDraft) => void
  readonly collected: () => Pick<FoundMinute, 'findings' | 'events'>
}

const VERSION = 1
const ALL_CHANNELS: readonly Channel[] = ['webhook', 'email', 'telegram']

function openEventCollector(question: MinuteQuestion): EventCollector {
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

/** An order that matches a rule, and the minutes at which it matched before. */
type Match = { readonly facts: OrderFacts; readonly before: readonly string[] }

/**
 * Collects orders of the minute that match rules: once per rule and order, at the first version
 * that matches. A rule set after that version does not receive the order.
 */
function findOrders(question: MinuteQuestion, collector: EventCollector): void {
  const { facts, settings } = question
  const { day, minute, orders } = facts.input
  if (orders.length === 0) return
  const seen = orderFacts(day, orders)
  const shared = orderBody(foundAt(question))
  for (const subscribed of settings.rules()) {
    const matches = selectMatches(question, subscribed, seen)
    if (matches.length === 0) continue
    const subscribers = [...subscribed.subscribers.values()].filter(
      ({ accountId, firstMinute }) =>
        settings.isNotified(accountId) && (firstMinute ?? '') <= minute,
    )
    for (const subscriber of subscribers.sort(byRule))
      collectOrders(collector, { shared, subscriber, matches })
  }
}

const byRule = (a: RuleSubscriber, b: RuleSubscriber) => (a.rule.id < b.rule.id ? -1 : 1)

/** Returns the first matching version of each order of the minute. */
function selectMatches(
  { facts }: MinuteQuestion,
  { compiled }: SubscribedRule,
  seen: readonly OrderFacts[],
): Match[] {
  const { findRow, earlier, input } = facts
  const found = matchOrders(compiled, seen)
  if (found.length === 0) return []
  const isFirst = (one: OrderFacts) =>
    !found.some(
      other =>
        other.order.oid === one.order.oid &&
        findRow(other.order).revision_number < findRow(one.order).revision_number,
    )
  return found.filter(isFirst).map(one => {
    const row = findRow(one.order)
    const known = row.revision_number > 1 ? earlier(row) : []
    const before = known
      .filter(({ ms }) => ms < row.state_ms)
      .filter(({ order }) => matchOrders(compiled, orderFacts(input.day, [order])).length > 0)
      .map(({ ms }) => toMinuteEt(ms))
    return { facts: one, before }
  })
}

type SubscriberMatches = {
  readonly shared: ReturnType<typeof orderBody>
  readonly subscriber: RuleSubscriber
  readonly matches: readonly Match[]
}

function collectOrders(
  collector: EventCollector,
  { shared, subscriber, matches }: SubscriberMatches,
): void {
  const { accountId, rule, firstMinute } = subscriber
  const isNew = ({ before }: Match) => !before.some(minute => minute >= (firstMinute ?? ''))
  const newMatches = matches.filter(isNew).map(({ facts }) => facts)
  for (const match of limitMatches(newMatches)) {
    collector.add(collector.find(shared), {
      accountId,
      type: 'order',
      source: rule.id,
      subject: match.facts.order.oid,
      isOfDay: true,
      owner: 'alerts',
      priority: 3,
      extra: orderExtra(rule, match),
    })
  }
}

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

/** Collects label events of positions; returns the memory of each. */
function findPositions(
  before: Readonly<Record<string, LabelState>>,
  question: MinuteQuestion,
  collector: EventCollector,
): Readonly<Record<string, LabelState>> {
  const { positions, settings } = question
  const states: Record<string, LabelState> = {}
  for (const judged of positions) {
    const { id } = judged.position
    if (!settings.isNotified(judged.accountId)) continue
    const state = judged.reading
      ? collectLabel(before[id] ?? null, judged, question, collector)
      : (before[id] ?? null)
    if (state) states[id] = state
  }
  return states
}

function collectLabel(
  before: LabelState | null,
  { accountId, position, channel, sinceMs, reading, ...given }: JudgedPosition,
  question: MinuteQuestion,
  collector: EventCollector,
): LabelState | null {
  const { facts, sinceMinute, foundAtMs, run, isSimulated } = question
  const { day, minute } = facts.input
  const { label, error, ...shown } = reading!
  const params = {
    entry: position.entry,
    before: given.before,
    firstMinute: sinceMinute(sinceMs),
  }
  const { state, event } = stepLabel(before, { minute, label, error }, params)
  if (event === null) return state
  const origin = { isReplay: run.isReplay, isSimulated }
  const body = positionBody(position, event, { day, minute, foundAtMs, ...shown, ...origin })
  collector.add(collector.find(body), {
    accountId,
    type: event.type,
    source: position.id,
    subject: position.id,
    owner: position.id as `p_${string}`,
    priority: 2,
    extra: null,
    channels: [channel],
  })
  return state
}
