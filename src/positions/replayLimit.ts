import { ApiError } from '../http/error.ts'

/**
 * Sessions that replays under way may come to, those that wait included: five logs of a thousand
 * for an account, twenty for a process. Replays run one by one, 3 ms a session: the last one waits
 * a minute at most.
 */
export const ACCOUNT_SESSIONS_MAX = 5_000
export const PROCESS_SESSIONS_MAX = 20_000
/** What the shortest replay counts: reading a minute of one session takes as long as of twenty. */
const LEAST_SESSIONS = 20
/** When a replay that was refused may be asked for again. */
const RETRY_AFTER_S = 5

/**
 * Runs a replay of so many sessions for an account. Fails with `rate` when too many of the
 * account's are under way, with `unavailable` when too many of all accounts' are.
 */
export type ReplayLimit = <T>(
  accountId: string,
  sessions: number,
  replay: () => Promise<T>,
) => Promise<T>

/** Bounds the replays of a process that wait, and the share of them that one account has. */
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
      throw refusal('rate', `entry logs of this account are under way over ${own} sessions`)
    }
    if (total + weight > PROCESS_SESSIONS_MAX) {
      throw refusal('unavailable', `entry logs are under way over ${total} sessions`)
    }
    change(accountId, weight)
    try {
      return await replay()
    } finally {
      change(accountId, -weight)
    }
  }
}

const refusal = (code: 'rate' | 'unavailable', seen: string) =>
  new ApiError(code, {
    message: `${seen}; ask again in ${RETRY_AFTER_S} s.`,
    headers: { 'retry-after': String(RETRY_AFTER_S) },
  })
