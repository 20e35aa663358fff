import { positionBody } from '../bodies/positions.ts'
import { type LabelState, stepLabel } from '../rules/positionLabel.ts'
import type { JudgedPosition, MinuteQuestion } from './question.ts'
import type { EventCollector } from './recipients.ts'

/** Collects label events of positions; returns the memory of each. */
export function findPositions(
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
