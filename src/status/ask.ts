import { publicStatus } from './publicStatus.ts'
import { sourceDelay } from './sources.ts'
import type { ServiceState } from './state.ts'

/** Query of the age of the data for pages of other areas. */
export type StatusAsk = {
  /** Age of the data, in the form that is public. */
  readonly readState: () => DataState
}

export type DataState = {
  readonly status: 'green' | 'amber' | 'red'
  readonly problems: readonly string[]
  /** Minutes by which the source of the running session is late by itself; 0 where it is not. */
  readonly delayMinutes: number
  /** The newest session, and the ET time up to which it is known; null when there is none. */
  readonly newest: {
    readonly day: string
    readonly isFinished: boolean
    readonly lastMinute: string | null
  } | null
}

/** Opens the query for other areas over the state of the service. */
export const openStatusAsk = (state: Pick<ServiceState, 'status'>): StatusAsk => ({
  readState: () => {
    const { status, problems, newest, sources, now_et } = publicStatus(state.status())
    const seen = newest && {
      day: newest.day,
      isFinished: newest.state === 'published',
      lastMinute: newest.last_minute,
    }
    return {
      status,
      problems,
      delayMinutes: sourceDelay(sources, now_et.slice(0, 10)) / 60,
      newest: seen,
    }
  },
})
