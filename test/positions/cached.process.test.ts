import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCatalog } from '../../src/data/published/catalog.ts'
import type { PublishedManifest } from '../../src/data/published/manifest.ts'
import { toTrackPoint } from '../../src/positions/checkWire.ts'
import { openJudge } from '../../src/positions/marketValues.ts'
import { simulateSessions, type TestHistory } from '../support/history.ts'
import { complete } from '../support/position.ts'

const DAY = '2026-10-15'
let history: TestHistory
let manifest: PublishedManifest
beforeAll(async () => {
  history = await simulateSessions(DAY, 1)
  const { dataFolder } = history
  const catalog = openCatalog({ dataFolder, nowMs: () => 0, log: { error: () => {} } })
  manifest = catalog.replayed.find(DAY)!.manifest
})
afterAll(() => history.remove())

/** Cases of a short strangle, and of its track, at an hour's minutes from the given one on. */
function listHour(sp: number, first: number) {
  const position = complete({ kind: 'strangle', legs: { sp, sc: 6100 }, entry: '10:30' })
  const minutes = Array.from({ length: 60 }, (_, index) => {
    return `${10 + Math.floor((first + index) / 60)}:${String((first + index) % 60).padStart(2, '0')}`
  })
  const cases = minutes.map(minute_et => {
    return { minute_et, short_put: sp, short_call: 6100, base_spot: null }
  })
  const track = { position, key: `${sp}` }
  return { position, cases, tracks: cases.map(one => ({ ...one, track })) }
}

test('a track that moves on by a minute judges one case of 60, to the points of checks', async () => {
  const judge = openJudge(history.dataFolder)
  await judge.judge(manifest, listHour(5900, 30).tracks)
  const { position, cases, tracks } = listHour(5900, 31)
  const points = await judge.judge(manifest, tracks)
  expect(judge.counts()).toEqual({ cached: 59, judged: 61 })
  const judged = await judge.judge(manifest, cases)
  const expected = judged.map((one, index) =>
    toTrackPoint(position, one!.marks, { day: DAY, minute: cases[index]!.minute_et }),
  )
  expect(JSON.stringify(points)).toBe(JSON.stringify(expected))
  await judge.close()
})

test('5 tracks of one account push no check of another out of a full cache', async () => {
  const judge = openJudge(history.dataFolder, undefined, 20_000)
  const check = () =>
    judge.judge(manifest, listHour(5900, 0).cases.slice(0, 1), { account: 'careful' })
  const before = await check()
  for (let at = 1; at <= 5; at++) {
    await judge.judge(manifest, listHour(5900 + 5 * at, 0).tracks, { account: 'greedy' })
  }
  expect(await check()).toEqual(before)
  expect(judge.counts()).toEqual({ cached: 1, judged: 1 + 5 * 60 })
  await judge.close()
})
