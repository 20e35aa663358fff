import type { Channel } from '../../outbox/store/types.ts'
import type { FoundAt } from '../bodies/levels.ts'
import type { ReportedPosition, ReportedReading } from '../bodies/positions.ts'
import type { ReportedLabel } from '../rules/positionLabel.ts'
import type { MinuteFacts } from './inputs.ts'
import type { Run } from './run.ts'
import type { SinceMinute } from './sinceMinute.ts'
import type { WatchedSettings } from './watched.ts'

/** A watched position with its reading at the minute. */
export type JudgedPosition = {
  readonly accountId: string
  readonly position: ReportedPosition
  readonly channel: Channel
  /** URL of its webhook endpoint, if it has one. */
  readonly url: string | null
  /** Minutes before the entry at which alerts start. */
  readonly before: number
  /** Time at which it was last saved. System milliseconds. */
  readonly sinceMs: number
  /** Null: it could not be judged at this minute. */
  readonly reading:
    | (Pick<ReportedReading, 'counts' | 'on' | 'shorts'> & {
        readonly label: ReportedLabel | null
        readonly error: string | null
      })
    | null
}

/** Inputs with which a minute is judged. */
export type MinuteQuestion = {
  readonly run: Run
  readonly facts: MinuteFacts
  readonly settings: WatchedSettings
  /** Positions judged at the minute, as they were then. */
  readonly positions: readonly JudgedPosition[]
  readonly sinceMinute: SinceMinute
  readonly isSimulated: boolean
  /** Time of the finding by the market's clock. UTC milliseconds. */
  readonly foundAtMs: number
  /** The same by the system clock. */
  readonly atMs: number
  /** Time from which its first attempt counts as late; null: never. */
  readonly minuteEndMs: number | null
}

/** The state at which an event was found. */
export function foundAt({ facts, foundAtMs, run, isSimulated }: MinuteQuestion): FoundAt {
  const { day, minute, books } = facts.input
  return { day, minute, books, foundAtMs, isReplay: run.isReplay, isSimulated }
}
