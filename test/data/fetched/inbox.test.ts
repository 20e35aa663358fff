// The age of the inbox: what was fetched and imported long ago goes, its records stay.

import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { INBOX_AGE_MS } from '../../../src/data/fetched/inbox.ts'
import { readResponse, writeResponse } from '../../../src/data/fetched/responses.ts'
import { collect } from '../../../src/data/published/collect.ts'
import { inboxText } from '../../../src/status/statusCommand.ts'
import { newFolder } from '../../support/import.ts'

const NOW_MS = Date.parse('2026-11-28T12:00:00Z')
const DAY_MS = 24 * 3_600_000
const key = (file: string) => ({ source: 'thetadata', day: '2026-10-15', file })

let dataFolder: string
beforeEach(() => {
  dataFolder = newFolder()
})
afterEach(() => rmSync(dataFolder, { recursive: true }))

function write(file: string, days: number, bytes = 10): string {
  const path = join(dataFolder, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'x'.repeat(bytes))
  const atS = (NOW_MS - days * DAY_MS) / 1000
  utimesSync(path, atS, atS)
  return path
}

function writeFetched(file: string, days: number, imported_at: string | null): string {
  writeResponse(dataFolder, {
    ...key(file),
    format: 1,
    request: 'GET /v3/option/history/quote',
    fetched_at: new Date(NOW_MS - days * DAY_MS).toISOString(),
    bytes: 10,
    sha256: file,
    version: null,
    rows: 1,
    imported_at,
    restated_as: null,
  })
  return write(`inbox/thetadata/2026-10-15/${file}`, days)
}

test('of five files the two older than 30 days that were imported or refused go, and none is requested again', async () => {
  const old = writeFetched('old.csv', 31, '2026-10-28T12:00:00Z')
  const young = writeFetched('young.csv', 29, '2026-10-30T12:00:00Z')
  const waiting = writeFetched('waiting.csv', 31, null)
  const refused = [write('inbox/refused/a.csv', 31, 1500), write('inbox/refused/a.csv.json', 31)]
  const fresh = write('inbox/refused/b.csv', 1)
  expect(inboxText(dataFolder)).toBe(
    'inbox/refused: 3 files, 1.5 KB, the oldest of 2026-10-28\n' +
      'inbox/thetadata: 3 files, 30 bytes, the oldest of 2026-10-28\n',
  )
  const options = { dataFolder, nowMs: NOW_MS, graceMs: DAY_MS }
  expect((await collect(options)).inbox).toEqual([])
  const due = ['refused/a.csv', 'refused/a.csv.json', 'thetadata/2026-10-15/old.csv']
  for (const isDryRun of [true, false]) {
    const { inbox } = await collect({ ...options, inboxAgeMs: INBOX_AGE_MS, isDryRun })
    expect(inbox.map(({ file }) => file).sort()).toEqual(due.map(file => `inbox/${file}`))
    expect([old, ...refused].map(path => existsSync(path))).toEqual(Array(3).fill(isDryRun))
  }
  expect([young, waiting, fresh].map(path => existsSync(path))).toEqual([true, true, true])
  expect(readResponse(dataFolder, key('old.csv'))?.collected_at).toBe('2026-11-28T12:00:00.000Z')
})
