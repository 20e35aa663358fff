import { CommandError } from '../core/disk/refusal.ts'
import { isWellFormedApiKey, maskApiKey, SCOPES, type Scope } from './apiKey.ts'
import {
  type CommandContext,
  type CommandWork,
  noAccount,
  withAccount,
  withAccounts,
} from './commandContext.ts'
import type { ACCOUNT, KEY } from './commandRows.ts'
import { endText } from './productCommands.ts'
import { isOpenAt, listPlans, type Plan } from './products.ts'
import { CODE_MS } from './signIns.ts'
import type { Account, ApiKeyRecord } from './types.ts'

type Run<Name extends string> = CommandWork<typeof ACCOUNT, Name>

/** Runs `tapefold account add`. */
export const accountAddCommand: Run<'account add'> = (input, context) => {
  const name = checkName('name', input.words[0])
  const plan = checkPlan(input.plan)
  return withAccounts(context, async accounts => {
    const account = await accounts.addAccount({ name, plan, createdAtMs: context.nowMs() })
    context.print(`${account.id}  ${plan ?? 'none'}  ${account.name}`)
  })
}

/** Runs `tapefold account list`. */
export const accountListCommand = (_: unknown, context: CommandContext): Promise<void> =>
  withAccounts(context, async accounts => {
    for (const account of await accounts.listAccounts()) {
      context.print(accountLine(account, context.nowMs()))
    }
  })

/** Runs `tapefold account plan`: the end date of the Orders API stays. */
export const accountPlanCommand: Run<'account plan'> = ({ words: [id, name] }, context) => {
  const plan = checkPlan(name)
  return withAccount(context, id, async (accounts, { products }) => {
    if (plan === null) {
      await accounts.removeProduct(id, 'orders')
      return context.print(`${id} is on the plan none`)
    }
    const fromMs = context.nowMs()
    const held = products.find(({ product }) => product === 'orders')
    const untilMs = held && isOpenAt(held, fromMs) ? held.untilMs : null
    await accounts.putProduct(id, { plan, fromMs, untilMs })
    context.print(`${id} is on the plan ${plan}${endText(untilMs)}`)
  })
}

function accountLine({ id, name, createdAtMs, products }: Account, atMs: number): string {
  const open = products.filter(held => isOpenAt(held, atMs))
  const plans = open.length === 0 ? 'none' : open.map(({ plan }) => plan).join(',')
  return `${id}  ${plans.padEnd(11)}  ${day(createdAtMs)}  ${name}`
}

/** Runs `tapefold account link`: a code that opens the account page once. */
export const accountLinkCommand: Run<'account link'> = ({ words: [id] }, context) =>
  withAccounts(context, async accounts => {
    const made = await accounts.addSignInCode(id, context.nowMs())
    if (!made) throw noAccount(id)
    context.print(`open    ${await context.findSiteUrl()}/account/enter`)
    context.print(`code    ${made.code}`)
    const minutes = `${CODE_MS / 60_000} minutes`
    context.print(`It works once, for ${minutes}. Whoever has it can make keys of ${id}.`)
  })

/** Runs `tapefold account signout`: ends every browser's sign-in. */
export const accountSignoutCommand: Run<'account link'> = ({ words: [id] }, context) =>
  withAccounts(context, async accounts => {
    const count = await accounts.endSignIns(id)
    if (count === 0 && !(await accounts.findAccount(id))) throw noAccount(id)
    context.print(`${id}: ${count} ${count === 1 ? 'browser is' : 'browsers are'} signed out`)
  })

/** Runs `tapefold key add`: a new key is printed once. */
export const keyAddCommand: CommandWork<typeof KEY, 'key add'> = (input, context) => {
  const [accountId] = input.words
  const scope = checkScope(input.scope)
  const isForAddresses = input['for-addresses']
  if (isForAddresses && scope !== 'live') throw notForAddresses(scope)
  const name = checkName('--name', input.name)
  return withAccounts(context, async accounts => {
    const key = { accountId, scope, isForAddresses, name, createdAtMs: context.nowMs() }
    const added = await accounts.addKey(key)
    if (!added) throw noAccount(accountId)
    context.print(`${added.record.id}  ${added.record.name}`)
    context.print(`${added.apiKey}  (shown this once: only its hash is kept)`)
  })
}

/** Runs `tapefold key list`. */
export const keyListCommand: CommandWork<typeof KEY, 'key list'> = ({ words: [id] }, context) =>
  withAccounts(context, async accounts => {
    const keys = await accounts.listKeys(id)
    const isOfNone = id !== undefined && keys.length === 0
    if (isOfNone && !(await accounts.findAccount(id))) throw noAccount(id)
    for (const key of keys) context.print(keyLine(key))
  })

/** Runs `tapefold key revoke`. */
export const keyRevokeCommand: CommandWork<typeof KEY, 'key revoke'> = ({ words: [id] }, context) =>
  withAccounts(context, async accounts => {
    if (await accounts.revokeKey(id, context.nowMs())) return context.print(`${id} is revoked`)
    // the key itself may have been pasted
    const shown = isWellFormedApiKey(id) ? maskApiKey(id) : id
    const seen = `key ${shown} does not exist or is revoked already`
    throw new CommandError(`${seen}; \`key list\` shows ids such as key_4fQ…`, 1)
  })

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

/** The UTC day of an instant. */
const day = (atMs: number) => new Date(atMs).toISOString().slice(0, 10)
