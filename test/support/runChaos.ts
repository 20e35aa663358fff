// `npm run chaos`: every kill and fault that the tests know, not a sample, and how many there were.
// Names of test files as arguments run those alone.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FILES = [
  'test/data/published/addDatasets.faults.slow.test.ts',
  'test/data/published/publish.faults.slow.test.ts',
  'test/data/published/liveManifest.faults.slow.test.ts',
  'test/data/published/standStill.slow.test.ts',
  'test/pipelines/import/import.faults.slow.test.ts',
  'test/pipelines/fetch/kills.slow.test.ts',
  'test/pipelines/fetch/large.slow.test.ts',
  'test/pipelines/live/live.faults.slow.test.ts',
  'test/pipelines/live/kills.slow.test.ts',
  'test/pipelines/live/live.readers.slow.test.ts',
  'test/pipelines/live/twoFeeds.slow.test.ts',
  'test/pipelines/upkeep/backfill.workers.slow.test.ts',
  'test/pipelines/upkeep/sharedTasks.slow.test.ts',
  'test/pipelines/upkeep/storeTasks.slow.test.ts',
  'test/pipelines/upkeep/slurm.slow.test.ts',
  'test/platform/store/race.slow.test.ts',
  'test/outbox/sending/manyKills.slow.test.ts',
  'test/lab/runs/manyKills.slow.test.ts',
  'test/pipelines/watch/manyKills.slow.test.ts',
]

const folder = mkdtempSync(join(tmpdir(), 'tapefold-chaos-'))
const tally = join(folder, 'tally')
writeFileSync(tally, '')
const given = process.argv.slice(2)
const files = given.length > 0 ? given : FILES
const patience = ['--testTimeout', '7200000', '--hookTimeout', '600000']
const { status } = spawnSync('vitest', ['run', ...files, ...patience], {
  stdio: 'inherit',
  env: { ...process.env, TZ: 'UTC', CHAOS: 'all', CHAOS_TALLY: tally },
})
const lines = readFileSync(tally, 'utf8').trim().split('\n').filter(Boolean)
const reported: { what: string; harm: string; count: number }[] = lines.map(line =>
  JSON.parse(line),
)
rmSync(folder, { recursive: true })

const sum = (what: string, harm: string) =>
  reported
    .filter(one => one.what === what && one.harm === harm)
    .reduce((total, { count }) => total + count, 0)
const harms = [...new Set(reported.map(({ harm }) => harm))].sort()
const counts = harms.map(harm => {
  const [attempted, right] = [sum('tried', harm), sum('right', harm)]
  return `${attempted} of ${harm}, ${attempted - right} wrong`
})
process.stdout.write(`chaos: ${counts.join('; ')}\n`)
process.exitCode = status ?? 1
