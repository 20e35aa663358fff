import { expect, test } from 'vitest'
import { isChaos, report } from '../../support/chaos.ts'
import { killWatchers, reportedIn } from '../../support/watchKills.ts'

/** Of each of two watchers. */
const KILLS = isChaos ? 100 : 15

test(`over ${2 * KILLS} kills of two watchers every event is queued once`, async () => {
  report('tried', 'random kills', 2 * KILLS)
  const { kills, events, expected } = await killWatchers(KILLS, 2)
  expect(kills).toBe(2 * KILLS)
  expect(reportedIn(events)).toEqual(reportedIn(expected))
  report('right', 'random kills', 2 * KILLS)
})
