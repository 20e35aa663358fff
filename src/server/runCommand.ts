import type { Config } from '../platform/config.ts'

/** Runs a command in this process and returns its exit code. */
export type RunCommand = (config: Config, args: readonly string[]) => Promise<number>
