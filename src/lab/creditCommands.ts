import { type CommandContext, noAccount, withAccounts } from '../accounts/commandContext.ts'
import type { Input } from '../core/commandRow.ts'
import { CommandError } from '../core/disk/refusal.ts'
import type { CREDITS } from './command/rows.ts'
import type { LabAccounts } from './store/store.ts'

/** Maximum credits of one payment. */
const CREDITS_MAX = 100_000
const REF = /^[\x21-\x7e]{1,100}$/

type Context = CommandContext<LabAccounts>

/** Runs `tapefold credits add`. */
export function creditsAddCommand(
  { words, ref }: Input<typeof CREDITS, 'credits add'>,
  context: Context,
): Promise<void> {
  const [accountId, count] = words
  const { print } = context
  const credits = /^\d{1,6}$/.test(count) ? Number(count) : 0
  if (credits < 1 || credits > CREDITS_MAX) {
    throw new CommandError(`credits are "${count}"; give a number from 1 to ${CREDITS_MAX}`, 1)
  }
  if (ref === undefined || !REF.test(ref)) {
    throw new CommandError('give the payment with --ref, such as --ref inv-2026-118', 1)
  }
  return withAccounts(context, async ({ lab }) => {
    const added = await lab.addCredits({ accountId, credits, ref, atMs: context.nowMs() })
    if (added === 'no_account') throw noAccount(accountId)
    if (added === 'known') {
      return print(`${accountId} has the credits of ${ref} already; nothing was added`)
    }
    print(`${accountId} has ${credits} more credits`)
  })
}

/**
 * Runs `tapefold credits audit`: sums up all lines; fails when an event does not sum to 0, or an
 * account is overdrawn.
 */
export const creditsAuditCommand = (_: unknown, context: Context): Promise<void> =>
  withAccounts(context, async ({ lab }) => {
    const { lines, events, unbalanced, overdrawn } = await lab.auditCredits()
    context.print(`${events} events, ${lines} lines`)
    const faults = [
      ...unbalanced.map(event => `${event} does not sum to 0`),
      ...overdrawn.map(account => `${account} has less than 0 credits`),
    ]
    if (faults.length > 0) throw new CommandError(faults.join('; '), 1)
    context.print('every event sums to 0, and no account has less than 0')
  })
