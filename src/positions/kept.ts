import type { AccountStore, KeptPosition } from '../accounts/types.ts'
import { answering } from '../http/auth.ts'
import { ApiError } from '../http/error.ts'
import { conditionsOf } from './catalogue.ts'
import { Position } from './schema.ts'

/** The form of an id; what has another form is asked of no database. */
const ID = /^p_[0-9A-Za-z]{1,40}$/

/** What an account keeps, oldest first. Fails with `unavailable`. */
export async function keptPositions(
  accounts: AccountStore,
  accountId: string,
): Promise<Position[]> {
  const kept = await answering(() => accounts.listPositions(accountId))
  return kept.map(readKept)
}

/** One position of an account. Fails with `not_found`, whether another account keeps it or none. */
export async function keptPosition(
  accounts: AccountStore,
  accountId: string,
  id: string,
): Promise<Position> {
  const found = ID.test(id) ? await answering(() => accounts.findPosition(accountId, id)) : null
  if (!found) throw notKept()
  return readKept(found)
}

// without the id: nothing tells a position of another account from one that nobody keeps
export const notKept = () =>
  new ApiError('not_found', {
    message:
      'this account keeps no position with this id; GET /api/positions lists those it keeps.',
  })

/**
 * A position as it was stored. A condition that is newer than it does not count, so that a new
 * version labels it as before; one that is gone is left out.
 */
export function readKept({ id, body }: KeptPosition): Position {
  const position = parseKept(id, body)
  const conditions = conditionsOf(position.kind).map(
    ({ id: name, default: threshold }) =>
      position.conditions.find(condition => condition.id === name) ?? {
        id: name,
        on: false,
        threshold,
      },
  )
  return { ...position, conditions }
}

function parseKept(id: string, body: string): Position {
  try {
    return Position.parse({ ...JSON.parse(body), id })
  } catch (cause) {
    // the store has answered; asking it again would not help
    throw Object.assign(new ApiError('internal'), { cause })
  }
}
