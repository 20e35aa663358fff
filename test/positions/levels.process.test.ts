import { mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha256File } from '../../src/core/disk/files.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import { readManifest, writeManifest } from '../../src/data/published/manifest.ts'
import { levelsAround } from '../../src/positions/levels.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { simulateSessions } from '../support/history.ts'

const OLD = '2026-10-14'
const NEW = '2026-10-15'

let api: TestApi
const position = { kind: 'strangle', legs: { sp: 5950, sc: 6050 }, entry: '10:30' }

beforeAll(async () => {
  const { dataFolder } = await simulateSessions(NEW, 3)
  await republish(dataFolder, OLD, '* exclude (flip_lo, flip_hi)')
  api = await startTestApi({ dataFolder })
  api.clock.atMs = Date.parse('2026-10-16T04:00:00Z')
  const body = JSON.stringify({ op: 'add', position })
  await api.call('/api/positions', { method: 'POST', body })
})
afterAll(() => api.close())

/** Publishes the market minutes of a session with other columns. */
async function republish(dataFolder: string, day: string, columns: string): Promise<void> {
  const before = readManifest(dataFolder, day)!
  const entry = before.datasets.market_minutes!
  const temporary = join(dataFolder, 'work', 'minutes.tmp')
  mkdirSync(dirname(temporary), { recursive: true })
  const from = join(dataFolder, 'published', entry.file)
  const db = await openDatabase()
  await db.run(`copy (select ${columns} from read_parquet($from)) to $to (format parquet)`, {
    from,
    to: temporary,
  })
  db.close()
  const sha256 = await sha256File(temporary)
  const file = join(dirname(entry.file), `${sha256.slice(0, 16)}.parquet`)
  const changed = { ...entry, file, sha256, bytes: statSync(temporary).size }
  renameSync(temporary, join(dataFolder, 'published', file))
  const datasets = { ...before.datasets, market_minutes: changed }
  writeManifest(dataFolder, { ...before, datasets, revision: day })
}

const checkAt = async (day: string, t = '11:00') => {
  const { status, json } = await api.call(`/api/positions/check?day=${day}&t=${t}`)
  expect(status).toBe(200)
  return json.checks[0]
}

test('a session of older code has distances without an interval, next to one that has it', async () => {
  // the second and the third question hold both sessions in memory
  for (const [day, t] of [
    [OLD, '11:00'],
    [NEW, '11:00'],
    [OLD, '11:01'],
  ] as const) {
    const { levels, shorts, label } = await checkAt(day, t)
    expect(label).not.toBeNull()
    for (const around of [levels, shorts[0].levels, shorts[1].levels]) {
      expect(around.flip.points).toEqual(expect.any(Number))
      expect(around.flip.reason).toBeNull()
      expect(around.flip.bar_reason).toBe(day === OLD ? 'no_bar' : null)
      for (const end of [around.flip.points_lo, around.flip.points_hi]) {
        expect(end === null).toBe(day === OLD)
      }
    }
  }
})

test('an entry log takes sessions of older code too', async () => {
  const { positions } = (await api.call('/api/positions')).json
  const { json } = await api.call(`/api/positions/entries?id=${positions[0].id}&replay=3`)
  expect(json.entries.map((entry: { label: unknown }) => entry.label)).not.toContain(null)
})

test('what a short strike is away from a level and the index from both agree', async () => {
  const { levels, shorts } = await checkAt(NEW)
  for (const level of ['flip', 'call_wall', 'put_wall']) {
    const [put, call] = shorts
    expect(put.levels[level].points).toBeCloseTo(levels[level].points + put.points, 6)
    expect(call.levels[level].points).toBeCloseTo(levels[level].points - call.points, 6)
  }
})

test('a day without minutes has no levels, and an error that says why', async () => {
  const [check] = (await api.call('/api/positions/check?day=2026-10-17')).json.checks
  expect(check).toMatchObject({ levels: null, shorts: [], error: expect.any(String) })
})

test('distances that were not computed are an error, not nothing', () => {
  expect(() => levelsAround([], 'sp')).toThrow('no level distances of sp')
})
