// Files that came and that the import does not take, and a file of another plan.

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { THETADATA } from '../../../pipelines/fetch/thetadata/source.ts'
import { dueFetches } from '../../../pipelines/upkeep/dueFetches.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { readTapeManifest } from '../../../src/data/tape/manifest.ts'
import { fetchDays } from '../../support/fetch.ts'
import { newFolder } from '../../support/import.ts'
import { type SimulatedFolder, simulateSmall } from '../../support/simulated.ts'
import { otherColumns } from '../../support/sources/faults.ts'
import type { Source as Server } from '../../support/sources/serve.ts'
import { readSimulatedDay, type SimulatedDay } from '../../support/sources/simulatedDay.ts'
import { startThetadata, type ThetadataOptions } from '../../support/sources/thetadata.ts'

const DAY = '2026-10-15'
const NOW_MS = instantMs('2026-10-16', '12:00')

let simulated: SimulatedFolder
let day: SimulatedDay
let dataFolder: string
let server: Server

beforeAll(async () => {
  simulated = await simulateSmall({ date: DAY, prints: 1000, contracts: 60, hasQuotes: true })
  day = await readSimulatedDay(simulated)
})
afterAll(() => simulated.remove())
beforeEach(() => {
  dataFolder = newFolder()
})
afterEach(async () => {
  await server.close()
  rmSync(dataFolder, { recursive: true, force: true })
})

const start = async (options: ThetadataOptions = {}) => {
  server = await startThetadata({ ...day.thetadata, ...options })
}

async function fetchDay() {
  const { days } = await fetchDays({
    dataFolder,
    source: THETADATA,
    url: server.url,
    days: [DAY],
    nowMs: NOW_MS,
  })
  return days[0]!
}

const rowsOf = (dataset: string) =>
  readTapeManifest(dataFolder, DAY)
    .batches.filter(batch => batch.dataset === dataset)
    .reduce((sum, { rows }) => sum + rows, 0)

const listRefused = () => {
  const folder = join(dataFolder, 'inbox/refused')
  return existsSync(folder) ? readdirSync(folder).filter(name => !name.endsWith('.json')) : []
}

test('a day whose trades say conditions for condition: each file is refused by name, and imported once mended', async () => {
  const fault = { ...otherColumns({ condition: 'conditions' }), match: /trade_quote\?symbol=SPXW/ }
  await start({ faults: [{ ...fault, times: Number.POSITIVE_INFINITY }] })
  const { problem } = await fetchDay()
  const file = 'thetadata-trade-quote-SPXW-0930.csv'
  expect(problem?.message).toContain(
    `sent a file for ${DAY}/${file} that cannot be imported (${file} lacks the column condition; `,
  )
  expect(problem?.message).toContain('it lies in inbox/refused, and the next fetch asks for it')
  const refused = listRefused()
  expect(refused).toContain(`thetadata-${DAY}-${file}`)
  expect(refused.length).toBeGreaterThan(3)
  expect([rowsOf('prints'), rowsOf('open_interest') > 0]).toEqual([0, true])
  await server.close()
  await start()
  expect((await fetchDay()).problem).toBeNull()
  expect(server.requests.length).toBe(refused.length)
  expect(rowsOf('prints')).toBeGreaterThan(900)
})

test('without a plan for the index the rest is imported, a note names the request, and no night asks again', async () => {
  await start({ plans: { index: 'free' } })
  const { problem, notes } = await fetchDay()
  expect(problem).toBeNull()
  expect(notes.join()).toMatch(
    /plan does not have it \(471\): GET \/v3\/index\/history\/price, for .*; without it the index of a minute is that of put-call parity/,
  )
  expect([rowsOf('prints') > 900, rowsOf('quotes') > 900, rowsOf('spots')]).toEqual([true, true, 0])
  expect(dueFetches(dataFolder, THETADATA, NOW_MS)).not.toContain(DAY)
  const before = server.requests.length
  await fetchDay()
  expect(server.requests.slice(before).map(({ path }) => path)).toEqual(['/v3/index/history/price'])
})
