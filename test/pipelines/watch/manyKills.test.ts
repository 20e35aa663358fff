import { expect, test } from 'vitest'
import { killWatchers, toldIn } from '../../support/watchKills.ts'

test('over two hundred kills of two watchers every event is queued once', async () => {
  const { kills, events, expected } = await killWatchers(100, 2)
  expect(kills).toBe(200)
  expect(toldIn(events)).toEqual(toldIn(expected))
})
