// `npm run fuzz -- --tapes 2000 [--seed N]`: folds tapes that know nothing of the fold, and counts
// the prints that are lost or doubled and the folds that an audit refuses. A tape that fails is
// printed in the smallest form found, as rows that fold on their own.

import { parseArgs } from 'node:util'
import fc from 'fast-check'
import type { Row } from '../../src/core/engine/database.ts'
import { sideBySide } from './adjacentTapes.ts'
import { anyTape } from './anyTape.ts'
import { type FoldDb, openFoldDb } from './fold.ts'
import { type FoldFault, faultsOfTape, foldAlone, listOrders } from './foldedTape.ts'
import { randomNumbers, shuffled } from './random.ts'
import { smallest } from './smallest.ts'

/** Little tapes are folded so many at once, far apart: planning a fold costs more than its rows. */
const LITTLE_AT_ONCE = 40
/** Of so many tapes one is dense and is folded alone. */
const DENSE_OF = 10
/** Of so many folds one is done again from shuffled rows. */
const SHUFFLED_OF = 4
const FAILURES_SHOWN = 3
/** Folds that one failure may cost until it is small. */
const FOLDS_TO_SHRINK = 150

const { values } = parseArgs({
  options: {
    tapes: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const counts = { tapes: 0, prints: 0, folds: 0, lost: 0, doubled: 0, refused: 0, unsteady: 0 }
let failures = 0

const db = await openFoldDb()
for (const rows of listTapes(Number(values.tapes), Number(values.seed))) await foldOne(db, rows)
db.close()
say(
  Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', '),
)
process.exitCode = failures > 0 ? 1 : 0

/** Sets of prints to fold, each of one dense tape or of many little ones. */
function* listTapes(count: number, seed: number): Generator<Row[]> {
  const denseCount = Math.floor(count / DENSE_OF)
  const dense = fc.sample(anyTape({ max: 250 }), { numRuns: denseCount, seed })
  const little = fc.sample(anyTape({ max: 12 }), { numRuns: count - denseCount, seed })
  for (let from = 0; from < little.length; from += LITTLE_AT_ONCE) {
    const some = little.slice(from, from + LITTLE_AT_ONCE)
    counts.tapes += some.length
    yield sideBySide(some)
  }
  for (const tape of dense) {
    counts.tapes++
    yield tape
  }
}

async function foldOne(db: FoldDb, rows: readonly Row[]): Promise<void> {
  counts.folds++
  counts.prints += rows.length
  const faults = await faultsOfTape(db, rows)
  const findCount = (kind: FoldFault['kind']) =>
    faults
      .filter(fault => fault.kind === kind)
      .reduce((sum, { sequences: { length } }) => sum + length, 0)
  counts.lost += findCount('lost')
  counts.doubled += findCount('doubled') + findCount('invented')
  if (faults.some(({ kind }) => kind === 'refused' || kind === 'broken')) counts.refused++
  if (faults.length > 0) return report(rows, faults, async some => faultsOfTape(db, some))
  if (counts.folds % SHUFFLED_OF !== 0) return
  const unsteady = async (some: readonly Row[]) => findUnsteadiness(db, some)
  const found = await unsteady(rows)
  if (found.length === 0) return
  counts.unsteady++
  await report(rows, found, unsteady)
}

/**
 * Columns that depend on the order in which rows are added, or on the tape having been folded
 * before.
 */
async function findUnsteadiness(db: FoldDb, rows: readonly Row[]): Promise<FoldFault[]> {
  await foldAlone(db, rows)
  const first = JSON.stringify(await listOrders(db))
  await foldAlone(db, shuffled(rows, randomNumbers(rows.length)))
  const second = JSON.stringify(await listOrders(db))
  const words = 'shuffled rows fold into other orders'
  return first === second ? [] : [{ kind: 'unequal', sequences: [], words }]
}

type Judge = (rows: readonly Row[]) => Promise<FoldFault[]>

async function report(rows: readonly Row[], faults: readonly FoldFault[], judge: Judge) {
  failures++
  if (failures > FAILURES_SHOWN) return
  const kinds = new Set(faults.map(({ kind }) => kind))
  const isSame = async (some: readonly Row[]) =>
    (await judge(some)).some(({ kind }) => kinds.has(kind))
  const small = await smallest(rows, isSame, FOLDS_TO_SHRINK)
  const names = Object.keys(small[0]!)
  say(`\nfailure ${failures}, ${small.length} of ${rows.length} prints:`)
  for (const { words } of await judge(small)) say(`# ${words}`)
  say(names.join(','))
  for (const row of small) say(names.map(name => row[name] ?? '').join(','))
}
