import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cutArrivals, simulateSession } from '../../../../pipelines/measure/bench/arrivals.ts'
import { measureDay } from '../../../../pipelines/measure/bench/live.ts'
import { openDatabase } from '../../../../src/core/engine/database.ts'
import { filePaths } from '../../../../src/core/engine/paths.ts'
import { instantMs } from '../../../../src/core/market/calendar.ts'
import { newFolder } from '../../../support/import.ts'

const DATE = '2026-10-15'
const at = (minute: string) => instantMs(DATE, minute)

test('a running session has its minutes measured at both ends of the day', async () => {
  const folder = newFolder()
  const rows = await measureDay({ folder, prints: 600, contracts: 200, say: () => {} }, 1)
  expect(Object.entries(rows).map(([name, { minutes }]) => [name, minutes])).toEqual([
    ['a minute after the feed began', 4],
    ['a minute at the start of the day', 1],
    ['a minute after catching up', 4],
    ['a minute at its end', 1],
    ['6 hours caught up with at once', undefined],
    ['the whole feed', undefined],
  ])
  for (const row of Object.values(rows)) {
    for (const [name, value] of Object.entries(row)) expect(value, name).toBeGreaterThan(0)
  }
})

test('a burst presses ten minutes of prints into one and loses none', async () => {
  const folder = newFolder()
  const session = { folder, date: DATE, prints: 4_000, contracts: 200, seed: 3 }
  const simulated = await simulateSession(session)
  const minutes = ['11:00', '11:01', '11:10', '16:15', '20:00']
  const parts = { simulated, date: DATE, folder: join(folder, 'parts') }
  const burst = { fromMs: at('11:00'), spanMs: 600_000, factor: 10 }
  const arrivals = await cutArrivals(parts, minutes, burst)
  expect(arrivals.map(({ untilMs }) => untilMs)).toEqual(minutes.map(at))
  const db = await openDatabase()
  const findCount = async (files: readonly string[], condition: string) => {
    const [row] = await db.rows(
      `select count(*) as row_count from read_parquet($files::varchar[]) where ${condition}`,
      { files: filePaths(files.filter(file => file.includes('prints'))) },
    )
    return Number(row!.row_count)
  }
  const whole = [join(simulated, 'prints.parquet')]
  const all = arrivals.flatMap(({ files }) => files)
  expect(await findCount(all, 'true')).toBe(await findCount(whole, 'true'))
  const span = (from: string, until: string) =>
    `epoch_ms(known_at) >= ${at(from)} and epoch_ms(known_at) < ${at(until)}`
  const pressed = await findCount(arrivals[1]!.files, 'true')
  expect(pressed).toBe(await findCount(whole, span('11:00', '11:10')))
  expect(pressed).toBeGreaterThan(0)
  expect(await findCount(all, span('11:01', '11:10'))).toBe(0)
  db.close()
})
