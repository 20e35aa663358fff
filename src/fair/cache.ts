import { LRUCache } from 'lru-cache'

/** Answers kept by what they weigh: the ones asked longest ago go first. */
export type Cache<Value> = {
  /** The value of a key, which counts as asked now. */
  readonly get: (key: string) => Value | undefined
  /** Keeps a value of so many bytes; one that would fill the cache alone is not kept. */
  readonly put: (key: string, value: Value, bytes: number) => void
  /** What is kept weighs so much. */
  readonly bytes: () => number
}

/** What an entry weighs beside its value: its place, and its key of two bytes a character. */
const ENTRY_BYTES = 100

/** Opens an empty cache that never weighs more than `maxBytes`. */
export function openCache<Value>(maxBytes: number): Cache<Value> {
  // in an object of its own, for null is an answer too
  const entries = new LRUCache<string, { readonly value: Value }>({ maxSize: maxBytes })
  return {
    get: key => entries.get(key)?.value,
    put: (key, value, bytes) => {
      entries.set(key, { value }, { size: bytes + ENTRY_BYTES + 2 * key.length })
    },
    bytes: () => entries.calculatedSize,
  }
}
