import { retryLater } from '../platform/http/error.ts'

/**
 * Maximum number of sessions of all running and waiting replays: five logs of a thousand for an
 * account, twenty for a process. Replays run one by one, 3 ms a session: the last one waits a
 * minute at most.
 */
export const ACCOUNT_SESSIONS_MAX = 5_000
export const PROCESS_SESSIONS_MAX = 20_000
/** Sessions of one replay. */
export const REPLAY_MAX = 1000
export const REPLAY_DEFAULT = 20
/** Minimum weight of a replay: reading a minute of one session takes as long as of twenty. */
const LEAST_SESSIONS = 20
/** Seconds after which a refused replay may be requested again. */
const RETRY_AFTER_S = 5

/**
 * Runs a replay of that many sessions for an account. Fails with `rate` when too many of the
 * account's are in progress, with `unavailable` when too many of all accounts' are.
 */
export type ReplayLimit = <T>(
  accountId: string,
  sessions: number,
  replay: () => Promise<T>,
) => Promise<T>

/** Limits the replays in progress of a process, and each account's share of them. */
export function createReplayLimit(): ReplayLimit {
  const ofAccount = new Map<string, number>()
  let total = 0

  const change = (accountId: string, by: number) => {
    const sum = (ofAccount.get(accountId) ?? 0) + by
    total += by
    if (sum === 0) ofAccount.delete(accountId)
    else ofAccount.set(accountId, sum)
  }

  return async (accountId, sessions, replay) => {
    const weight = Math.max(sessions, LEAST_SESSIONS)
    const own = ofAccount.get(accountId) ?? 0
    if (own + weight > ACCOUNT_SESSIONS_MAX) {
      const seen = `entry logs of this account are under way over ${own} sessions`
      throw retryLater('rate', seen, RETRY_AFTER_S)
    }
    if (total + weight > PROCESS_SESSIONS_MAX) {
      const seen = `entry logs are under way over ${total} sessions`
      throw retryLater('unavailable', seen, RETRY_AFTER_S)
    }
    change(accountId, weight)
    try {
      return await replay()
    } finally {
      change(accountId, -weight)
    }
  }
}
