// A whole simulated session: every minute and book as its files have it, and the minutes as they
// were told while it ran, in a replay and the day after.

import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../pipelines/build/day.ts'
import { silent } from '../../pipelines/command/progress.ts'
import { runImport } from '../../pipelines/import/import.ts'
import { openMinuteJob } from '../../pipelines/live/minute.ts'
import { DEFAULT_OPTIONS } from '../../pipelines/simulate/options.ts'
import { runSimulate } from '../../pipelines/simulate/simulate.ts'
import { parseReplay, replayClock } from '../../src/clock.ts'
import { instantMs } from '../../src/market/calendar.ts'
import { readManifest } from '../../src/published/manifest.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import {
  differences,
  otherLevels,
  otherSpx,
  otherXsp,
  type PublishedRow,
  rowsOfParquet,
} from '../support/otherLevels.ts'

const DAY = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-levels-'))
const [whole, live] = [join(root, 'whole'), join(root, 'live')]
/** Minutes that are asked for as they are the newest. */
const TOLD = ['09:31', '09:47', '10:03']

let night: TestApi
let told: { query: string; body: Buffer }[]
let asNewest: { minute: string; body: Buffer }[]
beforeAll(async () => {
  const simulated = join(root, 'simulated')
  const size = { prints: 4_000, contracts: 400, seed: 12 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DAY, out: simulated })
  for (const name of ['prints', 'quotes', 'spots', 'open_interest', 'dealer_positions', 'rates']) {
    const files = [join(simulated, `${name}.parquet`)]
    await runImport({ dataFolder: whole, format: name.replace('_', '-'), files, simulated: true })
  }
  cpSync(whole, live, { recursive: true })
  await buildDay({ dataFolder: whole, date: DAY, progress: silent })
  ;({ told, asNewest } = await tellAsItRuns())
  night = await startTestApi({ dataFolder: whole })
  night.clock.atMs = Date.parse('2026-10-16T12:00:00Z')
})
afterAll(async () => {
  await night.close()
  rmSync(root, { recursive: true, force: true })
})

const BOOKS = ['', '&book=vol', '&book=oi']
const ask = async (api: TestApi, query: string, key?: string) =>
  api.call(`/api/v1/${query}`, { key: key ?? (await api.newKey('live', 'live')).key })

/** Runs the session to some of its minutes, and keeps what was answered then. */
async function tellAsItRuns() {
  const day = await startTestApi({ dataFolder: live })
  const job = await openMinuteJob({ dataFolder: live, date: DAY, progress: silent })
  const answers: { query: string; body: Buffer }[] = []
  const newest: { minute: string; body: Buffer }[] = []
  for (const minute of TOLD) {
    await job.advance(instantMs(DAY, minute) + 3_000, true)
    day.clock.atMs = instantMs(DAY, minute) + 3_000
    newest.push({ minute, body: (await ask(day, 'levels?sym=SPX')).body })
    for (const book of BOOKS) {
      const queries = ['levels?sym=SPX,XSP&g=30', 'gamma?sym=SPX', 'levels.txt?sym=SPX'].map(
        path => `${path}${book}&time=${minute}`,
      )
      for (const query of queries) answers.push({ query, body: (await ask(day, query)).body })
    }
  }
  await job.close()
  await day.close()
  return { told: answers, asNewest: newest }
}

test('what was told as the session ran has the same bytes the day after', async () => {
  expect(told).toHaveLength(TOLD.length * BOOKS.length * 3)
  for (const { query, body } of told) {
    const after = await ask(night, `${query}&day=${DAY}`)
    expect([query, after.body.toString()]).toEqual([query, body.toString()])
  }
})

test('a replay answers as it was then, the newest minute too', async () => {
  for (const { minute, body } of asNewest) {
    const clock = replayClock(parseReplay(`${DAY}T${minute}x0`))
    const copy = join(root, `replay-${minute.replace(':', '')}`)
    cpSync(whole, copy, { recursive: true })
    const replay = await startTestApi({ dataFolder: copy, clock })
    expect((await ask(replay, 'levels?sym=SPX')).body.toString()).toBe(body.toString())
    for (const one of told.filter(({ query }) => query.endsWith(`time=${minute}`))) {
      expect((await ask(replay, one.query)).body).toEqual(one.body)
    }
    await replay.close()
  }
})

test('every minute of three books is what the published files say', async () => {
  const { datasets } = readManifest(whole, DAY)!
  const rowsOf = (name: string) => rowsOfParquet(join(whole, 'published', datasets[name]!.file))
  const [levels, strikes] = await Promise.all([rowsOf('levels'), rowsOf('strikes')])
  const ladders = Map.groupBy(strikes, row => `${row.minute_et} ${row.book_basis}`)
  const rows = levels.filter(({ minute_et: minute }) => {
    return String(minute) >= '09:31' && String(minute) <= '15:59'
  })
  expect(rows).toHaveLength(3 * 389)
  let withFlip = 0
  let key = ''
  for (const [index, row] of rows.entries()) {
    if (index % 120 === 0) key = (await night.newKey('live', 'live')).key
    const { minute_et: minute, book_basis: book } = row as Record<string, string>
    const chosen = book === 'measured' ? '' : `&book=${book}`
    const query = `levels?sym=SPX,XSP&g=30&day=${DAY}&time=${minute}${chosen}`
    const { json } = await ask(night, query, key)
    const ladder: PublishedRow[] = ladders.get(`${minute} ${book}`) ?? []
    const expected = [otherSpx, otherXsp].map(one => otherLevels(row, one, ladder, 30))
    expect([query, ...differences(json.symbols, expected)]).toEqual([query])
    if (json.symbols[0].flip !== null) withFlip++
  }
  expect(withFlip).toBeGreaterThan(300)
})
