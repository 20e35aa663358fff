import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freshnessText, statusText } from '../../pipelines/status.ts'
import { instantMs } from '../../src/market/calendar.ts'
import { judgeStatus } from '../../src/store/status.ts'
import { catalogOf } from '../support/catalog.ts'
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
    catalog: catalogOf(sessions, { problems: ['a file is damaged'] }),
    ...{ nowMs, publishGraceMs: 60_000, isLive: false },
  })
  expect(freshnessText(status)).toBe(`2026-10-15 10:37:00 ET: red
  problem: a file is damaged
  warning: the quotes of 2026-10-15 are 180 s old while its session is open
2026-10-15 is known up to 10:36:12, 48 s ago
  dataset        rows  newest, UTC           lag
  open_interest     5
  prints          720  2026-10-15T14:36:12Z  48 s
  quotes            9  2026-10-15T14:34:00Z  180 s
last 90 days: 1 open, 1 missing, 1 good, 1 doubtful, 59 not kept, 1 holiday
`)
})

test('the command writes the table and the state, or all of it as JSON', async () => {
  const data = newFolder()
  await publishLedger(data, ledgerInput(VARIED_ORDERS, { day: '2026-10-14' }))
  expect(statusText(data)).toMatch(/^session .* minutes {2}last {3}tape {2}gaps\n2026-10-14 /)
  const run = promisify(execFile)
  const status = async (...args: string[]) => {
    const command = ['src/cli.ts', 'status', '--data', data, ...args]
    return (await run(process.execPath, command)).stdout
  }
  const [text, json] = await Promise.all([status(), status('--json')])
  expect(text).toMatch(/^2026-10-14 .* 405\/405 {2}16:14 {2}good/m)
  expect(text).toMatch(/^\d{4}-[\d: -]+ ET: red$/m)
  expect(text).toContain('2026-10-14 is known up to 16:15:00\n')
  expect(JSON.parse(json)).toMatchObject({
    status: 'red',
    newest: { day: '2026-10-14', last_minute: '16:14', grade: 'good' },
  })
}, 60_000)
