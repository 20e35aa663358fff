import { expect, test } from 'vitest'
import { tellInEveryWay, withoutIds } from '../../support/sameTold.ts'

test('a random session tells the same in every way, whatever its future', async () => {
  const { byMinute, caughtUp, replayed, cut, cutElsewhere } = await tellInEveryWay(7)
  expect(new Set(byMinute.map(one => one.body.type)).size).toBeGreaterThanOrEqual(9)
  expect(caughtUp).toEqual(byMinute)
  expect(replayed).toEqual(withoutIds(byMinute))
  expect(cut.length).toBeGreaterThan(10)
  expect(cutElsewhere).toEqual(cut)
})
