import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeLabColumns, runLabColumnsStep } from '../../../pipelines/build/labColumns.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { manifestPath } from '../../../src/data/published/manifest.ts'
import { readMarket } from '../../../src/lab/market/readMarket.ts'
import { findMarket } from '../../lab/engine/market.ts'
import { publishMarket } from '../../lab/market/publish.ts'

const DATE = '2026-10-14'
let data = ''
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'tapefold-columns-'))
  const expiries = [{ expiry: DATE, strikes: [5960, 5970] }]
  await publishMarket(data, findMarket({ date: DATE, expiries }))
})
afterEach(() => rmSync(data, { recursive: true }))

const columnFiles = () => globSync(`lab/session=${DATE}/*.bin`, { cwd: data })

test('a session that is published has its columns of all six expiries at once', async () => {
  expect(await makeLabColumns(data, DATE)).toBeNull()
  expect(columnFiles()).toHaveLength(6)
  expect((await readMarket(data)).sessions.map(({ date }) => date)).toEqual([DATE])
})

test('columns that cannot be made are reported, and the published ones stay', async () => {
  const manifest = readFileSync(manifestPath(data, DATE))
  const [smiles] = globSync(`published/smiles/session=${DATE}/*`, { cwd: data })
  const path = join(data, smiles!)
  const valid = readFileSync(path)
  writeFileSync(path, 'x')
  const reported: unknown[] = []
  const write = vi
    .spyOn(process.stderr, 'write')
    .mockImplementation(text => reported.push(text) > 0)
  await runLabColumnsStep(data, DATE, silent).finally(() => write.mockRestore())
  expect(reported).toHaveLength(1)
  const sentence = `tapefold: ${DATE} is published, but LAB has no columns of it yet`
  expect(String(reported[0])).toContain(`${sentence} and makes them later: `)
  expect([columnFiles(), readFileSync(manifestPath(data, DATE))]).toEqual([[], manifest])
  writeFileSync(path, valid)
  expect((await readMarket(data)).sessions).toHaveLength(1)
})
