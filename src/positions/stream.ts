import { formatStateId, listStatesAfter } from '../data/published/streamStates.ts'
import type { ReadEvents } from '../platform/http/eventStream.ts'
import type { Requester } from '../platform/pool/requestScheduler.ts'
import { checksAt, type JudgingDeps, readAsOfMinute } from './ask.ts'
import type { Position } from './schema.ts'

/** Checks of an account's positions as a stream: an event a state, of several at once the newest. */

type StreamDeps = JudgingDeps & {
  /** Returns the positions of an account, oldest first. */
  readonly readPositions: (accountId: string) => Promise<Position[]>
}

/** Returns the reader of a client's events: its positions as they are stored when it reads. */
export const readCheckEvents =
  (deps: StreamDeps, requester: Requester): ReadEvents =>
  async afterId => {
    const state = listStatesAfter(deps, afterId).at(-1)
    if (!state) return []
    const positions = await deps.readPositions(requester.account)
    const asOfMinute = readAsOfMinute(deps, [state.day], [state.minute])
    const checks = await checksAt({ ...deps, requester }, asOfMinute, positions)
    return [{ id: formatStateId(state), event: 'checks', data: JSON.stringify(checks) }]
  }
