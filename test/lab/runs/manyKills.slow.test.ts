import { expect, test } from 'vitest'
import { isChaos, report } from '../../support/chaos.ts'
import { BOTH_ENGINES } from '../../support/engines.ts'
import { killRuns } from '../../support/labKills.ts'

const KILLS = isChaos ? 200 : 12

test(`${KILLS} kills of servers and engines: each test is spent or refunded once`, async () => {
  report('tried', 'random kills', KILLS)
  const { step, server, pair, engine, ...tests } = await killRuns(KILLS, 5)
  report('right', 'random kills', KILLS)
  // a third each: at steps, of servers at any instant, of engines at any instant
  for (const count of [step, server + pair, engine]) {
    expect(count).toBeGreaterThanOrEqual(Math.floor(KILLS / 3))
  }
  if (isChaos)
    process.stdout.write(`kills ${JSON.stringify({ step, server, pair, engine, ...tests })}\n`)
})

const [, postgres] = BOTH_ENGINES
test.skipIf(!postgres[1])('6 kills over a PostgreSQL are no other', async () => {
  const engine = await postgres[2]()
  await killRuns(6, 9, await engine.newPlace())
  await engine.stop()
})
