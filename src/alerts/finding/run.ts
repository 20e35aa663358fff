import { randomBase62 } from '../../accounts/apiKey.ts'

/** Minutes processed in order, each once, however many processes take part. */
export type Run = {
  readonly id: string
  /** True for a past session that is replayed as if it were live. */
  readonly isReplay: boolean
  /** True when its events are sent, not only listed. */
  readonly isDelivered: boolean
}

/** The run of live sessions. */
export const LIVE_RUN = 'live'

/** Returns the unique name of a replay. */
export const makeReplayRun = (): string => `replay_${randomBase62(12)}`

/** True when a text is the name of a replay. */
export const isReplayRun = (text: string): boolean => /^replay_[0-9A-Za-z]{12}$/.test(text)
