// The DuckDB file of views: one attach gives the current files, and those of a replaced edition.

import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { type BuiltSession, buildSmallSession } from '../../support/builtSession.ts'
import { tapefold } from '../../support/tapefold.ts'

const DAY = '2026-10-15'

let built: BuiltSession
let folder: string
beforeAll(async () => {
  built = await buildSmallSession(DAY)
  const { dataFolder } = built
  // another edition: more orders are large
  const options = { dataFolder, date: DAY, threads: 2, progress: silent, minPremiumUsd: 5_000 }
  await buildDay(options)
  folder = mkdtempSync(join(tmpdir(), 'tapefold-catalog-'))
})
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Rows of a query in a program of its own that has attached the file. */
async function query(file: string, text: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    await connection.run(`attach '${file}' as tapefold (read_only)`)
    return (await connection.runAndReadAll(text)).getRowsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

test('one attach gives every dataset once, current and replaced', async () => {
  const file = join(folder, 'catalog.duckdb')
  for (let time = 1; time <= 2; time++) {
    const { code, error } = await tapefold(['files', '--catalog', file, '--data', built.dataFolder])
    expect([code, error]).toEqual([0, ''])
  }
  expect(readdirSync(folder)).toEqual(['catalog.duckdb'])
  const large = 'select count(*)::int as n from orders where is_in_ledger'
  const { rows } = await runQuery(built.dataFolder, large)
  const inCatalog = (schema: string) =>
    query(file, large.replace('from orders', `from tapefold.${schema}.orders`))
  const current = (await inCatalog('main'))[0]![0]
  expect(current).toBe(rows[0]!.n)
  const editions = await query(
    file,
    'select session_date, revision, schema_name, is_current from tapefold.editions order by is_current',
  )
  const [before, now] = editions as [unknown[], unknown[]]
  expect(editions).toHaveLength(2)
  const schema = `edition_20261015_${built.manifest.revision}`
  expect(before).toEqual([DAY, built.manifest.revision, schema, false])
  expect([now[2], now[3]]).toEqual(['main', true])
  const earlier = (await inCatalog(schema))[0]![0]
  expect(Number(earlier)).toBeGreaterThan(20)
  expect(Number(earlier)).toBeLessThan(Number(current))
  // each order once, though the folder has the files of both editions
  expect(
    await query(file, 'select count(*) = count(distinct order_id) from tapefold.orders'),
  ).toEqual([[true]])
})

test('what cannot be written is one sentence', async () => {
  const both = await tapefold(['files', 'orders', '--catalog', 'x', '--data', built.dataFolder])
  expect([both.code, both.error]).toEqual([
    2,
    'tapefold: --catalog takes a file and nothing else, such as catalog.duckdb.\n',
  ])
  const file = join(folder, 'none', 'catalog.duckdb')
  const none = await tapefold(['files', '--catalog', file, '--data', built.dataFolder])
  expect(none.code).toBe(1)
  expect(none.error).toMatch(/^tapefold: [^\n]+\n$/)
  expect(existsSync(file)).toBe(false)
})
