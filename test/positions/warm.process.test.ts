import { afterAll, beforeAll, expect, test } from 'vitest'
import { openCatalog } from '../../src/data/published/catalog.ts'
import type { PublishedManifest } from '../../src/data/published/manifest.ts'
import { openJudge } from '../../src/positions/marketValues.ts'
import { startTestApi } from '../support/api.ts'
import { simulateSessions, type TestHistory } from '../support/history.ts'

const DAY = '2026-10-15'
let history: TestHistory
let manifest: PublishedManifest

beforeAll(async () => {
  history = await simulateSessions(DAY, 2)
  const { dataFolder } = history
  const catalog = openCatalog({ dataFolder, nowMs: () => 0, log: { error: () => {} } })
  manifest = catalog.replayed.find(DAY)!.manifest
})
afterAll(() => history.remove())

const CASE = { minute_et: '11:00', short_put: 5900, short_call: 6100, base_spot: null }
const REPLAY = { minute: '11:00', bases: [DAY], dates: [DAY], shortPut: 5900, shortCall: 6100 }

test('a judge that was warmed, with sessions or without, says what a cold one says', async () => {
  const readResults = async (warmed: readonly PublishedManifest[] | 'cold') => {
    const judge = openJudge(history.dataFolder)
    try {
      if (warmed !== 'cold') await judge.warm(warmed)
      const [judged] = await judge.judge(manifest, [CASE])
      return { judged, replayed: await judge.replay({ ...REPLAY, sessions: [manifest] }) }
    } finally {
      await judge.close()
    }
  }
  const cold = await readResults('cold')
  expect(cold.judged!.marks.put_points).not.toBeNull()
  expect(cold.replayed.rows[0]!.outcome).not.toBeNull()
  expect(await readResults([])).toEqual(cold)
  expect(await readResults([manifest])).toEqual(cold)
})

test('unreadable data are reported by the first query, not during the warm-up', async () => {
  const judge = openJudge('/nowhere')
  await judge.warm([manifest])
  await expect(judge.judge(manifest, [CASE])).rejects.toThrow('cannot be read (ENOENT)')
  await expect(judge.replay({ ...REPLAY, sessions: [manifest] })).rejects.toThrow('ENOENT')
  await judge.close()
})

test('a server that warms serves an empty folder, and ends while it warms', async () => {
  const api = await startTestApi({ isWarmed: true })
  const { status, json } = await api.call('/api/positions/check')
  expect([status, json.t]).toEqual([200, null])
  await api.close()
  const other = await startTestApi({ isWarmed: true })
  await other.close()
})
