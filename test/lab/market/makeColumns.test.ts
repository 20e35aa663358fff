import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeColumns } from '../../../src/lab/market/makeColumns.ts'
import { readMarket } from '../../../src/lab/market/readMarket.ts'
import { findMarket } from '../engine/market.ts'
import { listRows, publishMarket, publishRows } from './publish.ts'

let data = ''
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tapefold-columns-'))
})
afterEach(() => rmSync(data, { recursive: true }))

const binaries = () => globSync('lab/**/*.bin', { cwd: data }).sort()
const small = (date: string) => ({
  date,
  expiries: [{ expiry: date, strikes: [5960, 5970], smile: () => [[6000, 1e-5] as const] }],
})

test('columns made ahead are those that reading makes, and are not made again', async () => {
  const dates = ['2026-10-14', '2026-10-15']
  await publishMarket(data, findMarket(...dates.map(date => small(date))))
  const read = await readMarket(data)
  const own = binaries().map(file => readFileSync(join(data, file)))
  rmSync(join(data, 'lab'), { recursive: true })
  for (const date of dates) await makeColumns(data, date)
  expect(binaries().map(file => readFileSync(join(data, file)))).toEqual(own)
  expect(own).toHaveLength(12)
  for (const file of globSync('published/**/*.parquet', { cwd: data })) rmSync(join(data, file))
  expect((await readMarket(data)).hash).toBe(read.hash)
  expect((await readMarket(data)).sessions.map(({ date }) => date)).toEqual(dates)
})

test('read from the newest on, it is the same market', async () => {
  const dates = ['2026-10-13', '2026-10-14', '2026-10-15']
  await publishMarket(data, findMarket(...dates.map(small)))
  const back = await readMarket(data, { dteMax: 0, isBackwards: true })
  expect(back.sessions.map(({ date }) => date)).toEqual(dates)
  expect(back.hash).toBe((await readMarket(data, { dteMax: 0 })).hash)
})

test('of a session that is left out no columns are made', async () => {
  const bad = { tape_grade: { grade: 'bad' as const, reasons: ['x'] } }
  await publishMarket(data, findMarket(small('2026-10-14')), bad)
  const { smiles: _, ...without } = listRows(findMarket(small('2026-10-15')).sessions[0]!)
  await publishRows(data, '2026-10-15', without)
  await publishMarket(data, findMarket(small('2026-10-13')), { symbol: 'XSP' })
  for (const day of [13, 14, 15, 16]) await makeColumns(data, `2026-10-${day}`)
  expect(binaries()).toEqual([])
})
