import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEditions } from '../../../pipelines/build/editions.ts'
import { runImport } from '../../../pipelines/import/import.ts'
import { createRandom } from '../../../pipelines/simulate/random.ts'
import type { Row } from '../../../src/core/engine/database.ts'
import { tapeColumns, tapeFiles } from '../../../src/data/tape/manifest.ts'
import { loadFiles } from '../../../src/data/tape/tables.ts'
import { sideBySide } from '../../support/adjacentTapes.ts'
import { anyTape } from '../../support/anyTape.ts'
import { type FoldDb, openFoldDb } from '../../support/fold.ts'
import { readMarked } from '../../support/markedPrints.ts'
import {
  NUMBERINGS,
  orderInTime,
  partInstants,
  renumber,
  renumberInstants,
} from '../../support/numberings.ts'
import { writePrintsCsv } from '../../support/printsCsv.ts'
import { runs } from '../../support/runs.ts'

const tapes = sideBySide(
  fc.sample(anyTape({ min: 4, max: 12 }), { numRuns: runs(12, 4), seed: 11 }),
)
const mark = (rows: readonly Row[]): Row[] =>
  rows.map((row, index) => ({ ...row, vendor_condition: `p${index}` }))
const tied = mark(orderInTime(tapes))
const parted = mark(partInstants(tapes))

const root = mkdtempSync(join(tmpdir(), 'tapefold-numberings-'))
let db: FoldDb
beforeAll(async () => {
  db = await openFoldDb()
})
afterAll(() => {
  db.close()
  rmSync(root, { recursive: true, force: true })
})

const EDITIONS = `
  select orders.* exclude (edition_id, order_id, first_sequence), left(order_id, 22) as began,
    prints.vendor_condition as mark
  from fold.editions as orders inner join tape.prints on prints.sequence = orders.first_sequence
  order by mark, revision_number`

/** Everything that a fold says of the prints in the database but for their numbers. */
async function foldPrints() {
  await db.fold()
  await buildEditions(db)
  return { ...(await readMarked(db)), editions: await db.rows(EDITIONS) }
}

async function foldRows(rows: readonly Row[]) {
  await db.run('truncate tape.prints')
  await db.addPrints(rows.map(row => ({ ...row, vendor_sequence: row.sequence })))
  return foldPrints()
}

/** The same of a file: where prints share a number, an import makes some. */
async function foldFile(rows: readonly Row[]) {
  const files = [writePrintsCsv(join(root, 'prints.csv'), rows)]
  await runImport({ dataFolder: root, format: 'prints', files, simulated: true })
  const tape = tapeFiles(root, 'prints', '2026-10-13')
  await loadFiles(db, 'tape.prints', tapeColumns('prints'), tape)
  expect(await db.rows('select count(*) as prints from tape.prints')).toEqual([
    { prints: rows.length },
  ])
  return foldPrints()
}

test('dispositions, orders and versions are those of rising numbers, however prints are numbered', async () => {
  const rising = await foldRows(parted)
  expect(
    rising.fates.filter(({ fate: disposition }) => disposition === 'cancelled').length,
  ).toBeGreaterThanOrEqual(runs(6, 1))
  for (const name of Object.keys(NUMBERINGS)) {
    const numbered = renumber(parted, name, createRandom(5, name))
    const isShared = new Set(numbered.map(row => row.sequence)).size < numbered.length
    expect(isShared, name).toBe(name === 'counted by contract')
    const folded = await (isShared ? foldFile : foldRows)(numbered)
    expect(folded, name).toEqual(rising)
  }
})

test('prints of one instant stand in the order of their numbers, and those alone', async () => {
  const numbered = renumberInstants(tied, 'in any order', createRandom(6, 'tied'))
  expect(await foldRows(numbered)).toEqual(await foldRows(tied))
})
