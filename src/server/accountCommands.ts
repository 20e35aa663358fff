import { ACCOUNT_USAGE, KEY_USAGE } from '../accounts/arguments.ts'
import { runAccountCommand, runKeyCommand } from '../accounts/commands.ts'
import { monotonicMs, systemClock } from '../core/clock.ts'
import { isHelpWanted, readArguments, UsageError } from '../core/command.ts'
import { CREDITS_USAGE, runCreditsCommand } from '../lab/creditCommands.ts'
import type { Config } from '../platform/config.ts'
import { openNotices } from '../platform/notices/notices.ts'
import { accountFilePath, openAccounts } from './accountStore.ts'
import { backUpAccounts, restoreAccounts } from './backup/backup.ts'
import type { RunCommand } from './runCommand.ts'
import { findSiteUrl } from './served.ts'

const COMMANDS = {
  account: { usage: ACCOUNT_USAGE, run: runAccountCommand },
  key: { usage: KEY_USAGE, run: runKeyCommand },
  credits: { usage: CREDITS_USAGE, run: runCreditsCommand },
} as const

/** Returns what runs `tapefold account`, `key` or `credits` on the account database. */
export const accountCommand =
  (name: keyof typeof COMMANDS): RunCommand =>
  async (config, args) => {
    const { usage, run } = COMMANDS[name]
    if (isHelpWanted(args)) {
      process.stdout.write(`usage: tapefold ${usage}\n`)
      return 0
    }
    const [verb, ...rest] = args
    if (name === 'account' && (verb === 'backup' || verb === 'restore')) {
      await runCopy(verb, config, rest)
      return 0
    }
    const accounts = await openAccounts({
      dataFolder: config.dataFolder,
      databaseUrl: config.databaseUrl,
    })
    const print = (line: string) => process.stdout.write(`${line}\n`)
    const siteUrl = findSiteUrl(config)
    const notices = openNotices({ ...config.notices, siteUrl }, monotonicMs)
    const deps = { accounts, notices, nowMs: systemClock.nowMs, print, siteUrl }
    try {
      await run(args, deps)
    } finally {
      notices.close()
      await accounts.close()
    }
    return 0
  }

async function runCopy(
  verb: 'backup' | 'restore',
  { dataFolder, databaseUrl }: Config,
  args: readonly string[],
): Promise<void> {
  const { values, positionals } = readArguments(args, {
    usage: `usage: tapefold ${ACCOUNT_USAGE}\n`,
    allowPositionals: true,
    options: { force: { type: 'boolean', default: false } },
  })
  const [backup] = positionals
  if (backup === undefined || positionals.length > 1) {
    throw new UsageError(`account ${verb} takes one file, such as accounts.backup.`)
  }
  const accountsLocation = databaseUrl ?? accountFilePath(dataFolder)
  const copy = { location: accountsLocation, backup, isForced: values.force }
  if (verb === 'backup') {
    process.stdout.write(`${backup} has ${await backUpAccounts(copy)}\n`)
    return
  }
  const content = await restoreAccounts(copy)
  const name = databaseUrl === null ? accountsLocation : 'the PostgreSQL of DATABASE_URL'
  const warning =
    'Keys that were revoked, and browsers that were signed out, after the backup was made are ' +
    'valid again.'
  process.stdout.write(`${name} has ${content}\n${warning}\n`)
}
