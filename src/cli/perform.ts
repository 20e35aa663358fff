import { join } from 'node:path'
import type { CommandContext } from '../accounts/commandContext.ts'
import { systemClock } from '../core/clock.ts'
import { type Command, type Input, readInput, workOf } from '../core/commandRow.ts'
import { Refusal } from '../core/disk/refusal.ts'
import { readConfig } from '../platform/config.ts'
import type { ServerStore } from '../server/accountStore.ts'
import { findRow } from './commands.ts'
import '../server/registerAreas.ts'

/** Work of a command; its exit code is 0 where it returns none. */
type Work = (
  input: Input<Command>,
  context: CommandContext<ServerStore>,
) => Promise<number | undefined>

/**
 * Does the command of a line in this process, and returns its exit code. Fails as the command does,
 * with a Refusal where it fails as the API would.
 */
export async function perform(
  argv: readonly string[],
  surroundings: Partial<CommandContext<ServerStore>> = {},
): Promise<number> {
  const { row, args } = findRow(argv)
  const input = readInput(row, args)
  const [file, name] = workOf(row)
  const { [name]: work } = (await import(join(import.meta.dirname, '../..', file))) as {
    readonly [name: string]: Work
  }
  try {
    return (await work!(input, { ...openContext(input.data), ...surroundings })) ?? 0
  } catch (error) {
    const { isExpected } = await import('../platform/http/errors/catalogue.ts')
    throw isExpected(error) ? new Refusal(error.message) : error
  }
}

/** The surroundings of a command; what it does not open is not loaded. */
function openContext(dataFolder: string): CommandContext<ServerStore> {
  const config = { ...readConfig(process.env), dataFolder }
  const stores = () => import('../server/accountStore.ts')
  return {
    config,
    nowMs: systemClock.nowMs,
    print: line => void process.stdout.write(`${line}\n`),
    openAccounts: async () => (await stores()).openAccounts(config),
    openNoAccounts: async () => (await stores()).openNoAccounts(),
    findSiteUrl: async () => (await import('../server/served.ts')).findSiteUrl(config),
  }
}
