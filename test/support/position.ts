// Positions as a client would send them, without a server between.

import { ApiError } from '../../src/platform/http/error.ts'
import { completePosition } from '../../src/positions/completePosition.ts'
import { parseChange } from '../../src/positions/parseChange.ts'
import type { Position } from '../../src/positions/schema.ts'

/** The position that an add of a body makes. */
export const complete = (position: object): Position =>
  completePosition('p_1', parseChange(JSON.stringify({ op: 'add', position })).position)

/** Code and message of the refusal, or 'taken'. */
export function findRefusal(position: object): string {
  try {
    complete(position)
  } catch (error) {
    if (error instanceof ApiError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'taken'
}
