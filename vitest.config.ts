import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// tests start some hundred processes of the same code
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

/** Memory in which four files of whole sessions have room at once. */
const MEMORY_OF_FOUR = 12e9

/** Tests that start a process, PostgreSQL or a server of the API. */
const PROCESS = 'test/**/*.process.test.ts'

/** Tests of whole sessions, kills and faults, long generated runs and real tapes. */
const SLOW = 'test/**/*.slow.test.ts'

/** Tests of which `npm test` runs a tenth of the cases, or one engine of two; the slow ones run anyway. */
const GENERATED = globSync('test/**/*.test.ts').filter(
  file =>
    !file.endsWith('.slow.test.ts') &&
    /\/support\/(runs|engines)\.ts/.test(readFileSync(file, 'utf8')),
)

/**
 * Tests by what they cost: `npm test` runs `unit`, `sql` and `process`; `npm run test:deep` runs
 * `slow`, and `generated` with all cases and engines.
 */
const PROJECTS = [
  { name: 'unit', include: ['test/**/*.test.ts'], exclude: ['test/sql/**', PROCESS, SLOW] },
  { name: 'sql', include: ['test/sql/**/*.test.ts'], exclude: [PROCESS, SLOW] },
  { name: 'process', include: [PROCESS] },
  { name: 'slow', include: [SLOW] },
  { name: 'generated', include: GENERATED },
]

export default defineConfig({
  test: {
    projects: PROJECTS.map(test => ({ extends: true, test })),
    globalSetup: 'test/support/temporary.ts',
    setupFiles: 'src/server/registerAreas.ts',
    // forks, not threads: terminating a worker thread during a DuckDB query aborts the process
    pool: 'forks',
    isolate: false,
    // more than the fewest cores a machine has: many tests wait for processes, or for pauses
    maxWorkers: process.availableMemory() > MEMORY_OF_FOUR ? 4 : 2,
    // for what hangs alone: no test fails because the machine is slow, and none has its own limit
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
  },
})
