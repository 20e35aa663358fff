import type { Channel } from '../../accounts/outbox/types.ts'
import type { FoundAt } from '../bodies/levels.ts'
import type { ReportedPosition, ReportedReading } from '../bodies/positions.ts'
import type { ReportedLabel } from '../rules/positionLabel.ts'
import type { MinuteFacts } from './inputs.ts'
import type { Run } from './run.ts'
import type { SinceMinute } from './sinceMinute.ts'
import type { WatchedSettings } from './watched.ts'

/** A position that is watched, and how it was judged at the minute. */
export type JudgedPosition = {
  readonly accountId: string
  readonly position: ReportedPosition
  readonly channel: Channel
  /** Of its webhook, if it has one. */
  readonly url: string | null
  /** Minutes before the entry at which alerts start. */
  readonly before: number
  /** When it was saved last. System milliseconds. */
  readonly sinceMs: number
  /** Null: nobody could judge it at this minute. */
  readonly reading:
    | (Pick<ReportedReading, 'counts' | 'on' | 'shorts'> & {
        readonly label: ReportedLabel | null
        readonly error: string | null
      })
    | null
}

/** What a minute is judged with. */
export type MinuteQuestion = {
  readonly run: Run
  readonly facts: MinuteFacts
  readonly settings: WatchedSettings
  /** Positions that are judged at the minute, as they were. */
  readonly positions: readonly JudgedPosition[]
  readonly sinceMinute: SinceMinute
  readonly isSimulated: boolean
  /** When it is found, by the clock of the market. UTC milliseconds. */
  readonly foundAtMs: number
  /** The same by the system's clock. */
  readonly atMs: number
  /** From when on its first try may be late; null: never. */
  readonly minuteEndMs: number | null
}

/** The state at which an event was found. */
export function foundAt({ facts, foundAtMs, run, isSimulated }: MinuteQuestion): FoundAt {
  const { day, minute, books } = facts.input
  return { day, minute, books, foundAtMs, isReplay: run.isReplay, isSimulated }
}
