import { planAt } from '../../src/accounts/products.ts'
import { systemClock } from '../../src/core/clock.ts'
import { UsageError } from '../../src/core/command.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import type { ChatDeps, LabRequester } from '../../src/lab/ask.ts'
import { openMessageAdmission } from '../../src/lab/messageAdmission.ts'
import { openModel } from '../../src/lab/model/client.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { accountsAddress, environmentConfig } from './command.ts'

type Named = 'account' | 'id' | 'out' | 'format' | 'on' | 'draw' | 'alert' | 'drop'

/** The options of `lab`. */
export type LabValues = { readonly [name in Named]?: string | undefined } & {
  readonly data: string
}

/**
 * Runs an operation as an account, by the credits of its plan. Fails with a Refusal, or as it does.
 */
export async function runAsAccount<Result>(
  { account, data }: LabValues,
  operation: (deps: ChatDeps, requester: LabRequester) => Promise<Result>,
): Promise<Result> {
  if (account === undefined) throw new UsageError('name an account: --account acc_4fQ8sK2mZx0T.')
  const accounts = await openAccountStore(accountsAddress(data))
  try {
    const { nowMs } = systemClock
    const { model } = environmentConfig()
    const found = await accounts.findAccount(account)
    if (!found) throw new Refusal(`there is no account ${account}.`)
    const plan = planAt(found.products, 'lab', nowMs())
    const requester = { accountId: account, monthlyCredits: plan?.monthlyCredits ?? null }
    return await operation(
      {
        accounts,
        nowMs,
        model: model && openModel(model),
        admission: openMessageAdmission(accounts, nowMs),
      },
      requester,
    )
  } finally {
    await accounts.close()
  }
}
