import { type Clock, systemClock } from '../../src/core/clock.ts'
import { outliveReaders, reportFailure } from '../../src/core/command.ts'
import { pipelineEnvironment } from '../../src/core/pipelineEnvironment.ts'
import { useProxies } from '../../src/core/proxy.ts'
import { endWithParent } from '../../src/core/stop.ts'
import { type Config, readConfig } from '../../src/platform/config.ts'
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
