import { createHash } from 'node:crypto'

/** SplitMix64 (Steele, Lea and Flood 2014), as the vectors of the statistics draw with it. */

const WORD = (1n << 64n) - 1n

/** The next 53 bits of a generator, by the state it keeps. */
export class Splitmix {
  #state: bigint

  constructor(seed: bigint | number) {
    this.#state = BigInt(seed) & WORD
  }

  bits(): bigint {
    this.#state = (this.#state + 0x9e3779b97f4a7c15n) & WORD
    let mixed = this.#state
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & WORD
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & WORD
    return (mixed ^ (mixed >> 31n)) >> 11n
  }

  /** 0 to below 1. */
  share(): number {
    return Number(this.bits()) / 2 ** 53
  }

  /** 0 to below `count`. */
  index(count: number): number {
    return Number((this.bits() * BigInt(count)) >> 53n)
  }
}

/** The seed of an idea: the first 8 bytes of the SHA-256 of its id, as one number. */
export const seedOfId = (id: string): bigint =>
  createHash('sha256').update(id).digest().readBigUInt64BE(0)
