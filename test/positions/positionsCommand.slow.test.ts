import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { perform } from '../../src/cli/perform.ts'
import { openDatabase } from '../../src/core/engine/database.ts'
import { readManifest } from '../../src/data/published/manifest.ts'
import { simulateSessions, type TestHistory } from '../support/history.ts'

const UNTIL = '2026-10-15'
const SESSIONS = 60

let informative: TestHistory
let uninformative: TestHistory

beforeAll(async () => {
  informative = await simulateSessions(UNTIL, SESSIONS)
  uninformative = await simulateSessions(UNTIL, SESSIONS, 'none')
})
afterAll(() => {
  informative.remove()
  uninformative.remove()
})

/** A file with a strangle 40 points from the index of the newest session's 10:30. */
async function writePosition({ dataFolder }: TestHistory): Promise<string> {
  const { file } = readManifest(dataFolder, UNTIL)!.datasets.market_minutes!
  const db = await openDatabase()
  const [row] = await db.rows("select spot from read_parquet($file) where minute_et = '10:30'", {
    file: join(dataFolder, 'published', file),
  })
  db.close()
  const near = 5 * Math.round(Number(row!.spot) / 5)
  const path = join(dataFolder, 'position.json')
  const legs = { sp: near - 40, sc: near + 40 }
  writeFileSync(path, JSON.stringify({ kind: 'strangle', legs, entry: '10:30' }))
  return path
}

async function listEntries(history: TestHistory, format = 'json'): Promise<Buffer> {
  const file = await writePosition(history)
  const out = join(history.dataFolder, `log.${format}`)
  const replay = ['--replay', String(SESSIONS), '--format', format]
  await perform([
    'positions',
    'entries',
    file,
    ...replay,
    '--out',
    out,
    '--data',
    history.dataFolder,
  ])
  return readFileSync(out)
}

test('labels that warn of far moves are graded so; labels that tell nothing, so', async () => {
  const reported = JSON.parse((await listEntries(informative)).toString()).summary
  expect(reported.base.entries).toBe(SESSIONS)
  expect(reported.difference.low).toBeGreaterThan(0)
  expect(reported.sentence).toMatch(/TRADE held more often than luck explains\.$/)
  const luck = JSON.parse((await listEntries(uninformative)).toString()).summary
  expect(luck.base.entries).toBe(SESSIONS)
  expect(luck.difference.low).toBeLessThan(0)
  expect(luck.difference.high).toBeGreaterThan(0)
  expect(luck.sentence).toContain('covers zero')
})

test('an entry log is the same rows as JSON, CSV, Parquet and Arrow', async () => {
  const { entries } = JSON.parse((await listEntries(informative)).toString())
  const arrow = tableFromIPC(await listEntries(informative, 'arrow')).toArray()
  const csv = (await listEntries(informative, 'csv')).toString().trimEnd().split('\r\n')
  await listEntries(informative, 'parquet')
  const db = await openDatabase()
  const parquet = await db.rows('from read_parquet($file)', {
    file: join(informative.dataFolder, 'log.parquet'),
  })
  db.close()
  expect([arrow.length, csv.length - 1, parquet.length]).toEqual([SESSIONS, SESSIONS, SESSIONS])
  for (const [index, entry] of entries.entries()) {
    const gap = entry.conditions.find((one: { id: string }) => one.id === 'gap')
    const wanted = {
      day: entry.day,
      label: entry.label,
      on: entry.counts.on,
      gap: gap.value,
      gap_state: gap.state,
      held: entry.outcome.held,
      worst_points: entry.outcome.worst_points,
      error: null,
    }
    expect(arrow[index]!.toJSON()).toMatchObject(wanted)
    expect(parquet[index]).toMatchObject(wanted)
    expect(csv[index + 1]).toContain(`${entry.day},10:30,${entry.label},`)
  }
})

test.each([
  [['check'], 'positions takes either a file or --account.'],
  [['check', 'missing.json'], 'missing.json cannot be read (ENOENT).'],
  [['check', 'POSITION', '--t', '16:00'], 't is 16:00; a session can be checked from'],
  [['check', 'POSITION', '--id', 'p_9'], 'there is no position p_9 in'],
])('%j is refused in one sentence', async (args, sentence) => {
  const file = await writePosition(informative)
  const { dataFolder } = informative
  const given = args.map(arg => (arg === 'POSITION' ? file : arg))
  await expect(perform(['positions', ...given, '--data', dataFolder])).rejects.toThrow(sentence)
})
