/**
 * Seeded randomness: xoshiro128** (Blackman and Vigna, 2018) for streams, and a stateless hash for
 * values that must be the same on every evaluation.
 *
 * A stream is named by text. The text is hashed before it seeds: splitmix64 streams whose raw seeds
 * differ by a multiple of its constant are shifted copies of each other, not independent.
 */
export type Random = {
  /** In [0, 1), 53 bits. */
  readonly uniform: () => number
  readonly normal: () => number
  readonly exponential: (mean: number) => number
  /** A whole number from `low` to `high`, both included. */
  readonly integer: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <T>(items: readonly T[]) => T
}

/** The stream of one part of one session, such as `createRandom(1, 'orders')`. */
export function createRandom(seed: number, stream: string): Random {
  let [a, b, c, d] = seedWords(`${seed}/${stream}`) as [number, number, number, number]
  let spare: number | null = null

  const next = () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const t = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= t
    d = rotate(d, 11)
    return result
  }
  const uniform = () => ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / 2 ** 53
  const normal = () => {
    if (spare !== null) {
      const value = spare
      spare = null
      return value
    }
    // Box-Muller: two normals from two uniforms
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()))
    const angle = 2 * Math.PI * uniform()
    spare = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }

  return {
    uniform,
    normal,
    exponential: mean => -mean * Math.log(1 - uniform()),
    integer: (low, high) => low + Math.floor(uniform() * (high - low + 1)),
    chance: probability => uniform() < probability,
    pick: items => items[Math.floor(uniform() * items.length)]!,
  }
}

/** A choice among weighted items: the weights need not sum to 1. */
export function createChoice<T>(weighted: readonly (readonly [T, number])[]) {
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0)
  return (random: Random): T => {
    let left = random.uniform() * total
    for (const [item, weight] of weighted) {
      left -= weight
      if (left < 0) return item
    }
    return weighted.at(-1)![0]
  }
}

/** A value in [0, 1) that depends on three whole numbers only (murmur3 finaliser). */
export function hashUnit(seed: number, key: number, index: number): number {
  let hash = Math.imul(seed ^ Math.imul(key, 0x9e3779b1), 0x85ebca6b)
  hash ^= Math.imul(index | 0, 0xc2b2ae35) ^ (hash >>> 15)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 4_294_967_296
}

/** A 32-bit number for `hashUnit`, from a seed and a name. */
export const hashSeed = (seed: number, stream: string): number =>
  seedWords(`${seed}/${stream}`)[0]! | 0

const MASK = (1n << 64n) - 1n

/** FNV-1a of the text, spread by splitmix64 into four 32-bit words. */
function seedWords(text: string): number[] {
  let hash = 0xcbf29ce484222325n
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & MASK
  const words: number[] = []
  for (let index = 0; index < 2; index++) {
    hash = (hash + 0x9e3779b97f4a7c15n) & MASK
    let mixed = hash
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK
    mixed ^= mixed >> 31n
    words.push(Number(mixed & 0xffffffffn), Number(mixed >> 32n))
  }
  return words
}

const rotate = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits))
