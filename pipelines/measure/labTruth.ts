/** Error rate and power of LAB on markets whose truth is known. */

import { parseArgs } from 'node:util'
import { isHelpWanted, UsageError } from '../../src/core/command.ts'
import { shown } from '../../src/core/disk/text.ts'
import { runCommand } from '../command/command.ts'
import { type LabFinding, runNullTrials, runPowerTrials } from './labTrials.ts'

/** Maximum share of ideas without an edge that may be called interesting. */
const WRONG_MAX = 0.025
/** Minimum share of histories with half a deviation planted that must be detected. */
const SEEN_MIN = 0.8
const TENTHS = 10

/** Distance of values from uniform, and the distance that one sample in twenty exceeds by luck. */
export function uniformity(values: readonly number[]): { distance: number; limit: number } {
  const sorted = [...values].sort((a, b) => a - b)
  const count = sorted.length
  const gaps = sorted.map((p, i) => Math.max((i + 1) / count - p, p - i / count))
  // Kolmogorov's distance, and its limit at 5 % of many values
  return { distance: Math.max(0, ...gaps), limit: 1.358 / Math.sqrt(count) }
}

const percent = (part: number, all: number) => `${((100 * part) / all).toFixed(1)} %`
const formatShare = (part: number, all: number) => `${part} (${percent(part, all)})`
const yes = (isMet: boolean) => (isMet ? 'met' : 'NOT MET')

/** Lines on ideas that were tested where no rule earns anything. */
export function nullText(findings: readonly LabFinding[]): string {
  const count = findings.length
  const interesting = findings.filter(({ isInteresting }) => isInteresting)
  const byError = findings.filter(({ isByErrorAlone }) => isByErrorAlone).length
  const known = findings.flatMap(({ p }) => p ?? [])
  const { distance, limit } = uniformity(known)
  const tenths = Array.from(
    { length: TENTHS },
    (_, tenth) => known.filter(p => Math.ceil(TENTHS * p) === tenth + 1).length,
  )
  return [
    `${count} ideas, made of the grammar, where no rule earns anything but by luck:`,
    `  interesting                       ${formatShare(interesting.length, count)}, ` +
      `at most ${percent(WRONG_MAX, 1)}: ${yes(interesting.length <= WRONG_MAX * count)}`,
    `  were two errors of the mean enough ${formatShare(byError, count)}`,
    `  placebo p of ${known.length}, by tenths      ${tenths.join(' ')}`,
    `  furthest from uniform             ${distance.toFixed(3)}` +
      `, by luck in one of twenty ${limit.toFixed(3)}`,
    ...interesting.map(({ t, p, say }) => `  t ${t!.toFixed(2)} p ${p!.toFixed(3)}: ${say}`),
    '',
  ].join('\n')
}

/** Lines on histories in which something was planted. */
export function powerText(findings: readonly LabFinding[], plantedSd: number): string {
  const count = findings.length
  const seen = findings.filter(({ isInteresting }) => isInteresting).length
  const failed = findings.flatMap(finding => finding.failed)
  const gates = [...new Set(failed)].map(
    gate => `${gate} ${failed.filter(one => one === gate).length}`,
  )
  const { holdout } = findings[0]!
  const target =
    plantedSd === 0.5 ? `, at least ${percent(SEEN_MIN, 1)}: ${yes(seen >= SEEN_MIN * count)}` : ''
  return [
    `${count} histories with ${plantedSd} deviations planted, ${holdout} sessions kept apart:`,
    `  interesting                       ${formatShare(seen, count)}${target}`,
    `  gates that did not hold           ${gates.join(', ') || 'none'}`,
    '',
  ].join('\n')
}

const USAGE = `usage: npm run lab-truth -- [--ideas N] [--histories N] [--planted X] [--seed N]

Tries ideas on simulated markets where no rule earns anything, and a rule that knows what is planted
on others, and says how often each is called interesting. It takes some ten minutes.

  --ideas N      ideas on markets without an edge (400), with 60 and 200 sessions kept apart
  --histories N  histories with something planted (50)
  --planted X    what is planted, in standard deviations (0.5)
  --seed N       the same seed gives the same figures (1)
`

if (import.meta.main) {
  runCommand(async () => {
    if (isHelpWanted(process.argv.slice(2))) return void process.stdout.write(USAGE)
    const { values } = parseArgs({
      options: {
        ideas: { type: 'string', default: '400' },
        histories: { type: 'string', default: '50' },
        planted: { type: 'string', default: '0.5' },
        seed: { type: 'string', default: '1' },
      },
    })
    const [ideas, histories] = [
      parseCount('ideas', values.ideas),
      parseCount('histories', values.histories),
    ]
    const plantedSd = Number(values.planted)
    if (!/^\d(\.\d{1,3})?$/.test(values.planted) || plantedSd > 2) {
      throw new UsageError(`--planted is ${shown(values.planted)}; give up to 2, such as 0.5.`)
    }
    const seed = parseCount('seed', values.seed)
    const onDone = (what: string, all: number) => (done: number) =>
      void (done % 10 === 0 && process.stderr.write(`  ${done} of ${all} ${what}\n`))
    if (ideas > 0) {
      const options = { seed, ideas, ideasAMarket: 12, holdouts: [60, 200], furthestDte: 1 }
      process.stdout.write(nullText(runNullTrials({ ...options, onDone: onDone('ideas', ideas) })))
    }
    if (histories > 0) {
      const options = { seed, histories, plantedSd, holdout: 200 }
      const findings = runPowerTrials({ ...options, onDone: onDone('histories', histories) })
      process.stdout.write(powerText(findings, plantedSd))
    }
  })
}

function parseCount(name: string, text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} is ${shown(text)}; give a whole number, such as 50.`)
}
