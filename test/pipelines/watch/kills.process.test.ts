import { expect, test } from 'vitest'
import { killWatchers, reportedIn } from '../../support/watchKills.ts'

test('over ten kills of two watchers every event is queued once', async () => {
  const { kills, events, expected } = await killWatchers(5, 1)
  expect(kills).toBe(10)
  expect(expected.length).toBeGreaterThan(100)
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  expect(reportedIn(events)).toEqual(reportedIn(expected))
})
