import { join } from 'node:path'
import { type Clock, systemClock } from '../../src/core/clock.ts'
import { outliveReaders, reportFailure } from '../../src/core/command.ts'
import { writeAtomically } from '../../src/core/disk/files.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { pipelineEnvironment } from '../../src/core/pipelineEnvironment.ts'
import { useProxies } from '../../src/core/proxy.ts'
import { endWithParent } from '../../src/core/stop.ts'
import { nothingPublished } from '../../src/data/published/nothingPublished.ts'
import { type Config, readConfig } from '../../src/platform/config.ts'
import { isExpected } from '../../src/platform/http/errors/catalogue.ts'
import { type Progress, progressOn } from './progress.ts'

/** The configuration of this process's environment. */
export const environmentConfig = (): Config => readConfig(process.env)

/** Variables of this process: keys and addresses of sources. */
export const ownEnvironment = (): Readonly<Record<string, string | undefined>> => process.env

/** The environment in which the command starts a pipeline. */
export const ownPipelineEnvironment = () => pipelineEnvironment(process.env)

/** The environment of a process that stores its accounts and jobs in files of its data folder. */
export function fileEnvironment(): Record<string, string | undefined> {
  return { ...process.env, DATABASE_URL: undefined, TAPEFOLD_STORE: undefined }
}

/** Address of the accounts: the PostgreSQL of DATABASE_URL, else a file in the data folder. */
export const accountsAddress = (dataFolder: string): string =>
  readConfig(process.env).databaseUrl ?? join(dataFolder, 'accounts.sqlite')

/** Writes the output of a command to a file, or to standard output where none is named. */
export function writeOutput(file: string | undefined, bytes: Uint8Array): void {
  if (file === undefined) process.stdout.write(bytes)
  else writeAtomically(file, bytes)
}

/**
 * Warns on standard error, separate from the output, that the data folder has nothing published.
 */
export function warnNothingPublished(dataFolder: string): void {
  const nothing = nothingPublished(dataFolder)
  if (nothing !== null) process.stderr.write(`tapefold: ${nothing}\n`)
}

/** Converts an error of the API into its sentence. Any other error stays as it is. */
export const asRefusal = (error: unknown, start = ''): unknown =>
  isExpected(error) ? new Refusal(`${start}${error.message}`) : error

/** Progress of a command on its standard output. */
export const commandProgress = (clock: Clock = systemClock): Progress =>
  progressOn(process.stdout, clock, process.env.TERM)

/** Runs a pipeline as a command; its exit code is 0, or that of its failure. */
export function runCommand(work: () => Promise<void>): void {
  endWithParent()
  outliveReaders()
  useProxies(process.env)
  work().catch(error => {
    process.exitCode = reportFailure(error)
  })
}
