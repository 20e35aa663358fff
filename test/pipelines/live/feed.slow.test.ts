import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { type Feed, openFeed } from '../../../pipelines/live/feed.ts'
import { spoolFiles } from '../../../pipelines/live/spool.ts'
import { DEFAULT_OPTIONS } from '../../../pipelines/simulate/options.ts'
import { runSimulate } from '../../../pipelines/simulate/simulate.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { runScript } from '../../support/commands.ts'
import { installFaults } from '../../support/faultyDisk.ts'

const DATE = '2026-10-15'
const root = mkdtempSync(join(tmpdir(), 'tapefold-feed-'))
const [simulated, parts] = [join(root, 'simulated'), join(root, 'parts')]
const [dataFolder, spool] = [join(root, 'data'), join(root, 'spool')]
const clock = { nowMs: () => nowMs }
const text: string[] = []
let nowMs = 0
let feed: Feed
let api: TestApi

const at = (minute: string) => instantMs(DATE, minute)
const findPart = (minute: string) => join(parts, `prints-${minute.replace(':', '')}.parquet`)
const drop = (from: string, name: string) => {
  copyFileSync(from, join(spool, `${name}.part`))
  renameSync(join(spool, `${name}.part`), join(spool, name))
}

const MINUTES = ['09:30', '09:31', '09:32', '09:33', '09:34', '09:35', '09:36', '09:37']

beforeAll(async () => {
  for (const folder of [parts, dataFolder, spool]) mkdirSync(folder)
  const size = { prints: 40_000, contracts: 300, seed: 8 }
  await runSimulate({ ...DEFAULT_OPTIONS, ...size, date: DATE, out: simulated })
  const db = await openDatabase()
  for (const minute of MINUTES) {
    await db.run(
      `copy (
         from read_parquet($from)
         where date_trunc('minute', printed_at) = make_timestamp($at::bigint * 1000)
       ) to $to (format parquet)`,
      { from: join(simulated, 'prints.parquet'), at: at(minute), to: findPart(minute) },
    )
  }
  db.close()
  const options = { dataFolder, date: DATE, spool, rows: null, simulated: true, graceMs: 3000 }
  const progress = { ...silent, say: (line: string) => void text.push(line) }
  feed = await openFeed({ ...options, clock, progress })
  api = await startTestApi({ dataFolder })
})

afterAll(async () => {
  await feed.close()
  await api.close()
  rmSync(root, { recursive: true, force: true })
})

async function lookAt(minute: string, seconds: number): Promise<string | null> {
  nowMs = at(minute) + seconds * 1000
  expect(await feed.look()).toBe(false)
  return readLiveManifest(dataFolder, DATE)?.live.minute ?? null
}

const latest = () => api.call('/orders/api/latest')

test('each minute is visible once it has ended, and late rows are late data', async () => {
  expect(await lookAt('09:29', 0)).toBeNull()
  for (const name of ['quotes', 'spots', 'open_interest', 'rates']) {
    drop(join(simulated, `${name}.parquet`), `${name.replace('_', '-')}.parquet`)
  }
  drop(findPart('09:30'), 'prints-0930.parquet')
  expect(await lookAt('09:31', 2)).toBe('09:30')
  expect(await lookAt('09:31', 3)).toBe('09:31')
  drop(findPart('09:31'), 'prints-0931.parquet')
  expect(await lookAt('09:32', 4)).toBe('09:32')
  const before = await latest()
  expect(before.json.orders.length).toBeGreaterThan(0)
  // a file twice, one under another name, one that is none, one nobody knows what to do with
  drop(findPart('09:31'), 'prints-again.parquet')
  writeFileSync(join(spool, 'prints-broken.csv'), 'sequence,nonsense\n1,2\n')
  writeFileSync(join(spool, 'notes.txt'), 'nothing')
  expect(await lookAt('09:32', 5)).toBe('09:32')
  expect((await latest()).headers.get('etag')).toBe(before.headers.get('etag'))
  expect(text.filter(line => / is refused| is ignored/.test(line))).toEqual([
    expect.stringMatching(/^notes\.txt is ignored: .* such as prints-0931\.csv$/),
    expect.stringContaining('prints-broken.csv is refused: '),
  ])
  expect(feed.untaken()).toEqual(['prints-broken.csv'])
  // 09:32 is late by two minutes, 09:34 comes before it
  drop(findPart('09:33'), 'prints-0933.parquet')
  expect(await lookAt('09:34', 3)).toBe('09:34')
  drop(findPart('09:34'), 'prints-0934.parquet')
  drop(findPart('09:32'), 'prints-0932.parquet')
  expect(await lookAt('09:35', 3)).toBe('09:35')
  const asof = await api.call(`/orders/api/day?day=${DATE}&asof=09:32`)
  expect(asof.headers.get('etag')).toBe(before.headers.get('etag'))
})

test('a look that leaves something publishes the rest and ends with 1', async () => {
  const [data, own] = [join(root, 'once'), join(root, 'once-spool')]
  mkdirSync(own)
  const look = (minute: string, grace = '0') => {
    const args = ['--spool', own, '--once', '--simulated', '--grace', grace]
    return runScript('feed', [...args, '--clock', `${DATE}T${minute}x0`], data)
  }
  const empty = await look('09:31')
  expect([empty.code, empty.out]).toEqual([0, `no rows of ${DATE} have arrived yet\n`])
  copyFileSync(findPart('09:30'), join(own, 'prints-0930.parquet'))
  const early = await look('09:30', '3')
  expect(early.out).toMatch(/^prints-0930\.parquet: \d+ new rows\nthe session of .* has not begun/)
  const broken = join(own, 'prints-broken.csv')
  writeFileSync(broken, 'sequence,nonsense\n1,2\n')
  const refused = await look('09:31')
  expect(refused.out).toContain(`${DATE} stands at 09:31, revision `)
  expect([refused.code, refused.error]).toEqual([
    1,
    'tapefold: refused, for the reasons above: prints-broken.csv.\n',
  ])
  rmSync(broken)
  const mended = await look('09:32')
  expect([mended.code, mended.error]).toEqual([0, ''])
  expect(mended.out).toContain(`${DATE} stands at 09:32, revision `)
})

test('a feed that was away catches up in one step', async () => {
  for (const minute of MINUTES.slice(5)) drop(findPart(minute), `prints-${minute}.parquet`)
  expect(await lookAt('09:39', 3)).toBe('09:39')
  const manifest = readLiveManifest(dataFolder, DATE)!
  expect(manifest.live.files.levels!.at(-1)!.file).toContain('/0939-')
})

test('rows may come through a pipe', async () => {
  const piped = join(root, 'piped')
  mkdirSync(piped)
  const header = 'session_date,spotted_at,spot'
  const input = Readable.from([`${header}\n`, `${DATE},2026-10-15 13:30:10,6000.5\n`])
  const lines: string[] = []
  const progress = { ...silent, say: (line: string) => void lines.push(line) }
  const rows = { dataset: 'spots', input }
  const options = { dataFolder: piped, date: DATE, spool: null, simulated: true, graceMs: 0 }
  const other = await openFeed({ ...options, rows, clock: { nowMs: () => at('09:29') }, progress })
  await new Promise(done => setImmediate(done))
  await other.look()
  await other.close()
  expect(lines).toEqual(['standard input: 1 new rows'])
})

test.each([
  ['session_date,spotted_at,spot', []],
  [
    'session_date,spoted_at,spot',
    [
      'standard input is refused: standard input lacks the column spotted_at; ' +
        'this format needs spotted_at, spot.',
    ],
  ],
])('a pipe that brought "%s" and no row yet', async (header, reported) => {
  const dataFolder = mkdtempSync(join(root, 'header-'))
  const input = new PassThrough()
  const lines: string[] = []
  const progress = { ...silent, say: (line: string) => void lines.push(line) }
  const options = { dataFolder, date: DATE, spool: null, simulated: true, graceMs: 0 }
  const rows = { dataset: 'spots', input }
  const other = await openFeed({ ...options, rows, clock: { nowMs: () => at('09:29') }, progress })
  input.write(`${header}\n`)
  await new Promise(done => setImmediate(done))
  for (let look = 0; look < 2; look++) await other.look()
  expect(lines).toEqual(reported)
  expect(other.untaken()).toEqual(reported.length > 0 ? ['standard input'] : [])
  input.write(`${DATE},2026-10-15 13:30:10,6000.5\n`)
  await new Promise(done => setImmediate(done))
  await other.look()
  await other.close()
  expect(lines.slice(reported.length)).toEqual(
    reported.length > 0 ? reported : ['standard input: 1 new rows'],
  )
})

test('a file that the disk does not give is taken when it does', async () => {
  const dataFolder = mkdtempSync(join(root, 'disk-'))
  const own = join(dataFolder, 'spool')
  mkdirSync(own)
  const row = `${DATE},2026-10-15 13:30:10,6000.5`
  writeFileSync(join(own, 'spots-0930.csv'), `session_date,spotted_at,spot\n${row}\n`)
  const lines: string[] = []
  const progress = { ...silent, say: (line: string) => void lines.push(line) }
  const options = { dataFolder, date: DATE, spool: own, simulated: true, graceMs: 0, progress }
  const look = async () => {
    const other = await openFeed({ ...options, rows: null, clock: { nowMs: () => at('09:29') } })
    await other.look().finally(other.close)
  }
  const disk = installFaults(own, { at: 1, kind: 'EIO' })
  await expect(look().finally(disk.restore)).rejects.toMatchObject({ code: 'EIO' })
  expect(disk.calls()).toBe(1)
  await look()
  expect(lines).toEqual(['spots-0930.csv: 1 new rows'])
})

test('a file that nobody might read is looked at again once it may be read', () => {
  const own = mkdtempSync(join(root, 'mode-'))
  const path = join(own, 'spots-0930.csv')
  writeFileSync(path, 'spot\n', { mode: 0o200 })
  const [before] = spoolFiles(own)
  chmodSync(path, 0o600)
  const [after] = spoolFiles(own)
  expect(after!.stamp).not.toBe(before!.stamp)
})

test('the session built at night returns what was served while it ran', async () => {
  const minutes = MINUTES.slice(1)
  const served = await Promise.all(
    minutes.map(asof => api.call(`/orders/api/day?day=${DATE}&asof=${asof}`)),
  )
  await buildDay({ dataFolder, date: DATE, progress: silent })
  for (const [index, asof] of minutes.entries()) {
    const built = await api.call(`/orders/api/day?day=${DATE}&asof=${asof}`)
    expect([asof, built.headers.get('etag')]).toEqual([asof, served[index]!.headers.get('etag')])
  }
  const finished = await latest()
  expect(finished.json.tape).toBeDefined()
})
