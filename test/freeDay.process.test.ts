// The free real day of README, by its own commands: the two sources stand on loopback.

import { rmSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addressVariable } from '../pipelines/fetch/settings.ts'
import { SOURCES } from '../pipelines/fetch/sources.ts'
import { systemClock } from '../src/core/clock.ts'
import {
  findTradingSession,
  MINUTE_MS,
  neighbourSession,
  wallTimeEt,
} from '../src/core/market/calendar.ts'
import { newFolder } from './support/import.ts'
import { listBlocks, listCommands } from './support/pages.ts'
import { ENTRANCE, start } from './support/processes.ts'
import { type SimulatedFolder, simulateSmall } from './support/simulated.ts'
import { startCboeDelayed } from './support/sources/cboeDelayed.ts'
import type { Source as Server } from './support/sources/serve.ts'
import { readSimulatedDay } from './support/sources/simulatedDay.ts'
import { startTreasury } from './support/sources/treasury.ts'

const NOW_MS = systemClock.nowMs()
const TODAY = wallTimeEt(NOW_MS).date
const LATE_MS = 16 * MINUTE_MS

/** The day and minute of the chain: a quarter of an hour ago while a session runs. */
function chooseMinute(): { readonly date: string; readonly minute: string } {
  const session = findTradingSession(TODAY)
  const atMs = NOW_MS - LATE_MS
  if (!session || atMs < session.opensAtMs || atMs > session.closesAtMs)
    return { date: neighbourSession(TODAY, -1).date, minute: '11:00' }
  const withinMs = Math.min(atMs + MINUTE_MS, session.closesAtMs - MINUTE_MS)
  return { date: TODAY, minute: wallTimeEt(withinMs).minute }
}

const { date, minute } = chooseMinute()

let simulated: SimulatedFolder
let servers: Server[] = []
let dataFolder: string
beforeAll(async () => {
  simulated = await simulateSmall({ date, prints: 500, contracts: 300, hasQuotes: true })
})
afterAll(() => simulated.remove())
afterEach(async () => {
  for (const server of servers) await server.close()
  servers = []
  rmSync(dataFolder, { recursive: true, force: true })
})

test('the commands of the free real day fetch and import both sources', async () => {
  dataFolder = newFolder()
  const day = await readSimulatedDay(simulated)
  const cboe = await startCboeDelayed({ chains: { _SPX: day.cboeChain(minute) } })
  // in January the year before is requested, too
  const year = Number(TODAY.slice(0, 4))
  const yields = { '1 Mo': 4.1, '30 Yr': 4.6 }
  const treasury = await startTreasury({
    yields: { [`${year}-01-02`]: yields, [`${year - 1}-12-15`]: yields },
  })
  servers = [cboe, treasury]
  // no source is called at its real address
  const nowhere = SOURCES.map(source => [addressVariable(source), 'http://127.0.0.1:9'])
  const env = {
    ...process.env,
    ...Object.fromEntries(nowhere),
    TAPEFOLD_CBOE_DELAYED_URL: cboe.url,
    TAPEFOLD_TREASURY_URL: treasury.url,
  }
  const commands = listBlocks('README.md', 'sh')
    .flatMap(listCommands)
    .filter(command => command.includes(' fetch '))
  expect(commands).toEqual([
    'npm run tapefold -- fetch treasury',
    'npm run tapefold -- fetch cboe-delayed today',
  ])
  const texts: string[] = []
  for (const command of commands) {
    const words = command.replace('npm run tapefold -- ', '').split(' ')
    const started = start(ENTRANCE, [...words, '--data', dataFolder], { env })
    expect(await started.ended, started.text()).toBe(0)
    texts.push(started.text())
  }
  expect(texts[0]).toMatch(/^treasury: \d requests? for /)
  expect(texts[0]).toMatch(new RegExp(`^${year}  1 file, .*; imported \\d+ rates$`, 'm'))
  expect(texts[1]).toMatch(/^cboe-delayed: 1 request for 1 day, usually 12\.0 MB\n/)
  expect(texts[1]).toMatch(/; imported \d+ quotes, \d+ open_interest, 1 spots\n/)
  if (date === TODAY) expect(texts[1]).toMatch(/published: \S+ \d\d:\d\d ET, 15 minutes late/)
  expect(cboe.requests.length).toBe(1)
})
