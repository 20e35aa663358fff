import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openCache } from '../../../src/platform/pool/cache.ts'

test('whatever is read and put, a cache holds what a list of the last ones would', () => {
  const key = fc.constantFrom('a', 'bb', 'ccc', 'dddd', 'e'.repeat(200))
  const step = fc.record({ key, bytes: fc.option(fc.nat(1_200)), value: fc.option(fc.nat()) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const cache = openCache<number | null>(2_000)
      // the most recently read one is last
      let retained: { key: string; value: number | null; weight: number }[] = []
      const totalWeight = () => retained.reduce((sum, { weight }) => sum + weight, 0)
      for (const { key, bytes, value } of steps) {
        const found = retained.find(entry => entry.key === key)
        retained = retained.filter(entry => entry !== found)
        if (bytes === null) {
          expect(cache.get(key)).toBe(found?.value)
          if (found) retained.push(found)
        } else {
          cache.put(key, value, bytes)
          const weight = bytes + 100 + 2 * key.length
          if (weight <= 2_000) retained.push({ key, value, weight })
          while (totalWeight() > 2_000) retained.shift()
        }
        expect(cache.bytes()).toBe(totalWeight())
      }
    }),
  )
})

test('whatever others put, an account keeps what weighs less than its part of the cache', () => {
  const account = fc.constantFrom('careful', 'greedy', 'other', 'third')
  const puts = fc.array(fc.record({ account, bytes: fc.nat(2_500) }), { maxLength: 200 })
  fc.assert(
    fc.property(puts, entries => {
      const cache = openCache<number>(8_000)
      const careful: { key: string; index: number; weight: number }[] = []
      for (const [index, { account: owner, bytes }] of entries.entries()) {
        const key = `${index}`
        const weight = bytes + 100 + 2 * key.length
        if (owner === 'careful') {
          const total = careful.reduce((sum, entry) => sum + entry.weight, weight)
          if (total > 2_000) continue
          careful.push({ key, index, weight })
        }
        cache.put(key, index, bytes, owner)
        expect(cache.bytes()).toBeLessThanOrEqual(8_000)
        expect(careful.map(entry => cache.get(entry.key))).toEqual(careful.map(one => one.index))
      }
    }),
  )
})
