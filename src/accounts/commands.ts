import { CommandError } from '../disk/refusal.ts'
import { isWellFormedApiKey, maskApiKey, SCOPES, type Scope } from './apiKey.ts'
import { PLANS, type Plan } from './plan.ts'
import type { AccountStore, ApiKeyRecord } from './types.ts'

export type CommandDeps = {
  readonly accounts: AccountStore
  readonly nowMs: () => number
  /** Writes one line. */
  readonly print: (line: string) => void
}

export const ACCOUNT_USAGE =
  'account add NAME [--plan orders] | account list | account plan ACCOUNT PLAN' +
  ' | account backup FILE [--force] | account restore FILE [--force]'
export const KEY_USAGE =
  'key add ACCOUNT [--name NAME] [--scope orders] | key list [ACCOUNT] | key revoke KEY'

/** `account add|list|plan`. Fails with a CommandError. */
export async function runAccountCommand(args: readonly string[], deps: CommandDeps) {
  const { accounts, print, nowMs } = deps
  const { words, options } = parseArgs(args, ['plan'], ACCOUNT_USAGE)
  const [verb, ...rest] = words
  if (verb === 'add' && rest.length === 1) {
    const name = checkName('name', rest[0]!)
    const plan = checkPlan(options.plan ?? 'orders')
    const account = await accounts.addAccount({ name, plan, createdAtMs: nowMs() })
    return print(`${account.id}  ${account.plan}  ${account.name}`)
  }
  if (verb === 'list' && rest.length === 0) {
    for (const account of await accounts.listAccounts()) {
      print(
        `${account.id}  ${account.plan.padEnd(11)}  ${day(account.createdAtMs)}  ${account.name}`,
      )
    }
    return
  }
  if (verb === 'plan' && rest.length === 2) {
    const plan = checkPlan(rest[1]!)
    if (!(await accounts.setPlan(rest[0]!, plan))) throw noAccount(rest[0]!)
    return print(`${rest[0]} is on the plan ${plan}`)
  }
  throw new CommandError(`usage: ${ACCOUNT_USAGE}`, 2)
}

/** `key add|list|revoke`. A new key is printed once. Fails with a CommandError. */
export async function runKeyCommand(args: readonly string[], deps: CommandDeps) {
  const { accounts, print, nowMs } = deps
  const { words, options } = parseArgs(args, ['name', 'scope'], KEY_USAGE)
  const [verb, ...rest] = words
  if (verb === 'add' && rest.length === 1) {
    const added = await accounts.addKey({
      accountId: rest[0]!,
      scope: checkScope(options.scope ?? 'orders'),
      name: checkName('--name', options.name ?? 'default'),
      createdAtMs: nowMs(),
    })
    if (!added) throw noAccount(rest[0]!)
    print(`${added.record.id}  ${added.record.name}`)
    return print(`${added.apiKey}  (shown this once: only its hash is kept)`)
  }
  if (verb === 'list' && rest.length <= 1) {
    const [of] = rest
    const keys = await accounts.listKeys(of)
    const isOfNone = of !== undefined && keys.length === 0
    if (isOfNone && !(await accounts.listAccounts()).some(({ id }) => id === of)) {
      throw noAccount(of)
    }
    for (const key of keys) print(keyLine(key))
    return
  }
  if (verb === 'revoke' && rest.length === 1) {
    if (await accounts.revokeKey(rest[0]!, nowMs())) return print(`${rest[0]} is revoked`)
    // somebody may have pasted the key itself
    const shown = isWellFormedApiKey(rest[0]!) ? maskApiKey(rest[0]!) : rest[0]
    const seen = `key ${shown} does not exist or is revoked already`
    throw new CommandError(`${seen}; \`key list\` shows ids such as key_4fQ…`, 1)
  }
  throw new CommandError(`usage: ${KEY_USAGE}`, 2)
}

function keyLine(key: ApiKeyRecord): string {
  const used = key.lastUsedAtMs === null ? 'never used' : `used ${minute(key.lastUsedAtMs)}`
  const state = key.revokedAtMs === null ? used : `revoked ${minute(key.revokedAtMs)}`
  const shown = `${key.prefix}_…${key.lastFour}`
  return `${key.id}  ${key.accountId}  ${shown}  ${day(key.createdAtMs)}  ${state}  ${key.name}`
}

function parseArgs(args: readonly string[], known: readonly string[], usage: string) {
  const words: string[] = []
  const options: Record<string, string> = {}
  for (let index = 0; index < args.length; index++) {
    const arg = args[index]!
    if (!arg.startsWith('--')) {
      words.push(arg)
      continue
    }
    const name = arg.slice(2)
    const value = args[++index]
    if (!known.includes(name) || value === undefined) throw new CommandError(`usage: ${usage}`, 2)
    options[name] = value
  }
  return { words, options }
}

function checkName(field: string, text: string): string {
  if (/^[^\p{C}]{1,80}$/u.test(text) && text.trim() !== '') return text
  const shown = JSON.stringify(text.slice(0, 40))
  throw new CommandError(`${field} is ${shown}; give 1 to 80 printable characters: "desk 4"`, 1)
}

function checkPlan(text: string): Plan {
  if ((PLANS as readonly string[]).includes(text)) return text as Plan
  throw new CommandError(`plan is "${text}"; give one of ${PLANS.join(', ')}`, 1)
}

function checkScope(text: string): Scope {
  if ((SCOPES as readonly string[]).includes(text)) return text as Scope
  throw new CommandError(`--scope is "${text}"; give one of ${SCOPES.join(', ')}`, 1)
}

const noAccount = (id: string) =>
  new CommandError(`account ${id} does not exist; \`account list\` shows ids such as acc_4fQ…`, 1)

const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)
const minute = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')}Z`
