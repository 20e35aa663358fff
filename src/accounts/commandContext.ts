import type { Input } from '../core/commandRow.ts'
import { CommandError } from '../core/disk/refusal.ts'
import type { Config } from '../platform/config.ts'
import type { Account, AccountStore } from './types.ts'

/** Surroundings of a command, opened as far as it needs them. */
export type CommandContext<Store extends AccountStore = AccountStore> = {
  /** Settings of the environment, with the data folder of the command line. */
  readonly config: Config
  readonly nowMs: () => number
  readonly print: (line: string) => void
  readonly openAccounts: () => Promise<Store>
  /** Accounts in memory, for a command that acts for none. */
  readonly openNoAccounts: () => Promise<Store>
  /** URL of this server's pages, such as http://127.0.0.1:8080. */
  readonly findSiteUrl: () => Promise<string>
}

/** The function of a command, whose words and options are those of its row. */
export type CommandWork<
  Rows,
  Name extends string = string,
  Store extends AccountStore = AccountStore,
> = (input: Input<Rows, Name>, context: CommandContext<Store>) => Promise<void>

export const noAccount = (id: string) =>
  new CommandError(`account ${id} does not exist; \`account list\` shows ids such as acc_4fQ…`, 1)

/** Opens the accounts for a work, and closes them afterwards. */
export async function withAccounts<Store extends AccountStore, Result>(
  { openAccounts }: Pick<CommandContext<Store>, 'openAccounts'>,
  work: (accounts: Store) => Promise<Result>,
): Promise<Result> {
  const accounts = await openAccounts()
  try {
    return await work(accounts)
  } finally {
    await accounts.close()
  }
}

/** The same for a work on one account. Fails with a CommandError where there is none. */
export const withAccount = <Store extends AccountStore, Result>(
  context: Pick<CommandContext<Store>, 'openAccounts'>,
  id: string,
  work: (accounts: Store, account: Account) => Promise<Result>,
): Promise<Result> =>
  withAccounts(context, async accounts => {
    const account = await accounts.findAccount(id)
    if (!account) throw noAccount(id)
    return work(accounts, account)
  })
