// Compares a stored session replayed as if live with what a server returns of each of its
// minutes.

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { instantMs, wallTimeEt } from '../../../src/core/market/calendar.ts'
import { runQuery as askData } from '../../../src/data/published/analyst.ts'
import { findGaps } from '../../../src/data/published/freshness.ts'
import type { PublishedManifest } from '../../../src/data/published/manifest.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { addLateData, silenceMinutes } from '../../support/lateData.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-replay-'))
const dataFolder = join(root, 'data')
const clock = { atMs: instantMs(DATE, '09:30') }
let manifest: PublishedManifest
let normal: TestApi
let replay: TestApi

/** One print of 10:22 became known at 10:40:10. */
const SILENCE = { from: '10:20', to: '10:24', reported: '10:22', knownAt: '10:40:10' } as const

beforeAll(async () => {
  const size = { prints: 6_000, contracts: 1_500, seed: 5 }
  const out = join(root, 'simulated')
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out })
  await addLateData(join(out, 'prints.parquet'))
  await silenceMinutes(join(out, 'prints.parquet'), SILENCE)
  await importSimulated(dataFolder, out)
  manifest = await buildDay({ dataFolder, date: DATE, progress: silent })
  normal = await startTestApi({ dataFolder })
  replay = await startTestApi({ dataFolder, clock: { nowMs: () => clock.atMs, isReplay: true } })
})

afterAll(async () => {
  await normal.close()
  await replay.close()
  rmSync(root, { recursive: true, force: true })
})

const MINUTE_MS = 60_000
const query = (api: TestApi, path: string) => api.call(`/orders/api/${path}`)

/** The newest ledger at an instant of the replay. */
const latestAt = (atMs: number) => {
  clock.atMs = atMs
  return query(replay, 'latest')
}

test('serve --clock replays the session in a process of its own, and it moves', async () => {
  const args = ['src/cli/cli.ts', 'serve', '--port', '0', '--data', dataFolder]
  const command = [...args, '--clock', `${DATE}T09:45x60`]
  const env = { ...process.env, TAPEFOLD_LOG: 'silent', DATABASE_URL: undefined }
  const child = spawn(process.execPath, command, { env })
  let message = ''
  child.stdout.setEncoding('utf8').on('data', text => {
    message += text
  })
  const ended = new Promise(resolve => child.on('close', resolve))
  try {
    while (!message.includes('\n')) {
      expect(child.exitCode).toBeNull()
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    const [line, url] = /^Tapefold serves (\S+), replaying 2026-10-15T09:45x60, with .*\n/.exec(
      message,
    )!
    expect(message).toBe(line)
    const headers = { authorization: `Bearer ${normal.key}` }
    const seen: string[] = []
    while (new Set(seen).size < 4) {
      const response = await fetch(`${url}/orders/api/latest`, { headers })
      expect(response.status).toBe(200)
      seen.push(((await response.json()) as { asof: string }).asof)
    }
    expect(seen[0]! >= '09:40').toBe(true)
    expect(seen).toEqual(seen.toSorted())
  } finally {
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  }
})

test('every minute of the session is returned as it was known then, byte for byte', async () => {
  const closeMs = instantMs(DATE, '16:15')
  let last = { asof: '', n: 0 }
  let revisedCount = 0
  for (let atMs = instantMs(DATE, '09:31'); atMs <= closeMs; atMs += MINUTE_MS) {
    const { minute } = wallTimeEt(atMs)
    const then = await query(normal, `day?day=${DATE}&asof=${minute}`)
    // anywhere within the minute
    const now = await latestAt(atMs + ((atMs / MINUTE_MS) % 60) * 1000)
    expect([minute, now.status, now.headers.get('etag')]).toEqual([
      minute,
      200,
      then.headers.get('etag'),
    ])
    expect(now.body.equals(then.body)).toBe(true)
    expect(now.headers.get('cache-control')).toBe('private, no-cache')
    const { asof, stats } = now.json
    expect([asof >= last.asof, asof < minute]).toEqual([true, true])
    if (stats.n < last.n) revisedCount++
    last = { asof, n: stats.n }
  }
  expect(last.n).toBeGreaterThan(50)
  // cancels took orders out of the ledger: an earlier minute is not the finished one, cut
  expect(revisedCount).toBeGreaterThan(0)
})

test('it ends in the ledger as it was published, when its last report has come in', async () => {
  const { asof } = manifest
  expect(asof > '16:17').toBe(true)
  const finished = await query(normal, 'latest')
  const lastMs = instantMs(DATE, asof.slice(0, 5)) + Number(asof.slice(6)) * 1000
  const before = await latestAt(lastMs + 3 * MINUTE_MS - 1)
  expect(before.json.tape?.grade).toBeUndefined()
  expect(before.json.asof).toBe(asof)
  const after = await latestAt(lastMs + 3 * MINUTE_MS)
  expect(after.headers.get('etag')).toBe(finished.headers.get('etag'))
  expect(after.body.equals(finished.body)).toBe(true)
  expect(after.json.tape.grade).toMatch(/good|doubtful|bad/)
})

test('before there is anything to tell, ledgers, days and health say so', async () => {
  const early = await latestAt(instantMs(DATE, '09:30') + 59_999)
  const then = await query(normal, `day?day=${DATE}&asof=09:30`)
  expect(early.headers.get('etag')).toBe(then.headers.get('etag'))
  expect(early.json).toMatchObject({ day: DATE, orders: [] })
  const { json } = await replay.call('/health', { key: null })
  expect(json).toMatchObject({ newest_session: DATE, asof: null, data_age_s: null })
  clock.atMs = instantMs(DATE, '09:29')
  expect((await query(replay, 'sessions')).json).toEqual({ sessions: [], first: null, last: null })
  const day = await query(replay, `day?day=${DATE}`)
  expect(day.json.note).toBe('The session of 2026-10-15 has not begun: no ledger yet.')
  clock.atMs = instantMs(DATE, '09:30')
  expect((await query(replay, 'sessions')).json).toMatchObject({ last: DATE })
})

test('the day is returned up to now, no minute to come; a table has no grade yet', async () => {
  clock.atMs = instantMs(DATE, '11:00')
  const known = await query(normal, `day?day=${DATE}&asof=11:00`)
  for (const path of [`day?day=${DATE}`, `day?day=${DATE}&asof=11:00`, 'latest']) {
    expect((await query(replay, path)).headers.get('etag')).toBe(known.headers.get('etag'))
  }
  const toCome = await query(replay, `day?day=${DATE}&asof=11:01`)
  expect([toCome.status, toCome.json.error]).toMatchObject([
    400,
    { code: 'bad_time', message: 'asof is 11:01; the latest minute of 2026-10-15 is 11:00.' },
  ])
  const earlier = await query(replay, `day?day=${DATE}&asof=10:00`)
  const then = await query(normal, `day?day=${DATE}&asof=10:00`)
  expect(earlier.headers.get('etag')).toBe(then.headers.get('etag'))
  const csv = await replay.call('/orders/api/latest', { headers: { accept: 'text/csv' } })
  expect(csv.headers.has('x-tape-grade')).toBe(false)
  const { json } = await replay.call('/health', { key: null })
  expect(json).toMatchObject({ newest_session: DATE, tape_grade: null })
  expect(json.asof < '11:00').toBe(true)
  expect(json.data_age_s).toBeGreaterThan(0)
  expect(json.days[0]).toMatchObject({ day: DATE, state: 'open', asof: json.asof })
})

test('the manifest says how new each dataset of the tape is; a replay keeps it back', async () => {
  const findNewest = (api: TestApi) => api.call('/status.json', { key: null })
  const query = "select strftime(max(known_at), '%Y-%m-%dT%H:%M:%SZ') as prints from prints"
  const { rows } = await askData(dataFolder, query)
  const late = expect.stringMatching(/^2026-10-15T20:1\d:\d\dZ$/)
  expect(manifest.tape_newest).toEqual({ ...rows[0], quotes: late, spots: late })
  const { datasets } = (await findNewest(normal)).json
  expect(datasets).toContainEqual(
    expect.objectContaining({ dataset: 'spots', newest_at: manifest.tape_newest!.spots }),
  )
  clock.atMs = instantMs(DATE, '11:00')
  expect((await findNewest(replay)).json.datasets).toEqual([])
})

test('positions are checked at the minute of the replay, not at one to come', async () => {
  const position = { kind: 'put_spread', legs: { lp: 5930, sp: 5950 }, entry: '10:30' }
  const body = JSON.stringify({ op: 'add', position })
  expect((await normal.call('/api/positions', { method: 'POST', body })).status).toBe(200)
  const { key } = normal
  clock.atMs = instantMs(DATE, '11:00') + 20_000
  const now = await replay.call('/api/positions/check', { key })
  const then = await normal.call(`/api/positions/check?day=${DATE}&t=11:00`)
  expect(now.json).toMatchObject({ day: DATE, t: '11:00', live: true })
  expect(now.json.checks).toHaveLength(1)
  expect(now.json.checks).toEqual(then.json.checks)
  const later = await replay.call(`/api/positions/check?day=${DATE}&t=11:01`, { key })
  expect([later.status, later.json.error.code]).toEqual([400, 'bad_time'])
})

type Gaps = { readonly from: string; readonly to: string; readonly minutes: number }[]

/** The minutes from 10:20 to 10:24 that are in a gap: so small a tape has gaps around them. */
const silentIn = (gaps: Gaps = []) =>
  ['10:20', '10:21', '10:22', '10:23', '10:24'].filter(minute =>
    gaps.some(({ from, to }) => from <= minute && minute <= to),
  )

test('a ledger lists the gaps that were known then, the finished one what is left', async () => {
  const at = async (asof: string) => (await query(normal, `day?day=${DATE}&asof=${asof}`)).json
  expect(silentIn((await at('10:20')).tape?.gaps)).toEqual([])
  for (const asof of ['10:35', '10:40']) {
    const { tape, asof: newest } = await at(asof)
    expect(Object.keys(tape)).toEqual(['gaps'])
    expect(silentIn(tape.gaps), asof).toHaveLength(5)
    // what is missing after the newest message may still come
    expect(tape.gaps.at(-1).to < newest).toBe(true)
  }
  // the print of 10:22 became known within 10:40
  const left = ['10:20', '10:21', '10:23', '10:24']
  expect(silentIn((await at('10:41')).tape.gaps)).toEqual(left)
  const finished = (await query(normal, `day?day=${DATE}`)).json.tape
  expect(silentIn(finished.gaps)).toEqual(left)
  // session as the status reports it
  expect(finished.gaps).toEqual(findGaps(manifest.minutes.missing))

  const headers = { accept: 'text/csv' }
  const csv = await normal.call(`/orders/api/day?day=${DATE}&asof=10:41`, { headers })
  expect(csv.headers.get('x-tape-gaps')).toMatch(/10:21, 10:23(-|, )/)
  expect(csv.headers.has('x-tape-grade')).toBe(false)
  const table = await normal.call(`/orders/api/day?day=${DATE}`, { headers })
  expect(table.headers.get('x-tape-gaps')).toMatch(/10:21, 10:23-/)
})

test('the levels around a check are those of the dataset at its minute, as distances', async () => {
  const legs = { sp: 5950, sc: 6050 }
  const body = JSON.stringify({ op: 'add', position: { kind: 'strangle', legs, entry: '10:30' } })
  const { id } = (await normal.call('/api/positions', { method: 'POST', body })).json
  const minutes = "minute_et between '09:31' and '15:59' order by minute_et"
  const { rows } = await askData(
    dataFolder,
    `from levels where book_basis = 'measured' and ${minutes}`,
  )
  expect(rows).toHaveLength(389)
  const less = (level: unknown, point: unknown) =>
    level === null || point === null
      ? null
      : Number((Number(level) - Number(point)).toPrecision(10))
  for (const row of rows.filter((_, index) => index % 9 === 0)) {
    const path = `/api/positions/check?id=${id}&day=${DATE}&t=${row.minute_et}`
    const [{ levels, shorts }] = (await normal.call(path)).json.checks
    const indexes: [unknown, unknown][] = [
      [levels, row.spot],
      [shorts[0].levels, legs.sp],
      [shorts[1].levels, legs.sc],
    ]
    for (const [reported, point] of indexes) {
      const known = [row.flip, row.flip_lo, row.flip_hi, row.call_wall, row.put_wall]
      const [flip, low, high, call, put] = known.map(level => less(level, point))
      expect(reported, String(row.minute_et)).toMatchObject({
        flip: { points: flip, points_lo: low, points_hi: high },
        call_wall: { points: call, reason: call === null ? expect.any(String) : null },
        put_wall: { points: put, reason: put === null ? expect.any(String) : null },
      })
    }
    expect(levels.flip.reason).toBe(levels.flip.points === null ? row.reason : null)
    expect(levels.flip.bar_reason === null).toBe(levels.flip.points_lo !== null)
  }
  expect(rows.some(row => row.flip !== null && row.flip_lo !== row.flip_hi)).toBe(true)
})

test('calls are counted on the day of the replay', async () => {
  const { key, accountId } = await replay.newKey()
  clock.atMs = instantMs(DATE, '15:00')
  const first = await replay.call('/orders/api/sessions', { key })
  expect(first.headers.get('ratelimit')).toBe(`"day";r=19999;t=${9 * 3600}`)
  const counted = await replay.accounts.countCalls([
    { accountId, product: 'orders', dayEt: DATE, calls: 1 },
  ])
  expect(counted).toEqual([2])
})
