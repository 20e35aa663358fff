import { expect, test } from 'vitest'
import type { KeyCount } from '../../src/accounts/types.ts'
import { usageReader } from '../../src/levels/usage.ts'
import type { ServerStore } from '../../src/server/accountStore.ts'

const AT_MS = Date.parse('2026-10-15T14:07:59Z')
const MINUTE = AT_MS / 60_000
const HOUR = Math.floor(MINUTE / 60)

const used = async (changes: Partial<KeyCount>) => {
  const count = { name: 'desk', minute: Math.floor(MINUTE), calls: 12, hour: HOUR, addressCount: 2 }
  const accounts = { keyCounts: async () => [{ ...count, ...changes }] }
  const account = { id: 'a_1', name: 'desk', createdAtMs: 1, products: [] }
  const requested = { account, atMs: AT_MS, signInId: 's', token: 't' }
  const uses = await usageReader(accounts as unknown as ServerStore)(requested)
  return uses.map(({ what, used, limit }) => `${what} ${used} of ${limit}`)
}

test.each<[what: string, changes: Partial<KeyCount>, calls: number, places: number]>([
  ['of this minute and hour', {}, 12, 2],
  ['of the minute before', { minute: Math.floor(MINUTE) - 1 }, 0, 2],
  ['of the hour before', { minute: HOUR * 60 - 1, hour: HOUR - 1 }, 0, 0],
])('a count %s', async (_, changes, calls, indexes) => {
  expect(await used(changes)).toEqual([
    `LIVE key desk: calls this minute ${calls} of 120`,
    `LIVE key desk: addresses this hour ${indexes} of 3`,
  ])
})
