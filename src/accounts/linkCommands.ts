import { ACCOUNT_USAGE, type CommandDeps, noAccount, parseArgs, usageError } from './arguments.ts'
import { CODE_MS } from './signIns.ts'

/** `account link`: a code that opens the account page once. Fails with a CommandError. */
export async function runLinkCommand(args: readonly string[], deps: CommandDeps) {
  const { accounts, nowMs, print, siteUrl } = deps
  const id = onlyId(args)
  const made = await accounts.addSignInCode(id, nowMs())
  if (!made) throw noAccount(id)
  print(`open    ${siteUrl}/account/enter`)
  print(`code    ${made.code}`)
  print(`It works once, for ${CODE_MS / 60_000} minutes. Whoever has it can make keys of ${id}.`)
}

/** `account signout`: ends every browser's sign-in. Fails with a CommandError. */
export async function runSignOutCommand(args: readonly string[], deps: CommandDeps) {
  const { accounts, print } = deps
  const id = onlyId(args)
  const count = await accounts.endSignIns(id)
  if (count === 0 && !(await accounts.findAccount(id))) throw noAccount(id)
  print(`${id}: ${count} ${count === 1 ? 'browser is' : 'browsers are'} signed out`)
}

function onlyId(args: readonly string[]): string {
  const [id, ...others] = parseArgs(args, [], ACCOUNT_USAGE).words
  if (id === undefined || others.length > 0) throw usageError(ACCOUNT_USAGE)
  return id
}
