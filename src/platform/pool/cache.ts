import { LRUCache } from 'lru-cache'

/** LRU cache limited by the size of its values, and shared fairly between accounts. */
export type Cache<Value> = {
  /** Returns the value of a key, whoever cached it, and marks it as just used. */
  readonly get: (key: string) => Value | undefined
  /**
   * Caches a value of this size as part of an account's share, if one is named; a value larger than
   * the whole cache is not stored.
   */
  readonly put: (key: string, value: Value, bytes: number, account?: string) => void
  /** Size of all entries. */
  readonly bytes: () => number
}

/** Overhead of an entry besides its value, without its key at two bytes a character. */
const ENTRY_BYTES = 100

/**
 * Opens an empty cache that never weighs more than `maxBytes`. Once it is full, the account with
 * the largest share gives up its least recently used value: nobody pushes out what accounts with
 * less have cached.
 */
export function openCache<Value>(maxBytes: number): Cache<Value> {
  // wrapped in an object, since null is a valid result
  type Entry = { readonly value: Value; readonly size: number }
  type Share = LRUCache<string, Entry>
  const shares = new Map<string, Share>()
  const shareOfKey = new Map<string, Share>()
  let total = 0

  const dispose = ({ size }: Entry, key: string) => {
    total -= size
    shareOfKey.delete(key)
  }
  const dropFromLargest = () => {
    const [account, largest] = [...shares].reduce((first, other) =>
      other[1].calculatedSize > first[1].calculatedSize ? other : first,
    )
    largest.pop()
    if (largest.size === 0) shares.delete(account)
  }
  return {
    get: key => shareOfKey.get(key)?.get(key)?.value,
    put: (key, value, bytes, account = '') => {
      shareOfKey.get(key)?.delete(key)
      const size = bytes + ENTRY_BYTES + 2 * key.length
      if (size > maxBytes) return
      const share = shares.get(account) ?? new LRUCache({ maxSize: maxBytes, dispose })
      shares.set(account, share.set(key, { value, size }, { size }))
      shareOfKey.set(key, share)
      total += size
      while (total > maxBytes) dropFromLargest()
    },
    bytes: () => total,
  }
}
