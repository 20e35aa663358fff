import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/temporary.ts',
    // forks, not threads: terminating a worker thread during a DuckDB query aborts the process
    pool: 'forks',
    maxWorkers: 2,
    // a build takes seconds on two free cores, and a minute on two that others use as well
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
