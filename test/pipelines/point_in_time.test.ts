import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runImport } from '../../pipelines/import.ts'
import { buildDay } from '../../pipelines/nightly.ts'
import { silent } from '../../pipelines/progress.ts'
import { DEFAULT_OPTIONS } from '../../pipelines/simulate/options.ts'
import { runSimulate } from '../../pipelines/simulate.ts'
import { ask } from '../../src/store/analyst.ts'
import { openDatabase } from '../../src/store/duck.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-as-of-'))
const simulated = join(root, 'simulated')

/** What an import takes, and the instant from which each row was known. */
const DATED = { prints: 'known_at', quotes: 'quoted_at', spots: 'spotted_at' } as const
const UNDATED = ['open_interest', 'rates'] as const

/** Imports the tape as it was known before an instant, and builds it. */
async function buildUntil(name: string, until: string): Promise<string> {
  const dataFolder = join(root, name)
  const db = await openDatabase()
  for (const [dataset, column] of Object.entries(DATED)) {
    const file = join(root, `${name}-${dataset}.parquet`)
    await db.run(
      `copy (select * from read_parquet($from) where ${column} < $until::timestamp)
       to $file (format parquet)`,
      { from: join(simulated, `${dataset}.parquet`), until, file },
    )
    await runImport({ dataFolder, format: dataset, files: [file], simulated: true })
  }
  db.close()
  for (const dataset of UNDATED) {
    const files = [join(simulated, `${dataset}.parquet`)]
    const format = dataset.replace('_', '-')
    await runImport({ dataFolder, format, files, simulated: true })
  }
  // a tape that ends in the middle of the session is refused unless told otherwise
  await buildDay({ dataFolder, date: DATE, progress: silent })
  return dataFolder
}

let whole = ''

beforeAll(async () => {
  const size = { prints: 6_000, contracts: 1_500, seed: 5 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  whole = await buildUntil('whole', '2026-10-16 04:00:00')
}, 120_000)

afterAll(() => rmSync(root, { recursive: true, force: true }))

test.each([
  ['10:17', '2026-10-15 14:17:00'],
  ['14:02', '2026-10-15 18:02:00'],
])('nothing known from %s on changes an answer about an earlier minute', async (minute, until) => {
  const cut = await buildUntil(`cut-${minute.replace(':', '')}`, until)
  const both = async (query: string) => {
    const [a, b] = [await ask(whole, query), await ask(cut, query)]
    expect(a.rows.length).toBeGreaterThan(100)
    expect(b.rows).toEqual(a.rows)
  }
  await both(`from levels where minute_et <= '${minute}' order by all`)
  await both(`from profiles where minute_et <= '${minute}' order by all`)
  // an order is known when no later print can change it: four gaps after its last print
  // a cancel that came later removes its print from the whole day's orders, as it must
  await both(
    `select * exclude (ledger_rank) from orders
     where last_printed_at < timestamp '${until}'
         - case print_class when 'floor' then interval 120 second else interval 4 second end
       and order_id not in (
         select order_id from order_prints e join prints p using (session_date, sequence)
         where p.fate <> 'kept')
     order by all`,
  )
})
