// The sample: one simulated session with its tape and the truth, for anybody, the same each time.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SAMPLE_MINUTE_CALLS } from '../../src/archive/sample.ts'
import { sha256 } from '../../src/core/disk/files.ts'
import { PUBLISHED_DATASETS } from '../../src/data/dictionary/dictionary.ts'
import { type SampleIndex, sampleFolder } from '../../src/data/published/sample.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { copySample } from '../support/builtSession.ts'
import { readPage } from '../support/pages.ts'

let dataFolder: string
let made: SampleIndex
let api: TestApi
beforeAll(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'tapefold-sample-'))
  await copySample(dataFolder)
  made = JSON.parse(readFileSync(join(sampleFolder(dataFolder), 'index.json'), 'utf8'))
  api = await startTestApi({ dataFolder })
})
afterAll(async () => {
  await api.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

const get = (file: string, headers: Record<string, string> = {}) =>
  api.call(`/snapshots/sample/${file}`, { key: null, headers })

const readRows = async (dataset: string, columns: string[]) => {
  const { file } = made.files.find(one => one.dataset === dataset)!
  const { body } = await get(file)
  const bytes = body.buffer.slice(body.byteOffset, body.byteOffset + body.length) as ArrayBuffer
  return parquetReadObjects({ file: bytes, compressors, columns })
}

test('the index without a key has every dataset of a build, the tape and the truth', async () => {
  const { status, headers, json } = await get('index.json')
  expect([status, headers.get('cache-control')]).toEqual([200, 'public, no-cache'])
  expect(json).toEqual(made)
  const named = (part: string) =>
    made.files.filter(file => file.part === part).map(({ dataset }) => dataset)
  const published = new Set(PUBLISHED_DATASETS.map(({ name }) => name))
  expect(named('published').filter(name => !published.has(name))).toEqual([])
  expect(named('published')).toEqual(
    expect.arrayContaining(['prints', 'orders', 'order_prints', 'levels', 'strikes', 'exposures']),
  )
  expect(named('tape')).toEqual(
    ['prints', 'quotes', 'spots', 'open_interest', 'rates'].map(name => `tape_${name}`),
  )
  expect(named('truth')).toEqual(
    ['dealer_positions', 'parents', 'prints', 'legs', 'book', 'surface'].map(
      name => `truth_${name}`,
    ),
  )
})

test('every file has the size, hash and rows of the index', async () => {
  for (const { file, bytes, sha256: hash, rows, dataset } of made.files) {
    const { status, body, headers } = await get(file)
    expect([status, body.length, sha256(body), headers.get('x-simulated')], file).toEqual([
      200,
      bytes,
      hash,
      'true',
    ])
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    if (rows > 5_000) continue
    expect(await readRows(dataset, []), file).toHaveLength(rows)
  }
  const { body } = await get('SHA256SUMS')
  expect(String(body)).toBe(made.files.map(one => `${one.sha256}  ${one.file}\n`).join(''))
})

test('the truth names the parent of every print of the tape but cancels', async () => {
  const cancels = new Set('ACEG')
  const tape = await readRows('tape_prints', ['sequence', 'condition'])
  const truth = await readRows('truth_prints', ['sequence'])
  const numbers = (rows: Record<string, unknown>[]) => rows.map(row => String(row.sequence)).sort()
  expect(numbers(tape.filter(row => !cancels.has(String(row.condition))))).toEqual(numbers(truth))
  expect(truth.length).toBeGreaterThan(2_500)
})

test('a part of a file comes by Range, and views.sql names the addresses', async () => {
  const [{ file, bytes }] = made.files as [SampleIndex['files'][number]]
  const part = await get(file, { range: 'bytes=0-3' })
  expect([part.status, String(part.body), part.headers.get('content-range')]).toEqual([
    206,
    'PAR1',
    `bytes 0-3/${bytes}`,
  ])
  const { body } = await get('views.sql')
  expect(String(body)).toContain(
    `create or replace view prints as select * from read_parquet('${api.url}/snapshots/sample/prints.`,
  )
})

test('what is not there, damaged, or not made is one sentence', async () => {
  const none = await get('prints.parquet')
  expect([none.status, none.json.error.message]).toEqual([
    404,
    'there is no file "prints.parquet"; /snapshots/sample/index.json lists them.',
  ])
  expect((await api.call('/snapshots/index.json', { key: null })).status).toBe(401)
  const [{ file }] = made.files as [SampleIndex['files'][number]]
  const path = join(sampleFolder(dataFolder), file)
  const bytes = readFileSync(path)
  writeFileSync(path, Buffer.concat([bytes.subarray(0, 100), bytes.subarray(101)]))
  const damaged = await get(file)
  expect([damaged.status, damaged.json.error.code]).toEqual([503, 'damaged'])
  writeFileSync(path, bytes)
  expect((await get(file)).status).toBe(200)
  const bare = await startTestApi()
  try {
    const { status, json } = await bare.call('/snapshots/sample/index.json', { key: null })
    expect([status, json.error.message]).toEqual([
      404,
      'this server has no sample; its operator makes it with tapefold sample.',
    ])
    let limited = 0
    for (let call = 1; call <= SAMPLE_MINUTE_CALLS + 5; call++) {
      const { status: one } = await bare.call('/snapshots/sample/index.json', { key: null })
      if (one === 429) limited++
    }
    expect(limited).toBeGreaterThan(0)
    expect(readPage('docs/archive.md')).toContain(`${SAMPLE_MINUTE_CALLS} times a minute`)
  } finally {
    await bare.close()
  }
})
