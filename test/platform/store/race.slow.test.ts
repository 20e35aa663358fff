// The race of publishers in full: 4 of them, 40 sessions, 12 kills.

import { test } from 'vitest'
import { hasPostgres } from '../../support/postgres.ts'
import { runRace } from '../../support/storeRace.ts'

test.runIf(hasPostgres)(
  '4 publishers of 40 sessions are killed 12 times, and nothing is lost',
  () => runRace({ publishers: 4, sessions: 40, versions: 3, kills: 12, seed: 48 }),
)
