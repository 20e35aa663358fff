// Publishers of the same sessions that are killed; the whole race is in `npm run chaos`.

import { test } from 'vitest'
import { hasPostgres } from '../../support/postgres.ts'
import { runRace } from '../../support/storeRace.ts'

test.runIf(hasPostgres)('killed publishers leave no missing file and no older pointer', () =>
  runRace({ publishers: 2, sessions: 5, versions: 2, kills: 2, seed: 20261127 }),
)
