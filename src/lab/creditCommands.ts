import { type CommandDeps, noAccount, parseArgs, usageError } from '../accounts/arguments.ts'
import { CommandError } from '../core/disk/refusal.ts'
import type { LabAccounts } from './store/store.ts'

export const CREDITS_USAGE = 'credits add ACCOUNT N --ref REF | credits audit'

/** Maximum credits of one payment. */
const CREDITS_MAX = 100_000
const REF = /^[\x21-\x7e]{1,100}$/

type CreditCommandDeps = CommandDeps & { readonly accounts: LabAccounts }

/** `credits add|audit`. Fails with a CommandError. */
export async function runCreditsCommand(args: readonly string[], deps: CreditCommandDeps) {
  const { words, options } = parseArgs(args, ['ref'], CREDITS_USAGE)
  const [verb, ...rest] = words
  if (verb === 'add' && rest.length === 2) return await add(rest[0]!, rest[1]!, options.ref, deps)
  if (verb === 'audit' && rest.length === 0) return await audit(deps)
  throw usageError(CREDITS_USAGE)
}

async function add(
  accountId: string,
  count: string,
  ref: string | undefined,
  { accounts, nowMs, print }: CreditCommandDeps,
) {
  const credits = /^\d{1,6}$/.test(count) ? Number(count) : 0
  if (credits < 1 || credits > CREDITS_MAX) {
    throw new CommandError(`credits are "${count}"; give a number from 1 to ${CREDITS_MAX}`, 1)
  }
  if (ref === undefined || !REF.test(ref)) {
    throw new CommandError('give the payment with --ref, such as --ref inv-2026-118', 1)
  }
  const added = await accounts.lab.addCredits({ accountId, credits, ref, atMs: nowMs() })
  if (added === 'no_account') throw noAccount(accountId)
  if (added === 'known') {
    return print(`${accountId} has the credits of ${ref} already; nothing was added`)
  }
  print(`${accountId} has ${credits} more credits`)
}

/** Sums up all lines; fails when an event does not sum to 0, or an account is overdrawn. */
async function audit({ accounts, print }: CreditCommandDeps) {
  const { lines, events, unbalanced, overdrawn } = await accounts.lab.auditCredits()
  print(`${events} events, ${lines} lines`)
  const faults = [
    ...unbalanced.map(event => `${event} does not sum to 0`),
    ...overdrawn.map(account => `${account} has less than 0 credits`),
  ]
  if (faults.length > 0) throw new CommandError(faults.join('; '), 1)
  print('every event sums to 0, and no account has less than 0')
}
