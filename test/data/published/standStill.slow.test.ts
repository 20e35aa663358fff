// A publisher that stands still at each call to the disk while another one publishes something
// newer, and publishers that are killed. A sample; 200 and 12 of them with CHAOS=all (npm run
// chaos).

import { describe, test } from 'vitest'
import { isChaos } from '../../support/chaos.ts'
import { killPublishers } from '../../support/killedPublishers.ts'
import { canRace, openRace, RACE_KINDS } from '../../support/races.ts'

/** Of sessions and of states together: 200 with CHAOS=all. */
const RUNS = isChaos ? 200 / RACE_KINDS.length : 5

describe.skipIf(!canRace).each(RACE_KINDS)('of a %s', kind => {
  test('no stand-still puts an older version over a newer one', async () => {
    const race = await openRace(kind)
    try {
      // a step that shares no divisor with most counts of calls: all of them, and again
      for (let run = 0; run < RUNS; run++) await race.run(1 + ((run * 37) % race.callCount))
    } finally {
      race.close()
    }
  })
})

test('publishers that are killed lose no version and no file', () =>
  isChaos ? killPublishers(40, 12) : killPublishers(5, 2))
