const isAll = process.env.TEST_RUNS === 'all'

/**
 * Number of generated cases to run: all of them in `npm run test:deep`, which sets `TEST_RUNS=all`
 * and takes every file that imports this one; by default a tenth, and `fewest` at least.
 */
export const runs = (all: number, fewest = 10): number =>
  isAll ? all : Math.min(all, Math.max(fewest, Math.ceil(all / 10)))
