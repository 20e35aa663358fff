import { Refusal } from '../src/store/refusal.ts'

/**
 * Runs a pipeline as a command: prints one sentence and exits with 1 when it cannot do its work,
 * with 2 when its arguments are not understood. Unexpected errors keep their stack for the log.
 */
export function runCommand(work: () => Promise<void>): void {
  work().catch(error => {
    const isUsage = String(error?.code).startsWith('ERR_PARSE_ARGS')
    const isExpected = error instanceof Refusal || isUsage
    process.stderr.write(`tapefold: ${isExpected ? error.message : (error?.stack ?? error)}\n`)
    process.exitCode = isUsage ? 2 : 1
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
