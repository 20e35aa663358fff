/** Cache of values computed from, or read for, an object, bounded by bytes. */
export type ByteCache<Owner extends WeakKey, Value> = {
  /** Value of an owner; created on first access. */
  readonly of: (owner: Owner) => Value
  /** Reports additional bytes in use: above the limit the whole cache is cleared. */
  readonly grew: (bytes: number) => void
}

/** Creates a cache of values by owner up to a limit of bytes; cleared values are created again. */
export function createByteCache<Owner extends WeakKey, Value>(
  bytesMax: number,
  make: (owner: Owner) => Value,
): ByteCache<Owner, Value> {
  let values = new WeakMap<Owner, Value>()
  let bytes = 0
  return {
    of: owner => {
      const known = values.get(owner)
      if (known !== undefined) return known
      const made = make(owner)
      values.set(owner, made)
      return made
    },
    grew: more => {
      bytes += more
      if (bytes <= bytesMax) return
      values = new WeakMap()
      bytes = 0
    },
  }
}
