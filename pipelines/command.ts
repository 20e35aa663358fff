import { join } from 'node:path'
import { tellFailure, UsageError } from '../src/command.ts'
import { type Config, pipelineEnvironment, readConfig } from '../src/config.ts'
import { isDate, type SessionDate, sessionOf } from '../src/market/calendar.ts'
import { Refusal } from '../src/store/refusal.ts'

/** The configuration of this process's environment. */
export const environmentConfig = (): Config => readConfig(process.env)

/** The environment in which the command starts a pipeline. */
export const ownPipelineEnvironment = () => pipelineEnvironment(process.env)

/** The environment of a process that keeps its accounts and jobs in files of its data folder. */
export function fileEnvironment(): Record<string, string | undefined> {
  return { ...process.env, DATABASE_URL: undefined }
}

/** Where the accounts are: in the PostgreSQL of DATABASE_URL, else in the data folder. */
export const accountsAddress = (dataFolder: string): string =>
  readConfig(process.env).databaseUrl ?? join(dataFolder, 'accounts.sqlite')

/** A date of a command line, or the value of an option. Fails with a UsageError. */
export function dateArgument(text: string, option?: string): SessionDate {
  if (isDate(text)) return text
  const named = option === undefined ? text : `${option} is ${text}, which`
  throw new UsageError(`${named} is not a date; give one such as 2026-10-15.`)
}

/** A trading day of a command line. Fails with a UsageError. */
export function tradingDayArgument(text: string): SessionDate {
  if (sessionOf(dateArgument(text))) return text
  throw new UsageError(`${text} is not a trading day; give one such as 2026-10-15.`)
}

/** The same, or today where no day is given. Fails with a Refusal when today is none. */
export function tradingDayOrToday(text: string | undefined, today: SessionDate): SessionDate {
  if (text !== undefined) return tradingDayArgument(text)
  if (sessionOf(today)) return today
  throw new Refusal(`today, ${today}, is not a trading day; give one such as 2026-10-15.`)
}

/** Runs a pipeline as a command; its exit code is 0, or what its failure says. */
export function runCommand(work: () => Promise<void>): void {
  endWithParent()
  work().catch(error => {
    process.exitCode = tellFailure(error)
  })
}

/**
 * Ends this process with the one that started it, where the two share a channel: work that nobody
 * waits for would hold its lock. Killed, not exited: an exit waits for the query that runs.
 */
export function endWithParent(): void {
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
  process.channel?.unref()
}
