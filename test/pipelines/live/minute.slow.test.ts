import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { type MinuteJob, openMinuteJob } from '../../../pipelines/live/minute.ts'
import { importSimulated } from '../../../pipelines/simulate/importSimulated.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { type Database, openDatabase } from '../../../src/core/engine/database.ts'
import { filePaths } from '../../../src/core/engine/paths.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { datasetFiles, readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { type PublishedManifest, readManifest } from '../../../src/data/published/manifest.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { addFutures } from '../../support/futures.ts'
import { addLateData, addLateValues, silenceMinutes } from '../../support/lateData.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-minutes-'))
const [whole, live] = [join(root, 'whole'), join(root, 'live')]
let night: TestApi
let day: TestApi
let job: MinuteJob
let db: Database

beforeAll(async () => {
  const simulated = join(root, 'simulated')
  const size = { prints: 4_000, contracts: 400, seed: 12 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  await addLateData(join(simulated, 'prints.parquet'))
  const silence = { from: '09:32', to: '09:35', reported: '09:34', knownAt: '09:38:10' }
  await silenceMinutes(join(simulated, 'prints.parquet'), silence)
  await addLateValues(simulated)
  await addFutures(simulated)
  const held = ['open_interest', 'dealer_positions']
  const given = ['prints', 'quotes', 'spots', 'futures', ...held, 'rates']
  await importSimulated(whole, simulated, given)
  cpSync(whole, live, { recursive: true })
  await buildDay({ dataFolder: whole, date: DATE, progress: silent })
  night = await startTestApi({ dataFolder: whole })
  day = await startTestApi({ dataFolder: live })
  job = await openMinuteJob({ dataFolder: live, date: DATE, progress: silent })
  db = await openDatabase()
})

afterAll(async () => {
  await job.close()
  await night.close()
  await day.close()
  db.close()
  rmSync(root, { recursive: true, force: true })
})

const at = (minute: string) => instantMs(DATE, minute)

/** Rows of a dataset, of the session as it runs or as it was built whole. */
async function listRows(folder: string, manifest: PublishedManifest, query: string) {
  const name = /\$(\w+)/.exec(query)![1]!
  const { folder: index, files } = datasetFiles(folder, manifest, name)
  if (files.length === 0) return []
  return db.rows(
    query.replace(`$${name}`, 'read_parquet($files::varchar[], hive_partitioning = false)'),
    { files: filePaths(files.map(({ file }) => join(index, file))) },
  )
}

async function expectSame(query: string, least = 1): Promise<void> {
  const running = await listRows(live, readLiveManifest(live, DATE)!, query)
  const built = await listRows(whole, readManifest(whole, DATE)!, query)
  expect(running.length).toBeGreaterThanOrEqual(least)
  expect(running).toEqual(built)
}

/** Everything that the states up to a minute say, and every ledger in between. */
async function expectEqualStates(minute: string, asofs: readonly string[]): Promise<void> {
  await expectSame(`from $levels where minute_et <= '${minute}' order by all`, 3)
  await expectSame(`from $market_minutes where minute_et <= '${minute}' order by all`)
  await expectSame(`from $option_minutes where minute_et <= '${minute}' order by all`)
  await expectSame(`from $smiles where minute_et <= '${minute}' order by all`)
  await expectSame(`from $profiles where minute_et <= '${minute}' order by all`)
  await expectSame(`from $basis where minute_et <= '${minute}' order by all`)
  await expectSame(`from $strikes where minute_et <= '${minute}' order by all`)
  const until = `make_timestamp(${at(minute) * 1000})`
  await expectSame(`from $revisions where superseded_at < ${until} order by all`, 0)
  for (const asof of asofs) {
    const path = `/orders/api/day?day=${DATE}&asof=${asof}`
    const [running, built] = await Promise.all([day.call(path), night.call(path)])
    expect([running!.status, built!.status, asof]).toEqual([200, 200, asof])
    expect(running!.headers.get('etag'), asof).toBe(built!.headers.get('etag'))
  }
}

test('states published one by one are those of the whole session', async () => {
  expect(await job.advance(at('09:29'))).toBeNull()
  for (const minute of ['09:30', '09:31', '09:32', '09:36', '09:41']) {
    const manifest = await job.advance(at(minute) + 17_000)
    expect(manifest!.live.minute).toBe(minute)
    const latest = await day.call('/orders/api/latest')
    const built = await night.call(`/orders/api/day?day=${DATE}&asof=${minute}`)
    expect(latest.headers.get('etag')).toBe(built.headers.get('etag'))
  }
  await expectEqualStates('09:41', ['09:30', '09:31', '09:35', '09:40', '09:41'])
})

test('and so are states published at once, and those after them', async () => {
  await job.advance(at('13:07'), true)
  await expectEqualStates('13:07', ['09:41', '10:00', '11:11', '13:06', '13:07'])
  await job.advance(at('13:09'))
  await expectEqualStates('13:09', ['12:00', '13:08', '13:09'])
})

test('a gap is reported while it was known, and a late print fills it', async () => {
  const isSilent = async (asof: string, minute: string) => {
    const { json } = await day.call(`/orders/api/day?day=${DATE}&asof=${asof}`)
    const gaps: { from: string; to: string }[] = json.tape.gaps
    return gaps.some(({ from, to }) => from <= minute && minute <= to)
  }
  for (const asof of ['09:37', '09:38']) expect(await isSilent(asof, '09:34'), asof).toBe(true)
  for (const asof of ['09:39', '13:09']) {
    expect(await isSilent(asof, '09:34'), asof).toBe(false)
    expect(await isSilent(asof, '09:33'), asof).toBe(true)
  }
})

test('a position is judged at the newest minute as it is the day after', async () => {
  const position = { kind: 'strangle', legs: { sp: 5900, sc: 6100 }, entry: '10:00' }
  const body = JSON.stringify({ op: 'add', position })
  for (const api of [day, night]) {
    expect((await api.call('/api/positions', { method: 'POST', body })).status).toBe(200)
  }
  const listChecks = async (api: TestApi, query: string) => {
    const { status, json } = await api.call(`/api/positions/check?${query}`)
    expect(status).toBe(200)
    const checks = json.checks.map(({ position_id: _, ...check }: { position_id: string }) => check)
    return { day: json.day, t: json.t, checks }
  }
  // today is the session
  day.clock.atMs = at('13:09')
  const running = await listChecks(day, '')
  expect(running).toMatchObject({ day: DATE, t: '13:09', checks: [{ label: expect.any(String) }] })
  expect(await listChecks(night, `day=${DATE}&t=13:09`)).toEqual(running)
  for (const t of ['09:31', '09:41', '12:30']) {
    const query = `day=${DATE}&t=${t}`
    expect(await listChecks(day, query)).toEqual(await listChecks(night, query))
  }
  expect((await day.call(`/api/positions/check?day=${DATE}&t=13:10`)).status).toBe(400)
})

test('another process goes on from the state that was published last', async () => {
  await job.close()
  job = await openMinuteJob({ dataFolder: live, date: DATE, progress: silent })
  expect(job.stateMs()).toBe(at('13:09'))
  await job.advance(at('13:11'))
  await expectEqualStates('13:11', ['13:08', '13:10', '13:11'])
})

test('the last state holds every order that the build of the night does', async () => {
  const manifest = await job.advance(at('16:40'), true)
  expect(manifest!.live.minute).toBe('16:18')
  await expectEqualStates('16:14', ['13:30', '15:59', '16:15'])
  await expectSame('from $settlements')
  // what becomes known later still is the night's alone
  const untilUs = at('16:18') * 1000
  const endedThen = `from $revisions where superseded_at < make_timestamp(${untilUs})`
  await expectSame(`${endedThen} order by all`, 20)
  const status = `select * exclude (ledger_rank) from $orders
    where visible_at < make_timestamp(${untilUs}) order by all`
  const built = await listRows(whole, readManifest(whole, DATE)!, status)
  const known = await listRows(live, readLiveManifest(live, DATE)!, 'from $orders order by all')
  const endedLater = `from $revisions where superseded_at >= make_timestamp(${untilUs})`
  const ended = [
    ...(await listRows(live, readLiveManifest(live, DATE)!, 'from $revisions')),
    ...(await listRows(whole, readManifest(whole, DATE)!, endedLater)),
  ]
  const isEnded = new Set(ended.map(row => `${row.order_id} ${row.revision_number}`))
  expect(known.filter(row => !isEnded.has(`${row.order_id} ${row.revision_number}`))).toEqual(built)
  const sessions = await day.call('/orders/api/sessions')
  expect(sessions.json.sessions).toEqual([DATE])
})
