/** `tapefold accuracy`: how often the fold is right, on simulated tapes whose orders are known. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { alignColumns } from '../src/store/analyst.ts'
import { openDatabase } from '../src/store/duck.ts'
import { Refusal } from '../src/store/refusal.ts'
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
  { name: 'calm, no conditions', tape: 'calm', hasConditions: false },
  { name: 'quotes 15 minutes late, stated', quoteDelay: 'stated' },
  { name: 'quotes 15 minutes late, unstated', quoteDelay: 'unstated' },
]

/** Agreement of a fold with the true orders of 50 contracts and more; null where undefined. */
type Accuracy = {
  readonly name: string
  readonly printCount: number
  readonly all: FoldMetrics
  readonly floor: FoldMetrics
  readonly readings: Readonly<Record<string, number | null>>
  readonly sides: SideAccuracy
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
    await loadTruth(db, out, options.date)
    await buildFold(db)
    for (const model of ['items', 'exact_orders', 'all_labels', 'floor_labels', 'readings']) {
      await db.build(`accuracy/${model}`)
    }
    const [all] = await db.rows("from fold_metrics('accuracy.all_labels')")
    const [floor] = await db.rows("from fold_metrics('accuracy.floor_labels')")
    const [readings] = await db.rows('from accuracy.readings')
    const sides = await measureSides(db)
    return { name, printCount, all, floor, readings, sides } as Accuracy
  } finally {
    db.close()
    rmSync(folder, { recursive: true, force: true })
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
        prints: { type: 'string', default: '1000000' },
        seed: { type: 'string', default: '7' },
        tape: { type: 'string' },
      },
    })
    const prints = wholeNumber('--prints', values.prints, '1000000')
    const seed = wholeNumber('--seed', values.seed, '7')
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
    for (const { name, sides } of measured) process.stdout.write(`\n${sidesText(name, sides)}`)
    process.stdout.write(
      'Orders of 50 contracts and more, on simulated tapes: a model, not a claim.\n',
    )
  })
}

function wholeNumber(name: string, text: string, example: string): number {
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text)
  throw new Refusal(`${name} is ${text}; give a whole number above 0, such as ${example}.`)
}
