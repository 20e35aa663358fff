// Data folders whose names an engine could take for columns, quotes or patterns.

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { runQuery } from '../../../src/data/published/analyst.ts'
import { listHashes } from '../../support/session.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-folders-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const COUNT = 'select count(*)::int as n, sum(size)::int as size from prints'

test('a session is the same to the byte, whatever the folders above it are called', async () => {
  const out = join(root, 'simulated')
  const size = { prints: 300, contracts: 40, seed: 4 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out })
  const odd = join(root, "desk's [x] * ? 100% ü/root=SPX/size=999/line=1/session_date=1999-01-01")
  // what that name would match as a pattern
  const other = odd.replace('[x] * ?', 'x any a')
  for (const folder of [odd, other]) cpSync(out, join(folder, 'simulated'), { recursive: true })
  const built: string[][] = []
  for (const folder of [root, odd]) {
    const dataFolder = join(folder, 'data')
    await importSimulated(dataFolder, join(folder, 'simulated'))
    if (folder === odd) cpSync(dataFolder, join(other, 'data'), { recursive: true })
    built.push(listHashes(await buildDay({ dataFolder, date: DATE, progress: silent })))
  }
  expect(built[1]).toEqual(built[0])
  cpSync(join(odd, 'data'), join(other, 'data'), { recursive: true })
  const [plain] = (await runQuery(join(root, 'data'), COUNT)).rows
  expect(plain!.n).toBeGreaterThan(200)
  expect((await runQuery(join(odd, 'data'), COUNT)).rows).toEqual([plain])
  // and by the file for other programs
  const db = await openDatabase()
  await db.run(readFileSync(join(odd, 'data/published/views.sql'), 'utf8'))
  expect(await db.rows(COUNT)).toEqual([plain])
  db.close()
})
