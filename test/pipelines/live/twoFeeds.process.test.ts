// Two feeds of one session side by side, each killed once; the whole is in `npm run chaos`.

import { test } from 'vitest'
import { hasPostgres } from '../../support/postgres.ts'
import { runTwoFeeds } from '../../support/twoFeeds.ts'

test.runIf(hasPostgres)('of two feeds that are killed the store has each minute once', async () => {
  await runTwoFeeds({ kills: 1, seed: 48 })
})
