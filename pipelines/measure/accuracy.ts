/** `tapefold accuracy`: how often Tapefold is right, on simulated tapes whose orders are known. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { refuseUnwritable, writeAtomically } from '../../src/core/disk/files.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { runCommand } from '../command/command.ts'
import { DEALER_KINDS } from '../simulate/inventory.ts'
import { SIDE_WORLDS } from '../simulate/sideWorlds.ts'
import { readRecord, refuseUnrecordable, writeDocs, writeRecord } from './accuracyDocs.ts'
import { REAL_INDEX_FILES } from './accuracyIndex.ts'
import { DRAWN_DEALERS } from './accuracyLevels.ts'
import { REAL_FILES } from './accuracyReal.ts'
import {
  type AccuracyReport,
  type AccuracyRequest,
  CHECK,
  measureAll,
  RECORDED,
  type RecordedPart,
  withPart,
} from './accuracyReport.ts'
import { accuracyText } from './accuracyTables.ts'
import { SCENARIOS } from './accuracyTapes.ts'

const LEVEL_CONTRACTS = 3_000
/** Seeds of the simulator are of 31 bits. */
const MOST = 2_000_000_000

const USAGE = `usage: tapefold accuracy [--prints N] [--seed N] [--sessions N] [--real FOLDER]
                         [--tape NAME | --levels | --index | --worlds] [--out FOLDER] [--json FILE]
       tapefold accuracy --record [--real FOLDER] [--levels | --index | --worlds] | --docs

Simulates tapes whose true orders are known, folds them and compares: how often orders, names and
sides are right, how far flip and gamma are from the true ones, how exact the formulas are, and what
the fold finds on real tapes. Sides, flow and flip are also measured in worlds of sides, which differ
in how customers price and size their orders and in how many of them buy. Writes no file unless you
ask for one.

  --prints N        about how many prints a tape has (1000000)
  --seed N          seed of the simulation (7); further tapes and sessions take the seeds after it
  --tape NAME       only one tape: ${SCENARIOS.slice(0, 3)
    .map(({ name }) => name)
    .join('; ')};
                    ${SCENARIOS.slice(3, 7)
                      .map(({ name }) => name)
                      .join('; ')};
                    ${SCENARIOS.slice(7)
                      .map(({ name }) => name)
                      .join('; ')}
  --levels          only the levels
  --index           only the index by put-call parity
  --worlds          only the worlds of sides
  --world-sessions N  sessions simulated in each of the ${Object.keys(SIDE_WORLDS).length} worlds of sides (1)
  --index-sessions N  sessions whose index is taken away (3)
  --sessions N      sessions simulated for the levels (6)
  --dealer-sessions N  how many of them also with each further kind of dealers (0)
  --level-prints N  about how many prints each of them has (60000)
  --real FOLDER     folder of real tapes; one that is not there is named and skipped:
${[...REAL_FILES, ...REAL_INDEX_FILES].map(file => `                    ${file}`).join('\n')}
  --out FOLDER      writes accuracy.json, and accuracy.txt with the tables
  --json FILE       writes the JSON alone
  --record          measures what docs/accuracy.md states; writes data/reference/accuracy.json and
                    the pages; with --levels, --index or --worlds only that, where the rest is as
                    recorded
  --docs            measures nothing: writes the tables of docs/accuracy.md and the figures of
                    README from data/reference/accuracy.json and docs/bench.json
`

const OPTIONS = {
  data: { type: 'string' },
  'dealer-sessions': { type: 'string' },
  docs: { type: 'boolean', default: false },
  index: { type: 'boolean', default: false },
  'index-sessions': { type: 'string' },
  json: { type: 'string' },
  levels: { type: 'boolean', default: false },
  'level-prints': { type: 'string' },
  out: { type: 'string' },
  prints: { type: 'string' },
  real: { type: 'string' },
  record: { type: 'boolean', default: false },
  seed: { type: 'string' },
  sessions: { type: 'string' },
  tape: { type: 'string' },
  'world-sessions': { type: 'string' },
  worlds: { type: 'boolean', default: false },
} as const

/** The measurement as JSON: shares of 1, and null where there is nothing to divide by. */
const formatJson = (report: AccuracyReport) => `${JSON.stringify(report, null, 1)}\n`

if (import.meta.main) {
  runCommand(async () => {
    const { values } = readArguments(process.argv.slice(2), { usage: USAGE, options: OPTIONS })
    const { data: _, docs, record: isRecord, real, out, json, ...chosen } = values
    const { tape } = chosen
    const parts = (['levels', 'index', 'worlds'] as const).filter(name => chosen[name])
    const part: RecordedPart | null = parts[0] ?? null
    const isChosen = hasValue(chosen)
    if (docs) {
      if (isChosen || isRecord || (real ?? out ?? json) !== undefined) {
        throw new UsageError('--docs measures nothing; give it alone.')
      }
      return writeDocs()
    }
    const { levels: __, index: ___, worlds: ____, ...sizes } = chosen
    const isSimulatedOnly = part === 'levels' || part === 'worlds'
    if (isRecord && (hasValue(sizes) || (isSimulatedOnly && real !== undefined))) {
      throw new UsageError(
        '--record measures everything docs/accuracy.md states; give it only --real, --levels, --index or --worlds.',
      )
    }
    if (parts.length + (tape === undefined ? 0 : 1) > 1) {
      throw new UsageError(
        '--tape, --levels, --index and --worlds each measure one part alone; give one of them.',
      )
    }
    const scenarios = SCENARIOS.filter(({ name }) => tape === undefined || name === tape)
    if (scenarios.length === 0) {
      const names = SCENARIOS.map(({ name }) => `"${name}"`).join(', ')
      throw new UsageError(`--tape is ${tape}; it can be ${names}.`)
    }
    const sessions = wholeNumber(
      '--sessions',
      values.sessions ?? String(isRecord ? RECORDED.sessions : 6),
      '6',
    )
    const given = values['dealer-sessions'] ?? '0'
    const dealerSessions = given === '0' ? 0 : wholeNumber('--dealer-sessions', given, '2')
    const levels = {
      sessions,
      prints: wholeNumber('--level-prints', values['level-prints'] ?? '60000', '60000'),
      contracts: LEVEL_CONTRACTS,
      dealers: DEALER_KINDS.filter(kind => kind !== DRAWN_DEALERS),
      dealerSessions: isRecord ? RECORDED.dealerSessions : dealerSessions,
    }
    const indexSessions = values['index-sessions'] ?? String(isRecord ? RECORDED.indexSessions : 3)
    const index = {
      sessions: wholeNumber('--index-sessions', indexSessions, '3'),
      contracts: LEVEL_CONTRACTS,
    }
    const { seed, contracts } = RECORDED
    const worldSessions =
      values['world-sessions'] ?? String(isRecord ? RECORDED.worlds.sessions : 1)
    const isMeasured = (name: RecordedPart) =>
      tape === undefined && (part === null || part === name)
    const request: AccuracyRequest = {
      seed: isRecord ? seed : wholeNumber('--seed', values.seed ?? '7', '7'),
      prints: wholeNumber(
        '--prints',
        values.prints ?? String(isRecord ? RECORDED.prints : 1_000_000),
        '1000000',
      ),
      contracts,
      scenarios: part ? [] : scenarios,
      levels: isMeasured('levels') ? levels : null,
      index: isMeasured('index') ? index : null,
      worlds: isMeasured('worlds')
        ? { ...RECORDED.worlds, sessions: wholeNumber('--world-sessions', worldSessions, '1') }
        : null,
      hasFormulas: tape === undefined && part === null,
      realFolder: real,
    }
    if (real !== undefined) refuseNoFolder(real)
    if (isRecord) refuseUnrecordable()
    const files = [json, ...(out ? [join(out, 'accuracy.json'), join(out, 'accuracy.txt')] : [])]
    for (const file of files) if (file) refuseUnwritable(file)
    const report = await measureAll(request)
    process.stdout.write(accuracyText(report))
    if (isRecord) {
      const check = await measureAll(CHECK)
      const measured = { made_by: 'npm run accuracy -- --record', report, check }
      writeRecord(part ? withPart(readRecord(), measured, part) : measured)
      writeDocs()
    }
    if (json) writeAtomically(json, formatJson(report))
    if (out) {
      writeAtomically(join(out, 'accuracy.json'), formatJson(report))
      writeAtomically(join(out, 'accuracy.txt'), accuracyText(report))
    }
  })
}

/** True when one of the options was given. */
function hasValue(options: object): boolean {
  return Object.values(options).some(value => value !== undefined && value !== false)
}

function wholeNumber(name: string, text: string, example: string): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value > 0 && value <= MOST) return value
  throw new UsageError(
    `${name} is ${text}; give a whole number from 1 to ${MOST}, such as ${example}.`,
  )
}

function refuseNoFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  const sought = REAL_FILES.join(' and ')
  throw new Refusal(
    `--real is ${folder}, which is not a folder; give the one that holds ${sought}.`,
  )
}
