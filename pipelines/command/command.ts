import { join } from 'node:path'
import { outliveReaders, reportFailure } from '../../src/command.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { writeAtomically } from '../../src/disk/files.ts'
import { Refusal } from '../../src/disk/refusal.ts'
import { isExpected } from '../../src/http/errors/catalogue.ts'
import { pipelineEnvironment } from '../../src/pipelineEnvironment.ts'
import { nothingPublished } from '../../src/published/nothingPublished.ts'
import { endWithParent } from '../../src/stop.ts'

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

/** Writes what a command answers to a file, or to standard output where none is named. */
export function writeOutput(file: string | undefined, bytes: Uint8Array): void {
  if (file === undefined) process.stdout.write(bytes)
  else writeAtomically(file, bytes)
}

/** Says on standard error, beside what is answered, that nothing is published where it is asked. */
export function warnNothingPublished(dataFolder: string): void {
  const nothing = nothingPublished(dataFolder)
  if (nothing !== null) process.stderr.write(`tapefold: ${nothing}\n`)
}

/** An error of the API as a command says it: its sentence. Any other error stays as it is. */
export const asRefusal = (error: unknown, start = ''): unknown =>
  isExpected(error) ? new Refusal(`${start}${error.message}`) : error

/** Runs a pipeline as a command; its exit code is 0, or what its failure says. */
export function runCommand(work: () => Promise<void>): void {
  endWithParent()
  outliveReaders()
  work().catch(error => {
    process.exitCode = reportFailure(error)
  })
}
