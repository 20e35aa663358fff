import { planAt } from '../../src/accounts/products.ts'
import { openAccountStore } from '../../src/accounts/store.ts'
import { systemClock } from '../../src/clock.ts'
import { UsageError } from '../../src/command.ts'
import { Refusal } from '../../src/disk/refusal.ts'
import type { ChatDeps, LabAsker } from '../../src/lab/ask.ts'
import { openTurns } from '../../src/lab/turns.ts'
import { accountsAddress } from './command.ts'

type Named = 'account' | 'id' | 'out' | 'format' | 'on' | 'draw' | 'alert'

/** The options of `lab`. */
export type LabValues = { readonly [name in Named]?: string | undefined } & {
  readonly data: string
}

/** Asks as an account, by the credits of its plan. Fails with a Refusal, or as the question. */
export async function asked<Answer>(
  { account, data }: LabValues,
  ask: (deps: ChatDeps, asker: LabAsker) => Promise<Answer>,
): Promise<Answer> {
  if (account === undefined) throw new UsageError('name an account: --account acc_4fQ8sK2mZx0T.')
  const accounts = await openAccountStore(accountsAddress(data))
  try {
    const { nowMs } = systemClock
    const found = await accounts.findAccount(account)
    if (!found) throw new Refusal(`there is no account ${account}.`)
    const plan = planAt(found.products, 'lab', nowMs())
    const asker = { accountId: account, monthlyCredits: plan?.monthlyCredits ?? null }
    return await ask({ accounts, nowMs, rewriter: null, turns: openTurns(accounts, nowMs) }, asker)
  } finally {
    await accounts.close()
  }
}
