import { isoTimeEt, type MinuteEt, type SessionDate } from '../../core/market/calendar.ts'
import type { LabelEvent } from '../rules/positionLabel.ts'
import { type BodyPart, type Origin, originFields } from './bodyPart.ts'
import { formatCount, known, points } from './numbers.ts'

/** A position as in a body. Distances only: no level, no strike and no index. */
export type ReportedPosition = {
  readonly id: string
  readonly kind: 'condor' | 'strangle' | 'put_spread' | 'call_spread'
  readonly entry: MinuteEt
}

/** Reading of a position at a minute. */
export type ReportedReading = Origin & {
  readonly day: SessionDate
  readonly minute: MinuteEt
  /** Time of the finding, milliseconds. */
  readonly foundAtMs: number
  readonly counts: { readonly on: number; readonly off: number; readonly unknown: number }
  /** Ids of the conditions that are on. */
  readonly on: readonly string[]
  readonly shorts: readonly {
    readonly leg: 'sp' | 'sc'
    /** Index points to the short strike, below zero beyond it. */
    readonly points: number | null
    readonly expected_moves: number | null
  }[]
}

/** Body of a position's event without its id. */
export function positionBody(
  position: ReportedPosition,
  event: LabelEvent,
  reading: ReportedReading,
): BodyPart {
  const { day, minute, foundAtMs, counts, on, shorts, ...origin } = reading
  return {
    type: event.type,
    ts: isoTimeEt(foundAtMs),
    day,
    minute,
    position_id: position.id,
    kind: position.kind,
    entry: position.entry,
    ...(event.type === 'label_changed' && { from: event.from }),
    label: event.label,
    ...(event.error !== undefined && { error: event.error }),
    counts: { on: counts.on, off: counts.off, unknown: counts.unknown },
    on,
    shorts: shorts.map(short => ({
      leg: short.leg,
      ...known('points', short.points === null ? null : points(short.points)),
      ...known(
        'expected_moves',
        short.expected_moves === null ? null : points(short.expected_moves),
      ),
    })),
    text: formatText(position, event, reading),
    ...originFields(origin),
  }
}

function formatText(
  { id, kind, entry }: ReportedPosition,
  event: LabelEvent,
  reading: ReportedReading,
) {
  const words = kind.replaceAll('_', ' ')
  const name = `${words[0]!.toUpperCase()}${words.slice(1)} ${id} for ${entry}`
  const was = event.type === 'label_changed' ? `, was ${event.from ?? 'without a label'}` : ''
  if (event.label === null)
    return `${name} has no label at ${reading.minute} ET${was}: ${event.error}`
  const { on } = reading.counts
  const conditions = on === 0 ? 'no condition is' : `${formatCount(on, 'condition')} ${isOrAre(on)}`
  const verb = event.type === 'label_changed' ? 'is' : 'reads'
  return `${name} ${verb} ${event.label}${was}: ${conditions} on at ${reading.minute} ET.`
}

const isOrAre = (count: number) => (count === 1 ? 'is' : 'are')
