// Sessions on both sides of days on which the exchange was closed without a rule.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { buildInputs } from '../../../src/data/published/carried.ts'

const root = mkdtempSync(join(tmpdir(), 'tapefold-closures-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('a session after hurricane Sandy starts from the one before it', async () => {
  const [dataFolder, out] = [join(root, 'data'), join(root, 'simulated')]
  const date = '2012-10-26'
  const size = { prints: 300, contracts: 100, seed: 4, hasQuotes: false }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date, out })
  await importSimulated(dataFolder, out, ['prints', 'spots'])
  const { datasets } = await buildDay({ dataFolder, date, progress: silent })
  const carried = ['closing_positions', 'closing_index'].map(name => datasets[name]!.file)
  expect(buildInputs(dataFolder, '2012-10-31').map(({ file }) => file)).toEqual(carried)
  await expect(buildDay({ dataFolder, date: '2012-10-29', progress: silent })).rejects.toThrow(
    '2012-10-29',
  )
})
