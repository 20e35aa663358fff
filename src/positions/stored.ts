import { refuseWhileUnavailable } from '../accounts/auth.ts'
import { ApiError } from '../platform/http/error.ts'
import { listConditions } from './catalogue.ts'
import { Position } from './schema.ts'
import type { PositionAccounts, StoredPosition } from './store/types.ts'

/** Form of an id; any other text needs no query. */
const ID = /^p_[0-9A-Za-z]{1,40}$/

/** Returns the positions of an account, oldest first. Fails with `unavailable`. */
export async function readStoredPositions(
  accounts: PositionAccounts,
  accountId: string,
): Promise<Position[]> {
  const stored = await refuseWhileUnavailable(() => accounts.listPositions(accountId))
  return stored.map(toPosition)
}

/**
 * Returns one position of an account. Fails with `not_found`, whether another account has it or
 * none.
 */
export async function readStoredPosition(
  accounts: PositionAccounts,
  accountId: string,
  id: string,
): Promise<Position> {
  const found = ID.test(id)
    ? await refuseWhileUnavailable(() => accounts.findPosition(accountId, id))
    : null
  if (!found) throw positionNotFound()
  return toPosition(found)
}

// without the id: a response must not reveal whether another account has it or nobody does
export const positionNotFound = () =>
  new ApiError('not_found', {
    message:
      'this account keeps no position with this id; GET /api/positions lists those it keeps.',
  })

/**
 * Parses a stored position. A condition that was added later is off, so that a new version labels
 * it as before; a removed one is left out.
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
    // the store has responded; a repeated query would not help
    throw Object.assign(new ApiError('internal'), { cause })
  }
}
