import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { pipelineEnvironment } from './pipelineEnvironment.ts'
import { signalExitCode, stopRequest } from './stop.ts'

/**
 * Runs a file of `pipelines/` in a process of its own, and passes on to it what asks this one to
 * stop. Returns its exit code.
 */
export function runPipeline(file: string, args: readonly string[]): Promise<number> {
  const script = join(import.meta.dirname, '../pipelines', file)
  // the channel ends the pipeline with this process: killed, it would go on and keep its locks
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'] as const
  const env = pipelineEnvironment(process.env)
  const child = spawn(process.execPath, [script, ...args], { stdio: [...stdio], env })
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
 * Starts a file of `pipelines/` beside this process, with what it writes in pipes; it ends with
 * this process. `databaseUrl` has its accounts, whatever the environment says; null: the folder.
 */
export function startPipeline(
  file: string,
  args: readonly string[],
  databaseUrl: string | null,
): ChildProcess {
  const script = join(import.meta.dirname, '../pipelines', file)
  return spawn(process.execPath, [script, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...pipelineEnvironment(process.env), DATABASE_URL: databaseUrl ?? undefined },
  })
}
