/** `tapefold accuracy`: how often Tapefold is right, on simulated tapes whose orders are known. */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/core/command.ts'
import type { Input } from '../../src/core/commandRow.ts'
import { refuseUnwritable, writeAtomically } from '../../src/core/disk/files.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { DEALER_KINDS } from '../simulate/inventory.ts'
import { readRecord, refuseUnrecordable, writeDocs, writeRecord } from './accuracyDocs.ts'
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
import type { ACCURACY } from './rows.ts'

const LEVEL_CONTRACTS = 3_000
/** Seeds of the simulator are of 31 bits. */
const MOST = 2_000_000_000

/** The measurement as JSON: shares of 1, and null where there is nothing to divide by. */
const formatJson = (report: AccuracyReport) => `${JSON.stringify(report, null, 1)}\n`

/** Runs `tapefold accuracy`. */
export async function accuracyCommand(input: Input<typeof ACCURACY>): Promise<void> {
  const { name: _, words: __, data: ___, ...values } = input
  const { docs, record: isRecord, real, out, json, ...chosen } = values
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
  const { levels: ____, index: _____, worlds: ______, ...sizes } = chosen
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
  const dealerText = values['dealer-sessions'] ?? '0'
  const dealerSessions = dealerText === '0' ? 0 : wholeNumber('--dealer-sessions', dealerText, '2')
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
  const worldSessions = values['world-sessions'] ?? String(isRecord ? RECORDED.worlds.sessions : 1)
  const isMeasured = (name: RecordedPart) => tape === undefined && (part === null || part === name)
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
