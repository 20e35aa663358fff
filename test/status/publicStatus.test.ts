import { expect, test } from 'vitest'
import { instantMs } from '../../src/core/market/calendar.ts'
import { judgeStatus } from '../../src/status/judge.ts'
import { publicStatus } from '../../src/status/publicStatus.ts'
import { findCatalog } from '../support/catalog.ts'

const OF_DAY = "a file of 2026-10-14 is damaged and has to be repaired; the server's log names it"
const OF_NO_DAY = "a file cannot be read; the server's log names it"
const HASH = '71c073bd1dbb974a71c073bd1dbb974a71c073bd1dbb974a71c073bd1dbb974a'

const reported = (problems: readonly string[]): readonly string[] => {
  const catalog = findCatalog({ '2026-10-14': { asof: '16:15:00' } }, { problems: [...problems] })
  const nowMs = () => instantMs('2026-10-14', '20:00')
  const status = judgeStatus({ catalog, nowMs, publishGraceMs: 0, isLive: false })
  expect(status.problems).toEqual(problems)
  return publicStatus(status).problems
}

test.each([
  ['manifests/2026-10-14.json: it is not JSON', OF_DAY],
  [`ledger/session=2026-10-14/r1.json: its sha256 is ${HASH} in 12 bytes, not ${HASH}`, OF_DAY],
  ['legs/session=2026-10-14/part.parquet cannot be read (EIO)', OF_DAY],
  ["EMFILE: too many open files, open '/srv/data/published/manifests'", OF_NO_DAY],
  [`the revision ${HASH} is another`, OF_NO_DAY],
  // a text that names no file is reported as it is
  ['no session is published', null],
  ['the tape of 2026-10-14 is bad: longest_gap_minutes is 31, bad from 30: …', null],
  ['the session of 2026-10-14 is open, and its data end at 10:36:00: 360 s ago', null],
  ['the minutes of 2026-10-14: the audit prints_are_conserved returned 3 rows', null],
])('%s is reported as %s', (problem, text) => {
  expect(reported([problem])).toEqual([text ?? problem])
})

test('a day with several damaged files is reported once', () => {
  const files = ['json', 'csv', 'parquet'].map(form => `ledger/session=2026-10-14/r1.${form}: gone`)
  expect(reported(files)).toEqual([OF_DAY])
})
