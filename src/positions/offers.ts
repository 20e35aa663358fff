import type { AccountStore } from '../accounts/types.ts'
import type { AllOffers } from '../http/askedOffers.ts'
import { checksAt, type JudgingDeps, readMoment } from './ask.ts'
import { keptPosition, keptPositions } from './kept.ts'

export type PositionsOffersDeps = Omit<JudgingDeps, 'asker'> & { readonly accounts: AccountStore }

/** What others may ask of the positions of an account. */
export function positionsOffers(
  deps: PositionsOffersDeps,
): Pick<AllOffers, 'positions' | 'checks'> {
  const { accounts } = deps
  const given = (value: string | null) => (value === null ? [] : [value])
  return {
    positions: accountId => keptPositions(accounts, accountId),
    checks: async ({ id, day, t, asker }) => {
      const moment = readMoment(deps, given(day), given(t))
      const positions =
        id === null
          ? await keptPositions(accounts, asker.account)
          : [await keptPosition(accounts, asker.account, id)]
      return checksAt({ ...deps, asker }, moment, positions)
    },
  }
}
