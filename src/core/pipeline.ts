import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { pipelineEnvironment } from './pipelineEnvironment.ts'
import { signalExitCode, stopRequest } from './stop.ts'

/** Entry point of a command's own process. */
export const COMMAND_PROCESS = join(import.meta.dirname, '../cli/child.ts')

/**
 * Runs a command in a child process, and forwards stop signals to it. Returns its exit code.
 */
export function runPipeline(words: readonly string[]): Promise<number> {
  // the channel ends the pipeline with this process: killed, it would otherwise continue and hold
  // its locks
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'] as const
  const env = pipelineEnvironment(process.env)
  const child = spawn(process.execPath, [COMMAND_PROCESS, ...words], { stdio: [...stdio], env })
  const stop = stopRequest()
  const passOn = () => void child.kill(stop.reason)
  if (stop.aborted) passOn()
  stop.addEventListener('abort', passOn, { once: true })
  return new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      if (signal) process.stderr.write(`tapefold: stopped by ${signal}; nothing is half done.\n`)
      resolve(signal === null ? code! : signalExitCode(signal))
    })
  }).finally(() => stop.removeEventListener('abort', passOn))
}

/**
 * Starts a command in a child process with piped output; it ends with this process. `databaseUrl`
 * overrides the account database of the environment; null: the folder.
 */
export function startPipeline(words: readonly string[], databaseUrl: string | null): ChildProcess {
  return spawn(process.execPath, [COMMAND_PROCESS, ...words], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...pipelineEnvironment(process.env), DATABASE_URL: databaseUrl ?? undefined },
  })
}
