import { join } from 'node:path'
import { openAccountStore } from './store.ts'
import type { AccountStore, StoreOptions } from './types.ts'

export type AccountLocation = {
  readonly dataFolder: string
  /** PostgreSQL database of the accounts; without it they are in a file of the data folder. */
  readonly databaseUrl?: string | null | undefined
}

/** Path of the account database in a data folder. */
export const accountFilePath = (dataFolder: string): string => join(dataFolder, 'accounts.sqlite')

/** Opens the account database: of DATABASE_URL, else of a data folder. Fails with one sentence. */
export const openAccounts = ({
  dataFolder,
  databaseUrl,
  ...options
}: AccountLocation & StoreOptions): Promise<AccountStore> =>
  openAccountStore(databaseUrl ?? accountFilePath(dataFolder), options)
