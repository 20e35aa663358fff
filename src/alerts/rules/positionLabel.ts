import { type MinuteEt, minutesAfter } from '../../core/market/calendar.ts'
import { FIRST_MINUTE } from '../../data/published/stateMinutes.ts'
import { missingBetween, since } from './gap.ts'

/** Label events of a position. */

/** From the best to the worst. */
export const REPORTED_LABELS = ['TRADE', 'CAUTION', 'SKIP'] as const
export type ReportedLabel = (typeof REPORTED_LABELS)[number]

/** Equal minutes after which a better label is reported; a worse one is reported at once. */
const BETTER_AFTER = 5
/** Minutes without a label after which that is reported. */
const UNKNOWN_AFTER = 5

/** A position as judged at a minute. */
export type LabelInput = {
  readonly minute: MinuteEt
  /** Null: there is none, and `error` states the reason. */
  readonly label: ReportedLabel | null
  readonly error: string | null
}

export type LabelParams = {
  readonly entry: MinuteEt
  /** Minutes before the entry at which alerts start. */
  readonly before: number
  /** First state of the session that the position sees; null: it existed before the session. */
  readonly firstMinute: MinuteEt | null
}

/** State of a position in a session; null before its first event. */
export type LabelState = {
  readonly at: MinuteEt
  /** The label last reported. */
  readonly told: ReportedLabel | null
  /** The label of the latest minutes, and its run length. */
  readonly label: ReportedLabel | null
  readonly run: number
}

export type LabelEvent = {
  readonly label: ReportedLabel | null
  readonly error?: string
} & (
  | { readonly type: 'opening_read' }
  | { readonly type: 'label_changed'; readonly from: ReportedLabel | null }
)

type LabelStep = { readonly state: LabelState | null; readonly event: LabelEvent | null }

/** The first minute at which a position is judged for alerts. */
export function firstReadMinute({ entry, before }: LabelParams): MinuteEt {
  const first = minutesAfter(entry, -before)
  return first < FIRST_MINUTE ? FIRST_MINUTE : first
}

/**
 * Steps one minute of a position, up to the close. The opening read comes once, with the first
 * label, or at the entry if there was none. From then on a worse label is reported at once, a
 * better one after five minutes, and a missing label after five minutes without one. A position
 * that was saved after its entry starts silently.
 */
export function stepLabel(
  before: LabelState | null,
  input: LabelInput,
  params: LabelParams,
): LabelStep {
  const { minute, label } = input
  if (minute < firstReadMinute(params)) return { state: null, event: null }
  if (before === null) return openingRead(input, params)
  const goesOn = label === before.label && since(before.at, minute) === 'none'
  const run = goesOn ? before.run + 1 : computeRunLength(before, input)
  const state = { at: minute, told: before.told, label, run }
  if (label === before.told || run < neededFor(before.told, label)) return { state, event: null }
  const event = { type: 'label_changed', from: before.told, ...toReading(input) } as const
  return { state: { ...state, told: label }, event }
}

function openingRead(input: LabelInput, { entry, firstMinute }: LabelParams): LabelStep {
  const { minute, label } = input
  if (label === null && minute < entry) return { state: null, event: null }
  const state = { at: minute, told: label, label, run: 1 }
  const isLate = firstMinute !== null && firstMinute > entry
  if (isLate) return { state, event: null }
  return { state, event: { type: 'opening_read', ...toReading(input) } }
}

/** Length of a run at its start: missing minutes count as minutes without a label. */
function computeRunLength({ at, label, run }: LabelState, input: LabelInput): number {
  if (input.label !== null) return 1
  return (label === null ? run : 0) + missingBetween(at, input.minute) + 1
}

/** Consecutive minutes until a label is reported. After none, all but the best are worse. */
function neededFor(reported: ReportedLabel | null, label: ReportedLabel | null): number {
  if (label === null) return UNKNOWN_AFTER
  const rank = (one: ReportedLabel | null) => (one === null ? 0 : REPORTED_LABELS.indexOf(one))
  return rank(label) > rank(reported) ? 1 : BETTER_AFTER
}

const toReading = ({ label, error }: LabelInput) =>
  label === null ? { label, error: error ?? 'there is no label.' } : { label }
