import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { instantMs } from '../../src/core/market/calendar.ts'
import { judgeStatus } from '../../src/status/judge.ts'
import { freshnessText, statusText } from '../../src/status/statusCommand.ts'
import { findCatalog } from '../support/catalog.ts'
import { newFolder } from '../support/import.ts'
import { ledgerInput, publishLedger, VARIED_ORDERS } from '../support/published.ts'

test('it says what is wrong, how old each dataset is, and what there is of 90 days', () => {
  const sessions = {
    '2026-10-12': { grade: 'doubtful' },
    '2026-10-13': {},
    '2026-10-15': {
      asof: '10:36:12',
      tape_newest: { prints: '2026-10-15T14:36:12Z', quotes: '2026-10-15T14:34:00Z' },
    },
  } as const
  const nowMs = () => instantMs('2026-10-15', '10:37')
  const status = judgeStatus({
    catalog: findCatalog(sessions, { problems: ['a file is damaged'] }),
    nowMs,
    publishGraceMs: 60_000,
    isLive: false,
  })
  expect(freshnessText(status)).toBe(`2026-10-15 10:37:00 ET: red
  problem: a file is damaged
  warning: the quotes of 2026-10-15 are 180 s old while its session is open
  warning: dealers' positions are carried over 0 sessions alone: 2026-10-14 of SPX is not published; \
run backfill 2026-10-14 2026-10-15, or import positions of 2026-10-15
2026-10-15 is known up to 10:36:12, 48 s ago
  dataset        rows  newest, UTC           lag
  open_interest     5  no time of day
  prints          720  2026-10-15T14:36:12Z  48 s
  quotes            9  2026-10-15T14:34:00Z  180 s
64 weekdays in the last 90 days: 1 open, 1 missing, 1 published with a good tape, \
1 published with a doubtful tape, 59 before first data, 1 holiday
`)
})

test('the command writes the table and the state, or all of it as JSON', async () => {
  const data = newFolder()
  await publishLedger(data, ledgerInput(VARIED_ORDERS, { day: '2026-10-14' }))
  expect(statusText(data)).toMatch(/^session .* minutes {2}last {3}tape {2}gaps\n2026-10-14 /)
  const live = join(data, 'live/manifests')
  mkdirSync(live, { recursive: true })
  const published = readFileSync(join(data, 'published/manifests/2026-10-14.json'), 'utf8')
  const manifest = { ...JSON.parse(published), session_date: '2026-10-15', asof: '10:40:00' }
  const facts = { minute: '10:40', known_before_ms: instantMs('2026-10-15', '10:40'), files: {} }
  writeFileSync(join(live, '2026-10-15.json'), JSON.stringify({ ...manifest, live: facts }))
  writeFileSync(join(live, '2026-10-16.json'), '{')
  mkdirSync(join(data, 'tape/manifests'), { recursive: true })
  for (const day of ['15', '16'])
    writeFileSync(join(data, `tape/manifests/2026-10-${day}.json`), '')
  expect(statusText(data)).toMatch(/^2026-10-15 {2}minute by minute +SPX {5}10:40:00 /m)
  expect(statusText(data)).toContain('live/manifests/2026-10-16.json is damaged: it is not JSON')
  const run = promisify(execFile)
  const status = async (...args: string[]) => {
    const command = ['src/cli/cli.ts', 'status', '--data', data, ...args]
    return (await run(process.execPath, command)).stdout
  }
  const [text, json] = await Promise.all([status(), status('--json')])
  expect(text).toMatch(/^2026-10-14 .* 405\/405 {2}16:14 {2}good/m)
  expect(text).toMatch(/^\d{4}-[\d: -]+ ET: red$/m)
  expect(text).toContain('2026-10-15 is known up to 10:39:59\n')
  expect(JSON.parse(json)).toMatchObject({
    status: 'red',
    newest: { day: '2026-10-15', state: 'missing', asof: '10:39:59', grade: null },
  })
})
