// Uses of keys, counted in one statement: as a model of ten lines counts them, on both engines, and
// by several processes at once.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { KeyUsed } from '../../src/accounts/types.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'
import { ENGINES, type Engine } from '../support/engines.ts'
import { runs } from '../support/runs.ts'

type Use = { readonly calls: number; readonly minute: number; readonly addressHash: string }

/**
 * Use of one key: calls of its newest minute, and up to three client addresses of its newest
 * hour.
 */
function openModel() {
  let minute = -1
  let hour = -1
  let calls = 0
  let addressHashes: string[] = []
  return (use: Use): KeyUsed => {
    const useHour = Math.floor(use.minute / 60)
    const isPutBack = use.minute < minute - 1
    if (use.minute > minute || isPutBack) [minute, calls] = [use.minute, 0]
    if (useHour > hour || (useHour < hour && isPutBack)) [hour, addressHashes] = [useHour, []]
    const isKnown = addressHashes.includes(use.addressHash) || addressHashes.length < 3
    if (isKnown && !addressHashes.includes(use.addressHash)) addressHashes.push(use.addressHash)
    if (isKnown) calls += use.calls
    return { calls, addressCount: addressHashes.length, isAddressKnown: isKnown }
  }
}

const anyUses = fc.array(
  fc.record({
    calls: fc.integer({ min: 1, max: 9 }),
    // clocks of servers are apart, by a minute or over the hour, or are put back
    minute: fc.integer({ min: 57, max: 63 }),
    addressHash: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  }),
  { minLength: 1, maxLength: 25 },
)

describe.each(ENGINES)('uses of keys in %s', (_, isHere, start) => {
  let engine: Engine
  let stores: ServerStore[]
  const given = isHere ? describe : describe.skip

  given('are counted exactly', () => {
    beforeAll(async () => {
      engine = await start()
      const location = await engine.newPlace()
      stores = [await openAccountStore(location), await openAccountStore(location)]
    })
    afterAll(async () => {
      for (const store of stores) await store.close()
      await engine.stop()
    })

    const newKeyId = async () => {
      const [store] = stores
      const { id } = await store!.addAccount({ name: 'desk', plan: 'live', createdAtMs: 1 })
      const made = { accountId: id, scope: 'live', name: 'laptop', createdAtMs: 1 } as const
      return (await store!.addKey(made))!.record.id
    }
    const toUse = ({ calls, minute, addressHash }: Use) => {
      return { calls, minute, hour: Math.floor(minute / 60), addressHash }
    }

    test('one after the other, as the model has it, whatever the clocks say', async () => {
      await fc.assert(
        fc.asyncProperty(anyUses, async uses => {
          const keyId = await newKeyId()
          const model = openModel()
          for (const [index, use] of uses.entries()) {
            const used = await stores[index % 2]!.useKeys([{ keyId, ...toUse(use) }])
            expect(used).toEqual([model(use)])
          }
        }),
        { seed: 20261126, numRuns: runs(60) },
      )
    })

    test('the account page reads what was counted of its own working keys', async () => {
      const [store] = stores
      const { id } = await store!.addAccount({ name: 'desk', plan: 'live', createdAtMs: 1 })
      const [used, revoked] = await Promise.all(
        ['laptop', 'old'].map(async name => {
          const made = { accountId: id, scope: 'live', name, createdAtMs: 1 } as const
          return (await store!.addKey(made))!.record.id
        }),
      )
      const others = await newKeyId()
      expect(await store!.keyCounts(id)).toEqual([])
      for (const keyId of [used!, revoked!, others]) {
        for (const addressHash of ['a', 'b', 'a']) {
          await store!.useKeys([{ keyId, ...toUse({ calls: 2, minute: 61, addressHash }) }])
        }
      }
      await store!.revokeKey(revoked!, 2)
      const counted = { name: 'laptop', minute: 61, calls: 6, hour: 1, addressCount: 2 }
      expect(await stores[1]!.keyCounts(id)).toEqual([counted])
    })

    test('30 keys at once, by two stores, each as if it were alone', async () => {
      const keyIds = await Promise.all(Array.from({ length: 30 }, newKeyId))
      const use = toUse({ calls: 2, minute: 60, addressHash: 'a' })
      const all = keyIds.map((keyId, index) => ({ ...use, keyId, calls: index + 1 }))
      // opposite orders lock no two keys against each other
      const [one, other] = await Promise.all([
        stores[0]!.useKeys(all),
        stores[1]!.useKeys(all.toReversed()),
      ])
      for (const [index, { calls }] of all.entries()) {
        const counted = [one![index]!, other!.toReversed()[index]!].map(used => used.calls)
        expect(counted.sort((a, b) => a - b)).toEqual([calls, 2 * calls])
      }
      expect(await stores[0]!.useKeys([])).toEqual([])
      const used = (await stores[0]!.listKeys()).filter(({ id }) => keyIds.includes(id))
      expect(used.map(({ lastUsedAtMs }) => lastUsedAtMs)).toEqual(Array(30).fill(60 * 60_000))
    })

    test('40 at once from 8 addresses are calls from three, all of them', async () => {
      const keyId = await newKeyId()
      const used = await Promise.all(
        Array.from({ length: 40 }, async (_, index) => {
          const addressHash = String(index % 8)
          const use = { keyId, ...toUse({ calls: 1, minute: 60, addressHash }) }
          const [used] = await stores[index % 2]!.useKeys([use])
          return { addressHash, ...used! }
        }),
      )
      const known = used.filter(({ isAddressKnown }) => isAddressKnown)
      expect(new Set(known.map(({ addressHash }) => addressHash)).size).toBe(3)
      expect(known.map(({ calls }) => calls).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 15 }, (_, index) => index + 1),
      )
      expect(used.every(({ addressCount }) => addressCount <= 3)).toBe(true)
    })
  })
})
