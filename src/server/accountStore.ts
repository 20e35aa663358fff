import { join } from 'node:path'
import { openAccountDatabase } from '../accounts/store.ts'
import type { StoreOptions } from '../accounts/types.ts'
import { alertSettings } from '../alerts/store/settings.ts'
import type { AlertAccounts } from '../alerts/store/types.ts'
import { type LabAccounts, labOperations } from '../lab/store/store.ts'
import { IN_MEMORY } from '../platform/database/sqlite.ts'
import { positionOperations } from '../positions/store/positions.ts'
import type { PositionAccounts } from '../positions/store/types.ts'
import { MIGRATIONS, type StoredTables } from './accountSchema.ts'

/** Accounts, with all that areas store of them. */
export type ServerStore = PositionAccounts & AlertAccounts & LabAccounts

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
}: AccountLocation & StoreOptions): Promise<ServerStore> =>
  openAccountStore(databaseUrl ?? accountFilePath(dataFolder), options)

/** Opens the account database at a location, as `openAccountDatabase` does, for all areas. */
export async function openAccountStore(
  location: string,
  options: StoreOptions = {},
): Promise<ServerStore> {
  const opened = await openAccountDatabase(location, MIGRATIONS, options)
  const { db, reader, isConcurrent } = opened.database
  const database = {
    db: db.withTables<StoredTables>(),
    reader: reader.withTables<StoredTables>(),
    isConcurrent,
  }
  return {
    ...opened.accounts,
    ...positionOperations(database),
    alerts: alertSettings(database),
    lab: labOperations(database),
  }
}

/** Opens an empty store in memory, for a command that acts for no account. */
export const openNoAccounts = (): Promise<ServerStore> => openAccountStore(IN_MEMORY)
