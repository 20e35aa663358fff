import type { ParseArgsOptionsConfig } from 'node:util'
import { noAccount } from '../../src/accounts/arguments.ts'
import { systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { type WebhookTools, webhookTools } from '../../src/platform/webhooks/tools.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'
import { accountsAddress, asRefusal, environmentConfig } from './command.ts'

/** Shared parts of the verbs of `tapefold webhook` that work on an account. */

export const ACCOUNT_USAGE = `usage: tapefold webhook <verb> ACCOUNT ... [--data DIR]

Where the alerts of an account are sent, and what becomes of them. docs/webhooks.md says more.

  webhook save ACCOUNT URL     saves the address and switches it on; the first time it makes the
                               secret, and prints it this once
  webhook show ACCOUNT         the address, whether it is on, and why not
  webhook rotate ACCOUNT       makes a new secret and prints it; the old one signs nothing any more
  webhook remove ACCOUNT
  webhook test ACCOUNT         has a test sent
  webhook replay ACCOUNT EVENT sends an event from this shell, signed; nothing is logged
  webhook deliveries ACCOUNT   how events got there, newest first

  --secret        show: prints the secret, too
  --position ID   test: to the webhook of this position
  --to URL        replay: there, instead of to the saved address; http:// on this machine too
  --event ID      deliveries: of one event
  --limit N       deliveries: how many, 1 to 200 (50)
  --json          deliveries: as the API gives them
`

export type OnAccount = {
  readonly accounts: ServerStore
  readonly accountId: string
  readonly webhooks: WebhookTools
  /** Words after the account. */
  readonly rest: readonly string[]
  readonly nowMs: number
}

/** Syntax of a verb: the words after the account, and its options. */
export type VerbLine<Options> = {
  readonly verb: string
  readonly options: Options
  readonly words: readonly string[]
  readonly example: string
}

/**
 * Runs a verb on the account named by its first word; prints its output. Fails with one sentence.
 */
export async function onAccount<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { verb, options, words, example }: VerbLine<Options>,
  work: (
    on: OnAccount,
    values: ReturnType<typeof readArguments<Options>>['values'],
  ) => Promise<string>,
): Promise<void> {
  const { values, positionals } = readArguments(args, {
    usage: ACCOUNT_USAGE,
    allowPositionals: true,
    options: { ...options, data: { type: 'string', default: 'data' } } as Options & {
      data: { type: 'string'; default: string }
    },
  })
  const [accountId, ...rest] = positionals
  if (accountId === undefined || rest.length !== words.length) {
    const named = ['an account', ...words]
    const all =
      named.length === 1 ? named[0] : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`
    throw new UsageError(`webhook ${verb} takes ${all}: webhook ${verb} ${example}.`)
  }
  const data = String((values as { data?: unknown }).data)
  const accounts = await openAccountStore(accountsAddress(data))
  try {
    if (!(await accounts.findAccount(accountId))) throw noAccount(accountId)
    const webhooks = webhookTools({ ...environmentConfig(), dataFolder: data })
    const on = { accounts, accountId, webhooks, rest, nowMs: systemClock.nowMs() }
    process.stdout.write(await work(on, values as never))
  } catch (error) {
    throw asRefusal(error)
  } finally {
    await accounts.close()
  }
}
