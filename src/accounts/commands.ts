import { CommandError } from '../core/disk/refusal.ts'
import { isWellFormedApiKey, maskApiKey, SCOPES, type Scope } from './apiKey.ts'
import {
  ACCOUNT_USAGE,
  type CommandDeps,
  day,
  KEY_USAGE,
  noAccount,
  parseArgs,
  usageError,
} from './arguments.ts'
import { runContactCommand } from './contactCommands.ts'
import { runLinkCommand, runSignOutCommand } from './linkCommands.ts'
import { endText, runProductCommand } from './productCommands.ts'
import { isOpenAt, listPlans, type Plan } from './products.ts'
import type { Account, ApiKeyRecord } from './types.ts'

/** `account add|list|plan|product|contact|link|signout`. Fails with a CommandError. */
export async function runAccountCommand(args: readonly string[], deps: CommandDeps) {
  if (args[0] === 'product') return runProductCommand(args.slice(1), deps)
  if (args[0] === 'contact') return runContactCommand(args.slice(1), deps)
  if (args[0] === 'link') return runLinkCommand(args.slice(1), deps)
  if (args[0] === 'signout') return runSignOutCommand(args.slice(1), deps)
  const { accounts, print, nowMs } = deps
  const { words, options } = parseArgs(args, ['plan'], ACCOUNT_USAGE)
  const [verb, ...rest] = words
  if (verb === 'add' && rest.length === 1) {
    const name = checkName('name', rest[0]!)
    const plan = checkPlan(options.plan ?? 'orders')
    const account = await accounts.addAccount({ name, plan, createdAtMs: nowMs() })
    return print(`${account.id}  ${plan ?? 'none'}  ${account.name}`)
  }
  if (verb === 'list' && rest.length === 0) {
    for (const account of await accounts.listAccounts()) print(accountLine(account, nowMs()))
    return
  }
  if (verb === 'plan' && rest.length === 2) return changePlan(rest[0]!, checkPlan(rest[1]!), deps)
  throw usageError(ACCOUNT_USAGE)
}

/** Puts an account on another plan of the Orders API; its end date stays. */
async function changePlan(id: string, plan: Plan | null, { accounts, nowMs, print }: CommandDeps) {
  const account = await accounts.findAccount(id)
  if (!account) throw noAccount(id)
  if (plan === null) {
    await accounts.removeProduct(id, 'orders')
    return print(`${id} is on the plan none`)
  }
  const fromMs = nowMs()
  const held = account.products.find(({ product }) => product === 'orders')
  const untilMs = held && isOpenAt(held, fromMs) ? held.untilMs : null
  await accounts.putProduct(id, { plan, fromMs, untilMs })
  print(`${id} is on the plan ${plan}${endText(untilMs)}`)
}

function accountLine({ id, name, createdAtMs, products }: Account, atMs: number): string {
  const open = products.filter(held => isOpenAt(held, atMs))
  const plans = open.length === 0 ? 'none' : open.map(({ plan }) => plan).join(',')
  return `${id}  ${plans.padEnd(11)}  ${day(createdAtMs)}  ${name}`
}

/** `key add|list|revoke`. A new key is printed once. Fails with a CommandError. */
export async function runKeyCommand(args: readonly string[], deps: CommandDeps) {
  const { accounts, print, nowMs } = deps
  const taken = parseArgs(args, ['name', 'scope'], KEY_USAGE, ['for-addresses'])
  const { words, options, flags } = taken
  const [verb, ...rest] = words
  if (verb === 'add' && rest.length === 1) {
    const scope = checkScope(options.scope ?? 'orders')
    const isForAddresses = flags.has('for-addresses')
    if (isForAddresses && scope !== 'live') throw notForAddresses(scope)
    const added = await accounts.addKey({
      accountId: rest[0]!,
      scope,
      isForAddresses,
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
    if (isOfNone && !(await accounts.findAccount(of))) throw noAccount(of)
    for (const key of keys) print(keyLine(key))
    return
  }
  if (verb === 'revoke' && rest.length === 1) {
    if (await accounts.revokeKey(rest[0]!, nowMs())) return print(`${rest[0]} is revoked`)
    // the key itself may have been pasted
    const shown = isWellFormedApiKey(rest[0]!) ? maskApiKey(rest[0]!) : rest[0]
    const seen = `key ${shown} does not exist or is revoked already`
    throw new CommandError(`${seen}; \`key list\` shows ids such as key_4fQ…`, 1)
  }
  throw usageError(KEY_USAGE)
}

const notForAddresses = (scope: Scope) =>
  new CommandError(`--for-addresses is of keys of scope live, not ${scope}; add --scope live`, 1)

function keyLine(key: ApiKeyRecord): string {
  const used = key.lastUsedAtMs === null ? 'never used' : `used ${minute(key.lastUsedAtMs)}`
  const state = key.revokedAtMs === null ? used : `revoked ${minute(key.revokedAtMs)}`
  // two scopes have one prefix
  const shown = `${key.scope.padEnd(7)}  ${key.prefix}_…${key.lastFour}`
  const name = key.isForAddresses ? `${key.name}  for addresses` : key.name
  return `${key.id}  ${key.accountId}  ${shown}  ${day(key.createdAtMs)}  ${state}  ${name}`
}

function checkName(field: string, text: string): string {
  if (/^[^\p{C}]{1,80}$/u.test(text) && text.trim() !== '') return text
  const shown = JSON.stringify(text.slice(0, 40))
  throw new CommandError(`${field} is ${shown}; give 1 to 80 printable characters: "desk 4"`, 1)
}

/** Parses a plan of the Orders API; null for none. */
function checkPlan(text: string): Plan | null {
  if (text === 'none') return null
  const plans = listPlans('orders').map(({ plan }) => plan)
  if (plans.includes(text)) return text as Plan
  throw new CommandError(`plan is "${text}"; give one of none, ${plans.join(', ')}`, 1)
}

function checkScope(text: string): Scope {
  if ((SCOPES as readonly string[]).includes(text)) return text as Scope
  throw new CommandError(`--scope is "${text}"; give one of ${SCOPES.join(', ')}`, 1)
}

const minute = (atMs: number) => `${new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')}Z`
