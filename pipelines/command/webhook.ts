import { UsageError } from '../../src/core/command.ts'
import { runCommand } from './command.ts'
import { ACCOUNT_USAGE } from './webhookAccount.ts'
import { runDeliveries } from './webhookDeliveries.ts'
import { LISTEN_USAGE, runListen } from './webhookListen.ts'
import { runRemove } from './webhookRemove.ts'
import { runReplay } from './webhookReplay.ts'
import { runRotate } from './webhookRotate.ts'
import { runSave } from './webhookSave.ts'
import { runShow } from './webhookShow.ts'
import { runTest } from './webhookTest.ts'

/** Verbs of `tapefold webhook`, one file each. */
const VERBS: Readonly<Record<string, (args: readonly string[]) => Promise<void>>> = {
  save: runSave,
  show: runShow,
  rotate: runRotate,
  remove: runRemove,
  test: runTest,
  replay: runReplay,
  deliveries: runDeliveries,
  listen: runListen,
}

/** Usage of all verbs. */
const USAGE = `${ACCOUNT_USAGE}\n${LISTEN_USAGE}`

/** Runs `tapefold webhook`: the verb is the first word that is no option of all commands. */
export async function runWebhook(args: readonly string[]): Promise<void> {
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && args[index - 1] !== '--data')
  const verb = args[at]
  if (verb === undefined) {
    if (!args.includes('--help') && !args.includes('-h')) {
      throw new UsageError(`webhook needs one of ${Object.keys(VERBS).join(', ')}; see --help.`)
    }
    process.stdout.write(USAGE)
    return
  }
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined
  if (!run) {
    throw new UsageError(`webhook ${verb} is not known; give ${Object.keys(VERBS).join(', ')}.`)
  }
  await run(args.toSpliced(at, 1))
}

if (import.meta.main) runCommand(() => runWebhook(process.argv.slice(2)))
