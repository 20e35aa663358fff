import { tellFailure } from '../src/command.ts'

/** Runs a pipeline as a command; its exit code is 0, or what its failure says. */
export function runCommand(work: () => Promise<void>): void {
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
