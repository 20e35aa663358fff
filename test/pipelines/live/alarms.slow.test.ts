// Findings of the audits of a running session turn its status red, and name the file.

import { rmSync } from 'node:fs'
import { afterAll, expect, test, vi } from 'vitest'
import { buildDay } from '../../../pipelines/build/day.ts'
import { silent } from '../../../pipelines/command/progress.ts'
import { openMinuteJob } from '../../../pipelines/live/minute.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { openCatalog } from '../../../src/data/published/catalog.ts'
import { readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { judgeStatus } from '../../../src/status/judge.ts'
import { DATE, importedTape, simulateLive } from '../../support/liveTape.ts'

/** True when the next state loses a print between the fold and its audits. */
let isLossy = false

vi.mock('../../../pipelines/build/audit.ts', async original => {
  const real = await original<typeof import('../../../pipelines/build/audit.ts')>()
  return {
    ...real,
    auditFold: async (db: Parameters<typeof real.auditFold>[0]) => {
      if (isLossy) {
        await db.repeat(
          `delete from fold.order_prints
           where sequence = (select max(sequence) from fold.order_prints)`,
        )
      }
      return real.auditFold(db)
    },
  }
})

const simulated = await simulateLive({ prints: 3_000 })
const dataFolder = await importedTape(simulated)
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }))

const at = (minute: string) => instantMs(DATE, minute)

const statusAt = (minute: string) =>
  judgeStatus({
    catalog: openCatalog({ dataFolder, nowMs: () => at(minute), log: { error: () => {} } }),
    nowMs: () => at(minute),
    publishGraceMs: 180 * 60_000,
    isLive: true,
  })

test('a lost print of a running session shows in its status until the day is built', async () => {
  const job = await openMinuteJob({ dataFolder, date: DATE, progress: silent })
  await job.advance(at('09:40'), true)
  expect(readLiveManifest(dataFolder, DATE)!.live).not.toHaveProperty('alarms')
  expect(statusAt('09:40')).toMatchObject({ status: 'green', problems: [] })

  isLossy = true
  // a minute of so small a tape may be without a print
  await job.advance(at('10:20'), true)
  isLossy = false
  const reported = expect.stringMatching(
    /^the audit prints_are_conserved finds that print \d+ of 2026-10-15 \S+ UTC is in no order$/,
  )
  expect(readLiveManifest(dataFolder, DATE)!.live.alarms).toContainEqual(reported)

  // the minutes after it do not make that print come back
  await job.advance(at('10:22'))
  await job.close()
  const status = statusAt('10:22')
  expect(status.status).toBe('red')
  expect(status.problems[0]).toMatch(/^the minutes of 2026-10-15: the audit prints_are_conserved /)

  await buildDay({ dataFolder, date: DATE, progress: silent })
  expect(statusAt('16:20').problems.filter(text => text.includes('audit'))).toEqual([])
})
