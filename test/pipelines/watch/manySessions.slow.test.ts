import { expect, test } from 'vitest'
import { tellInEveryWay, withoutIds } from '../../support/sameEvents.ts'

test('4 random sessions tell the same in every way, whatever their future', async () => {
  const types = new Set<string>()
  for (let seed = 100; seed < 104; seed++) {
    const { byMinute, caughtUp, replayed, cut, cutElsewhere } = await tellInEveryWay(seed)
    for (const one of byMinute) types.add(one.body.type)
    expect(caughtUp).toEqual(byMinute)
    expect(replayed).toEqual(withoutIds(byMinute))
    expect(cutElsewhere).toEqual(cut)
  }
  expect(types.size).toBe(11)
})
