// The DuckDB file of views: one attach gives the current files, and those of a replaced edition.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { buildTwoEditions } from '../../support/builtSession.ts'
import { tapefold } from '../../support/tapefold.ts'

const DAY = '2026-10-15'

let built: Awaited<ReturnType<typeof buildTwoEditions>>
let folder: string
let api: TestApi
let key: string
beforeAll(async () => {
  built = await buildTwoEditions(DAY)
  const { dataFolder } = built
  folder = mkdtempSync(join(tmpdir(), 'tapefold-catalog-'))
  api = await startTestApi({ dataFolder })
  api.clock.atMs = Date.parse('2026-10-16T16:00:00Z')
  key = (await api.newKey('dataset', 'dataset')).key
})
afterAll(async () => {
  await api.close()
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Rows of a query in a program of its own that has attached the file. */
async function query(file: string, text: string, before = ''): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    await connection.run(`attach '${file}' as tapefold (read_only)`)
    if (before !== '') await connection.run(before)
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
  const schema = `edition_20261015_${built.before.revision}`
  expect(before).toEqual([DAY, built.before.revision, schema, false])
  expect([now[2], now[3]]).toEqual(['main', true])
  const earlier = (await inCatalog(schema))[0]![0]
  expect(Number(earlier)).toBeGreaterThan(20)
  expect(Number(earlier)).toBeLessThan(Number(current))
  // each order once, though the folder has the files of both editions
  expect(
    await query(file, 'select count(*) = count(distinct order_id) from tapefold.orders'),
  ).toEqual([[true]])
})

test('over HTTP: each view has the rows of the files, and no key is in the catalogue', async () => {
  const file = join(folder, 'remote.duckdb')
  const url = `${api.url}/snapshots/`
  const made = await tapefold(['files', '--catalog', file, '--url', url], {
    TAPEFOLD_DATASET_KEY: key,
  })
  expect([made.code, made.error, made.out]).toEqual([0, '', `wrote ${file}\n`])
  expect(readFileSync(file).includes(key)).toBe(false)
  const { json } = await api.call('/snapshots/index.json', { key })
  const editions = await query(
    file,
    'select session_date, revision, edition, condition, simulated from tapefold.editions',
  )
  const [{ day, revision, edition, condition, simulated }] = json.days
  expect(editions).toEqual([[day, revision, edition, condition, simulated]])
  // the files as they are fetched, from a folder in place of the address
  const local = join(folder, 'fetched')
  mkdirSync(local)
  const names = json.files as { file: string; dataset: string; rows: number }[]
  for (const { file: name } of names) {
    writeFileSync(join(local, name), (await api.call(`/snapshots/${name}`, { key })).body)
  }
  const before = `set variable tapefold_url = '${local}/'`
  for (const { dataset, rows } of names) {
    const sum = `select count(*)::int as n, sum(hash(t))::varchar as h from`
    const { rows: own } = await runQuery(built.dataFolder, `${sum} ${dataset} as t`)
    expect(await query(file, `${sum} tapefold.${dataset} as t`, before), dataset).toEqual([
      [rows, own[0]!.h],
    ])
  }
  // what is not shared is there, without rows
  expect(await query(file, 'select count(*)::int from tapefold.prints', before)).toEqual([[0]])
})

test('over HTTP with the extension httpfs, the key is sent from a secret', async () => {
  const file = join(folder, 'remote.duckdb')
  const count = 'select count(*)::int from tapefold.orders'
  const none = 'set autoinstall_known_extensions = false'
  try {
    await query(file, 'select 1', `${none}; load httpfs`)
  } catch {
    console.log('SKIPPED views over HTTP: the extension httpfs is not installed here')
    await expect(query(file, count, none)).rejects.toThrow('httpfs')
    return
  }
  const secret = `create secret (type http, bearer_token '${key}', scope '${api.url}/snapshots/')`
  const { rows } = await runQuery(built.dataFolder, 'select count(*)::int as n from orders')
  expect(await query(file, count, `load httpfs; ${secret}`)).toEqual([[rows[0]!.n]])
})

test.each([
  ['x', 'ftp://h/', 2, '--url is "ftp://h/"; give the address of dataset files, such as'],
  ['x', 'https://u:canary@h/', 2, '--url has a login or a query in it; give the address alone'],
  ['x', 'https://:canary@h/', 2, '--url has a login or a query in it; give the address alone'],
  ['x', 'https://h/?token=canary', 2, '--url has a login or a query in it; give the address alone'],
  ['x', 'u:can/ary@h/', 2, '--url is "…@h/"; give the address of dataset files'],
  ['bad key', null, 1, 'index.json responded with status 401: send a valid key as'],
  [null, null, 1, '; a key is taken from TAPEFOLD_DATASET_KEY.'],
  ['x', 'http://127.0.0.1:PORT/nowhere/', 1, 'responded with status 404: '],
  ['x', 'http://127.0.0.1:1/', 1, 'http://127.0.0.1:1/index.json cannot be read (bad port).'],
])('a catalogue with the key %j of %j is refused', async (given, address, code, sentence) => {
  const file = join(folder, 'refused.duckdb')
  const url = address?.replace('http://127.0.0.1:PORT', api.url) ?? `${api.url}/snapshots`
  const env = given === null ? {} : { TAPEFOLD_DATASET_KEY: given }
  const refused = await tapefold(['files', '--catalog', file, '--url', url], env)
  expect(refused.code).toBe(code)
  expect(refused.error).toMatch(/^tapefold: [^\n]+\n$/)
  expect(refused.error).toContain(sentence)
  expect(refused.error).not.toMatch(/canary|can\/ary/)
  expect(existsSync(file)).toBe(false)
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
  expect(none.error).toBe(
    `tapefold: ${file} cannot be written: there is no ${join(folder, 'none')}.\n`,
  )
  expect(existsSync(file)).toBe(false)
  const own = join(folder, 'notes.md')
  writeFileSync(own, 'my notes')
  const other = await tapefold(['files', '--catalog', own, '--data', built.dataFolder])
  expect([other.code, other.error]).toEqual([
    1,
    `tapefold: ${own} is no DuckDB file and stays; give another name, such as catalog.duckdb.\n`,
  ])
  expect(readFileSync(own, 'utf8')).toBe('my notes')
})
