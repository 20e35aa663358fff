import { expect, test } from 'vitest'
import { tellInEveryWay, withoutIds } from '../../support/sameEvents.ts'

test('a random session sends the same in every way, whatever its future', async () => {
  const { byMinute, caughtUp, replayed, cut, cutElsewhere } = await tellInEveryWay(7)
  expect(new Set(byMinute.map(one => one.body.type)).size).toBeGreaterThanOrEqual(9)
  expect(caughtUp).toEqual(byMinute)
  expect(replayed).toEqual(withoutIds(byMinute))
  expect(cut.length).toBeGreaterThan(10)
  expect(cutElsewhere).toEqual(cut)
})
