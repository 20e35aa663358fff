import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { pipelineEnvironment } from './pipelineEnvironment.ts'

/** Runs a file of `pipelines/` in a process of its own; answers its exit code. */
export function runPipeline(file: string, args: readonly string[]): Promise<number> {
  const script = join(import.meta.dirname, '../pipelines', file)
  // the channel ends the pipeline with this process: killed, it would go on and keep its locks
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc'] as const
  const env = pipelineEnvironment(process.env)
  const child = spawn(process.execPath, [script, ...args], { stdio: [...stdio], env })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => child.kill(signal))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      if (signal) process.stderr.write(`tapefold: stopped by ${signal}; nothing is half done.\n`)
      resolve(code ?? 1)
    })
  })
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
