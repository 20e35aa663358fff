// The sample is the same each time it is made, whatever lay in its place.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { silent } from '../../pipelines/command/progress.ts'
import { makeSample } from '../../pipelines/simulate/sample.ts'
import { sha256 } from '../../src/core/disk/files.ts'
import { sampleFolder } from '../../src/data/published/sample.ts'
import { copySample, SAMPLE_SIZE } from '../support/builtSession.ts'

test('the same code makes the same files, in the place of what was there', async () => {
  const parents = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'tapefold-sample-')))
  const [first, second] = parents as [string, string]
  await copySample(first)
  mkdirSync(sampleFolder(second), { recursive: true })
  for (const name of ['index.json', 'of_another_seed.parquet']) {
    writeFileSync(join(sampleFolder(second), name), '{}')
  }
  const made = await makeSample({ dataFolder: second, progress: silent, size: SAMPLE_SIZE })
  expect(made.simulation.seed).toBe(SAMPLE_SIZE.seed)
  const [one, other] = parents.map(parent => {
    const folder = sampleFolder(parent)
    const names = readdirSync(folder).sort()
    return names.map(name => [name, sha256(readFileSync(join(folder, name)))])
  })
  expect(other).toEqual(one)
  for (const parent of parents) rmSync(parent, { recursive: true, force: true })
})
