import { tellFailure } from '../src/command.ts'

/** Runs a pipeline as a command; its exit code is 0, or what its failure says. */
export function runCommand(work: () => Promise<void>): void {
  work().catch(error => {
    process.exitCode = tellFailure(error)
  })
}
