import { test } from 'vitest'
import { killRuns } from '../../support/labKills.ts'

test('2 kills of a server: each test is spent once or refunded once', async () => {
  await killRuns(2, 3)
})
