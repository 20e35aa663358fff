// A whole simulated session: every minute and book as its files have it, and the minutes as they
// were returned while it ran, in a replay and the day after.

import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../pipelines/build/day.ts'
import { silent } from '../../pipelines/command/progress.ts'
import { runImport } from '../../pipelines/import/import.ts'
import { openMinuteJob } from '../../pipelines/live/minute.ts'
import { importSimulated } from '../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../pipelines/simulate/options.ts'
import { runSimulate } from '../../pipelines/simulate/simulate.ts'
import { parseReplay, replayClock } from '../../src/core/clock.ts'
import { instantMs } from '../../src/core/market/calendar.ts'
import { readManifest } from '../../src/data/published/manifest.ts'
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
/** Minutes requested while they are the newest. */
const REPORTED = ['09:31', '09:47', '10:03']

let night: TestApi
let reported: { query: string; body: Buffer }[]
let asNewest: { minute: string; body: Buffer }[]
beforeAll(async () => {
  const simulated = join(root, 'simulated')
  const size = { prints: 4_000, contracts: 400, seed: 12 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DAY, out: simulated })
  const given = ['prints', 'quotes', 'spots', 'open_interest', 'dealer_positions', 'rates']
  await importSimulated(whole, simulated, given)
  const futures = join(root, 'futures.csv')
  writeFileSync(futures, futuresCsv())
  await runImport({ dataFolder: whole, format: 'futures', files: [futures], simulated: true })
  cpSync(whole, live, { recursive: true })
  await buildDay({ dataFolder: whole, date: DAY, progress: silent })
  ;({ reported, asNewest } = await tellAsItRuns())
  night = await startTestApi({ dataFolder: whole })
  night.clock.atMs = Date.parse('2026-10-16T12:00:00Z')
})
afterAll(async () => {
  await night.close()
  rmSync(root, { recursive: true, force: true })
})

/** A future that trades every 20 s until 11:00, and one that never does after 09:40. */
function futuresCsv(): string {
  const rows = ['contract,priced_at,price,volume']
  const openMs = instantMs(DAY, '09:30')
  for (let second = 5; second < 90 * 60; second += 20) {
    const at = new Date(openMs + second * 1000).toISOString().slice(0, 19)
    const price = 6000 + 0.25 * ((second / 5) % 40)
    rows.push(`ESZ6,${at}Z,${price},3`)
    if (second < 600) rows.push(`ESH7,${at}Z,${price + 50},1`)
  }
  return `${rows.join('\n')}\n`
}

const BOOKS = ['', '&book=vol', '&book=oi']
const request = async (api: TestApi, query: string, key?: string) =>
  api.call(`/api/v1/${query}`, { key: key ?? (await api.newKey('live', 'live')).key })

/** A body but for how long to wait from now, which an error says. */
const lasting = (body: Buffer) => body.toString().replace(/"next_update_s":\d+/g, '')

/** Runs the session to some of its minutes, and stores their responses. */
async function tellAsItRuns() {
  const day = await startTestApi({ dataFolder: live })
  const job = await openMinuteJob({ dataFolder: live, date: DAY, progress: silent })
  const responses: { query: string; body: Buffer }[] = []
  const newest: { minute: string; body: Buffer }[] = []
  for (const minute of REPORTED) {
    await job.advance(instantMs(DAY, minute) + 3_000, true)
    day.clock.atMs = instantMs(DAY, minute) + 3_000
    newest.push({ minute, body: (await request(day, 'levels?sym=SPX')).body })
    for (const book of BOOKS) {
      const requested = [
        'levels?sym=SPX,XSP,ES,MESH7&g=30',
        'gamma?sym=ES',
        'levels.txt?sym=SPX,ES',
      ]
      const queries = requested.concat('gamma?sym=SPX').map(path => `${path}${book}&time=${minute}`)
      for (const query of queries) responses.push({ query, body: (await request(day, query)).body })
    }
  }
  await job.close()
  await day.close()
  return { reported: responses, asNewest: newest }
}

test('responses of the running session have the same bytes the day after', async () => {
  expect(reported).toHaveLength(REPORTED.length * BOOKS.length * 4)
  for (const { query, body } of reported) {
    const after = await request(night, `${query}&day=${DAY}`)
    expect([query, lasting(after.body)]).toEqual([query, lasting(body)])
  }
})

test('a replay returns what was returned then, the newest minute too', async () => {
  for (const { minute, body } of asNewest) {
    const clock = replayClock(parseReplay(`${DAY}T${minute}x0`))
    const copy = join(root, `replay-${minute.replace(':', '')}`)
    cpSync(whole, copy, { recursive: true })
    const replay = await startTestApi({ dataFolder: copy, clock })
    expect((await request(replay, 'levels?sym=SPX')).body.toString()).toBe(body.toString())
    for (const one of reported.filter(({ query }) => query.endsWith(`time=${minute}`))) {
      expect(lasting((await request(replay, one.query)).body)).toBe(lasting(one.body))
    }
    await replay.close()
  }
})

test('ES is the published basis above the index, and says where there is none', async () => {
  const { datasets } = readManifest(whole, DAY)!
  const bases = await rowsOfParquet(join(whole, 'published', datasets.basis!.file))
  let [good, none] = [0, 0]
  const key = (await night.newKey('live', 'live')).key
  for (const minute of ['09:33', '09:39', '09:52', '10:41', '11:00', '11:01', '11:02', '14:00']) {
    for (const contract of ['ESZ6', 'ESH7']) {
      const basis = bases.find(row => row.minute_et === minute && row.contract === contract)
      const { json } = await request(
        night,
        `levels?sym=${contract},SPX&day=${DAY}&time=${minute}`,
        key,
      )
      const [future, spx] = json.symbols
      if (basis?.basis == null) {
        expect(future.error.code).toBe('no_basis')
        none++
        continue
      }
      expect(future).toMatchObject({ contract, reason: spx.reason, net_gamma: null })
      expect(Math.abs(future.spot - spx.spot - Number(basis.basis))).toBeLessThan(0.011)
      good++
    }
  }
  expect([good, none]).toEqual([7, 9])
})

test('every minute of three books is what the published files say', async () => {
  const { datasets } = readManifest(whole, DAY)!
  const listRows = (name: string) => rowsOfParquet(join(whole, 'published', datasets[name]!.file))
  const [levels, strikes] = await Promise.all([listRows('levels'), listRows('strikes')])
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
    const { json } = await request(night, query, key)
    const ladder: PublishedRow[] = ladders.get(`${minute} ${book}`) ?? []
    const expected = [otherSpx, otherXsp].map(one => otherLevels(row, one, ladder, 30))
    expect([query, ...differences(json.symbols, expected)]).toEqual([query])
    if (json.symbols[0].flip !== null) withFlip++
  }
  expect(withFlip).toBeGreaterThan(300)
})
