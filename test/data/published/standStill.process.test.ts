// A publisher that stands still at a call to the disk while another one publishes something newer,
// and publishers that are killed. A sample; all of it: standStill.slow.test.ts.

import { describe, expect, test } from 'vitest'
import { findSample } from '../../support/chaos.ts'
import { killPublishers } from '../../support/killedPublishers.ts'
import { canRace, openRace, RACE_KINDS } from '../../support/races.ts'

describe.skipIf(!canRace).each(RACE_KINDS)('of a %s', kind => {
  test('0 of 10 stand-stills put an older version over a newer one', async () => {
    const race = await openRace(kind)
    try {
      const refused = new Set<string>()
      for (const pauseAt of findSample(race.callCount, 1, 9)) refused.add(await race.run(pauseAt))
      // most calls come before the pointer: then a session is refused, and a state is there already
      expect(refused).toContain(kind === 'session' ? 'older' : 'none')
    } finally {
      race.close()
    }
  })
})

test('4 publishers of 3 sessions that are killed 4 times lose no version and no file', () =>
  killPublishers(3, 4))
