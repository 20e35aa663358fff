/** Answers kept by what they weigh: the ones asked longest ago go first. */
export type Cache<Value> = {
  /** The value of a key, which counts as asked now. */
  readonly get: (key: string) => Value | undefined
  readonly put: (key: string, value: Value, bytes: number) => void
  /** What is kept weighs so much. */
  readonly bytes: () => number
}

type Kept<Value> = { readonly value: Value; readonly bytes: number }

/** What an entry weighs beside its value: its place, and its key of two bytes a character. */
const ENTRY_BYTES = 100

export function openCache<Value>(maxBytes: number): Cache<Value> {
  const kept = new Map<string, Kept<Value>>()
  let total = 0

  const drop = (key: string) => {
    total -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }
  return {
    get: key => {
      const found = kept.get(key)
      if (!found) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    put: (key, value, bytes) => {
      drop(key)
      const weight = bytes + ENTRY_BYTES + 2 * key.length
      // one that fills it alone would push out all others and still not fit
      if (weight > maxBytes) return
      kept.set(key, { value, bytes: weight })
      total += weight
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) break
        drop(oldest)
      }
    },
    bytes: () => total,
  }
}
