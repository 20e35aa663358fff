import { CommandError } from '../core/disk/refusal.ts'
import type { Notices } from '../platform/notices/notices.ts'
import type { AccountStore } from './types.ts'

/** Shared by the commands of accounts and keys: usage, arguments and sentences. */

export type CommandDeps = {
  readonly accounts: AccountStore
  readonly nowMs: () => number
  readonly print: (line: string) => void
  /** URL of this server's pages, such as http://127.0.0.1:8080. */
  readonly siteUrl: string
  /** Sends the codes that prove contacts. */
  readonly notices: Notices
}

export const ACCOUNT_USAGE =
  'account add NAME [--plan orders] | account list | account plan ACCOUNT PLAN' +
  ' | account product add ACCOUNT PRODUCT --plan PLAN [--until DATE]' +
  ' | account product list ACCOUNT | account product remove ACCOUNT PRODUCT' +
  ' | account link ACCOUNT | account signout ACCOUNT' +
  ' | account contact add ACCOUNT email|telegram ADDRESS [--no-alerts]' +
  ' | account contact prove ACCOUNT CONTACT CODE | account contact list ACCOUNT' +
  ' | account contact alerts ACCOUNT CONTACT on|off | account contact remove ACCOUNT CONTACT' +
  ' | account backup FILE [--force] | account restore FILE [--force]'
export const KEY_USAGE =
  'key add ACCOUNT [--name NAME] [--scope orders|live|lab|dataset|geo] [--for-addresses]' +
  ' | key list [ACCOUNT] | key revoke KEY'

/**
 * Parses the words, options and flags of a command: an option has a value, a flag has none. Fails
 * with the usage on an unknown one.
 */
export function parseArgs(
  args: readonly string[],
  known: readonly string[],
  usage: string,
  knownFlags: readonly string[] = [],
) {
  const words: string[] = []
  const flags = new Set<string>()
  const options: Record<string, string> = {}
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!
    if (!arg.startsWith('--')) {
      words.push(arg)
      continue
    }
    const name = arg.slice(2)
    if (knownFlags.includes(name)) {
      flags.add(name)
      continue
    }
    const value = args[++index]
    if (!known.includes(name) || value === undefined) throw usageError(usage)
    options[name] = value
  }
  return { words, options, flags }
}

export const usageError = (usage: string) => new CommandError(`usage: ${usage}`, 2)

export const noAccount = (id: string) =>
  new CommandError(`account ${id} does not exist; \`account list\` shows ids such as acc_4fQ…`, 1)

/** The UTC day of an instant. */
export const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)
