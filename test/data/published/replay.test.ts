import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { instantMs, wallTimeEt } from '../../../src/core/market/calendar.ts'
import { type Catalog, openCatalog } from '../../../src/data/published/catalog.ts'
import { refuseReplay, replayCatalog } from '../../../src/data/published/replay.ts'
import { findCatalog } from '../../support/catalog.ts'
import {
  ledgerInput,
  publishLedger,
  VARIED_ORDERS,
  writeManifest,
} from '../../support/published.ts'

let folder: string
let catalog: Catalog
let nowMs = 0
const BEFORE = '2026-10-13'
const DAY = '2026-10-14'
const AFTER = '2026-10-15'

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tapefold-replay-'))
  const stored = openCatalog({ dataFolder: folder, nowMs: () => 0, log: { error: () => {} } })
  catalog = replayCatalog(stored, () => nowMs)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const publish = (day: string, asof = '16:14:58') =>
  publishLedger(folder, ledgerInput(VARIED_ORDERS, { day, asof }))

/** Data shown at an instant: the newest session, to which minute, and the days there are. */
function reportedAt(time: string, day = DAY) {
  const [minute, second = '00'] = [time.slice(0, 5), time.slice(6, 8) || undefined]
  nowMs = instantMs(day, minute) + Number(second) * 1000
  const newest = catalog.newest()
  const known = newest?.knownBeforeMs
  if (newest) expect(catalog.find(newest.manifest.session_date)).toEqual(newest)
  return {
    newest: newest?.manifest.session_date ?? null,
    upTo: known === undefined ? 'published' : wallTimeEt(known).minute,
    days: catalog.sessions(),
  }
}

test('the session of the day is shown minute by minute, then as it was published', async () => {
  for (const day of [BEFORE, DAY, AFTER]) await publish(day)
  const opened = [BEFORE, DAY]
  expect(reportedAt('09:29:59')).toEqual({ newest: BEFORE, upTo: 'published', days: [BEFORE] })
  expect(catalog.find(DAY)).toBeNull()
  // from the open on it is there, but there is nothing to tell of its first minute yet
  expect(reportedAt('09:30')).toEqual({ newest: BEFORE, upTo: 'published', days: opened })
  expect(catalog.find(DAY)).toMatchObject({ knownBeforeMs: instantMs(DAY, '09:30') })
  expect(reportedAt('09:30:59')).toEqual({ newest: BEFORE, upTo: 'published', days: opened })
  expect(reportedAt('09:31')).toEqual({ newest: DAY, upTo: '09:31', days: opened })
  expect(catalog.find(BEFORE)).toMatchObject({ isNewest: false })
  expect(reportedAt('10:37:59')).toEqual({ newest: DAY, upTo: '10:37', days: opened })
  expect(reportedAt('16:15')).toEqual({ newest: DAY, upTo: '16:15', days: opened })
  expect(reportedAt('16:17:59')).toEqual({ newest: DAY, upTo: '16:17', days: opened })
  expect(reportedAt('16:18')).toEqual({ newest: DAY, upTo: 'published', days: opened })
  expect(reportedAt('23:59')).toEqual({ newest: DAY, upTo: 'published', days: opened })
  expect(catalog.find(AFTER)).toBeNull()
  // a clock that runs on comes into the next session
  expect(reportedAt('09:29', AFTER)).toEqual({ newest: DAY, upTo: 'published', days: opened })
  expect(reportedAt('12:00', AFTER)).toMatchObject({ newest: AFTER, upTo: '12:00' })
})

test('a half day ends three minutes after 13:15', async () => {
  await publish('2026-11-27', '13:14:59')
  expect(reportedAt('13:17:59', '2026-11-27')).toMatchObject({ upTo: '13:17' })
  expect(reportedAt('13:18', '2026-11-27')).toMatchObject({ upTo: 'published' })
})

test('a late report is shown when it was known, not with the close', async () => {
  await publish(DAY, '16:31:07')
  expect(reportedAt('16:34:06')).toMatchObject({ upTo: '16:34' })
  expect(reportedAt('16:34:07')).toMatchObject({ upTo: 'published' })
})

test('without a session before, the first minute of the day itself is shown', async () => {
  await publish(DAY)
  expect(reportedAt('09:29')).toEqual({ newest: null, upTo: 'published', days: [] })
  expect(reportedAt('09:30:30')).toEqual({ newest: DAY, upTo: '09:30', days: [DAY] })
})

test('over a weekend the session before is the newest, as it was published', async () => {
  await publish('2026-10-16')
  await publish('2026-10-19')
  const weekend = { newest: '2026-10-16', upTo: 'published', days: ['2026-10-16'] }
  expect(reportedAt('12:00', '2026-10-18')).toEqual(weekend)
})

test('a damaged manifest of a later day is not reported before its time', async () => {
  await publish(DAY)
  writeManifest(folder, AFTER, '{')
  expect(reportedAt('12:00')).toMatchObject({ newest: DAY })
  expect(catalog.unreadable()).toEqual([])
  expect(reportedAt('12:00', AFTER)).toMatchObject({ newest: DAY, upTo: 'published' })
  expect(catalog.unreadable()).toEqual([AFTER])
})

test('of a session that was never built whole only what was published is shown', () => {
  const knownBeforeMs = instantMs(DAY, '11:00')
  const reported = replayCatalog(findCatalog({ [DAY]: { knownBeforeMs } }), () => nowMs)
  const upTo = (minute: string, day = DAY) => {
    nowMs = instantMs(day, minute)
    return wallTimeEt(reported.find(DAY)!.knownBeforeMs!).minute
  }
  expect([upTo('10:37'), upTo('12:00'), upTo('18:00')]).toEqual(['10:37', '11:00', '11:00'])
  expect(upTo('12:00', AFTER)).toBe('11:00')
})

test('a clock that stands still shows what is published meanwhile', async () => {
  await publish(BEFORE)
  expect(reportedAt('12:00')).toMatchObject({ newest: BEFORE })
  await publish(DAY)
  expect(reportedAt('12:00')).toMatchObject({ newest: DAY, upTo: '12:00' })
})

test('sessions not published, or without earlier versions, cannot be replayed', async () => {
  expect(() => refuseReplay(folder, DAY)).toThrow('2026-10-14 is not published; build it first.')
  await publish(DAY)
  expect(() => refuseReplay(folder, DAY)).toThrow(
    'was published without its minute-by-minute history: build it again.',
  )
})
