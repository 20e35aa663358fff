import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cutArrivals, simulateSession } from '../../../../pipelines/measure/bench/arrivals.ts'
import { openDatabase } from '../../../../src/core/engine/database.ts'
import { filePaths } from '../../../../src/core/engine/paths.ts'
import { instantMs } from '../../../../src/core/market/calendar.ts'
import { listWork } from '../../../support/chaos.ts'
import { newFolder } from '../../../support/import.ts'

const DATE = '2026-10-15'
const at = (minute: string) => instantMs(DATE, minute)

test('a tiny bench of a running session prints every figure and leaves nothing behind', () => {
  const folder = newFolder()
  const small = ['--prints', '600', '--contracts', '200', '--minutes', '1', '--data', folder]
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['pipelines/measure/bench/live.ts', 'day', ...small],
    { encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([0, ''])
  const second = '\\d+\\.\\d\\d s'
  for (const line of [
    `a minute after the feed began: published after p50 ${second}, p99 ${second}`,
    `a minute at the start of the day: published after p50 ${second}, p99 ${second}`,
    `a minute after catching up: published after p50 ${second}, p99 ${second}`,
    `a minute at the end of the day: published after p50 ${second}, p99 ${second}`,
    'end of the day over its start: \\d+\\.\\d\\d x',
    `6 hours caught up with at once: ${second}`,
    'peak memory of the feed: \\d+ MiB',
  ]) {
    expect(stdout).toMatch(new RegExp(`^${line}`, 'm'))
  }
  expect(listWork(folder)).toEqual([])
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
