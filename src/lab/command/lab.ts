import {
  type CommandContext,
  type CommandWork,
  withAccounts,
} from '../../accounts/commandContext.ts'
import { planAt } from '../../accounts/products.ts'
import { UsageError } from '../../core/command.ts'
import { writeOutput } from '../../core/disk/files.ts'
import { Refusal } from '../../core/disk/refusal.ts'
import { type ChatDeps, chat, type LabRequester, state, thread } from '../ask.ts'
import { reply } from '../language/dialog.ts'
import { vocabulary } from '../language/vocabulary.ts'
import { openMessageAdmission } from '../messageAdmission.ts'
import { openModel } from '../model/client.ts'
import { parseChat } from '../parseChat.ts'
import type { LabAccounts } from '../store/store.ts'
import type { LAB } from './rows.ts'

type Run<Name extends string> = CommandWork<typeof LAB, Name, LabAccounts>

type Context = CommandContext<LabAccounts>

/**
 * Runs an operation as an account, by the credits of its plan. Fails with a Refusal, or as it does.
 */
export async function runAsAccount<Result>(
  { account }: { readonly account: string | undefined },
  context: Context,
  operation: (deps: ChatDeps, requester: LabRequester) => Promise<Result>,
): Promise<Result> {
  if (account === undefined) throw new UsageError('name an account: --account acc_4fQ8sK2mZx0T.')
  return withAccounts(context, async accounts => {
    const { nowMs, config } = context
    const { model } = config
    const found = await accounts.findAccount(account)
    if (!found) throw new Refusal(`there is no account ${account}.`)
    const plan = planAt(found.products, 'lab', nowMs())
    const requester = { accountId: account, monthlyCredits: plan?.monthlyCredits ?? null }
    const admission = openMessageAdmission(accounts, nowMs)
    return operation({ accounts, nowMs, model: model && openModel(model), admission }, requester)
  })
}

/** Writes an object as JSON to the file of --out, else to standard output. */
export const printJson = (out: string | undefined, result: object): void =>
  writeOutput(out, Buffer.from(`${JSON.stringify(result, null, 1)}\n`))

/** Runs `tapefold lab chat`. */
export const labChatCommand: Run<'lab chat'> = async (input, context) => {
  const message = parseChat(JSON.stringify({ message: input.words[0], id: input.id }))
  const ask = runAsAccount(input, context, (deps, requester) => chat(deps, requester, message))
  printJson(input.out, await ask)
}

/** Runs `tapefold lab read`. */
export const labReadCommand: Run<'lab read'> = async ({ words, out }) => {
  const { message } = parseChat(JSON.stringify({ message: words[0] }))
  const result = reply(message, null)
  if (result.kind !== 'chat') return printJson(out, result)
  const { draft: _, ...rest } = result
  printJson(out, rest)
}

/** Runs `tapefold lab state`. */
export const labStateCommand: Run<'lab state'> = async (input, context) => {
  printJson(input.out, await runAsAccount(input, context, state))
}

/** Runs `tapefold lab thread`. */
export const labThreadCommand: Run<'lab thread'> = async (input, context) => {
  const [id] = input.words
  const ask = runAsAccount(input, context, (deps, requester) => thread(deps, requester, id))
  printJson(input.out, await ask)
}

/** Runs `tapefold lab vocabulary`. */
export const labVocabularyCommand: Run<'lab vocabulary'> = async ({ out }) => {
  printJson(out, vocabulary())
}
