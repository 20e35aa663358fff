/** `tapefold accuracy`: how often the fold is right, on simulated tapes whose orders are known. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readArguments, UsageError } from '../src/command.ts'
import { alignColumns } from '../src/store/analyst.ts'
import { openDatabase } from '../src/store/duck.ts'
import { writeAtomically } from '../src/store/files.ts'
import { levelsText, measureLevels } from './accuracyLevels.ts'
import { measureSides, type SideAccuracy, sidesText } from './accuracySides.ts'
import { runCommand } from './command.ts'
import { buildFold } from './fold.ts'
import { DEFAULT_OPTIONS, type SimulateOptions } from './simulate/options.ts'
import { runSimulate } from './simulate.ts'
import { loadTruth } from './truth.ts'

type Scenario = { readonly name: string } & Partial<SimulateOptions>

/** Tapes from easy to hard: without conditions, as some vendors sell them; of useless quotes. */
const SCENARIOS: readonly Scenario[] = [
  { name: 'calm', tape: 'calm' },
  { name: 'busy', tape: 'busy' },
  { name: 'noisy', tape: 'noisy' },
  { name: 'calm, ms stamps', tape: 'calm', stamps: 'ms' },
  { name: 'busy, ms stamps', tape: 'busy', stamps: 'ms' },
  { name: 'noisy, ms stamps', tape: 'noisy', stamps: 'ms' },
  { name: 'calm, no conditions', tape: 'calm', hasConditions: false },
  { name: 'quotes 15 minutes late, stated', quoteDelay: 'stated' },
  { name: 'quotes 15 minutes late, unstated', quoteDelay: 'unstated' },
]

/** Agreement of a fold with the true orders of 50 contracts and more; null where undefined. */
type Accuracy = {
  readonly name: string
  readonly printCount: number
  readonly all: Measures
  readonly floor: Measures
  readonly readings: Measures
  /** What needs no truth: all packages of the tape, also small ones. */
  readonly quality: Measures
  readonly sides: SideAccuracy
}

type Measures = Readonly<Record<string, number | null>>

/** Simulates one tape, folds it and compares it with its truth. */
async function measure(
  scenario: Scenario,
  size: { readonly prints: number; readonly contracts: number; readonly seed: number },
): Promise<Accuracy> {
  const { name, ...preset } = scenario
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-accuracy-'))
  const db = await openDatabase({ threads: 2, temporaryFolder: join(folder, 'spill') })
  try {
    const out = join(folder, 'session')
    const options = { ...DEFAULT_OPTIONS, hasQuotes: false, ...size, ...preset, out }
    const { printCount } = await runSimulate(options)
    await loadTruth(db, out, options.date)
    await buildFold(db)
    for (const model of ['items', 'exact_orders', 'all_labels', 'floor_labels', 'readings']) {
      await db.build(`accuracy/${model}`)
    }
    const [all] = await db.rows("from fold_metrics('accuracy.all_labels')")
    const [floor] = await db.rows("from fold_metrics('accuracy.floor_labels')")
    const [readings] = await db.rows('from accuracy.readings')
    const [quality] = await db.query('views/fold_quality')
    const sides = await measureSides(db)
    return { name, printCount, all, floor, readings, quality, sides } as Accuracy
  } finally {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The measures as three tables, one line a tape. */
function accuracyText(measured: readonly Accuracy[]): string {
  const fold = measured.map(({ name, printCount, all, floor }) => [
    name,
    String(printCount),
    String(all.item_count),
    ...[all.adjusted_rand_index, all.pair_precision, all.pair_recall].map(share),
    ...[all.parent_exact_precision, all.parent_exact_recall].map(share),
    share(floor.adjusted_rand_index),
  ])
  const readings = measured.map(({ name, readings }) => [
    name,
    String(readings.package_count),
    ...READINGS.map(([key]) => share(readings[key])),
  ])
  const quality = measured.map(({ name, quality }) => [
    name,
    String(quality.package_count),
    ...[quality.off_step_share, quality.orphan_share].map(share),
  ])
  const tables = [
    [FOLD_HEAD, ...fold],
    [['tape', 'exact packages', ...READINGS.map(([, title]) => title)], ...readings],
    [['tape', 'all packages', 'off step', 'orphans'], ...quality],
  ]
  return `${tables.map(alignColumns).join('\n\n')}\n`
}

const FOLD_HEAD = [
  ...['tape', 'prints', 'leg prints', 'ARI', 'pair P', 'pair R', 'exact P', 'exact R'],
  'floor ARI',
]

/** Names and sides of exactly folded packages: the measure and its title. */
const READINGS = [
  ['right_name_share', 'name'],
  ['flipped_name_share', 'flip of it'],
  ['ambiguous_name_share', 'ambiguous'],
  ['told_name_share', 'as told'],
  ['package_decided_share', 'side given'],
  ['package_right_side_share', 'side right'],
] as const

/** The measures as JSON: shares of 1, and null where there is nothing to divide by. */
function accuracyJson(
  measured: readonly Accuracy[],
  run: { prints: number; seed: number },
): string {
  const tapes = measured.map(({ name, printCount, all, floor, readings, quality }) => ({
    tape: name,
    prints: printCount,
    fold: all,
    floor,
    readings,
    quality,
  }))
  return `${JSON.stringify({ format: 1, simulated: true, ...run, tapes }, null, 2)}\n`
}

const share = (value: number | null | undefined) =>
  value === null || value === undefined ? '-' : value.toFixed(4)

const USAGE = `usage: tapefold accuracy [--prints N] [--seed N] [--tape NAME]
                         [--json FILE] | --levels [--sessions N]

Simulates tapes whose orders are known, folds them, and tells how often the fold is right; with
--levels, how often the bars of the flip cover the flip of the true book.

  --prints N    about how many prints a tape has (1000000)
  --seed N      seed of the simulation (7)
  --tape NAME   one tape only: ${SCENARIOS.map(({ name }) => name).join('; ')}
  --json FILE   writes the same as JSON
  --sessions N  sessions simulated for --levels (12), of 60000 prints unless --prints says else
`

if (import.meta.main) {
  runCommand(async () => {
    const { values } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      options: {
        data: { type: 'string' },
        json: { type: 'string' },
        prints: { type: 'string' },
        sessions: { type: 'string', default: '12' },
        seed: { type: 'string', default: '7' },
        tape: { type: 'string' },
        levels: { type: 'boolean', default: false },
      },
    })
    const seed = wholeNumber('--seed', values.seed, '7')
    if (values.levels) {
      const prints = wholeNumber('--prints', values.prints ?? '60000', '60000')
      const sessions = wholeNumber('--sessions', values.sessions, '12')
      process.stdout.write(levelsText(await measureLevels({ prints, firstSeed: seed, sessions })))
      return
    }
    const prints = wholeNumber('--prints', values.prints ?? '1000000', '1000000')
    const wanted = SCENARIOS.filter(({ name }) => !values.tape || name === values.tape)
    if (wanted.length === 0) {
      const names = SCENARIOS.map(({ name }) => `"${name}"`).join(', ')
      throw new UsageError(`--tape is ${values.tape}; it can be ${names}.`)
    }
    const measured: Accuracy[] = []
    for (const scenario of wanted) {
      process.stderr.write(`  simulating and folding: ${scenario.name}\n`)
      measured.push(await measure(scenario, { prints, contracts: 20_000, seed }))
    }
    if (values.json) writeAtomically(values.json, accuracyJson(measured, { prints, seed }))
    process.stdout.write(accuracyText(measured))
    for (const { name, sides } of measured) process.stdout.write(`\n${sidesText(name, sides)}`)
    process.stdout.write(
      'Orders of 50 contracts and more, on simulated tapes: a model, not a claim.\n',
    )
  })
}

function wholeNumber(name: string, text: string, example: string): number {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new UsageError(`${name} is ${text}; give a whole number above 0, such as ${example}.`)
}
