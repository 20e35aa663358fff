import { test } from 'vitest'
import { isChaos, tell } from '../../support/chaos.ts'
import { ENGINES } from '../../support/engines.ts'
import { killRuns } from '../../support/labKills.ts'

const KILLS = isChaos ? 200 : 10

test(`${KILLS} kills of servers: each test is spent once or refunded once`, async () => {
  tell('tried', 'random kills', KILLS)
  await killRuns(KILLS, 5)
  tell('right', 'random kills', KILLS)
})

const [, postgres] = ENGINES
test.skipIf(!postgres[1])('5 kills over a PostgreSQL are no other', async () => {
  const engine = await postgres[2]()
  await killRuns(5, 9, await engine.newPlace())
  await engine.stop()
})
