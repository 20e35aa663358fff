import type { CommandContext } from '../../accounts/commandContext.ts'
import type { ACCOUNT } from '../../accounts/commandRows.ts'
import type { Input } from '../../core/commandRow.ts'
import type { Config } from '../../platform/config.ts'
import { accountFilePath } from '../accountStore.ts'
import { backUpAccounts, restoreAccounts } from './backup.ts'

type Copying = Input<typeof ACCOUNT, 'account backup'>

const locate = ({ databaseUrl, dataFolder }: Config) => databaseUrl ?? accountFilePath(dataFolder)

/** Runs `tapefold account backup`. */
export async function accountBackupCommand(
  { words: [file], force }: Copying,
  { config, print }: CommandContext,
): Promise<void> {
  const copy = { location: locate(config), backup: file, isForced: force }
  print(`${file} has ${await backUpAccounts(copy)}`)
}

/** Runs `tapefold account restore`. */
export async function accountRestoreCommand(
  { words: [file], force }: Copying,
  { config, print }: CommandContext,
): Promise<void> {
  const location = locate(config)
  const content = await restoreAccounts({ location, backup: file, isForced: force })
  const name = config.databaseUrl === null ? location : 'the PostgreSQL of DATABASE_URL'
  print(`${name} has ${content}`)
  print(
    'Keys that were revoked, and browsers that were signed out, after the backup was made are ' +
      'valid again.',
  )
}
