// One odd row in the data costs that row, never the day.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { publishedFolder, readManifest } from '../../../src/data/published/manifest.ts'
import { emptyPrints, TWENTY_SINGLES } from '../../support/emptyPrints.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-apart-'))
const simulated = join(root, 'simulated')

beforeAll(async () => {
  const size = { prints: 3_000, contracts: 600, seed: 5 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
})

afterAll(() => rmSync(root, { recursive: true, force: true }))

async function folderWithEmptyPrints(name: string, where: string): Promise<string> {
  const dataFolder = join(root, name)
  await importSimulated(dataFolder, simulated)
  await emptyPrints(dataFolder, DATE, where)
  return dataFolder
}

const build = async (dataFolder: string) => {
  const message: string[] = []
  const progress = { ...silent, say: (text: string) => void message.push(text) }
  const manifest = await buildDay({ dataFolder, date: DATE, minPremiumUsd: 1, progress })
  return { manifest, text: message.join('\n') }
}

test('a day with twenty broken rows is published without them, and says so', async () => {
  const dataFolder = await folderWithEmptyPrints('twenty', TWENTY_SINGLES)
  const { manifest, text } = await build(dataFolder)
  expect(text).toContain('the audit orders_have_legs_and_sizes finds that order ')
  expect(text).toMatch(/^ {2}\d+ prints are set apart; the session is built again without them$/m)
  const apart = manifest.tape.set_apart!
  // of the twenty, those that stood alone within the hours; in a burst no contracts add nothing
  expect(apart).toBeGreaterThanOrEqual(5)
  const { rows: dispositions } = await runQuery(
    dataFolder,
    "select count(*) as n, sum(size) as size from prints where fate = 'set_apart'",
  )
  expect(dispositions[0]).toEqual({ n: apart, size: 0 })
  const { rows: sizes } = await runQuery(dataFolder, 'select min(size) as least from orders')
  expect(sizes[0]!.least).toBeGreaterThan(0)
  const { rows: reported } = await runQuery(
    dataFolder,
    'select set_apart_count, set_apart_share from tape_report',
  )
  expect(reported[0]).toEqual({
    set_apart_count: apart,
    set_apart_share: apart / sum(manifest.tape),
  })
  const why = 'prints that an audit named are in no order'
  const reason = `set_apart_count is ${apart}, doubtful from 1: ${why}`
  expect(manifest.tape_grade!.reasons).toContain(reason)
  const ledger = JSON.parse(
    readFileSync(join(publishedFolder(dataFolder), manifest.ledger.json!.file), 'utf8'),
  )
  expect(ledger.tape.reasons).toContain(reason)
  expect(ledger.note).toContain(`Prints that an audit set apart, in no order here: ${apart}.`)
})

test('the rest of that day is what it is without the broken prints', async () => {
  const dataFolder = join(root, 'twenty')
  const { rows } = await runQuery(
    dataFolder,
    `select (select sum(print_count) from orders)
       - (select count(*) from prints where fate = 'kept') as missing`,
  )
  expect(rows[0]!.missing).toBe(0)
})

test('a day of which one print in ten would be quarantined is refused', async () => {
  const dataFolder = await folderWithEmptyPrints('half', 'sequence % 2 = 0')
  const why = await build(dataFolder).catch((error: Error) => error.message)
  expect(why).toMatch(/^2026-10-15 is not published; the version served before stays: /)
  expect(why).toContain('the audit orders_have_legs_and_sizes finds that order ')
  expect(why).toMatch(/; \d+ of \d+ prints would have to be set apart, more than one in ten\.$/)
  expect(readManifest(dataFolder, DATE)).toBeNull()
})

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0)
