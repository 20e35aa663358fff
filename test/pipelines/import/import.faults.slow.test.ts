// State of the tape when an import fails, or is killed, at any of its calls to the disk, and
// after the next. A seeded sample; all calls with CHAOS=all (npm run chaos).

import fs, { globSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { runImport } from '../../../pipelines/import/import.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { collect } from '../../../src/data/published/collect.ts'
import { announceStep } from '../../../src/data/published/lateData.ts'
import { bury, counted, findCopy, findSample, findState, listWork } from '../../support/chaos.ts'
import { type Fault, installFaults } from '../../support/faultyDisk.ts'
import { findManifest, newFile, newFolder, tapeRows } from '../../support/import.ts'
import { DATE, simulateLive, writePart } from '../../support/liveTape.ts'
import { expectReadable } from '../../support/readable.ts'

const at = (minute: string) => instantMs(DATE, minute)
const [template, parts] = [newFolder(), newFolder()]
const [first, next] = [join(parts, 'first.parquet'), join(parts, 'next.parquet')]
let expected: Record<string, string>
let callCount = 0

beforeAll(async () => {
  const simulated = await simulateLive({ hasQuotes: false })
  await writePart(simulated, { from: 0, until: at('09:40'), to: first })
  await writePart(simulated, { from: at('09:40'), until: at('17:00'), to: next })
  await take(template, [first])
  const folder = findCopy(template)
  const disk = installFaults(folder)
  await take(folder).finally(disk.restore)
  expected = findState(folder)
  callCount = disk.calls()
})

const take = (dataFolder: string, files = [next]) =>
  runImport({ dataFolder, format: 'prints', files, simulated: true })

async function takeWith(folder: string, fault: Fault): Promise<unknown> {
  const disk = installFaults(folder, fault)
  try {
    await take(folder)
    return null
  } catch (error) {
    return error
  } finally {
    disk.restore()
  }
}

const batchCount = (folder: string) => findManifest(folder, DATE).batches.length

test.each(['EIO', 'ENOSPC'] as const)(
  'an import that meets %s reports it, leaves nothing unnamed, and can be repeated',
  async kind => {
    for (const call of findSample(callCount, kind === 'EIO' ? 1 : 2, 5)) {
      await counted('errors at a call', async () => {
        const folder = findCopy(template)
        expect(await takeWith(folder, { at: call, kind }), `${call}`).toMatchObject({ code: kind })
        await expectReadable(folder, DATE)
        expect([...listWork(folder), ...globSync('**/*.tmp', { cwd: folder })]).toEqual([])
        await take(folder)
        expect(findState(folder), `call ${call}`).toEqual(expected)
      })
    }
  },
)

test('one that stops at a call, without cleaning up, is taken up by the next', async () => {
  const counts = new Set<number>()
  for (const call of findSample(callCount, 3, 10)) {
    await counted('kills at a call', async () => {
      const folder = findCopy(template)
      await takeWith(folder, { at: call, kind: 'stop' })
      bury(folder)
      await expectReadable(folder, DATE)
      counts.add(batchCount(folder))
      await take(folder)
      expect(findState(folder), `call ${call}`).toEqual(expected)
    })
  }
  expect([...counts]).toEqual([1, 2])
})

test('what a killed import placed and other bytes replaced is collected', async () => {
  const folder = findCopy(template)
  const stray = 'tape/prints/session=2026-10-15/000000000000.parquet'
  fs.copyFileSync(first, join(folder, stray))
  await take(folder)
  const nowMs = fs.statSync(join(folder, 'tape/manifests', `${DATE}.json`)).mtimeMs + 1
  const { files } = await collect({ dataFolder: folder, nowMs, graceMs: 0 })
  expect(files.map(({ file }) => file)).toEqual([stray])
  expect(findState(folder)).toEqual(expected)
})

/** Runs an import; when its rows are placed and not yet named, another process begins 10:30. */
async function beginMeanwhile(folder: string, dataset: string, work: () => Promise<unknown>) {
  const { renameSync } = fs
  fs.renameSync = (from, to) => {
    renameSync(from, to)
    if (String(to).includes(`/tape/${dataset}/`)) announceStep(folder, DATE, at('10:30'))
  }
  syncBuiltinESMExports()
  try {
    await work()
  } finally {
    fs.renameSync = renameSync
    syncBuiltinESMExports()
  }
}

test('rows that come while a minute is built are late data of the next one', async () => {
  const folder = findCopy(template)
  await beginMeanwhile(folder, 'prints', () => take(folder))
  const counts = (data: string) =>
    tapeRows(
      data,
      DATE,
      `select count(*) as rows, count(*) filter (known_at < '2026-10-15 14:30:00') as before
       from tape.prints`,
    )
  const [before] = await counts(template)
  const [after] = await counts(folder)
  expect(after).toEqual({ rows: expect.any(Number), before: before!.before })
  expect(Number(after!.rows)).toBeGreaterThan(Number(before!.rows) + 100)
  const [, batch] = findManifest(folder, DATE).batches
  const [whole] = await tapeRows(folder, DATE, 'select count(*) as rows from tape.prints')
  expect(Number(whole!.rows)).toBe(Number(before!.rows) + batch!.rows)
  // the batch as it was placed first is gone
  expect(globSync('tape/prints/*/*', { cwd: folder })).toHaveLength(2)
})

test.each([
  ['spots', 'session_date,spotted_at,spot', '2026-10-15,2026-10-15 14:00:00,6000', '14:30'],
  ['rates', 'session_date,tenor_days,rate', '2026-10-13,30,0.04', '14:30'],
  // too old a curve for the session
  ['rates', 'session_date,tenor_days,rate', '2026-10-04,30,0.04', null],
])('and so are %s', async (dataset, header, row, known) => {
  const folder = findCopy(template)
  const file = newFile('rows.csv', `${header}\n${row}\n`)
  await beginMeanwhile(folder, dataset, () =>
    runImport({ dataFolder: folder, format: dataset, files: [file], simulated: true }),
  )
  const db = await openDatabase()
  const rows = await db.rows(
    "select strftime(known_at, '%H:%M') as known from read_parquet($files)",
    { files: join(folder, 'tape', dataset, '**/*.parquet') },
  )
  db.close()
  expect(rows).toEqual([{ known }])
})
