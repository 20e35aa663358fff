import { readArguments, UsageError } from '../../src/core/command.ts'
import { chat, state, thread } from '../../src/lab/ask.ts'
import { reply } from '../../src/lab/language/dialog.ts'
import { vocabulary } from '../../src/lab/language/vocabulary.ts'
import { parseChat } from '../../src/lab/parseChat.ts'
import { asRefusal, runCommand, writeOutput } from './command.ts'
import { type LabValues, runAsAccount } from './labAccount.ts'
import { readTrades, runTestVerb } from './labTests.ts'

const USAGE = `usage: tapefold lab chat|read|run|result|trades|idea|state|... [--data DIR]

Turns an idea in plain words into an exact rule and tests it, as the LAB API does; answers JSON.

  chat "MESSAGE" --account ACCOUNT [--id ID]  begins an idea, or answers and changes one
  chat yes --account ACCOUNT --id ID          takes a rule proposed without its unread words
  read "MESSAGE"                              what the message comes to by itself; keeps nothing
  run ID KIND --account ACCOUNT               tests an idea for a credit: backtest, then quant;
                                              --drop ID takes that one off the conveyor first
  result ID KIND --account ACCOUNT            what the newest test of the kind found
  trades JOB --account ACCOUNT [--format F]   every trade behind it: json, csv, parquet or arrow
  idea ID ACTION --account ACCOUNT            desk, drop, delete, open; or set, with
                                              --on true|false,
                                              --draw off|levels|trades,
                                              --alert off|telegram|email|webhook
  state --account ACCOUNT                     the ideas and credits of an account
  thread ID --account ACCOUNT                 what was said on an idea
  vocabulary                                  all that the language knows

  --out FILE  writes there instead of to standard output

Such as: tapefold lab read "At 10:00 sell the 10-wide put spread 30 points below spot."
`

/** An example of each verb, for usage errors. */
const EXAMPLE_COMMANDS = [
  'chat "At 10:00 sell the 16 delta strangle." --account acc_4fQ8sK2mZx0T',
  'read "At 10:00 sell the 16 delta strangle."',
  'trades j_4fQ8sK2mZx0T --account acc_4fQ8sK2mZx0T',
  'state --account acc_4fQ8sK2mZx0T',
  'thread i_4fQ8sK2mZx0T --account acc_4fQ8sK2mZx0T',
  'vocabulary ',
]

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
      format: { type: 'string' },
      on: { type: 'string' },
      draw: { type: 'string' },
      alert: { type: 'string' },
      drop: { type: 'string' },
    },
  })
  const [verb, word, kind, ...others] = positionals
  const isOfTest = verb === 'run' || verb === 'result' || verb === 'idea'
  if (others.length > 0 || (kind !== undefined && !isOfTest)) {
    throw new UsageError('lab takes one message in quotes, or one idea.')
  }
  try {
    if (verb === 'trades' && word !== undefined) {
      return writeOutput(values.out, await readTrades(values, word))
    }
    const result = isOfTest
      ? await runTestVerb(verb, { id: word, kind, values })
      : await runVerb(verb, word, values)
    writeOutput(values.out, Buffer.from(`${JSON.stringify(result, null, 1)}\n`))
  } catch (error) {
    throw asRefusal(error)
  }
}

async function runVerb(verb: string | undefined, word: string | undefined, values: LabValues) {
  if (verb === 'vocabulary' && word === undefined) return vocabulary()
  if (verb === 'read' && word !== undefined) return readAlone(word)
  if (verb === 'chat' && word !== undefined) {
    const input = parseChat(JSON.stringify({ message: word, id: values.id }))
    return await runAsAccount(values, (deps, requester) => chat(deps, requester, input))
  }
  if (verb === 'state' && word === undefined) return await runAsAccount(values, state)
  if (verb === 'thread' && word !== undefined) {
    return await runAsAccount(values, (deps, requester) => thread(deps, requester, word))
  }
  const good = EXAMPLE_COMMANDS.find(line => line.startsWith(`${verb} `))
  if (good) throw new UsageError(`lab ${verb} is said so: lab ${good}`)
  throw new UsageError(
    'lab takes chat, read, run, result, trades, idea, state, thread, vocabulary.',
  )
}

/** Reads a message on its own. */
function readAlone(message: string): object {
  const { message: words } = parseChat(JSON.stringify({ message }))
  const result = reply(words, null)
  if (result.kind !== 'chat') return result
  const { draft: _, ...rest } = result
  return rest
}

if (import.meta.main) runCommand(() => runLab(process.argv.slice(2)))
