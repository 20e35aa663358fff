import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { runImport } from '../../../pipelines/import/import.ts'

const root = mkdtempSync(join(tmpdir(), 'tapefold-draft-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const DATE = '2026-10-15'

test.each([
  [
    'known the next day',
    ['2026-10-15 14:00:00,2026-10-16 12:00:00', '2026-10-15 14:00:01,2026-10-16 04:00:00'],
    'no print of 2026-10-15 was known on its day (known_at of 2 within its hours is later), so ' +
      'there is no ledger of it.',
  ],
  [
    'of the night',
    ['2026-10-15 08:00:00,2026-10-15 08:00:00'],
    'no print of 2026-10-15 lies within the hours of its session, so there is no ledger of it.',
  ],
])(
  'a tape of prints that are all %s has no ledger, and says why',
  async (name, times, reported) => {
    const dataFolder = join(root, name)
    const file = join(root, `${name}.csv`)
    const rows = times.map((both, index) => `${index + 1},${both},SPXW,2026-10-16,6000,C,10,5.0`)
    const head = 'sequence,printed_at,known_at,root,expiry,strike,option_type,size,price'
    writeFileSync(file, `${[head, ...rows].join('\n')}\n`)
    await runImport({ dataFolder, format: 'prints', files: [file] })
    await expect(buildDay({ dataFolder, date: DATE, progress: silent })).rejects.toThrow(reported)
  },
)
