import * as batch from '../../pipelines/command/rows.ts'
import { ACCURACY, BENCH } from '../../pipelines/measure/rows.ts'
import { DEMO_SESSION, HISTORY, SAMPLE, SIMULATE } from '../../pipelines/simulate/rows.ts'
import * as upkeep from '../../pipelines/upkeep/rows.ts'
import { WATCH } from '../../pipelines/watch/row.ts'
import { ACCOUNT, KEY } from '../accounts/commandRows.ts'
import { ALERT, WEBHOOK } from '../alerts/command/rows.ts'
import { UsageError } from '../core/command.ts'
import { type Command, type CommandGroup, findCommand, nameOf } from '../core/commandRow.ts'
import { GEO } from '../geo/commandRows.ts'
import { CREDITS, LAB } from '../lab/command/rows.ts'
import { LEVELS } from '../levels/commandRow.ts'
import { ORDERS } from '../orders/commandRow.ts'
import { POSITIONS } from '../positions/commandRows.ts'
import { DEMO, MCP, SERVE, SQL } from '../server/commandRows.ts'
import { STATUS } from '../status/commandRow.ts'

export type Entry = Command | CommandGroup

export const entryName = (entry: Entry): string => ('line' in entry ? nameOf(entry) : entry.name)

/** All commands, in the order of the help. */
export const COMMANDS: readonly Entry[] = [
  DEMO,
  SIMULATE,
  HISTORY,
  SAMPLE,
  batch.IMPORT,
  batch.FETCH,
  batch.SHOW_SOURCES,
  batch.BUILD,
  batch.MINUTE,
  batch.FEED,
  upkeep.BACKFILL,
  upkeep.WORK,
  upkeep.PLAN,
  upkeep.TASK,
  upkeep.SCHEDULE,
  SERVE,
  WATCH,
  ORDERS,
  POSITIONS,
  ALERT,
  LEVELS,
  STATUS,
  LAB,
  MCP,
  GEO,
  WEBHOOK,
  SQL,
  batch.FILES,
  upkeep.VERIFY,
  upkeep.REPAIR,
  upkeep.COLLECT,
  batch.STORE,
  ACCURACY,
  BENCH,
  ACCOUNT,
  KEY,
  CREDITS,
]

/** All that a process of a command may do. */
export const ENTRIES: readonly Entry[] = [...COMMANDS, DEMO_SESSION]

/** Finds the row of a command line, and the arguments behind its name. Fails with a UsageError. */
export function findRow(argv: readonly string[]): {
  readonly row: Command
  readonly args: readonly string[]
} {
  const entry = ENTRIES.find(each => entryName(each) === argv[0])
  if (entry === undefined) {
    throw new UsageError(`there is no command ${argv[0]}; "tapefold help" lists them.`)
  }
  return 'line' in entry ? { row: entry, args: argv.slice(1) } : findCommand(entry, argv)
}
