import type { AllOffers } from '../platform/http/programOffers.ts'
import { checksAt, type JudgingDeps, readAsOfMinute } from './ask.ts'
import type { PositionAccounts } from './store/types.ts'
import { readStoredPosition, readStoredPositions } from './stored.ts'

export type PositionsOffersDeps = Omit<JudgingDeps, 'requester'> & {
  readonly accounts: PositionAccounts
}

/** Queries of an account's positions for other areas. */
export function positionsOffers(
  deps: PositionsOffersDeps,
): Pick<AllOffers, 'positions' | 'checks'> {
  const { accounts } = deps
  const given = (value: string | null) => (value === null ? [] : [value])
  return {
    positions: accountId => readStoredPositions(accounts, accountId),
    checks: async ({ id, day, t, requester }) => {
      const asOfMinute = readAsOfMinute(deps, given(day), given(t))
      const positions =
        id === null
          ? await readStoredPositions(accounts, requester.account)
          : [await readStoredPosition(accounts, requester.account, id)]
      return checksAt({ ...deps, requester }, asOfMinute, positions)
    },
  }
}
