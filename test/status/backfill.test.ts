import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openBackfillProgress } from '../../pipelines/upkeep/backfillProgress.ts'
import { parseTaskId, type StageTask } from '../../pipelines/upkeep/tasks.ts'
import { readBackfillState } from '../../src/data/backfillState.ts'
import { backfillText, judgeBackfill } from '../../src/status/backfill.ts'

const folder = mkdtempSync(join(tmpdir(), 'tapefold-progress-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const START = Date.parse('2026-10-15T12:00:00Z')
const RANGE = { from: '2026-10-13', to: '2026-10-14' }

function makeTask(id: string, cpu_seconds: number): StageTask {
  const { stage, from, to } = parseTaskId(id)!
  return { id, stage, from, to, needs: [], memory_gb: 3.5, cpu_seconds, inputs: 'abc' }
}

const judge = (atMs: number) => judgeBackfill(readBackfillState(folder), atMs)

test('a backfill is counted while it runs, and a day longer', () => {
  let nowMs = START
  const progress = openBackfillProgress(folder, RANGE, { nowMs: () => nowMs })
  const fold = makeTask('fold-2026-10-13', 10)
  const [one, two] = [makeTask('build-2026-10-13', 45), makeTask('build-2026-10-14', 45)]
  progress.begin([fold, one, two])
  progress.setRunning(2)
  nowMs += 60_000
  // a tenth of the work took a minute
  expect(progress.end(fold, { outcome: 'done', reason: null, tookMs: 1 })).toBe(540_000)
  expect(backfillText(judge(nowMs)!)).toBe(
    'backfill 2026-10-13 to 2026-10-14: 0 of 2 sessions done, 0 failed, 2 tasks running, ' +
      '0 waiting, about 9 min 0 s left',
  )
  nowMs += 540_000
  progress.end(one, { outcome: 'failed', reason: 'the tape is not there.', tookMs: 1 })
  progress.end(two, { outcome: 'done', reason: null, tookMs: 1 })
  expect(judge(nowMs)).toMatchObject({
    state: 'running',
    sessions_per_hour: 6,
    failed: [{ day: '2026-10-13', reason: 'the tape is not there.' }],
  })
  expect(judge(nowMs + 121_000)).toMatchObject({ state: 'stopped' })
  progress.close()
  const text = 'backfill 2026-10-13 to 2026-10-14 has ended: 1 of 2 sessions done, 1 failed'
  expect(backfillText(judge(nowMs + 3_600_000)!)).toBe(text)
  expect(judge(nowMs + 86_400_001)).toBeNull()
})

test('without a backfill, or with a damaged file of it, there is nothing to show', () => {
  expect(readBackfillState(join(folder, 'nothing'))).toBeNull()
  mkdirSync(join(folder, 'damaged/work'), { recursive: true })
  writeFileSync(join(folder, 'damaged/work/backfill.json'), '{"from": 1')
  expect(readBackfillState(join(folder, 'damaged'))).toBeNull()
})
