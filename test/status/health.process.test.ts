import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { instantMs } from '../../src/core/market/calendar.ts'
import { accountFilePath } from '../../src/server/accountStore.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS, writeManifest } from '../support/published.ts'

let api: TestApi

beforeEach(async () => {
  api = await startTestApi()
})
afterEach(() => api.close())

const publish = (day: string) => publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS, { day }))
const health = () => api.call('/health', { key: null })
const ready = () => api.call('/health/ready', { key: null })

test('the newest finished session is there: green, with its age', async () => {
  await publish('2026-10-14')
  const { status, json } = await health()
  expect(status).toBe(200)
  const { days, ...reported } = json
  expect(days[0]).toMatchObject({ day: '2026-10-14', state: 'published', grade: 'good' })
  expect(days).toHaveLength(64)
  expect(reported).toEqual({
    status: 'green',
    severity: 'green',
    newest_session: '2026-10-14',
    asof: '16:15:00',
    simulated: false,
    tape_grade: 'good',
    expected_session: '2026-10-14',
    data_age_s: 13_500,
    now_et: '2026-10-14 20:00:00',
    last_minute: '16:14',
    lag_s: null,
    gaps: [],
    datasets: [],
    alerts: {
      day: null,
      minute: null,
      lag_s: null,
      waiting: 0,
      trying: 0,
      oldest_due_s: null,
      sent_last_hour: 0,
      failed_last_hour: 0,
    },
    problems: [],
    warnings: [],
  })
})

test.each([
  ['2026-10-14', '19:14', 'green'], // a minute before the grace of three hours ends
  ['2026-10-14', '19:15', 'red'],
  ['2026-10-15', '09:00', 'red'],
  ['2026-11-27', '16:14', 'red'], // a half day closes at 13:15, Thanksgiving before it is closed
])('with data up to 2026-10-13, at %s %s ET the data are %s, and no server is', async (...at) => {
  const [day, minute, status] = at
  await publish('2026-10-13')
  api.clock.atMs = instantMs(day, minute)
  const { json } = await api.call('/status.json', { key: null })
  expect(json.status).toBe(status)
  const { status: code, json: reported } = await health()
  expect([code, reported.status, reported.problems]).toEqual([200, 'green', []])
  expect(reported.warnings).toEqual([...json.problems, ...json.warnings])
  expect((await ready()).status).toBe(200)
})

test('a new server without sessions is live and ready, each in less than 2 KB', async () => {
  for (const [path, body] of [
    ['/health/live', { status: 'live' }],
    ['/health/ready', { status: 'ready', problems: [] }],
  ] as const) {
    const answer = await api.call(path, { key: null })
    expect([answer.status, answer.json]).toEqual([200, body])
    expect(answer.body.byteLength).toBeLessThan(2_048)
  }
})

test('250 probes of one address are all served, while its other calls have a limit', async () => {
  const limited = await startTestApi({ pageLimit: { atOnce: 1, perSecond: 1 } })
  const statuses = new Set<number>()
  for (let probe = 0; probe < 250; probe++)
    statuses.add((await limited.call('/health/ready', { key: null })).status)
  expect([...statuses]).toEqual([200])
  await limited.call('/status.json', { key: null })
  expect((await limited.call('/status.json', { key: null })).status).toBe(429)
  await limited.close()
})

test('over a weekend nothing new is expected', async () => {
  await publish('2026-10-16')
  api.clock.atMs = instantMs('2026-10-18', '23:00')
  expect((await health()).status).toBe(200)
})

test('nothing published is a warning', async () => {
  const { status, json } = await health()
  expect(status).toBe(200)
  expect(json).toMatchObject({ newest_session: null, warnings: ['no session is published'] })
})

test('a damaged file turns it red once it was requested; only the log names it', async () => {
  await publish('2026-10-14')
  rmSync(join(api.dataFolder, 'published/ledger'), { recursive: true })
  await api.call('/orders/api/latest')
  const { status, json } = await health()
  expect(status).toBe(503)
  const reported =
    "a file of 2026-10-14 is damaged and has to be repaired; the server's log names it"
  expect(json.problems).toEqual([reported])
  const line = api.logged.find(({ message }) => message === 'damaged file')!
  expect(line.fields.reason).toContain('session=2026-10-14/r1.json')
  for (const path of ['/health', '/status.json', '/status']) {
    const text = (await api.call(path, { key: null })).body.toString()
    expect(text, path).toContain('a file of 2026-10-14 is damaged')
    expect(text, path).not.toMatch(/session=|r1\.json|ENOENT|[0-9a-f]{16}/)
  }
})

test('a bad tape of the newest session is red, with the reasons; an older one is not', async () => {
  const tape = { grade: 'bad', reasons: ['longest_gap_minutes is 31, bad from 30: …'] } as const
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS, { day: '2026-10-14', tape }))
  const { status, json } = await health()
  expect(status).toBe(503)
  expect(json).toMatchObject({
    tape_grade: 'bad',
    problems: ['the tape of 2026-10-14 is bad: longest_gap_minutes is 31, bad from 30: …'],
  })
  await publish('2026-10-15')
  expect((await health()).json).toMatchObject({ tape_grade: 'good', problems: [] })
})

test('a doubtful tape stays green; a manifest that does not know its grade says null', async () => {
  const tape = { grade: 'doubtful', reasons: ['curve_missing is 1, …'] } as const
  await publishLedger(api.dataFolder, ledgerInput(VARIED_ORDERS, { day: '2026-10-14', tape }))
  expect((await health()).json).toMatchObject({ status: 'green', tape_grade: 'doubtful' })
  const path = join(api.dataFolder, 'published/manifests/2026-10-14.json')
  const { tape_grade: _, ...old } = JSON.parse(readFileSync(path, 'utf8'))
  writeManifest(api.dataFolder, '2026-10-15', { ...old, session_date: '2026-10-15' })
  expect((await health()).json).toMatchObject({ status: 'green', tape_grade: null })
})

test('an account store that does not respond is red', async () => {
  await publish('2026-10-14')
  const database = new DatabaseSync(accountFilePath(api.dataFolder))
  database.exec('alter table accounts rename to away')
  const problems = ['the account store does not answer']
  expect((await health()).json.problems).toEqual(problems)
  const { status, headers, json } = await ready()
  expect([status, headers.get('retry-after')]).toEqual([503, '60'])
  expect(json).toEqual({ status: 'not_ready', problems })
  // a process that is started again would not help
  expect((await api.call('/health/live', { key: null })).status).toBe(200)
  database.exec('alter table away rename to accounts')
  database.close()
  expect((await health()).status).toBe(200)
})

test('warnings, and late data of an open session, are amber and still return 200', async () => {
  await publish('2026-10-12')
  await publish('2026-10-14')
  const warned = await health()
  expect(warned.status).toBe(200)
  expect(warned.json).toMatchObject({
    status: 'green',
    severity: 'amber',
    problems: [],
    warnings: [
      'not published: 2026-10-13',
      expect.stringMatching(/^dealers' positions .* over 0 sessions alone: 2026-10-13 of SPX /),
    ],
  })
  const live = ledgerInput(VARIED_ORDERS, { day: '2026-10-15', asof: '10:36:12' })
  await publishLedger(api.dataFolder, live)
  api.clock.atMs = instantMs('2026-10-15', '10:38')
  expect((await health()).json).toMatchObject({ status: 'green', lag_s: 108, tape_grade: null })
  api.clock.atMs = instantMs('2026-10-15', '10:42')
  const late = await health()
  expect(late.status).toBe(200)
  expect(late.json).toMatchObject({ severity: 'amber', lag_s: 348, last_minute: '10:36' })
})

test('a replay is judged by its own clock, wherever that is reported', async () => {
  await publish('2026-10-14')
  const clock = { atMs: instantMs('2026-10-14', '20:00') }
  const replay = await startTestApi({
    dataFolder: api.dataFolder,
    metricsPort: 0,
    alarmEveryMs: 20,
    clock: { nowMs: () => clock.atMs, isReplay: true },
  })
  const line = replay.logged.find(({ message }) => message === 'metrics')
  try {
    for (const [day, minute] of [
      ['2026-10-14', '20:00'],
      ['2026-10-15', '12:00'],
      ['2026-10-15', '20:00'],
      ['2026-11-26', '12:00'],
    ] as const) {
      clock.atMs = instantMs(day, minute)
      const text = async (path: string) => await (await fetch(replay.url + path)).text()
      expect(JSON.parse(await text('/health'))).toMatchObject({
        status: 'green',
        severity: 'green',
        problems: [],
        warnings: [],
        newest_session: '2026-10-14',
        now_et: `${day} ${minute}:00`,
        data_age_s: (clock.atMs - instantMs('2026-10-14', '16:15')) / 1000,
      })
      expect(JSON.parse(await text('/status.json')).status).toBe('green')
      expect(await text('/status')).toContain('<h1>Status <span class="green">green</span></h1>')
      expect(await text('/')).toContain(
        '<span class="green">green</span> The data are as expected.',
      )
      const metrics = await (await fetch(String(line!.fields.url))).text()
      expect(metrics).toMatch(/^tapefold_up 1$/m)
      expect(metrics).toMatch(/^tapefold_problems 0$/m)
    }
    // the alarm of the log looks many times a second
    expect(replay.logged.filter(({ message }) => message === 'data alarm')).toEqual([])
  } finally {
    await replay.close()
  }
})
