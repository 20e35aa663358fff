import { command } from '../../src/core/commandRow.ts'

/** Commands that measure accuracy and speed. */

export const ACCURACY = command({
  line: 'accuracy',
  summary: 'measure how often orders, sides, levels are right',
  about: async () => {
    const { SCENARIOS } = await import('./accuracyTapes.ts')
    const { REAL_FILES } = await import('./accuracyReal.ts')
    const { REAL_INDEX_FILES } = await import('./accuracyIndex.ts')
    return `Simulates tapes whose true orders are known, folds them and compares: how often orders, names and
sides are right, how far flip and gamma are from the true ones, how exact the formulas are, and what
the fold finds on real tapes. Sides, flow and flip are also measured in worlds of sides, which differ
in how customers price and size their orders and in how many of them buy. Writes no file unless you
ask for one. With --record alone, or with --real, --levels, --index or --worlds, it measures what the
docs state; --docs is given alone.

Tapes:
${SCENARIOS.map(({ name }) => `  ${name}`).join('\n')}

Real tapes:
${[...REAL_FILES, ...REAL_INDEX_FILES].map(file => `  ${file}`).join('\n')}`
  },
  options: {
    'prints N': 'about how many prints a tape has (1000000)',
    'seed N': 'seed of the simulation (7); further tapes and sessions take the seeds after it',
    'tape NAME': 'only one tape',
    levels: 'only the levels',
    index: 'only the index by put-call parity',
    worlds: 'only the worlds of sides',
    'world-sessions N': 'sessions simulated in each of the worlds of sides (1)',
    'index-sessions N': 'sessions whose index is taken away (3)',
    'sessions N': 'sessions simulated for the levels (6)',
    'dealer-sessions N': 'how many of them also with each further kind of dealers (0)',
    'level-prints N': 'about how many prints each of them has (60000)',
    'real FOLDER': 'folder of real tapes; one that is not there is named and skipped',
    'out FOLDER': 'writes accuracy.json, and accuracy.txt with the tables',
    'json FILE': 'writes the JSON alone',
    record: `measures what docs/accuracy.md states; writes data/reference/accuracy.json and the
      pages; with --levels, --index or --worlds only that, where the rest is as recorded`,
    docs: `measures nothing: writes the tables of docs/accuracy.md and the figures of README from
      data/reference/accuracy.json and docs/bench.json`,
  },
  work: 'pipelines/measure/accuracy.ts',
})

/** Where the second part of a section's text begins. */
const NEXT = `;\n${' '.repeat(13)}`

export const BENCH = command({
  line: 'bench [SECTION...]',
  summary: 'measure speed, memory and growth',
  about: async () => {
    const { SECTIONS } = await import('./bench/sections.ts')
    const usual = SECTIONS.filter(({ isLong }) => !isLong).map(({ name }) => name)
    return `Measures speed, memory and growth on simulated sessions and says which targets are met. Times are
compared with those of simple jobs in the same run. Without a section it measures:
${usual.join(', ')}. With "all" it measures all of them.

${SECTIONS.map(({ name, about }) => `  ${name.padEnd(10)} ${about.replace('; ', NEXT)}`).join('\n')}`
  },
  options: {
    'prints N': 'about how many prints the session has',
    'contracts N': 'about how many contracts are listed',
    'inversions N': 'prices to invert',
    'rounds N': 'rounds of each load on each server',
    'round-seconds S': 'how long a round is',
    'fair-seconds S': 'how long careful accounts ask next to each load',
    'lab-sessions N': 'sessions that an idea is tested on',
    'prototype FILE': 'other macros to compare the inversion with',
    'json FILE': 'writes the report as JSON',
    'from FILE': 'measures nothing: reads the report that --json wrote',
    'docs FILE': 'writes the figures between the markers of a page',
    'readme FILE': 'the former name of --docs',
  },
  values: {
    prints: '1000000',
    contracts: '20000',
    inversions: '4000000',
    rounds: '5',
    'round-seconds': '3',
    'fair-seconds': '20',
    'lab-sessions': '1000',
  },
  work: 'pipelines/measure/bench.ts',
})
