import { planAt } from '../../src/accounts/products.ts'
import { openAccountStore } from '../../src/accounts/store.ts'
import { systemClock } from '../../src/clock.ts'
import { readArguments, UsageError } from '../../src/command.ts'
import { Refusal } from '../../src/disk/refusal.ts'
import { chat, type LabAsker, type LabDeps, state, thread } from '../../src/lab/ask.ts'
import { reply } from '../../src/lab/language/dialog.ts'
import { vocabulary } from '../../src/lab/language/vocabulary.ts'
import { parseChat } from '../../src/lab/parseChat.ts'
import { accountsAddress, asRefusal, runCommand, writeAnswer } from './command.ts'

const USAGE = `usage: tapefold lab chat|read|state|thread|vocabulary ... [--data DIR]

Turns an idea in plain words into an exact rule, as the LAB API does, and answers JSON.

  chat "MESSAGE" --account ACCOUNT [--id ID]  begins an idea, or answers and changes one
  read "MESSAGE"                              what the message comes to by itself; keeps nothing
  state --account ACCOUNT                     the ideas and credits of an account
  thread ID --account ACCOUNT                 what was said on an idea
  vocabulary                                  all that the language knows

  --out FILE  writes there instead of to standard output

Such as: tapefold lab read "At 10:00 sell the 10-wide put spread 30 points below spot."
`

type Values = { readonly [name in 'account' | 'id' | 'out']?: string | undefined } & {
  readonly data: string
}

/** Runs a verb of `lab`. Fails with one sentence. */
export async function runLab(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    usage: USAGE,
    allowPositionals: true,
    options: {
      data: { type: 'string', default: 'data' },
      account: { type: 'string' },
      id: { type: 'string' },
      out: { type: 'string' },
    },
  })
  const [verb, word, ...others] = positionals
  if (others.length > 0) throw new UsageError('lab takes one message in quotes, or one idea.')
  try {
    const answer = await answerTo(verb, word, values)
    writeAnswer(values.out, Buffer.from(`${JSON.stringify(answer, null, 1)}\n`))
  } catch (error) {
    throw asRefusal(error)
  }
}

async function answerTo(verb: string | undefined, word: string | undefined, values: Values) {
  if (verb === 'vocabulary' && word === undefined) return vocabulary()
  if (verb === 'read' && word !== undefined) return readAlone(word)
  if (verb === 'chat' && word !== undefined) {
    const input = parseChat(JSON.stringify({ message: word, id: values.id }))
    return await asked(values, (deps, asker) => chat(deps, asker, input))
  }
  if (verb === 'state' && word === undefined) return await asked(values, state)
  if (verb === 'thread' && word !== undefined) {
    return await asked(values, (deps, asker) => thread(deps, asker, word))
  }
  throw new UsageError('lab takes chat, read, state, thread or vocabulary: lab read "MESSAGE".')
}

/** What a message comes to by itself. */
function readAlone(message: string): object {
  const { message: words } = parseChat(JSON.stringify({ message }))
  const answer = reply(words, null)
  if (answer.kind !== 'chat') return answer
  const { draft: _, ...rest } = answer
  return rest
}

/** Asks as an account, by the credits of its plan. */
async function asked(
  { account, data }: Values,
  ask: (deps: LabDeps, asker: LabAsker) => Promise<object>,
): Promise<object> {
  if (account === undefined) throw new UsageError('name an account: --account acc_4fQ8sK2mZx0T.')
  const accounts = await openAccountStore(accountsAddress(data))
  try {
    const { nowMs } = systemClock
    const found = await accounts.findAccount(account)
    if (!found) throw new Refusal(`there is no account ${account}.`)
    const plan = planAt(found.products, 'lab', nowMs())
    const asker = { accountId: account, monthlyCredits: plan?.monthlyCredits ?? null }
    return await ask({ accounts, nowMs, rewriter: null }, asker)
  } finally {
    await accounts.close()
  }
}

if (import.meta.main) runCommand(() => runLab(process.argv.slice(2)))
