import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type MinutesReader, openMinutes } from '../../../src/alerts/finding/readMinutes.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { type Catalog, openCatalog } from '../../../src/data/published/catalog.ts'
import { datasetFiles } from '../../../src/data/published/liveManifest.ts'
import { replayCatalog } from '../../../src/data/published/replay.ts'
import { type MadeSession, openMaker, quietStates } from '../../support/madeMinutes.ts'

const DAY = '2026-10-15'
let folder: string
let maker: Awaited<ReturnType<typeof openMaker>>
let reader: MinutesReader
let damageReports: string[]
let catalog: Catalog

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-minutes-'))
  maker = await openMaker(folder)
  damageReports = []
  reader = await openMinutes({
    dataFolder: folder,
    reportDamage: damage => damageReports.push(damage.message),
  })
  catalog = openCatalog({ dataFolder: folder, nowMs: () => 0, log: { error: () => {} } })
})
afterEach(() => {
  maker.close()
  reader.close()
  rmSync(folder, { recursive: true, force: true })
})

const at = (minute: string) => instantMs(DAY, minute)
const read = () => reader.read(catalog.find(DAY)!)

/** Orders before, at and after a minute, one that was known otherwise, one below the floor. */
const SESSION: MadeSession = {
  day: DAY,
  states: quietStates(DAY, { '10:00': { spot: 6011.5, vol: { flip: null } }, '10:02': null }),
  orders: [
    { order_id: 'a', visible: '09:59:59.999999' },
    { order_id: 'b', visible: '10:00:00.000000' },
    { order_id: 'c', visible: '10:00:59.999999', superseded: '10:03:10' },
    { order_id: 'c', visible: '10:03:10', revision_number: 2, size: 90 },
    { order_id: 'd', visible: '10:00:30', is_in_ledger: false },
    { order_id: 'e', visible: '16:17:30' },
  ],
}

/** Every minute as text, up to the last one. */
async function wholeSession() {
  const minutes = await read()
  const all = []
  for (let ms = at('09:31'); ms <= minutes.untilMs!; ms += 60_000) all.push(minutes.minuteAt(ms))
  return all.map(one => JSON.stringify(one))
}

test('a minute has the state of each book and the orders of the minute before it', async () => {
  await maker.finish(SESSION)
  const minutes = await read()
  const { books, orders } = minutes.minuteAt(at('10:00'))
  expect([books.measured?.spot, books.measured?.flip, books.vol?.flip]).toEqual([
    6011.5,
    6000,
    null,
  ])
  expect(orders.map(one => one.order_id)).toEqual(['a'])
  expect(minutes.minuteAt(at('10:01')).orders.map(one => one.order_id)).toEqual(['b', 'c'])
  const later = minutes.minuteAt(at('10:04')).orders
  expect(later.map(one => [one.order_id, one.revision_number, one.size])).toEqual([['c', 2, 90]])
  expect(minutes.minuteAt(at('10:02')).books).toEqual({ measured: null, vol: null, oi: null })
})

test('orders are known until three minutes after the close', async () => {
  await maker.finish(SESSION)
  const minutes = await read()
  expect(minutes.untilMs).toBe(at('16:18'))
  expect(minutes.minuteAt(at('16:18')).orders.map(one => one.order_id)).toEqual(['e'])
})

test('minutes of a running session are those of the finished one, byte for byte', async () => {
  for (const minute of ['09:31', '09:50', '10:01', '10:02', '10:04', '16:18']) {
    await maker.runUntil(SESSION, minute)
    expect((await read()).untilMs).toBe(at(minute))
  }
  const running = await wholeSession()
  await maker.finish(SESSION)
  expect(await wholeSession()).toEqual(running)
  expect(running).toHaveLength(408)
})

test('before the first state there is no minute to take', async () => {
  await maker.runUntil(SESSION, '09:30')
  expect((await read()).untilMs).toBeNull()
})

test('a replay knows a finished session up to its own minute', async () => {
  await maker.finish(SESSION)
  const replayed = replayCatalog(catalog, () => at('10:00') + 59_000)
  expect((await reader.read(replayed.find(DAY)!)).untilMs).toBe(at('10:00'))
})

test('one odd file is reported once and costs its minutes alone', async () => {
  await maker.runUntil(SESSION, '10:01')
  const { folder: live, files } = datasetFiles(folder, catalog.find(DAY)!.manifest, 'levels')
  const entry = files.find(({ file }) => file.includes('/1000-'))!
  const path = join(live, entry.file)
  writeFileSync(path, 'x'.repeat(entry.bytes))
  const minutes = await read()
  await read()
  expect(damageReports).toEqual([`${entry.file} does not match its hash`])
  expect(minutes.minuteAt(at('09:59')).books.measured?.spot).toBe(6005)
  expect(minutes.minuteAt(at('10:00')).books.measured).toBeNull()
  expect(minutes.minuteAt(at('10:01')).books.measured?.spot).toBe(6005)
})
