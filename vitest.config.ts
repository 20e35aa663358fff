import { defineConfig } from 'vitest/config'
import { SLICES } from './test/slices.ts'

export default defineConfig({
  test: {
    projects: SLICES.map(({ name, include, exclude }) => ({
      extends: true,
      test: { name, include: [...include], exclude: [...exclude] },
    })),
    globalSetup: 'test/support/temporary.ts',
    // forks, not threads: terminating a worker thread during a DuckDB query aborts the process
    pool: 'forks',
    maxWorkers: 2,
    // for what hangs alone: no test fails because the machine is slow, and none has its own limit
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})
