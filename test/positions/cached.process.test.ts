import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCatalog } from '../../src/data/published/catalog.ts'
import type { PublishedManifest } from '../../src/data/published/manifest.ts'
import { toTrackPoint } from '../../src/positions/checkWire.ts'
import { openJudge, toCase } from '../../src/positions/marketValues.ts'
import { simulateSessions, type TestHistory } from '../support/history.ts'
import { complete } from '../support/position.ts'

const DAY = '2026-10-15'
/** Room for a check or two, and for half of a track. */
const CACHE_BYTES = 20_000
let history: TestHistory
let manifest: PublishedManifest

beforeAll(async () => {
  history = await simulateSessions(DAY, 1)
  const { dataFolder } = history
  const catalog = openCatalog({ dataFolder, nowMs: () => 0, log: { error: () => {} } })
  manifest = catalog.find(DAY)!.manifest
})
afterAll(() => history.remove())

const strangle = (sp: number) => {
  return complete({ kind: 'strangle', legs: { sp, sc: 6100 }, entry: '10:30' })
}
const minutesFrom = (hour: number, first: number) =>
  Array.from({ length: 60 }, (_, index) => {
    const minute = first + index
    return `${hour + Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`
  })

test('a track whose hour moves on by a minute judges one case, and its points are those of checks', async () => {
  const judge = openJudge(history.dataFolder)
  const position = strangle(5900)
  await judge.track(manifest, { position, minutes: minutesFrom(10, 30) })
  expect(judge.counts()).toEqual({ cached: 0, judged: 60 })
  const minutes = minutesFrom(10, 31)
  // the name and the alert of a position are no part of its points
  const renamed = { ...position, id: 'p_other', alert: { ...position.alert, before: 'CAUTION' } }
  const points = await judge.track(manifest, { position: renamed as typeof position, minutes })
  expect(judge.counts()).toEqual({ cached: 59, judged: 61 })
  const cases = minutes.map(minute => toCase(position, minute))
  const judged = await judge.judge(manifest, cases)
  expect(judged.every(one => one !== null)).toBe(true)
  expect(JSON.stringify(points)).toBe(
    JSON.stringify(
      minutes.map((minute, index) => toTrackPoint(position, judged[index]!, { day: DAY, minute })),
    ),
  )
  const other = { ...position, label: { caution: 1, skip: 1 } }
  await judge.track(manifest, { position: other, minutes })
  expect(judge.counts()).toEqual({ cached: 59, judged: 181 })
  await judge.close()
})

test('20 tracks of one account push no check of another out of a full cache', async () => {
  const judge = openJudge(history.dataFolder, undefined, CACHE_BYTES)
  const cases = [toCase(strangle(5900), '11:00')]
  const before = await judge.judge(manifest, cases, { account: 'careful' })
  const tracks = Array.from({ length: 20 }, (_, index) =>
    judge.track(
      manifest,
      { position: strangle(5905 + 5 * index), minutes: minutesFrom(10, 0) },
      { account: 'greedy' },
    ),
  )
  await Promise.all(tracks)
  const { judged } = judge.counts()
  expect(judged).toBe(1 + 20 * 60)
  expect(await judge.judge(manifest, cases, { account: 'careful' })).toEqual(before)
  expect(judge.counts().judged).toBe(judged)
  await judge.close()
})
