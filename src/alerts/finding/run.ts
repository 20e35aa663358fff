import { randomBase62 } from '../../accounts/apiKey.ts'

/** Minutes that are taken in their order, each once, however many processes take them. */
export type Run = {
  readonly id: string
  /** Whether it tells of a past session as if it ran. */
  readonly isReplay: boolean
  /** Whether its events are sent, and not only listed. */
  readonly isDelivered: boolean
}

/** The run of sessions as they happen. */
export const LIVE_RUN = 'live'

/** The name of a replay; no two have the same. */
export const makeReplayRun = (): string => `replay_${randomBase62(12)}`

/** Whether a text is the name of a replay. */
export const isReplayRun = (text: string): boolean => /^replay_[0-9A-Za-z]{12}$/.test(text)
