// Measurements of the bench of LAB, on as few sessions as have a holdout.

import { expect, test } from 'vitest'
import { measureLab } from '../../../../pipelines/measure/bench/lab.ts'

test('130 sessions are tested, with hundreds of variants, and each takes its time', async () => {
  const rows = await measureLab({ labSessions: 130, say: () => {} })
  expect(rows['a test, with all its figures'].trades).toBeGreaterThan(100)
  const { variants } = rows['half of the variants, by one of two processes']
  expect(variants).toBeGreaterThan(200)
  expect(variants).toBeLessThanOrEqual(500)
  for (const { seconds } of Object.values(rows)) expect(seconds).toBeGreaterThan(0)
})
