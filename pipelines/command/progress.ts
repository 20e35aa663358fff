import type { Clock } from '../../src/core/clock.ts'

/** Shows the progress of long work: one line a step, with its duration. */
export type Progress = {
  readonly say: (line: string) => void
  /** Runs a step and prints its duration. */
  readonly step: <T>(what: string, work: () => Promise<T>) => Promise<T>
}

/** Progress on an output; on a terminal the running step shows before it is done. */
export function progressOn(
  output: { write: (text: string) => unknown; isTTY?: boolean },
  clock: Clock,
): Progress {
  return {
    say: line => output.write(`${line}\n`),
    step: async (what, work) => {
      if (output.isTTY) output.write(`  ${what} ...`)
      const startedAtMs = clock.nowMs()
      const result = await work()
      const seconds = ((clock.nowMs() - startedAtMs) / 1000).toFixed(1)
      output.write(`${output.isTTY ? '\r' : ''}  ${what.padEnd(44)} ${seconds.padStart(6)} s\n`)
      return result
    },
  }
}

/** Prints nothing. */
export const silent: Progress = { say: () => {}, step: (_, work) => work() }
