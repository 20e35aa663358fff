// The command itself: exit codes, consent to a price, and JSON lines.

import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { runScript } from '../../support/commands.ts'
import { DAY } from '../../support/fetchPart.ts'
import { newFolder } from '../../support/import.ts'
import { DATABENTO_KEY, startDatabento } from '../../support/sources/databento.ts'
import { MASSIVE_KEYS, startMassive } from '../../support/sources/massive.ts'
import type { Source as Server } from '../../support/sources/serve.ts'

/** The afternoon after the day: every source has it. */
const LATER = '2026-10-16T16:00'

let dataFolder: string
let server: Server | undefined
beforeEach(() => {
  dataFolder = newFolder()
})
afterEach(async () => {
  await server?.close()
  server = undefined
  rmSync(dataFolder, { recursive: true, force: true })
})

const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runScript('fetch', args, dataFolder, { env })

const record = (at: string) => ({
  ts_recv: `${DAY}T${at}Z`,
  ts_event: `${DAY}T${at}Z`,
  rtype: 194,
  publisher_id: 22,
  instrument_id: 1,
  action: 'T',
  side: 'N',
  price: '12.300000000',
  size: 5,
  flags: 192,
  ts_in_delta: 0,
  bid_px_00: '12.200000000',
  ask_px_00: '12.400000000',
  bid_sz_00: 7,
  ask_sz_00: 7,
  bid_pb_00: 22,
  ask_pb_00: 22,
  symbol: 'SPXW  261016C05900000',
})

/** Databento with one print, at a price of some 8 USD for it. */
async function startDear() {
  const databento = await startDatabento({
    records: { tcbbo: new Map([[DAY, [record('15:00:00.000000000')]]]) },
    usdPerGb: 1e8,
  })
  server = databento
  const env = { TAPEFOLD_DATABENTO_URL: databento.url, DATABENTO_API_KEY: DATABENTO_KEY }
  return { databento, env }
}

const rowRequests = ({ requests }: Server) =>
  requests.filter(({ path }) => path.endsWith('timeseries.get_range')).length

test('a price above --max-cost is refused without a terminal, before any row is requested', async () => {
  const { databento, env } = await startDear()
  const args = ['databento', DAY, '--clock', LATER]
  const refused = await run(args, env)
  expect([refused.code, refused.error]).toEqual([
    1,
    expect.stringMatching(
      /^tapefold: databento charges \d+\.\d\d USD for .*, above --max-cost of 5\.00 USD; nothing was fetched\. Allow it with --max-cost \d+\.\n$/,
    ),
  ])
  expect([rowRequests(databento), databento.spentUsd()]).toEqual([0, 0])
  const plan = await run([...args, '--plan', '--json'], env)
  expect([plan.code, rowRequests(databento)]).toEqual([0, 0])
  expect(JSON.parse(plan.out)).toMatchObject({ event: 'plan', source: 'databento', requests: 15 })
  const allowed = Math.ceil(JSON.parse(plan.out).usd)
  await run([...args, '--max-cost', String(allowed)], env)
  expect(rowRequests(databento)).toBeGreaterThan(0)
})

test('exit codes: 1 for a day that is gone, 75 for one that is not there yet', async () => {
  server = await startMassive({ files: {}, nowMs: () => instantMs('2026-10-16', '09:30') })
  const env = {
    TAPEFOLD_MASSIVE_URL: server.url,
    MASSIVE_ACCESS_KEY_ID: MASSIVE_KEYS.accessKey,
    MASSIVE_SECRET_ACCESS_KEY: MASSIVE_KEYS.secretKey,
  }
  const early = await run(['massive', DAY, '--clock', '2026-10-16T09:30x0'], env)
  expect([early.code, early.out]).toEqual([
    75,
    expect.stringMatching(
      /massive has nothing for .* yet; it is usually there from 2026-10-16 15:00/,
    ),
  ])
  const past = await run(['cboe-delayed', DAY, '--clock', LATER])
  expect([past.code, past.error]).toEqual([
    1,
    'tapefold: cboe-delayed has the market of now only, not of 2026-10-15; fetch it today, or take ' +
      "a vendor's.\n",
  ])
})
