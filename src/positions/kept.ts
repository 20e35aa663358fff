import type { AccountStore, StoredPosition } from '../accounts/types.ts'
import { refuseWhileUnavailable } from '../http/auth.ts'
import { ApiError } from '../http/error.ts'
import { listConditions } from './catalogue.ts'
import { Position } from './schema.ts'

/** The form of an id; what has another form is asked of no database. */
const ID = /^p_[0-9A-Za-z]{1,40}$/

/** What an account keeps, oldest first. Fails with `unavailable`. */
export async function readStoredPositions(
  accounts: AccountStore,
  accountId: string,
): Promise<Position[]> {
  const stored = await refuseWhileUnavailable(() => accounts.listPositions(accountId))
  return stored.map(toPosition)
}

/** One position of an account. Fails with `not_found`, whether another account keeps it or none. */
export async function readStoredPosition(
  accounts: AccountStore,
  accountId: string,
  id: string,
): Promise<Position> {
  const found = ID.test(id)
    ? await refuseWhileUnavailable(() => accounts.findPosition(accountId, id))
    : null
  if (!found) throw positionNotFound()
  return toPosition(found)
}

// without the id: nothing tells a position of another account from one that nobody keeps
export const positionNotFound = () =>
  new ApiError('not_found', {
    message:
      'this account keeps no position with this id; GET /api/positions lists those it keeps.',
  })

/**
 * A position as it was stored. A condition that is newer than it does not count, so that a new
 * version labels it as before; one that is gone is left out.
 */
export function toPosition({ id, body }: StoredPosition): Position {
  const position = parseStoredBody(id, body)
  const conditions = listConditions(position.kind).map(
    ({ id: name, default: threshold }) =>
      position.conditions.find(condition => condition.id === name) ?? {
        id: name,
        on: false,
        threshold,
      },
  )
  return { ...position, conditions }
}

function parseStoredBody(id: string, body: string): Position {
  try {
    return Position.parse({ ...JSON.parse(body), id })
  } catch (cause) {
    // the store has answered; asking it again would not help
    throw Object.assign(new ApiError('internal'), { cause })
  }
}
