// The record of editions: what a new publication of a session changed, counted by key.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silent } from '../../../pipelines/command/progress.ts'
import { verifyDay } from '../../../pipelines/upkeep/verify.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { PUBLISHED_DATASETS } from '../../../src/data/dictionary/dictionary.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import {
  manifestPath,
  manifestVersion,
  type PublishedManifest,
  publishedFolder,
  readManifest,
} from '../../../src/data/published/manifest.ts'
import { type Draft, storeSession } from '../../../src/data/published/publish.ts'
import {
  type BuiltSession,
  buildSmallSession,
  buildTwoEditions,
} from '../../support/builtSession.ts'

const DAY = '2026-10-15'
const DATASETS = PUBLISHED_DATASETS.filter(({ name }) =>
  ['strikes', 'settlements', 'restatements'].includes(name),
)
let folder: string
let db: Database
let built: BuiltSession

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-restated-'))
  db = await openDatabase({ threads: 1 })
  built = await buildSmallSession()
})
afterAll(() => {
  db.close()
  rmSync(folder, { recursive: true })
  built.remove()
})

type Strike = readonly [minute: string, strike: number, call: number, put: number | null]

/** Publishes strikes and a settlement at an hour of 2026-11-28, UTC. */
async function publish(
  hour: number,
  strikes: readonly Strike[],
  changes: Partial<Draft> & { readonly datasets?: typeof DATASETS } = {},
): Promise<PublishedManifest> {
  const rows = strikes.map(
    ([minute, strike, call, put]) =>
      `(date '${DAY}', '${minute}', 'vol', ${strike}::double, ${call}::double, ${put}::double)`,
  )
  await db.run(`create or replace table ledger.strikes as from (values ${rows.join(', ')})
    as t (session_date, minute_et, book_basis, strike, call_musd, put_musd)`)
  const { columns } = PUBLISHED_DATASETS.find(({ name }) => name === 'settlements')!
  const cells = columns.map(({ name, type }) =>
    name === 'session_date' ? `date '${DAY}' as ${name}` : `null::${type} as ${name}`,
  )
  await db.run(`create or replace table ledger.settlements as select ${cells.join(', ')}`)
  const data = Buffer.from(JSON.stringify(strikes))
  return storeSession(
    db,
    folder,
    {
      session_date: DAY,
      symbol: 'SPX',
      simulated: true,
      asof: '16:15:00',
      code_version: 'one',
      min_premium_usd: 50_000,
      minutes: { expected: 405, present: 405, missing: [] },
      inputs: [{ dataset: 'prints', file: 'p', rows: 1, sha256: 'a' }],
      tape: {},
      forms: Promise.resolve({ json: { data, extension: 'json', etag: '"x"' } }),
      nowMs: () => Date.parse(`2026-11-28T${String(hour).padStart(2, '0')}:00:00Z`),
      datasets: DATASETS,
      ...changes,
    } as Draft & { datasets: typeof DATASETS },
    manifestVersion(folder, DAY),
  )
}

const listRows = async (where = 'true') =>
  (await runQuery(folder, `from restatements where ${where} order by all`)).rows

const FIRST: readonly Strike[] = [
  ['09:31', 5900, 1.5, -2.5],
  ['09:31', 5905, 1, null],
  ['09:32', 5900, 2, -1],
]

test('each edition says what it changed, and a publication of the same says nothing', async () => {
  const first = await publish(1, FIRST)
  expect([first.edition, first.published_at]).toEqual([1, '2026-11-28T01:00:00Z'])
  expect(await listRows()).toEqual([])
  const same = await publish(2, FIRST)
  expect(same).toEqual(first)

  // one row is gone, one is new; of the two that stay, one has another call and a put
  const second = await publish(
    3,
    [
      ['09:31', 5900, 1.5, -2.5],
      ['09:31', 5905, 1.0000001, -3],
      ['09:33', 5900, 2, -1],
    ],
    { inputs: [{ dataset: 'prints', file: 'p', rows: 1, sha256: 'b' }] },
  )
  expect([second.edition, second.published_at]).toEqual([2, '2026-11-28T03:00:00Z'])
  const shared = {
    session_date: DAY,
    restated_at: '2026-11-28 03:00:00',
    restated_utc: '2026-11-28 03:00:00+00',
    edition_from: 1,
    edition_to: 2,
    revision_from: first.revision,
    revision_to: second.revision,
    dataset: 'strikes',
    null_reason: null,
    reason: 'inputs',
    changed_inputs: 'prints',
    errata: null,
  }
  const ofSecond = [
    { ...shared, column_name: 'call_musd', rows_added: null, rows_removed: null, rows_changed: 1 },
    { ...shared, column_name: 'put_musd', rows_added: null, rows_removed: null, rows_changed: 1 },
    { ...shared, column_name: null, rows_added: 1, rows_removed: 1, rows_changed: 1 },
  ]
  expect(await listRows()).toEqual(ofSecond)

  // what was before comes back: its revision too, and the record grows all the same
  const third = await publish(4, FIRST, { code_version: 'two', min_premium_usd: 60_000 })
  expect([third.edition, third.revision]).toEqual([3, first.revision])
  expect(await listRows('edition_to = 2')).toEqual(ofSecond)
  const [whole] = await listRows('edition_to = 3 and column_name is null')
  expect(whole).toMatchObject({
    reason: 'inputs+code+premium_floor',
    rows_added: 1,
    rows_removed: 1,
    rows_changed: 1,
    // those of 2026-11-27 came before the edition it replaces
    errata: null,
  })

  // a dataset is left out: all of its rows are gone; the other file is the same
  await publish(5, FIRST, { datasets: DATASETS.filter(({ name }) => name !== 'settlements') })
  expect(await listRows('edition_to = 4')).toEqual([
    expect.objectContaining({ dataset: 'settlements', rows_removed: 1, reason: 'removed' }),
  ])
  // and comes back, with other code that nothing else shows
  await publish(6, FIRST, { code_version: 'three' })
  expect(await listRows('edition_to = 5')).toEqual([
    expect.objectContaining({ dataset: 'settlements', rows_added: 1, reason: 'added' }),
  ])
})

test('errata between two publications stand by an edition of other code', async () => {
  const at = (text: string) => ({ nowMs: () => Date.parse(text) })
  await publish(0, [['09:31', 1, 1, 1]], { ...at('2026-11-26T23:00:00Z'), code_version: 'old' })
  await publish(0, FIRST, { ...at('2026-11-28T12:00:00Z'), code_version: 'new' })
  const [row] = await listRows(`column_name is null and restated_at = '2026-11-28 12:00:00'`)
  expect(row!.errata).toBe('2026-11-26,2026-11-27')
})

test('rows that cannot be compared have no counts, and a reason', async () => {
  const before = await publish(13, FIRST)
  const path = join(publishedFolder(folder), before.datasets.strikes!.file)
  const bytes = readFileSync(path)
  bytes[40]! ^= 1
  writeFileSync(path, bytes)
  const again = await publish(14, [['09:31', 5900, 1, 1]])
  const at = (hour: number) => `column_name is null and restated_at = '2026-11-28 ${hour}:00:00'`
  expect(await listRows(at(14))).toEqual([
    expect.objectContaining({
      dataset: 'strikes',
      rows_added: null,
      rows_removed: null,
      rows_changed: null,
      null_reason: 'file_damaged',
    }),
  ])
  // one row twice is no key
  await publish(15, [FIRST[0]!, FIRST[0]!])
  expect((await listRows(at(15)))[0]).toMatchObject({
    rows_added: null,
    null_reason: 'key_repeats',
  })
  // its history is lost, and says so
  const history = join(
    publishedFolder(folder),
    readManifest(folder, DAY)!.datasets.restatements!.file,
  )
  writeFileSync(history, 'x')
  const next = await publish(16, FIRST)
  expect(next.edition).toBe(again.edition! + 2)
  expect((await listRows()).map(row => [row.dataset, row.null_reason])).toContainEqual([
    'restatements',
    'file_damaged',
  ])
  // as the number of the edition is, when the manifest cannot be read
  writeFileSync(manifestPath(folder, DAY), '{')
  const mended = await publish(17, FIRST)
  expect([mended.edition, mended.published_at]).toEqual([undefined, '2026-11-28T17:00:00Z'])
  expect(await listRows()).toEqual([
    expect.objectContaining({
      dataset: 'manifest',
      revision_from: null,
      edition_to: null,
      null_reason: 'file_damaged',
    }),
  ])
})

test('a rebuild with another premium floor is counted as the two files differ', async () => {
  expect((await runQuery(built.dataFolder, 'from restatements')).rows).toEqual([])
  const editions = await buildTwoEditions()
  const { dataFolder, before, after } = editions
  expect(before).toEqual(built.manifest)
  expect(after.edition).toBe(2)
  const listHere = async (sql: string) => (await runQuery(dataFolder, sql)).rows
  const changed = await listHere('from restatements where column_name is null')
  const names = Object.keys(before.datasets).filter(
    name =>
      name !== 'restatements' && before.datasets[name]!.sha256 !== after.datasets[name]!.sha256,
  )
  expect(names).toContain('orders')
  expect(changed.map(({ dataset }) => dataset)).toEqual(names)
  for (const row of changed) {
    expect([row.reason, row.changed_inputs]).toEqual(['premium_floor', null])
  }
  // counted another way: rows of one file that the other lacks
  const [was, is] = [before, after].map(
    ({ datasets }) => `read_parquet('${join(publishedFolder(dataFolder), datasets.orders!.file)}')`,
  )
  const [counted] = await listHere(`select
    (select count(*) from (from ${is} except from ${was})) as changed,
    (select count(*) from (select order_id, is_in_ledger from ${is}
      except select order_id, is_in_ledger from ${was})) as in_ledger`)
  const [orders, inLedger] = await listHere(`from restatements where dataset = 'orders'
    and coalesce(column_name, 'is_in_ledger') = 'is_in_ledger' order by column_name nulls first`)
  expect(orders).toMatchObject({ rows_added: 0, rows_removed: 0, rows_changed: counted!.changed })
  expect(inLedger!.rows_changed).toBe(counted!.in_ledger)
  expect(Number(counted!.in_ledger)).toBeGreaterThan(10)
  // it is no part of what a rebuild is compared with
  expect(await verifyDay({ dataFolder, date: DAY, progress: silent })).toEqual([])
  editions.remove()
})
