import type { Config } from './config.ts'

/** Runs a command in this process and returns its exit code. */
export type RunCommand = (config: Config, args: readonly string[]) => Promise<number>
