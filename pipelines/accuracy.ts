/** `tapefold accuracy`: how often the fold is right, on simulated tapes whose orders are known. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addDays, midnightMs, sessionOf } from '../src/market/calendar.ts'
import { alignColumns } from '../src/store/analyst.ts'
import { type Database, openDatabase } from '../src/store/duck.ts'
import { Refusal } from '../src/store/refusal.ts'
import { loadConditions, loadSession } from '../src/store/session.ts'
import { loadFiles, loadParquet, tapeDataset } from '../src/store/tape.ts'
import { levelsText, measureLevels } from './accuracyLevels.ts'
import { runCommand } from './command.ts'
import { buildFold } from './fold.ts'
import { DEFAULT_OPTIONS, type SimulateOptions } from './simulate/options.ts'
import { runSimulate } from './simulate.ts'

type Scenario = { readonly name: string } & Partial<SimulateOptions>

/** Tapes from easy to hard; the last hides every condition, as some vendors do. */
const SCENARIOS: readonly Scenario[] = [
  { name: 'calm', tape: 'calm' },
  { name: 'busy', tape: 'busy' },
  { name: 'noisy', tape: 'noisy' },
  { name: 'calm, no conditions', tape: 'calm', hasConditions: false },
]

/** Agreement of a fold with the true orders of 50 contracts and more; null where undefined. */
type Accuracy = {
  readonly name: string
  readonly printCount: number
  readonly all: FoldMetrics
  readonly floor: FoldMetrics
  readonly readings: Readonly<Record<string, number | null>>
}

type FoldMetrics = Readonly<Record<string, number | null>>

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
    await loadScenario(db, out, options.date)
    await buildFold(db)
    for (const model of ['items', 'exact_orders', 'all_labels', 'floor_labels', 'readings']) {
      await db.build(`accuracy/${model}`)
    }
    const [all] = await db.rows("from fold_metrics('accuracy.all_labels')")
    const [floor] = await db.rows("from fold_metrics('accuracy.floor_labels')")
    const [readings] = await db.rows('from accuracy.readings')
    return { name, printCount, all, floor, readings } as Accuracy
  } finally {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function loadScenario(db: Database, folder: string, date: string): Promise<void> {
  const session = sessionOf(date)!
  await loadConditions(db)
  const knownUntilMs = midnightMs(addDays(date, 1))
  await loadSession(db, { session, symbol: 'SPX', knownUntilMs, minPremiumUsd: 0 })
  const prints = [join(folder, 'prints.parquet')]
  const { columns } = tapeDataset('prints')
  await loadFiles(db, 'tape.prints', columns, prints, 'order by printed_at, sequence')
  await db.run('create schema accuracy')
  for (const name of ['truth_parents', 'truth_prints', 'truth_legs']) {
    await loadParquet(db, `accuracy.${name}`, join(folder, `${name}.parquet`))
  }
}

/** The measures as a table, one line a tape. */
function accuracyText(measured: readonly Accuracy[]): string {
  const head = [
    ...['tape', 'prints', 'leg prints', 'ARI', 'pair P', 'pair R', 'exact P', 'exact R'],
    ...['floor ARI', 'name', 'side given', 'side right'],
  ]
  const lines = measured.map(({ name, printCount, all, floor, readings }) => [
    name,
    String(printCount),
    String(all.item_count),
    ...[all.adjusted_rand_index, all.pair_precision, all.pair_recall].map(share),
    ...[all.parent_exact_precision, all.parent_exact_recall].map(share),
    share(floor.adjusted_rand_index),
    ...['right_name_share', 'package_decided_share', 'package_right_side_share'].map(key =>
      share(readings[key]),
    ),
  ])
  return `${alignColumns([head, ...lines])}\n`
}

const share = (value: number | null | undefined) =>
  value === null || value === undefined ? '-' : value.toFixed(4)

if (import.meta.main) {
  runCommand(async () => {
    const { values } = parseArgs({
      options: {
        data: { type: 'string' },
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
      throw new Refusal(`--tape is ${values.tape}; it can be ${names}.`)
    }
    const measured: Accuracy[] = []
    for (const scenario of wanted) {
      process.stderr.write(`  simulating and folding: ${scenario.name}\n`)
      measured.push(await measure(scenario, { prints, contracts: 20_000, seed }))
    }
    process.stdout.write(accuracyText(measured))
    process.stdout.write(
      'Orders of 50 contracts and more, on simulated tapes: a model, not a claim.\n',
    )
  })
}

function wholeNumber(name: string, text: string, example: string): number {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new Refusal(`${name} is ${text}; give a whole number above 0, such as ${example}.`)
}
