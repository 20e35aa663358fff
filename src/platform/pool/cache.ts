import { LRUCache } from 'lru-cache'

/** LRU cache limited by the size of its values. */
export type Cache<Value> = {
  /** Returns the value of a key and marks it as just used. */
  readonly get: (key: string) => Value | undefined
  /** Caches a value of this size; one larger than the whole cache is not stored. */
  readonly put: (key: string, value: Value, bytes: number) => void
  /** Size of all entries. */
  readonly bytes: () => number
}

/** Overhead of an entry besides its value, without its key at two bytes a character. */
const ENTRY_BYTES = 100

/** Opens an empty cache that never weighs more than `maxBytes`. */
export function openCache<Value>(maxBytes: number): Cache<Value> {
  // wrapped in an object, since null is a valid result
  const entries = new LRUCache<string, { readonly value: Value }>({ maxSize: maxBytes })
  return {
    get: key => entries.get(key)?.value,
    put: (key, value, bytes) => {
      entries.set(key, { value }, { size: bytes + ENTRY_BYTES + 2 * key.length })
    },
    bytes: () => entries.calculatedSize,
  }
}
