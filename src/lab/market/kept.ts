/** What was worked out of an object, or read for it, while there is room for it. */
export type ByteCache<Owner extends WeakKey, Value> = {
  /** What is kept of an owner; made when there is nothing yet. */
  readonly of: (owner: Owner) => Value
  /** Says how much more is kept now: beyond the limit all of it is forgotten. */
  readonly grew: (bytes: number) => void
}

/** Keeps values by their owners up to a limit of bytes; what is forgotten is made again. */
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
